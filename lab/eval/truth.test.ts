import { describe, expect, test } from 'vitest';
import { questions } from '#contract/compatibility.ts';
import type { MatchReason } from '#contract/discovery.ts';
import { createRandom } from '../chaos/random.ts';
import { makePeople, type Person } from './people.ts';
import { isTrue, violations, type Known } from './truth.ts';

const [some] = makePeople(1, createRandom(1));
if (some === undefined) throw new Error('No members were generated');
const ada: Person = {
  ...some,
  gender: 'woman',
  seeking: ['man'],
  age: 30,
  agePreference: null,
  distancePreference: null,
  place: { latitude: 50, longitude: 14 },
  lastActiveDays: 0,
  answerSheet: [],
};
const ben: Person = { ...ada, gender: 'man', seeking: ['woman'] };
const known: Known = { optionsOf: new Map(), stated: new Map(), members: 100, isExploration: false };
const ages = { min: 31, max: 40, required: true };

describe('the check of hard filters notices', () => {
  test.each<[string, Partial<Person>, Partial<Person>, string[]]>([
    ['nothing where all filters match', {}, {}, []],
    ['a gender the viewer does not seek', { seeking: ['woman'] }, {}, ['gender']],
    ['a candidate who does not seek the viewer', {}, { seeking: ['man'] }, ['their gender']],
    ['an age outside the viewer’s range', { agePreference: ages }, {}, ['age']],
    ['an age outside the candidate’s range', {}, { agePreference: ages }, ['their age']],
    ['no violation of a preference that is not required', {}, { agePreference: { ...ages, required: false } }, []],
    [
      'a candidate who is too far away',
      { distancePreference: { maxKm: 71, required: true } },
      { place: { latitude: 50, longitude: 15 } },
      ['distance'],
    ],
    [
      'no candidate within the distance',
      { distancePreference: { maxKm: 72, required: true } },
      { place: { latitude: 50, longitude: 15 } },
      [],
    ],
    [
      'a member without a place',
      {},
      { place: null, distancePreference: { maxKm: 72, required: true } },
      ['their distance'],
    ],
    ['an inactive candidate', {}, { lastActiveDays: 30 }, ['inactive for 30 days']],
  ])('%s', (_, viewer, shown, found) => {
    expect(violations({ ...ada, ...viewer }, { ...ben, ...shown })).toEqual(found);
  });
});

describe('the check of reasons', () => {
  const answers = questions.slice(0, 10).map(({ id, options }) => ({
    questionId: id,
    answer: options[0]?.id ?? '',
    accepted: [options[0]?.id ?? ''],
    importance: 'very' as const,
  }));
  const wrong = answers.map((answer) => ({ ...answer, accepted: ['another'] }));
  const wide = { ...ages, min: 25 };

  test.each<[MatchReason, Partial<Person>, Partial<Person>]>([
    [{ kind: 'goal', goal: 'friendship' }, { goal: 'friendship' }, { goal: 'open-to-see' }],
    [{ kind: 'ages', viewerAge: 30 }, { agePreference: wide }, { agePreference: ages }],
    [{ kind: 'answers' }, { answerSheet: answers }, { answerSheet: wrong }],
    [{ kind: 'languages', languages: ['cs', 'en'] }, { languages: ['cs', 'en'] }, { languages: ['cs'] }],
    [{ kind: 'children', wish: 'want' }, { children: 'want' }, { children: 'open' }],
    [{ kind: 'smoking' }, { smoking: 'never' }, { smoking: 'quitting' }],
    [{ kind: 'interests', interests: ['tea'], areRare: true }, { interests: ['tea'] }, { interests: ['chess'] }],
    [{ kind: 'active' }, { showsLastActive: true }, { showsLastActive: false, lastActiveDays: 1, replyRate: 0.9 }],
    [{ kind: 'new-here' }, {}, { decisionsReceived: 0, joinedDays: 0 }],
    [{ kind: 'premium' }, {}, { isVip: false }],
  ])('finds $kind untrue if it only holds for one of the two', (reason, viewer, shown) => {
    expect(isTrue(reason, { ...ada, ...viewer }, { ...ben, ...shown }, known)).toBe(false);
  });

  test.each<[MatchReason, Partial<Person>]>([
    [{ kind: 'goal', goal: 'friendship' }, { goal: 'friendship' }],
    [{ kind: 'ages', viewerAge: 30 }, { agePreference: wide }],
    [{ kind: 'answers' }, { answerSheet: answers }],
    [{ kind: 'children', wish: 'want' }, { children: 'want' }],
    [{ kind: 'smoking' }, { smoking: 'never' }],
    [{ kind: 'interests', interests: ['tea'], areRare: true }, { interests: ['tea'] }],
    [{ kind: 'premium' }, { isVip: true }],
  ])('finds $kind true if it holds for both', (reason, both) => {
    expect(isTrue(reason, { ...ada, ...both }, { ...ben, ...both }, known)).toBe(true);
  });

  test('weights a shared interest by its actual rarity', () => {
    const both = { interests: ['tea' as const] };
    const common = { ...known, stated: new Map([['tea', 11]]) };
    const reason: MatchReason = { kind: 'interests', interests: ['tea'], areRare: true };
    expect(isTrue(reason, { ...ada, ...both }, { ...ben, ...both }, common)).toBe(false);
  });
});
