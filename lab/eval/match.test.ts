import { beforeAll, describe, expect, test } from 'vitest';
import { checkCards, type CardFigures } from './cards.ts';
import { percent } from './figures.ts';
import { figuresIn } from './gates.ts';
import { makeMarket, type Market } from './market.ts';
import { men, seasonWeeks } from './members.ts';
import { measureSeed, type SeedFigures, smallForm } from './measure.ts';
import type { Policy } from './policies.ts';
import { playSeason, type Season } from './season.ts';
import { areaUnderCurve } from './speed-dating/measures.ts';

const patienceMs = 120_000;

describe.each(smallForm.truths)(`in a market of ${smallForm.perSide} + ${smallForm.perSide} members: %s`, (truth) => {
  const { perSide, weeks, firstSeed } = smallForm;
  let seed: SeedFigures;
  beforeAll(() => {
    const policies = ['random', 'shipped'] as const;
    const task = { truth, seed: firstSeed, perSide, weeks, policies, withPremium: false };
    seed = measureSeed(task, () => undefined).figures;
  }, patienceMs);
  const of = (policy: Policy) => {
    const [figures] = figuresIn([seed], policy);
    if (figures === undefined) throw new Error(`No figures of ${policy}`);
    return figures;
  };

  test('has about 37 % eligible pairs', () => {
    expect(seed.eligibleShare).toBeGreaterThan(0.35);
    expect(seed.eligibleShare).toBeLessThan(0.39);
  });

  test('dealt cards match more members than random ones', () => {
    expect(of('random').matchesPer100Cards).toBeLessThan(of('shipped').matchesPer100Cards);
  });

  test('dealt cards have a weekly match coverage within two points of random cards', () => {
    expect(percent(of('shipped').coverage)).toBeGreaterThanOrEqual(percent(of('random').coverage) - 2);
  });
});

describe('where people who are liked often write little', () => {
  let [likesAlone, shipped]: (Season | undefined)[] = [];
  let market: Market;
  beforeAll(() => {
    market = makeMarket(0, 800, 'silence');
    likesAlone = playSeason(market, { policy: 'likes alone', weeks: seasonWeeks });
    shipped = playSeason(market, { policy: 'shipped', weeks: seasonWeeks });
  }, patienceMs);

  test('what became of matches tells who writes, and brings more conversations', () => {
    const warmth = [...(shipped?.knowledge[men].warmth ?? [])];
    const talks = warmth.map((_, man) => market.truth.talks(men, man, 0));
    const isWriter = talks.map((chance) => chance > Math.max(...talks) / 2);
    expect(areaUnderCurve(warmth, isWriter)).toBeGreaterThan(0.75);
    expect(shipped?.tally.conversations).toBeGreaterThan(likesAlone?.tally.conversations ?? Infinity);
    expect(likesAlone?.knowledge[men].warmth.every((value) => value === 0)).toBe(true);
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
