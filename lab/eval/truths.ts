import { contentMax } from '../../server/src/features/discovery/score/content.ts';
import { sigmoid } from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import { both, marketRules, otherSide, type Side } from './members.ts';
import { turned, type Pairs } from './pairs.ts';

/** How people may really decide. Only the first has the shape of our formula. */
export const truthNames = ['formula', 'clusters', 'homophily', 'strategic', 'step', 'silence'] as const;
export type TruthName = (typeof truthNames)[number];

/** Hidden from all policies but the oracle. */
export interface Truth {
  name: TruthName;
  /** The chance, 0…1, that the owner of an entry likes the other, at the start of a session. */
  chance: [Float32Array, Float32Array];
  /** The chance that the other likes the owner. */
  chanceBack: [Float32Array, Float32Array];
  /** The chance that a match of two becomes a conversation of six messages. */
  talks: (side: Side, i: number, j: number) => number;
  /** How much of that chance is left at a place in a session, from 0. */
  patience: (place: number) => number;
}

/** Draws of one member of each side, and what they make of a pair. */
interface World {
  /** How much i on `side` likes j, in log-odds but for the base. */
  utility: (side: Side, i: number, j: number) => number;
  /** The part of the utility that profiles hint at. */
  hinted: (side: Side, i: number, j: number) => number;
  /** The standard deviation of that part. */
  hintedSd: number;
  /** The correlation of what profiles say with that part; the ranker always assumes the formula's. */
  seen: number;
  /** The chance from log-odds. */
  link: (logOdds: number) => number;
  /** Whether a member likes nearly everyone. */
  isMassLiker: (side: Side, i: number) => boolean;
  patience: (place: number) => number;
  /** How likely a member is to hold up their part of a conversation. */
  talks: (side: Side, i: number) => number;
}

/** What the ranker assumes about the market: taste of standard deviation 1, seen with a correlation of 0.4. */
export const assumed = { tasteSd: 1, seen: 0.4 } as const;
const dimensions = 8;
const ownTraitWeight = 0.45;
const clusterCount = 6;
const massLikers = { share: [0.12, 0.04], chance: 0.9 } as const;
/** Each further card of a session is this much less likely to be liked, down to half. */
const fatigue = { each: 0.015, least: 0.5 };
/** The chance beyond and short of the threshold of the step. */
const step = { above: 0.85, below: 0.03 };

type Counts = readonly [number, number];
const never = () => false;
const tireless = () => 1;
/** Everyone alike: two matches in five become conversations. */
const talkative = () => Math.sqrt(0.4);
/** In `silence`, some hardly ever write, especially people who are liked: how many at average appeal, in log-odds, and how many more per appeal. */
const silent = { mean: -1, perAppeal: 1.2, writes: 0.15, others: 0.8 };

/** Selectivity and appeal of everyone, normal with these standard deviations. */
function levels(counts: Counts, normal: () => number, selectivitySd: number, appealSd: number) {
  const draw = (sd: number) => both((side) => new Float64Array(counts[side]).map(() => sd * normal()));
  const [selectivity, appeal] = [draw(selectivitySd), draw(appealSd)];
  return (side: Side, i: number, j: number) => (selectivity[side][i] ?? 0) + (appeal[otherSide(side)][j] ?? 0);
}

/** Linear taste: the fit of j's eight traits to what i likes, with unit variance; people like some of their own traits. */
function tastes(counts: Counts, normal: () => number) {
  const traits = both((side) => new Float64Array(counts[side] * dimensions).map(() => normal()));
  const rest = Math.sqrt(1 - ownTraitWeight ** 2);
  const wanted = both((side) => traits[side].map((trait) => ownTraitWeight * trait + rest * normal()));
  return (side: Side, i: number, j: number) => {
    const [own, others] = [wanted[side], traits[otherSide(side)]];
    let sum = 0;
    for (let k = 0; k < dimensions; k += 1) sum += (own[i * dimensions + k] ?? 0) * (others[j * dimensions + k] ?? 0);
    return sum / Math.sqrt(dimensions);
  };
}

