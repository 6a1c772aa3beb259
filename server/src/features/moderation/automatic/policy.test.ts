import { describe, expect, it } from 'vitest';
import { conditionWords, type RuleFactValues, ruleFacts, ruleSentence } from '#contract/moderation/rule-words.ts';
import { textOf } from '#platform/texts.ts';
import { judgeGroups, matches } from './policy.ts';
import { printsOf } from './prints.ts';

const facts = (some: Partial<RuleFactValues>) =>
  ({ ...Object.fromEntries(ruleFacts.map((fact) => [fact, 0])), ...some }) as RuleFactValues;
const conditions = [
  { fact: 'accountAgeHours', value: 72 },
  { fact: 'sameTextSenders', value: 3 },
] as const;

describe('matches', () => {
  it.each([
    [{ accountAgeHours: 71, sameTextSenders: 3 }, true],
    [{ accountAgeHours: 72, sameTextSenders: 3 }, false],
    [{ accountAgeHours: 0, sameTextSenders: 2 }, false],
  ])('compares %o with every condition', (some, isHit) => {
    expect(matches(conditions, facts(some))).toBe(isHit);
  });
});

describe('ruleSentence', () => {
  it('says who a rule hits and what it does', () => {
    const actions = {
      problem_type: 'Harassment',
      priority: 'critical',
      hold: true,
      tagName: 'Suspected scam',
    } as const;
    expect(ruleSentence(conditions, actions, textOf)).toBe(
      'If they joined less than 72 hours ago and at least 3 accounts, theirs included, sent the same text: open a case under “Harassment” with the priority “critical”, tag the person “Suspected scam”, and hold their likes, notes and first messages for up to 72 hours.',
    );
    expect(conditionWords(conditions.slice(1), textOf)).toBe(
      'at least 3 accounts, theirs included, sent the same text',
    );
  });
});

describe('judgeGroups', () => {
  const group = (people: number, hits: number) => ({ by: 'country' as const, group: 'x', people, hits });
  const all = { people: 10_000, hits: 110 };
  it.each([
    ['a group hit twice as often as the rest', group(1000, 20), true],
    ['a group hit a little more often', group(1000, 14), false],
    ['fewer than 200 people', group(199, 20), false],
    ['fewer than 10 hits', group(200, 9), false],
    ['a group that has all hits', group(200, 110), true],
    ['everyone', group(10_000, 110), false],
  ])('judges %s', (_, one, isUneven) => {
    expect(judgeGroups([one], all)).toEqual([{ ...one, isUneven }]);
  });
});

describe('text fingerprints', () => {
  const scam =
    'Hello Anna, I am an engineer working on an oil rig far from home and I feel so lonely at night, your smile gives me hope. Write me on my private mail please.';
  const shared = (one: string, other: string) =>
    printsOf(one).filter((print) => printsOf(other).includes(print)).length;

  it('are equal for copies, even with other letters, signs and case', () => {
    expect(printsOf(scam)).toHaveLength(8);
    expect(shared(scam, scam.toUpperCase().replaceAll(',', ' –').replaceAll('O', 'О'))).toBe(8);
  });
  it('overlap for a copy with another name', () => {
    expect(shared(scam, scam.replace('Anna', 'Beatrice'))).toBeGreaterThan(2);
  });
  it('do not overlap for different texts', () => {
    const other =
      'Hi! Your dog looks exactly like the one my sister had when we were children, what is his name and does he like the sea?';
    expect(shared(scam, other)).toBe(0);
  });
  it('don’t exist for greetings that many people write', () => {
    expect(printsOf('Hey, how is your week going so far? Nice pictures!')).toEqual([]);
    expect(printsOf('')).toEqual([]);
  });
  it('exist for texts without spaces between words', () => {
    expect(printsOf('我是一名在海上工作的工程师，晚上很孤独')).toHaveLength(8);
  });
});
