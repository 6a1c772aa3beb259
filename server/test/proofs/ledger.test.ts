import { describe, expect, test } from 'vitest';
import { isClean, judge, phaseOf, type Entry } from './ledger.ts';

const done = (tag: string, phase: Entry['phase']): Entry[] => [
  { tag, phase: 'invoke' },
  { tag, phase },
];
const verdict = (entries: Entry[], found: [string, number][]) => judge(entries, new Map(found));

describe('the ledger of writes', () => {
  test('expects acknowledged writes once, and allows unknown ones to exist or not', () => {
    const entries = [...done('a', 'ok'), ...done('b', 'unknown'), ...done('c', 'unknown'), ...done('d', 'fail')];
    const clean = verdict(entries, [
      ['a', 1],
      ['b', 1],
    ]);
    expect(isClean(clean)).toBe(true);
    expect(clean).toMatchObject({ invoked: 4, acknowledged: 1, unknown: 2 });
  });

  test.each<[string, Entry[], [string, number][], object]>([
    ['lost', done('a', 'ok'), [], { lost: ['a'] }],
    ['doubled', done('a', 'ok'), [['a', 2]], { duplicates: ['a'] }],
    ['duplicated although unknown', done('a', 'unknown'), [['a', 2]], { duplicates: ['a'] }],
    ['never requested', [], [['a', 1]], { ghosts: ['a'] }],
    ['present although refused', done('a', 'fail'), [['a', 1]], { ghosts: ['a'] }],
  ])('detects writes that were %s', (_words, entries, found, expected) => {
    const seen = verdict(entries, found);
    expect(seen).toMatchObject(expected);
    expect(isClean(seen)).toBe(false);
  });

  test('treats a 4xx or a refused connection as not executed, and a 5xx or a cut connection as unknown', () => {
    const answered = (status: number) => phaseOf({ kind: 'answered', status, headers: {}, text: '', ms: 1 });
    expect([200, 201, 409, 503].map(answered)).toEqual(['ok', 'ok', 'fail', 'unknown']);
    expect(phaseOf({ kind: 'refused', ms: 1 })).toBe('fail');
    expect(phaseOf({ kind: 'broken', code: 'ECONNRESET', ms: 1 })).toBe('unknown');
  });
});
