import { describe, expect, it } from 'vitest';
import { hiddenGroups, hiddenInCohort } from './suppress.policy.ts';

describe('the groups that are hidden', () => {
  it.each([
    ['none, if each has enough people', { a: 10, b: 200 }, []],
    ['one with too few and the next smallest, because the total is shown', { a: 9, b: 30, c: 200 }, ['a', 'b']],
    ['those with too few alone, if together they are enough', { a: 4, b: 6, c: 200 }, ['a', 'b']],
    ['the only one, if it has too few', { a: 3 }, ['a']],
    ['two of two, if one has too few', { a: 3, b: 90 }, ['a', 'b']],
    ['none without anyone', { a: 0, b: 12 }, []],
  ])('are %s', (_, people, hidden) => {
    expect([...hiddenGroups(new Map(Object.entries(people)))]).toEqual(hidden);
  });
});

describe('the hidden genders of a cohort', () => {
  it.each([
    ['are left out of the total, if together they are too few', { a: 4, b: 5, c: 40 }, ['a', 'b'], ['a', 'b']],
    ['are part of the total, if together they are enough', { a: 4, b: 6, c: 40 }, ['a', 'b'], []],
    ['are none, if each has enough people', { a: 10, c: 40 }, [], []],
  ])('%s', (_, people, hidden, leftOut) => {
    const found = hiddenInCohort(new Map(Object.entries(people)));
    expect([[...found.hidden], [...found.leftOut]]).toEqual([hidden, leftOut]);
  });
});
