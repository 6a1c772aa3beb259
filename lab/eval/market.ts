import { contentMax } from '../../server/src/features/discovery/score/content.ts';
import { sigmoid } from '../../server/src/features/discovery/score/score.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { betaTwoTwo, normalFrom } from './draw.ts';
import { pairUp, type Members, type Pairs } from './pairs.ts';

/** The fixed market that policies are measured in. */
export const marketRules = {
  selectivitySd: 1.15,
  appealSd: 1.02,
  dimensions: 8,
  tasteSd: 1,
  ownTraitWeight: 0.45,
  /** The mean chance that men like eligible women, and women eligible men. */
  likeRates: [0.35, 0.12],
  age: { mean: 31, sd: 6, from: 18, to: 60 },
  /** How many years below and above their age people look for, drawn uniformly; as given for men, mirrored for women. */
  wish: { younger: [3, 10], older: [1, 5] },
  joinShare: 0.15,
  joinDays: [7, 14],
  /** The correlation of the ranker's view of a taste with the taste itself. */
  seenTaste: 0.4,
} as const;

/** The season; its first week is not measured. */
export const seasonWeeks = 4;
export const measuredFrom = 8;

export const men = 0;
export const women = 1;
export type Side = typeof men | typeof women;
export const otherSide = (side: Side): Side => (side === men ? women : men);

/** Hidden from all policies. */
export interface Truth {
  base: [number, number];
  selectivity: [Float64Array, Float64Array];
  appeal: [Float64Array, Float64Array];
  traits: [Float64Array, Float64Array];
  taste: [Float64Array, Float64Array];
}

/** What a ranker knows about each pair from the start: the content terms both ways, aligned with `Pairs.ids`. */
export interface Seen {
  there: Float32Array;
  back: Float32Array;
}

/** The market as rankers see it. */
export interface Scene {
  seed: number;
  sides: [Members, Members];
  pairs: [Pairs, Pairs];
  seen: [Seen, Seen];
}

export interface Market {
  scene: Scene;
  truth: Truth;
}

export const bothSides = [men, women] as const;
const whole = (random: Random, [from, to]: readonly [number, number]) =>
  from + Math.floor(random.next() * (to - from + 1));

function drawAge(normal: () => number): number {
  const { mean, sd, from, to } = marketRules.age;
  for (;;) {
    const age = Math.round(mean + sd * normal());
    if (age >= from && age <= to) return age;
  }
}

function drawMembers(side: Side, count: number, random: Random, normal: () => number): Members {
  const { younger, older } = marketRules.wish;
  const [below, above] = side === men ? [younger, older] : [older, younger];
  const age = new Int32Array(count).map(() => drawAge(normal));
  return {
    count,
    age,
    wishMin: age.map((years) => Math.max(marketRules.age.from, years - whole(random, below))),
    wishMax: age.map((years) => years + whole(random, above)),
    activity: new Float64Array(count).map(() => betaTwoTwo(random)),
    joinDay: new Int32Array(count).map(() =>
      random.next() < marketRules.joinShare ? whole(random, marketRules.joinDays) : 1,
    ),
  };
}

/** The standardized fit of j's traits to i's taste, for i on `side`. */
export function tasteOf({ taste, traits }: Truth, side: Side, i: number, j: number): number {
  const { dimensions, tasteSd } = marketRules;
  const own = taste[side];
  const others = traits[otherSide(side)];
  let sum = 0;
  for (let k = 0; k < dimensions; k += 1) sum += (own[i * dimensions + k] ?? 0) * (others[j * dimensions + k] ?? 0);
  return (tasteSd * sum) / Math.sqrt(dimensions);
}

/** The chance that i on `side` truly likes j. */
export function trueChance(truth: Truth, side: Side, i: number, j: number): number {
  const { base, selectivity, appeal } = truth;
  const other = otherSide(side);
  return sigmoid(base[side] + (selectivity[side][i] ?? 0) + (appeal[other][j] ?? 0) + tasteOf(truth, side, i, j));
}

/** The base that gives the mean chance over eligible pairs, by bisection. */
function baseFor(rate: number, truth: Truth, side: Side, pairs: Pairs, random: Random): number {
  const sample = 50_000;
  const logOdds = Array.from({ length: sample }, () => {
    const entry = Math.floor(random.next() * pairs.ids.length);
    const chance = trueChance(truth, side, pairs.owners[entry] ?? 0, pairs.ids[entry] ?? 0);
    return Math.log(chance / (1 - chance));
  });
  let [low, high] = [-8, 8];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const mean = logOdds.reduce((sum, value) => sum + sigmoid(middle + value), 0) / sample;
    if (mean < rate) low = middle;
    else high = middle;
  }
  return low;
}

/** The ranker's view of tastes: the best guess from a signal of correlation 0.4, clipped like every content term. */
function seenTerms(truth: Truth, side: Side, pairs: Pairs, normal: () => number): Float32Array {
  const { seenTaste, tasteSd } = marketRules;
  const noise = Math.sqrt(1 - seenTaste ** 2);
  return new Float32Array(pairs.ids.length).map((_, entry) => {
    const taste = tasteOf(truth, side, pairs.owners[entry] ?? 0, pairs.ids[entry] ?? 0);
    const signal = (seenTaste * taste) / tasteSd + noise * normal();
    return Math.min(contentMax, Math.max(-contentMax, seenTaste * tasteSd * signal));
  });
}

/** A market of that many men and as many women; the same seed gives the same market. */
export function makeMarket(seed: number, perSide: number): Market {
  const random = createRandom(seed);
  const normal = normalFrom(random);
  const { selectivitySd, appealSd, dimensions, ownTraitWeight } = marketRules;
  const normals = (count: number, sd: number) => new Float64Array(count).map(() => sd * normal());
  const both = <T>(make: (side: Side) => T): [T, T] => [make(men), make(women)];
  const sides = both((side) => drawMembers(side, perSide, random, normal));
  const traits = both(() => normals(perSide * dimensions, 1));
  const rest = Math.sqrt(1 - ownTraitWeight ** 2);
  const truth: Truth = {
    base: [0, 0],
    selectivity: both(() => normals(perSide, selectivitySd)),
    appeal: both(() => normals(perSide, appealSd)),
    traits,
    taste: both((side) => traits[side].map((trait) => ownTraitWeight * trait + rest * normal())),
  };
  const pairs = pairUp(sides);
  for (const side of bothSides) {
    truth.base[side] = baseFor(marketRules.likeRates[side], truth, side, pairs[side], random);
  }
  const there = both((side) => seenTerms(truth, side, pairs[side], normal));
  const seen = both((side) => ({ there: there[side], back: turned(pairs[side], there[otherSide(side)]) }));
  return { scene: { seed, sides, pairs, seen }, truth };
}

/** The values of the other side's entries, in this side's order. */
function turned({ reverse }: Pairs, values: Float32Array): Float32Array {
  return new Float32Array(reverse.length).map((_, entry) => values[reverse[entry] ?? 0] ?? 0);
}
