import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../../test/random.ts';
import { extraDays, entryOf, type StaffReadFacts } from './policy.ts';

const read = (changes: Partial<StaffReadFacts> = {}): StaffReadFacts => ({
  kind: 'routine',
  day: '2026-03-02',
  isOpen: false,
  caseId: null,
  caseOpenedAt: null,
  settledAt: null,
  hasSupportThatDay: false,
  ...changes,
});
const at = (time: string) => new Date(`2026-${time}:00.000Z`);
/** With a case whose entries wait for some extra days. */
function withCase(changes: Partial<StaffReadFacts> = {}, days = 0): StaffReadFacts {
  const facts = read({ caseOpenedAt: at('03-01T10:00'), settledAt: at('03-05T15:00'), ...changes });
  const ids = Array.from({ length: 7 }, (_, n) => `0000000${n}`);
  return { ...facts, caseId: ids.find((caseId) => extraDays({ ...facts, caseId }) === days) ?? null };
}

describe('what members see about staff who opened their account', () => {
  it.each([
    // The requests of the member.
    ['what was asked for, at once', read({ kind: 'support' }), '03-02T12:00', 'support'],
    [
      'what was asked for, also while a case is open',
      withCase({ kind: 'support', isOpen: true }),
      '03-02T12:00',
      'support',
    ],
    // Without a case.
    ['other work on the same day', read(), '03-02T12:00', 'wait'],
    ['other work a minute before seven whole days are over', read(), '03-09T23:59', 'wait'],
    ['other work after seven whole days', read(), '03-10T00:00', 'routine'],
    ['other work that an entry about support covers', read({ hasSupportThatDay: true }), '03-10T00:00', 'nothing'],
    // A report, a case, an appeal, a hold, a rule.
    ['a case that is open', withCase({ kind: 'safety', isOpen: true, settledAt: null }), '12-30T12:00', 'wait'],
    ['a case that was reopened', withCase({ kind: 'safety', isOpen: true }), '12-30T12:00', 'wait'],
    ['a decided case, a minute too early', withCase({ kind: 'safety' }), '03-12T14:59', 'wait'],
    ['a decided case after seven days', withCase({ kind: 'safety' }), '03-12T15:00', 'safety'],
    ['a decided case, a minute before its extra days are over', withCase({}, 3), '03-15T14:59', 'wait'],
    ['a decided case after its extra days', withCase({}, 3), '03-15T15:00', 'safety'],
    ['a decided case, opened again later', withCase({ kind: 'safety', day: '2026-03-20' }), '03-27T12:00', 'wait'],
    ['a decided case, seven days after that', withCase({ kind: 'safety', day: '2026-03-20' }), '03-28T00:00', 'safety'],
    ['a case with support on that day', withCase({ kind: 'safety', hasSupportThatDay: true }), '03-12T15:00', 'safety'],
    // Opening the account during a case is treated like opening the case.
    ['the account while its case is open', withCase({ isOpen: true, settledAt: null }), '12-30T12:00', 'wait'],
    ['the account during a case that is decided', withCase(), '03-12T15:00', 'safety'],
    ['the account on the day before the case', withCase({ day: '2026-02-28' }), '03-12T15:00', 'safety'],
    ['the account long before the case', withCase({ day: '2026-02-01' }), '03-12T15:00', 'routine'],
    ['the account long before an open case', withCase({ day: '2026-02-01', isOpen: true }), '03-12T15:00', 'wait'],
    ['the account long after the case', withCase({ day: '2026-06-01' }), '06-09T00:00', 'routine'],
  ] as const)('%s', (_, facts, now, shown) => {
    expect(entryOf(facts, at(now))).toBe(shown);
  });
});

describe('the extra days of an entry', () => {
  it('are 0 to 6, about equally often, and stay the same until the case is settled again', () => {
    const extra = (caseId: string, settledAt: Date) => extraDays({ caseId, settledAt });
    const found = Array.from({ length: 700 }, (_, n) => extra(randomUUID(), new Date(n * 60_000)));
    const often = [0, 1, 2, 3, 4, 5, 6].map((days) => found.filter((one) => one === days).length);
    expect(often.reduce((sum, count) => sum + count)).toBe(700);
    for (const count of often) expect(count).toBeGreaterThan(50);
    const id = randomUUID();
    expect(extra(id, at('03-05T15:00'))).toBe(extra(id, at('03-05T15:00')));
    expect(new Set(Array.from({ length: 7 }, (_, ms) => extra(id, new Date(ms)))).size).toBe(7);
  });
});

describe('200 random histories', () => {
  const day = 86_400_000;
  const start = at('01-01T00:00').getTime();
  const dateAt = (n: number) => new Date(start + n * day);
  /** A case that was opened and decided several times, with the days on which it was open. */
  const randomCase = (random: ReturnType<typeof randomOf>) => {
    const periods: { from: number; to: number }[] = [];
    for (let n = random.below(20); n < 100; n += 1 + random.below(40)) {
      const to = n + 1 + random.below(30);
      periods.push({ from: n, to });
      n = to;
    }
    return periods;
  };
  const kinds = ['support', 'safety', 'routine'] as const;

  it('show nothing about a case until seven days after it was settled, and always show support', () => {
    for (let history = 0; history < 200; history += 1) {
      const random = randomOf(history);
      const periods = randomCase(random);
      const reads = Array.from({ length: 20 }, () => ({ kind: random.pick(kinds), on: random.below(120) }));
      for (const { kind, on } of reads)
        for (let now = on; now < 160; now += 1) {
          const begun = periods.filter(({ from }) => from <= now);
          const settled = begun.filter(({ to }) => to <= now).map(({ to }) => to);
          const facts = read({
            kind,
            day: dateAt(on).toISOString().slice(0, 10),
            isOpen: begun.some(({ to }) => to > now),
            caseId: begun[0] === undefined ? null : `${history}`,
            caseOpenedAt: begun[0] === undefined ? null : dateAt(begun[0].from),
            settledAt: settled.length === 0 ? null : dateAt(Math.max(...settled)),
          });
          const shown = entryOf(facts, dateAt(now));
          const isEarly = facts.isOpen || now < Math.max(on + 1, ...settled) + 7 + extraDays(facts);
          expect([history, now, shown]).toEqual([
            history,
            now,
            kind === 'support' ? 'support' : isEarly ? 'wait' : expect.stringMatching(/^(safety|routine)$/),
          ]);
        }
    }
  });
});
