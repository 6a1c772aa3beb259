import { describe, expect, it } from 'vitest';
import type { AgeRule, AgeState } from '#contract/age-check.ts';
import { canStartCheck, isAgeNeeded, ruleFor } from './policy.ts';

describe('age assurance', () => {
  it.each<[AgeState, boolean, AgeRule, boolean, boolean, boolean]>([
    // state, asked, rule of the country, needed to join, needed to write first, can begin
    ['declared', false, 'never', false, false, true],
    ['declared', false, 'first-message', false, true, true],
    ['declared', false, 'joining', true, true, true],
    ['declared', true, 'never', false, true, true],
    ['declared', true, 'joining', true, true, true],
    ['expired', false, 'never', false, false, true],
    ['expired', false, 'first-message', false, true, true],
    ['expired', true, 'never', false, true, true],
    ['failed', false, 'never', false, true, false],
    ['failed', false, 'joining', true, true, false],
    ['assured', false, 'joining', false, false, false],
    ['assured', true, 'first-message', false, false, false],
  ])('%s, asked: %s, country: %s', (state, isAsked, rule, joining, first, start) => {
    const facts = { state, isAsked, rule };
    expect(isAgeNeeded(facts, 'joining')).toBe(joining);
    expect(isAgeNeeded(facts, 'first-message')).toBe(first);
    expect(canStartCheck(state)).toBe(start);
  });

  it('is required by country, with one rule for all others', () => {
    const required = { Norway: 'joining', Denmark: 'never', '*': 'first-message' } as const;
    expect(['Norway', 'Denmark', 'Chile', null].map((country) => ruleFor(required, country))).toEqual([
      'joining',
      'never',
      'first-message',
      'first-message',
    ]);
    expect(ruleFor({ Norway: 'joining' }, 'Chile')).toBe('never');
  });
});
