import { describe, expect, it } from 'vitest';
import { nameText, personNameText, trimmedText } from './text.ts';

const marks = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('marks that turn the direction of text', () => {
  it.each(marks)('are removed from what members write (case %#)', (mark) => {
    expect(trimmedText(1, 20).parse(`${mark} moc.knab${mark} `)).toBe('moc.knab');
    expect(trimmedText(1, 20).safeParse(mark).success).toBe(false);
  });

  it.each(marks)('are refused in names (case %#)', (mark) => {
    expect(nameText(1, 20).safeParse(`Um${mark}eå`).success).toBe(false);
    expect(personNameText(1, 20).safeParse(`Ad${mark}a`).success).toBe(false);
  });

  it('are not needed by languages written from right to left', () => {
    expect(trimmedText(1, 20).parse('שלום, 31')).toBe('שלום, 31');
    expect(trimmedText(1, 20).parse('א\u200f.')).toBe('א\u200f.');
  });
});
