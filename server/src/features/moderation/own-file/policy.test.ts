import { describe, expect, it } from 'vitest';
import { noticeOf, type StaffReadFacts } from './policy.ts';

const read = (changes: Partial<StaffReadFacts> = {}): StaffReadFacts => ({
  kind: 'routine',
  day: '2026-03-02',
  isUnderLegalHold: false,
  isOpen: false,
  caseOpenedAt: null,
  settledAt: null,
  hasSupportThatDay: false,
  ...changes,
});
const at = (time: string) => new Date(`2026-${time}:00.000Z`);
const withCase = (changes: Partial<StaffReadFacts> = {}) =>
  read({ caseOpenedAt: at('03-01T10:00'), settledAt: at('03-05T15:00'), ...changes });

describe('what members see of staff who opened their account', () => {
  it.each([
    // What the member asked for.
    ['what was asked for, at once', read({ kind: 'support' }), '03-02T12:00', 'support'],
    [
      'what was asked for, also while a case is open',
      withCase({ kind: 'support', isOpen: true }),
      '03-02T12:00',
      'support',
    ],
    [
      'what was asked for, under a legal hold',
      read({ kind: 'support', isUnderLegalHold: true }),
      '04-30T12:00',
      'wait',
    ],
    // Without a case.
    ['other work on the same day', read(), '03-02T12:00', 'wait'],
    ['other work a minute before seven whole days are over', read(), '03-09T23:59', 'wait'],
    ['other work after seven whole days', read(), '03-10T00:00', 'routine'],
    ['other work that an entry about support covers', read({ hasSupportThatDay: true }), '03-10T00:00', 'nothing'],
    ['other work under a legal hold', read({ isUnderLegalHold: true }), '04-30T12:00', 'wait'],
    // A report, a case, an appeal, a hold, a rule.
    ['a case that is open', withCase({ kind: 'safety', isOpen: true, settledAt: null }), '12-30T12:00', 'wait'],
    ['a case that was reopened', withCase({ kind: 'safety', isOpen: true }), '12-30T12:00', 'wait'],
    ['a decided case, a minute too early', withCase({ kind: 'safety' }), '03-12T14:59', 'wait'],
    ['a decided case after seven days', withCase({ kind: 'safety' }), '03-12T15:00', 'safety'],
    ['a decided case under a legal hold', withCase({ kind: 'safety', isUnderLegalHold: true }), '12-30T12:00', 'wait'],
    ['a decided case, opened again later', withCase({ kind: 'safety', day: '2026-03-20' }), '03-27T12:00', 'wait'],
    ['a decided case, seven days after that', withCase({ kind: 'safety', day: '2026-03-20' }), '03-28T00:00', 'safety'],
    ['a case with support on that day', withCase({ kind: 'safety', hasSupportThatDay: true }), '03-12T15:00', 'safety'],
    // Opening the account while there is a case says nothing else than opening the case.
    ['the account while its case is open', withCase({ isOpen: true, settledAt: null }), '12-30T12:00', 'wait'],
    ['the account during a case that is decided', withCase(), '03-12T15:00', 'safety'],
    ['the account on the day before the case', withCase({ day: '2026-02-28' }), '03-12T15:00', 'safety'],
    ['the account long before the case', withCase({ day: '2026-02-01' }), '03-12T15:00', 'routine'],
    ['the account long before an open case', withCase({ day: '2026-02-01', isOpen: true }), '03-12T15:00', 'wait'],
    ['the account long after the case', withCase({ day: '2026-06-01' }), '06-09T00:00', 'routine'],
  ] as const)('%s', (_, facts, now, shown) => {
    expect(noticeOf(facts, at(now))).toBe(shown);
  });
});
