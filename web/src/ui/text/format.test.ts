import { describe, expect, it } from 'vitest';
import {
  formatChange,
  formatDate,
  formatDay,
  formatMonth,
  formatNumber,
  formatPercent,
  lastActiveText,
} from './format.ts';

const now = Date.parse('2025-10-20T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const words = (time: string | null) => {
  const { text, values } = lastActiveText(time, now, 'en');
  return values ? text.replace('{count}', String(values.count)) : text;
};

describe('lastActiveText', () => {
  it.each([
    [null, 'Never'],
    ['not a time', 'Never'],
    [hoursAgo(0), 'Just now'],
    [hoursAgo(0.99), 'Just now'],
    [hoursAgo(1), '1h ago'],
    [hoursAgo(23.9), '23h ago'],
    [hoursAgo(24), '1d ago'],
    [hoursAgo(167.9), '6d ago'],
    [hoursAgo(168), 'Oct 13, 2025'],
  ])('shows %s as %s', (time, text) => {
    expect(words(time)).toBe(text);
  });
});

describe('numbers and dates', () => {
  it("are formatted for the reader's locale", () => {
    expect(formatNumber(1234567, 'en')).toBe('1,234,567');
    expect(formatPercent(89, 'en')).toBe('89%');
    expect(formatChange(12, 'en')).toBe('+12%');
    expect(formatChange(-3, 'en')).toBe('-3%');
    expect(formatChange(0, 'en')).toBe('0%');
    expect(formatDay('1994-03-02', 'en')).toBe('Mar 2, 1994');
    expect(formatMonth('2025-10', 'en')).toBe('Oct');
  });

  it('are shown as a dash if missing', () => {
    expect(formatDate(null, 'en')).toBe('—');
    expect(formatDate('nonsense', 'en')).toBe('—');
    expect(formatDay(null, 'en')).toBe('—');
  });
});