const worlds: Record<TruthName, (counts: Counts, random: Random, normal: () => number) => World> = {
  formula(counts, _, normal) {
    const level = levels(counts, normal, 1.15, 1.02);
    const taste = tastes(counts, normal);
    return {
      utility: (side, i, j) => level(side, i, j) + taste(side, i, j),
      hinted: taste,
      hintedSd: 1,
      seen: assumed.seen,
      link: sigmoid,
      isMassLiker: never,
      patience: tireless,
      talks: talkative,
    };
  },
  /** Six kinds of people on each side; each kind likes some kinds of the other and not others, whatever it is itself. */
  clusters(counts, random, normal) {
    const level = levels(counts, normal, 0.8, 0.7);
    const kind = both((side) => new Int32Array(counts[side]).map(() => Math.floor(random.next() * clusterCount)));
    const liking = both(() => new Float64Array(clusterCount ** 2).map(() => 1.2 * normal()));
    const taste = (side: Side, i: number, j: number) =>
      liking[side][(kind[side][i] ?? 0) * clusterCount + (kind[otherSide(side)][j] ?? 0)] ?? 0;
    return {
      utility: (side, i, j) => level(side, i, j) + taste(side, i, j),
      hinted: taste,
      hintedSd: 1.2,
      seen: 0.3,
      link: sigmoid,
      isMassLiker: never,
      patience: tireless,
      talks: talkative,
    };
  },
  /** People like attractive people, but most of all those about as attractive as themselves. */
  homophily(counts, _, normal) {
    const level = levels(counts, normal, 0.8, 0);
    const attraction = both((side) => new Float64Array(counts[side]).map(() => normal()));
    const alike = (side: Side, i: number, j: number) => {
      const [own, theirs] = [attraction[side][i] ?? 0, attraction[otherSide(side)][j] ?? 0];
      return 0.9 * theirs - 1.1 * Math.abs(theirs - own);
    };
    return {
      utility: (side, i, j) => level(side, i, j) + alike(side, i, j),
      hinted: alike,
      hintedSd: 1.3,
      seen: 0.15,
      link: sigmoid,
      isMassLiker: never,
      patience: tireless,
      talks: talkative,
    };
  },
  /** The formula, but some like nearly everyone, and everyone tires during a session. */
  strategic(counts, random, normal) {
    const level = levels(counts, normal, 0.9, 1.02);
    const taste = tastes(counts, normal);
    const isMass = both((side) =>
      new Uint8Array(counts[side]).map(() => (random.next() < massLikers.share[side] ? 1 : 0)),
    );
    return {
      utility: (side, i, j) => level(side, i, j) + taste(side, i, j),
      hinted: taste,
      hintedSd: 1,
      seen: 0.3,
      link: sigmoid,
      isMassLiker: (side, i) => isMass[side][i] === 1,
      patience: (place) => Math.max(fatigue.least, 1 - fatigue.each * place),
      talks: talkative,
    };
  },
  /** As the formula, but the more people are liked, the less they write. */
  silence(counts, random, normal) {
    const selectivity = levels(counts, normal, 1.15, 0);
    const appeal = both((side) => new Float64Array(counts[side]).map(() => 1.02 * normal()));
    const taste = tastes(counts, normal);
    const writes = both((side) =>
      appeal[side].map((own) =>
        random.next() < sigmoid(silent.mean + silent.perAppeal * own) ? silent.writes : silent.others,
      ),
    );
    return {
      utility: (side, i, j) => selectivity(side, i, j) + (appeal[otherSide(side)][j] ?? 0) + taste(side, i, j),
      hinted: taste,
      hintedSd: 1,
      seen: assumed.seen,
      link: sigmoid,
      isMassLiker: never,
      patience: tireless,
      talks: (side, i) => writes[side][i] ?? 0,
    };
  },
  /** People know what they want: nearly always yes beyond a threshold, nearly always no short of it. */
  step(counts, _, normal) {
    const level = levels(counts, normal, 0.8, 0.8);
    const taste = tastes(counts, normal);
    return {
      utility: (side, i, j) => level(side, i, j) + taste(side, i, j),
      hinted: taste,
      hintedSd: 1,
      seen: 0.3,
      link: (logOdds) => (logOdds > 0 ? step.above : step.below),
      isMassLiker: never,
      patience: tireless,
      talks: talkative,
    };
  },
};

/** The mean patience over a session of the mean length, so that a truth's decisions have the market's like rate. */
function meanPatience(patience: World['patience']): number {
  const { mean } = marketRules.cards;
  return Array.from({ length: mean }, (_, place) => patience(place)).reduce((sum, value) => sum + value, 0) / mean;
}

/** The chances of a side's entries, with the base that gives the mean chance over eligible pairs, by bisection. */
function chancesOf(world: World, side: Side, pairs: Pairs, random: Random): Float32Array {
  const { ids, owners } = pairs;
  const utility = new Float32Array(ids.length);
  for (let entry = 0; entry < ids.length; entry += 1) {
    utility[entry] = world.utility(side, owners[entry] ?? 0, ids[entry] ?? 0);
  }
  const isMass = (entry: number) => world.isMassLiker(side, owners[entry] ?? 0);
  const sample = Array.from({ length: 50_000 }, () => Math.floor(random.next() * ids.length)).map((entry) => ({
    own: utility[entry] ?? 0,
    mass: isMass(entry),
  }));
  const rate = marketRules.likeRates[side] / meanPatience(world.patience);
  let [low, high] = [-10, 10];
  for (let round = 0; round < 40; round += 1) {
    const base = (low + high) / 2;
    const sum = sample.reduce((total, { own, mass }) => total + (mass ? massLikers.chance : world.link(base + own)), 0);
    if (sum / sample.length < rate) low = base;
    else high = base;
  }
  return utility.map((own, entry) => (isMass(entry) ? massLikers.chance : world.link(low + own)));
}

/**
 * What profiles say about each pair, as the ranker reads it: a noisy view of the taste, taken as the best guess of the formula's market
 * and clipped like every content term. In other truths it is weaker than the ranker thinks.
 */
function signalsOf(world: World, side: Side, { ids, owners }: Pairs, normal: () => number): Float32Array {
  const noise = Math.sqrt(1 - world.seen ** 2);
  return new Float32Array(ids.length).map((_, entry) => {
    const hint = world.hinted(side, owners[entry] ?? 0, ids[entry] ?? 0) / world.hintedSd;
    const signal = assumed.seen * assumed.tasteSd * (world.seen * hint + noise * normal());
    return Math.min(contentMax, Math.max(-contentMax, signal));
  });
}

/** A truth over these pairs, calibrated to the market's like rates, and the content terms rankers see. */
export function makeTruth(
  name: TruthName,
  pairs: [Pairs, Pairs],
  counts: Counts,
  { random, normal }: { random: Random; normal: () => number },
): { truth: Truth; signals: [Float32Array, Float32Array] } {
  const world = worlds[name](counts, random, normal);
  const chance = both((side) => chancesOf(world, side, pairs[side], random));
  const signals = both((side) => signalsOf(world, side, pairs[side], normal));
  const chanceBack = both((side) => turned(pairs[side], chance[otherSide(side)]));
  const talks = (side: Side, i: number, j: number) => world.talks(side, i) * world.talks(otherSide(side), j);
  return { truth: { name, chance, chanceBack, talks, patience: world.patience }, signals };
}
