import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageOn, latestBirthDate } from './clock.ts';

const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

describe('ageOn', () => {
  test.each([
    ['2008-06-15', '2026-06-14T23:59:59.999Z', 17],
    ['2008-06-15', '2026-06-15T00:00:00.000Z', 18],
    ['2008-06-15', '2026-06-16T00:00:00.000Z', 18],
    ['2008-02-29', '2026-02-28T23:59:59.999Z', 17],
    ['2008-02-29', '2026-03-01T00:00:00.000Z', 18],
    ['2004-02-29', '2024-02-28T12:00:00.000Z', 19],
    ['2004-02-29', '2024-02-29T00:00:00.000Z', 20],
    ['1906-06-16', '2026-06-15T12:00:00.000Z', 119],
    ['1906-06-15', '2026-06-15T12:00:00.000Z', 120],
    ['2026-06-15', '2026-06-15T12:00:00.000Z', 0],
  ])('someone born on %s is at %s %i years old', (birthDate, now, years) => {
    expect(ageOn(birthDate, new Date(now))).toBe(years);
  });

  test('agrees with latestBirthDate on every day', () => {
    const day = fc
      .date({ min: new Date('1890-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(
        day,
        fc.oneof(day, fc.constant('2024-02-29'), fc.constant('2025-02-28')),
        fc.nat(120),
        (birthDate, today, years) => {
          const now = at(today);
          expect(birthDate <= latestBirthDate(years, now)).toBe(ageOn(birthDate, now) >= years);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
