import { at, type Random } from '../random.ts';
import { both, type Draws, marketRules, otherSide, type Pairs, type Side } from './members.ts';
import { contentMax, sigmoid } from './ranker.ts';

/** Models of how people decide. Only the first has the shape of our formula. */
export const truthNames = ['formula', 'clusters', 'homophily', 'strategic', 'step', 'silence'] as const;
export type TruthName = (typeof truthNames)[number];

/** Hidden from all policies but the oracle. */
export interface Truth {
  name: TruthName;
  /** The chance, 0…1, that the owner of an entry likes the other, at the start of a session. */
  chance: [Float32Array, Float32Array];
  /** The chance that a match of two becomes a conversation of six messages. */
  talks: (side: Side, i: number, j: number) => number;
  /** The factor of the chance of a like at a place in a session, from 0. */
  patience: (place: number) => number;
}

type OfPair = (side: Side, i: number, j: number) => number;

/** What the ranker assumes about the market: taste of standard deviation 1, seen with a correlation of 0.4. */
const assumed = { tasteSd: 1, seen: 0.4 };
const dimensions = 8;
const ownTraitWeight = 0.45;
const clusterCount = 6;
const massLikers = { share: [0.12, 0.04], chance: 0.9 } as const;
/** How much less likely each card of a session is to be liked than the card before, down to half. */
const fatigue = { each: 0.015, least: 0.5 };
/** The chances of a like above and below the threshold of `step`. */
const step = { above: 0.85, below: 0.03 };
/** In `silence`, some people hardly ever write: the log-odds of that at average appeal, and the increase per appeal. */
const silent = { mean: -1, perAppeal: 1.2, writes: 0.15, others: 0.8 };

/** The defaults of most truths. */
const ordinary = {
  /** The standard deviation of the taste that profiles hint at, and how profiles correlate with it. */
  hintedSd: 1,
  seen: 0.3,
  /** The chance from log-odds. */
  link: sigmoid,
  /** Whether a member likes nearly everyone. */
  isMassLiker: (_side: Side, _i: number): boolean => false,
  patience: (_place: number): number => 1,
  /** The chance that a member keeps up a conversation; two matches in five become one. */
  talks: (_side: Side, _i: number): number => Math.sqrt(0.4),
};

/** How much i on `side` likes j, in log-odds without the base, and the part of it that profiles hint at. */
type World = typeof ordinary & { level: OfPair; hinted: OfPair };

/** Draws one value for every member of both sides. */
const ofEveryone = (count: number, draw: () => number) => both(() => Float64Array.from({ length: count }, draw));

/** Draws everyone's selectivity and appeal from normal distributions with these standard deviations. */
function levels(count: number, normal: () => number, selectivitySd: number, appealSd: number): OfPair {
  const selectivity = ofEveryone(count, () => selectivitySd * normal());
  const appeal = ofEveryone(count, () => appealSd * normal());
  return (side, i, j) => at(selectivity[side], i) + at(appeal[otherSide(side)], j);
}

/** Linear taste: the fit of j's eight traits to what i likes, with unit variance; people like some of their own traits. */
function tastes(count: number, normal: () => number): OfPair {
  const traits = ofEveryone(count * dimensions, normal);
  const rest = Math.sqrt(1 - ownTraitWeight ** 2);
  const wanted = both((side) => traits[side].map((trait) => ownTraitWeight * trait + rest * normal()));
  return (side, i, j) => {
    const [own, others] = [wanted[side], traits[otherSide(side)]];
    let sum = 0;
    for (let k = 0; k < dimensions; k += 1) sum += at(own, i * dimensions + k) * at(others, j * dimensions + k);
    return sum / Math.sqrt(dimensions);
  };
}

