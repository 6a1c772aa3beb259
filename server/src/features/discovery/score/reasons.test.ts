import { describe, expect, test } from 'vitest';
import type { ReasonKind } from '#contract/discovery.ts';
import { aCandidate, aViewer, nothingKnown } from '../../../../test/discovery-rows.ts';
import { factsFor, reasonsFor } from './reasons.ts';
import type { Candidate, MarketStats, Viewer } from './people.ts';

const reasons = (
  viewer: Partial<Viewer>,
  candidate: Partial<Candidate>,
  isExploration = false,
  market = nothingKnown,
) => reasonsFor(aViewer(viewer), aCandidate(candidate), market, isExploration).map(({ reason }) => reason);
const kinds = (...given: Parameters<typeof reasons>): ReasonKind[] => reasons(...given).map(({ kind }) => kind);
const wish = { min: 30, max: 40, required: true };

test('the facts of a card without a reason begin with an interest that both have', () => {
  const near = { distance: 6, distanceFormatted: '6 km' };
  const facts = (interests: string[]) =>
    factsFor(aViewer({ interests: ['chess', 'tea'] }), aCandidate({ interests, joinedDays: 3 }), nothingKnown, near);
  expect(facts(['tea'])).toEqual([{ kind: 'interests', interests: ['tea'], areRare: true }, ...facts([])]);
  expect(facts([])).toEqual([{ kind: 'near', distance: '6 km' }, { kind: 'newcomer' }]);
});

describe('the reasons of a card', () => {
  test.each<[string, Partial<Viewer>, Partial<Candidate>, object]>([
    ['goal', { goal: 'long-term' }, { goal: 'long-term' }, { kind: 'goal', goal: 'long-term' }],
    ['ages', { age: 34, agePreference: wish }, { age: 36, agePreference: wish }, { kind: 'ages', viewerAge: 34 }],
    ['answers', {}, { answers: 'high' }, { kind: 'answers' }],
    [
      'languages',
      { languages: ['cs', 'es'] },
      { languages: ['es', 'cs', 'en'] },
      { kind: 'languages', languages: ['cs', 'es'] },
    ],
    ['wanting children', { children: 'want' }, { children: 'have-and-want-more' }, { kind: 'children', wish: 'want' }],
    [
      'not wanting children',
      { children: 'do-not-want' },
      { children: 'do-not-want' },
      { kind: 'children', wish: 'do-not-want' },
    ],
    ['smoking', { smoking: 'never' }, { smoking: 'never' }, { kind: 'smoking' }],
    [
      'interests',
      { interests: ['chess', 'tea'] },
      { interests: ['tea'] },
      { kind: 'interests', interests: ['tea'], areRare: true },
    ],
  ])('are shown for what both state: %s', (_, viewer, candidate, reason) => {
    expect(reasons(viewer, candidate)).toEqual([reason]);
  });

  test.each<[string, Partial<Viewer>, Partial<Candidate>]>([
    ['nothing', {}, {}],
    ['goals that are merely compatible', { goal: 'long-term' }, { goal: 'open-to-see' }],
    ['conflicts', { goal: 'long-term', children: 'want' }, { goal: 'short-term', children: 'do-not-want' }],
    ['something only one of them states', { goal: 'long-term', smoking: 'never' }, {}],
    [
      'an age outside the preferred range',
      { age: 34, agePreference: wish },
      { age: 29, agePreference: { ...wish, min: 25 } },
    ],
    ['answers that fit like most people’s', {}, { answers: 'good' }],
    ['answers that fit badly', {}, { answers: 'low' }],
    ['no common language', { languages: ['cs'] }, { languages: ['es'] }],
    ['two people who smoke', { smoking: 'regularly' }, { smoking: 'regularly' }],
    ['nearness', {}, { distanceKm: 1 }],
  ])('are never shown for %s', (_, viewer, candidate) => {
    expect(reasons(viewer, candidate)).toEqual([]);
  });

  test('are at most three, strongest first', () => {
    const both = { goal: 'long-term', smoking: 'never', children: 'want', agePreference: wish, age: 35 } as const;
    expect(kinds(both, both)).toEqual(['goal', 'ages', 'children']);
  });

  test('leave out facts without effect because the content term is at its limit', () => {
    const both = { agePreference: wish, age: 35, smoking: 'never' as const, languages: ['cs'] };
    const answers = 'high';
    const goal = 'long-term';
    expect(kinds(both, { ...both, answers })).toEqual(['answers', 'ages', 'languages']);
    expect(kinds({ ...both, goal }, { ...both, goal, answers })).toEqual(['answers', 'goal']);
  });

  test('include the two rarest interests at most, and call them rare only if they are', () => {
    const market: MarketStats = {
      ...nothingKnown,
      interestShares: new Map([
        ['hiking', 0.4],
        ['cooking', 0.3],
        ['tea', 0.2],
        ['beekeeping', 0.01],
      ]),
    };
    const reasonsOfShared = (...interests: string[]) => reasons({ interests }, { interests }, false, market);
    expect(reasonsOfShared('hiking', 'tea', 'cooking')).toEqual([
      { kind: 'interests', interests: ['tea', 'cooking'], areRare: false },
    ]);
    expect(reasonsOfShared('hiking', 'beekeeping')).toEqual([
      { kind: 'interests', interests: ['beekeeping'], areRare: true },
    ]);
  });
});

describe('the activity reason', () => {
  const lively = { lastActiveDays: 2, replyRate: 0.9, readsWeekly: 12, pendingLikes: 3 };

  test('is shown for members who were active this week and usually answer', () => {
    expect(kinds({}, lively)).toEqual(['active']);
    expect(kinds({}, { ...lively, lastActiveDays: 7 })).toEqual([]);
    expect(kinds({}, { ...lively, replyRate: 0.6 })).toEqual([]);
  });

  test('is not shown if either member hides activity, or if activity had no effect on the score', () => {
    expect(kinds({ showsLastActive: false }, lively)).toEqual([]);
    expect(kinds({}, { ...lively, showsLastActive: false })).toEqual([]);
    expect(kinds({}, { ...lively, pendingLikes: 0 })).toEqual([]);
  });
});

describe('the reasons in an exploration slot', () => {
  const newcomer = { decisionsReceived: 4, joinedDays: 2, goal: 'friendship' } as const;

  test('start with "new here" for a newcomer', () => {
    expect(kinds({ goal: 'friendship' }, newcomer, true)).toEqual(['new-here', 'goal']);
  });

  test('never call known, returning or regularly ranked members new', () => {
    expect(kinds({}, { ...newcomer, decisionsReceived: 10 }, true)).toEqual([]);
    expect(kinds({}, { ...newcomer, joinedDays: 31 }, true)).toEqual([]);
    expect(kinds({}, newcomer, false)).toEqual([]);
  });
});

describe('the premium reason', () => {
  test('is always shown, after the other reasons, if premium raised the card', () => {
    const both = { goal: 'long-term', smoking: 'never', children: 'want', agePreference: wish, age: 35 } as const;
    expect(kinds(both, { ...both, isVip: true })).toEqual(['goal', 'ages', 'children', 'premium']);
    expect(kinds({}, { isVip: true })).toEqual(['premium']);
  });

  test('is not shown if premium had no effect on the score', () => {
    expect(kinds({}, { isVip: true }, false, { ...nothingKnown, premiumBoost: 1 })).toEqual([]);
  });
});
