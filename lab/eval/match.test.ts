import { beforeAll, describe, expect, test } from 'vitest';
import { checkCards, type CardFigures } from './cards.ts';
import { percent } from './figures.ts';
import { smallForm } from './forms.ts';
import { measureSeed, type SeedFigures } from './measure.ts';
import type { Policy } from './policies.ts';

const patienceMs = 120_000;

describe(`in a market of ${smallForm.perSide} + ${smallForm.perSide} members`, () => {
  let seed: SeedFigures;
  beforeAll(() => {
    seed = measureSeed(smallForm.firstSeed, smallForm, () => undefined).figures;
  }, patienceMs);
  const matches = (policy: Policy) => seed.policies[policy].matchesPer100Cards;
  const coverage = (policy: Policy) => percent(seed.policies[policy].coverage);

  test('has about 37 % eligible pairs', () => {
    expect(seed.eligibleShare).toBeGreaterThan(0.35);
    expect(seed.eligibleShare).toBeLessThan(0.39);
  });

  test('matches more members with both chances than with popularity or one chance, and most with the full score', () => {
    expect(matches('popularity')).toBeLessThan(matches('product'));
    expect(matches('one-sided')).toBeLessThan(matches('product'));
    expect(matches('product')).toBeLessThan(matches('ours'));
  });

  test('has a weekly match coverage within two points of random cards', () => {
    expect(coverage('ours')).toBeGreaterThanOrEqual(coverage('random') - 2);
  });
});

describe('on random cards', () => {
  let cards: CardFigures;
  beforeAll(() => {
    cards = checkCards(smallForm.firstSeed, smallForm.cards, smallForm.reasonCards);
  }, patienceMs);

  test('never break a hard filter or a page rule', () => {
    expect(cards).toMatchObject({ cards: smallForm.cards, violations: {}, brokenPages: 0 });
  });

  test('only show reasons that are true for both and that raise the rank', () => {
    expect(cards.reasons).toBeGreaterThan(smallForm.reasonCards);
    expect(cards).toMatchObject({ untrue: 0, unfaithful: 0 });
  });
});