/** The truths. A seed gives the same world only if the properties are drawn in this order. */
const worlds: Record<TruthName, (count: number, draws: Draws) => World> = {
  formula: (count, { normal }) => ({
    ...ordinary,
    level: levels(count, normal, 1.15, 1.02),
    hinted: tastes(count, normal),
    seen: assumed.seen,
  }),
  /** There are six kinds of people on each side. Each kind likes certain kinds of the other side, whatever kind it is itself. */
  clusters(count, { random, normal }) {
    const level = levels(count, normal, 0.8, 0.7);
    const kind = ofEveryone(count, () => Math.floor(random.next() * clusterCount));
    const liking = both(() => Float64Array.from({ length: clusterCount ** 2 }, () => 1.2 * normal()));
    const hinted: OfPair = (side, i, j) =>
      at(liking[side], at(kind[side], i) * clusterCount + at(kind[otherSide(side)], j));
    return { ...ordinary, level, hinted, hintedSd: 1.2 };
  },
  /** People like attractive people, and most of all those who are about as attractive as themselves. */
  homophily(count, { normal }) {
    const level = levels(count, normal, 0.8, 0);
    const attraction = ofEveryone(count, normal);
    const hinted: OfPair = (side, i, j) => {
      const [own, theirs] = [at(attraction[side], i), at(attraction[otherSide(side)], j)];
      return 0.9 * theirs - 1.1 * Math.abs(theirs - own);
    };
    return { ...ordinary, level, hinted, hintedSd: 1.3, seen: 0.15 };
  },
  /** Decides like the formula, but some people like nearly everyone, and everyone becomes choosier during a session. */
  strategic(count, { random, normal }) {
    const [level, hinted] = [levels(count, normal, 0.9, 1.02), tastes(count, normal)];
    const isMass = both((side) => Array.from({ length: count }, () => random.next() < massLikers.share[side]));
    return {
      ...ordinary,
      level,
      hinted,
      isMassLiker: (side, i) => isMass[side][i] === true,
      patience: (place) => Math.max(fatigue.least, 1 - fatigue.each * place),
    };
  },
  /** Decides like the formula, but people who are liked more write less. */
  silence(count, { random, normal }) {
    const selectivity = levels(count, normal, 1.15, 0);
    const appeal = ofEveryone(count, () => 1.02 * normal());
    const hinted = tastes(count, normal);
    const isSilent = (own: number) => random.next() < sigmoid(silent.mean + silent.perAppeal * own);
    const writes = both((side) => appeal[side].map((own) => (isSilent(own) ? silent.writes : silent.others)));
    return {
      ...ordinary,
      level: (side, i, j) => selectivity(side, i, j) + at(appeal[otherSide(side)], j),
      hinted,
      seen: assumed.seen,
      talks: (side, i) => at(writes[side], i),
    };
  },
  /** People nearly always say yes above a threshold, and nearly always no below it. */
  step: (count, { normal }) => ({
    ...ordinary,
    level: levels(count, normal, 0.8, 0.8),
    hinted: tastes(count, normal),
    link: (logOdds) => (logOdds > 0 ? step.above : step.below),
  }),
};

/** The mean patience over a session of the mean length, so that a truth's decisions have the market's like rate. */
function meanPatience(patience: World['patience']): number {
  const { mean } = marketRules.cards;
  return Array.from({ length: mean }, (_, place) => patience(place)).reduce((sum, value) => sum + value, 0) / mean;
}

/** The chances of a side's entries, with the base that gives the mean chance over eligible pairs, by bisection. */
function chancesOf(world: World, side: Side, { ids, owners }: Pairs, random: Random): Float32Array {
  const liking = new Float32Array(ids.length).map((_, entry) => {
    const [i, j] = [at(owners, entry), at(ids, entry)];
    return world.level(side, i, j) + world.hinted(side, i, j);
  });
  const chance = (entry: number, base: number) =>
    world.isMassLiker(side, at(owners, entry)) ? massLikers.chance : world.link(base + at(liking, entry));
  const sample = Array.from({ length: 50_000 }, () => Math.floor(random.next() * ids.length));
  const rate = marketRules.likeRates[side] / meanPatience(world.patience);
  let [low, high] = [-10, 10];
  for (let round = 0; round < 40; round += 1) {
    const base = (low + high) / 2;
    const sum = sample.reduce((total, entry) => total + chance(entry, base), 0);
    if (sum / sample.length < rate) low = base;
    else high = base;
  }
  return liking.map((_, entry) => chance(entry, low));
}

/**
 * The content term of each pair as the ranker sees it: a noisy view of the taste, scaled as the best guess in the formula's market and clipped
 * like every content term. In other truths it is weaker than the ranker assumes.
 */
function contentOf(world: World, side: Side, { ids, owners }: Pairs, normal: () => number): Float32Array {
  const noise = Math.sqrt(1 - world.seen ** 2);
  return new Float32Array(ids.length).map((_, entry) => {
    const hint = world.hinted(side, at(owners, entry), at(ids, entry)) / world.hintedSd;
    const signal = assumed.seen * assumed.tasteSd * (world.seen * hint + noise * normal());
    return Math.min(contentMax, Math.max(-contentMax, signal));
  });
}

/** A truth over these pairs, calibrated to the market's like rates, and the content terms rankers see. */
export function makeTruth(
  name: TruthName,
  pairs: [Pairs, Pairs],
  count: number,
  draws: Draws,
): { truth: Truth; content: [Float32Array, Float32Array] } {
  const world = worlds[name](count, draws);
  const chance = both((side) => chancesOf(world, side, pairs[side], draws.random));
  const content = both((side) => contentOf(world, side, pairs[side], draws.normal));
  const talks: OfPair = (side, i, j) => world.talks(side, i) * world.talks(otherSide(side), j);
  return { truth: { name, chance, talks, patience: world.patience }, content };
}
