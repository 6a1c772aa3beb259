import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../lab/chaos/random.ts';
import { formulaFor } from '../score/formulas.ts';
import { bellBelow, chanceAbove, dealtChances } from './chances.ts';
import { deckRules, type Ranked } from './page.ts';

describe('the daily term', () => {
  it('has the distribution of three uniform draws', () => {
    const random = createRandom(3);
    const drawn = Array.from({ length: 20_000 }, () => (random.next() + random.next() + random.next() - 1.5) * 2);
    for (const value of [-3.1, -2, -1, -0.3, 0, 0.6, 1.4, 2.5, 3]) {
      const share = drawn.filter((each) => each <= value).length / drawn.length;
      expect(Math.abs(bellBelow(value) - share)).toBeLessThan(0.012);
    }
  });
});

describe('the chance of being dealt', () => {
  const person = (id: string, rank: number, changes: object = {}) =>
    ({ candidate: { id, likesViewer: false, ...changes }, rank }) as Ranked;

  it('is that of passing the best who were left out, given their draws', () => {
    const ranked = [
      person('first', -1),
      person('second', -2),
      person('third', -2.1),
      person('liker', -9, { likesViewer: true }),
    ];
    const dealt = new Map([
      ['first', false],
      ['second', false],
      ['liker', false],
    ]);
    const chances = dealtChances(ranked, dealt, () => 0);
    expect(chances.get('first')).toBe(1);
    expect(chances.get('second')).toBeCloseTo(chanceAbove(-2.1, -2), 12);
    expect(chances.get('liker')).toBe(1);
    expect(chances.has('third')).toBe(false);
  });

  it("does not depend on a member's own draw, and is unknown in exploration places", () => {
    const rest = person('rest', -2);
    const chanceOf = (daily: number) =>
      dealtChances([person('one', -2.1 + daily), rest], new Map([['one', false]]), () => daily).get('one');
    expect(chanceOf(0.3)).toBeCloseTo(chanceOf(0.5) ?? 0, 12);
    expect(dealtChances([person('one', -1), rest], new Map([['one', true]]), () => 0).get('one')).toBeNull();
  });

  it('is how often a card is dealt when the day is drawn again', () => {
    const random = createRandom(5);
    const bell = () => (random.next() + random.next() + random.next() - 1.5) * 2 * deckRules.chanceSd;
    const bases = Array.from({ length: 12 }, (_, index) => -2 - index * 0.05);
    // Inverse chances of the dealt cards add up to the number of cards that have a chance.
    const rounds = 4000;
    let weights = 0;
    for (let round = 0; round < rounds; round += 1) {
      const terms = bases.map(bell);
      const ranked = bases.map((base, index) => person(String(index), base + (terms[index] ?? 0)));
      const dealt = ranked.toSorted((one, other) => other.rank - one.rank).slice(0, 6);
      const chances = dealtChances(
        ranked,
        new Map(dealt.map(({ candidate }) => [candidate.id, false])),
        (id) => terms[Number(id)] ?? 0,
      );
      weights += [...chances.values()].reduce((sum: number, chance) => sum + 1 / (chance ?? 1), 0);
    }
    expect(weights / rounds / bases.length).toBeGreaterThan(0.93);
    expect(weights / rounds / bases.length).toBeLessThan(1.07);
  });
});

describe('a formula that is tried', () => {
  const monday = new Date('2026-11-16T00:00:00Z');
  const cities = Array.from({ length: 200 }, (_, index) => `City ${index}`);

  it('is the same for everyone in a city during a week, in about half of the cities', () => {
    const inCity = (city: string, days: number) =>
      formulaFor('viewer-more', city, new Date(monday.getTime() + days * 86_400_000));
    const tried = cities.filter((city) => inCity(city, 0) === 'viewer-more');
    expect(tried.length).toBeGreaterThan(70);
    expect(tried.length).toBeLessThan(130);
    expect(cities.filter((city) => inCity(city, 6.99) !== inCity(` ${city.toUpperCase()} `, 0))).toEqual([]);
    expect(cities.some((city) => inCity(city, 7) !== inCity(city, 0))).toBe(true);
  });

  it('is never used without the setting or a city', () => {
    expect(formulaFor(null, 'Prague', monday)).toBe('shipped');
    expect(formulaFor('viewer-more', null, monday)).toBe('shipped');
  });
});
