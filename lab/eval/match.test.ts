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

  test('about 37 % of pairs may meet', () => {
    expect(seed.eligibleShare).toBeGreaterThan(0.35);
    expect(seed.eligibleShare).toBeLessThan(0.39);
  });

  test('both chances match more members than popularity or one of them, and the whole score more still', () => {
    expect(matches('popularity')).toBeLessThan(matches('product'));
    expect(matches('one-sided')).toBeLessThan(matches('product'));
    expect(matches('product')).toBeLessThan(matches('ours'));
  });

  test('as many members have a match in a week as with cards drawn blindly, but for two points', () => {
    expect(coverage('ours')).toBeGreaterThanOrEqual(coverage('random') - 2);
  });
});

describe('on random cards', () => {
  let cards: CardFigures;
  beforeAll(() => {
    cards = checkCards(smallForm.firstSeed, smallForm.cards, smallForm.reasonCards);
  }, patienceMs);

  test('no hard filter and no rule of the page is ever broken', () => {
    expect(cards).toMatchObject({ cards: smallForm.cards, violations: {}, brokenPages: 0 });
  });

  test('every reason is true of both, and without it the card would stand lower', () => {
    expect(cards.reasons).toBeGreaterThan(smallForm.reasonCards);
    expect(cards).toMatchObject({ untrue: 0, unfaithful: 0 });
  });
});
