import { parseArgs } from 'node:util';
import { type Formula, formulaNames } from '#contract/discovery/matching.ts';
import { chanceAbove } from '../../server/src/features/discovery/deck/chances.ts';
import { deckRules, pageRules } from '../../server/src/features/discovery/deck/page.ts';
import {
  calibrated,
  estimateOf,
  type Group,
  type Known,
  meanAndError,
  type Models,
  type Option,
  rankUnder,
  valueOf,
} from '../../server/src/features/discovery/insights/estimator.ts';
import {
  certainty,
  inboxPenalty,
  likeLogOdds,
  rankOf,
  sigmoid,
  unknownBase,
} from '../../server/src/features/discovery/score/score.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { isLike } from './candidates.ts';
import { evenOfPair } from './draw.ts';
import { mean } from './figures.ts';
import { makeMarket, type Market } from './market.ts';
import { both, bothSides, otherSide, type Side } from './members.ts';
import { markdown } from './report.ts';
import { playSeason, type Season } from './season.ts';
import { type TruthName, truthNames } from './truths.ts';

// Whether the decisions about cards that one formula dealt tell what others would have brought: estimated from a log, then played.

/** The share of members whose decks are logged; all members play. */
const loggedShare = 0.5;
const logStream = 5_000_000;
const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;

/** A card that may be dealt, and for the check what both would decide. */
interface PlayedOption extends Option {
  /** The same in both directions. */
  pair: number;
  likes: boolean;
  isLiked: boolean;
}

/** A viewer's candidates in the two groups that compete for places: people who like the viewer, and all others. */
interface Table {
  side: Side;
  groups: Group<PlayedOption>[];
}

/** The candidates of a member after a season, as the product's hard filters leave them. */
function tableOf({ scene, truth }: Market, { knowledge, decisions }: Season, side: Side, viewer: number): Table {
  const other = otherSide(side);
  const [own, others] = [knowledge[side], knowledge[other]];
  const { offsets, ids, reverse } = scene.pairs[side];
  const options: PlayedOption[] = [];
  for (let entry = at(offsets, viewer); entry < at(offsets, viewer + 1); entry += 1) {
    const theirs = at(decisions.theirs[side], entry);
    if (at(decisions.own[side], entry) !== 0 || (theirs !== 0 && !isLike(theirs))) continue;
    const j = at(ids, entry);
    const likesViewer = theirs !== 0;
    const backContent = at(scene.seen[side].back, entry);
    const there = likeLogOdds(
      own.base[at(others.band, j)] ?? unknownBase,
      at(own.selectivity, viewer),
      at(others.appeal, j),
      at(scene.seen[side].there, entry),
    );
    const back = likesViewer
      ? certainty
      : likeLogOdds(
          others.base[at(own.band, viewer)] ?? unknownBase,
          at(others.selectivity, j),
          at(own.appeal, viewer),
          backContent,
        );
    const penalty = inboxPenalty(
      at(others.pendingLikes, j),
      at(others.capacity, j),
      at(own.appeal, viewer) + backContent,
    );
    const decides = (from: Side, one: number, two: number, chance: number) =>
      evenOfPair(scene.seed * 2 + from, one, two) < chance;
    options.push({
      pair: side === 0 ? entry : at(reverse, entry),
      person: 2 * j + other,
      likesViewer,
      chanceThere: sigmoid(there),
      chanceBack: sigmoid(back),
      rank: rankOf(there, back, penalty, 1),
      ...{ bonus: 0, own: null, back: null },
      likes: decides(side, viewer, j, at(truth.chance[side], entry)),
      isLiked: likesViewer || decides(other, j, viewer, at(truth.chance[other], at(reverse, entry))),
    });
  }
  const likers = options.filter(({ likesViewer }) => likesViewer);
  const rest = options.filter(({ likesViewer }) => !likesViewer);
  const ofLikers = Math.min(likers.length, deckRules.pages * pageRules.likersMax);
  const ranked = deckRules.pages * (pageRules.size - pageRules.explorationSlots) - ofLikers;
  return {
    side,
    groups: [
      { options: likers, places: ofLikers },
      { options: rest, places: Math.min(rest.length, ranked) },
    ],
  };
}

const dailyTerm = (random: Random) => (random.next() + random.next() + random.next() - 1.5) * 2 * deckRules.chanceSd;

/** Deals a group's places by a formula on a new day: each dealt card with its chance, given what was drawn for the others. */
function dealt({ options, places }: Group<PlayedOption>, formula: Formula, random: Random) {
  const ranked = options
    .map((option) => {
      const base = rankUnder(option, formula);
      return { option, base, rank: base + dailyTerm(random) };
    })
    .sort((one, other) => other.rank - one.rank);
  const threshold = ranked[places]?.rank ?? -Infinity;
  return ranked.slice(0, places).map(({ option, base }) => ({ option, chance: chanceAbove(threshold, base) }));
}

/** A logged deck: its table, and the chance with which each decided card was dealt. */
interface Logged {
  table: Table;
  /** How many of the dealt cards were decided. */
  share: number;
  decided: Map<PlayedOption, number>;
}

function log(table: Table, random: Random): Logged {
  const cards = table.groups.flatMap((group) => dealt(group, 'shipped', random));
  // Visits differ in length; a card's place on its page is random.
  const count = Math.max(1, Math.min(cards.length, Math.round(-20 * Math.log(1 - random.next()))));
  const decided = random.shuffled(cards).slice(0, count);
  return {
    table,
    share: cards.length === 0 ? 1 : decided.length / cards.length,
    decided: new Map(decided.map(({ option, chance }) => [option, chance])),
  };
}

/** The chances of a like by a side's members, corrected by what they decided. */
function calibratedFor(logs: readonly Logged[], side: Side): (p: number) => number {
  const options = logs.flatMap(({ table, decided }) => (table.side === side ? [...decided.keys()] : []));
  return calibrated(options.map(({ chanceThere, likes }) => ({ p: chanceThere, isYes: likes })));
}

interface Estimate {
  formula: Formula;
  /** Matches per 100 cards, with an interval that contains nine in ten. */
  estimated: number;
  low: number;
  high: number;
  played: number;
}

/** Tells each option what both people decided, where it was logged, and how likely that was. */
function noteDecisions(logs: readonly Logged[]): void {
  const found = both(() => new Map<number, Known>());
  for (const { table, share, decided } of logs)
    for (const [{ pair, likes }, chance] of decided) found[table.side].set(pair, { likes, chance: chance * share });
  for (const { table } of logs) {
    for (const option of table.groups.flatMap(({ options }) => options)) {
      option.own = found[table.side].get(option.pair) ?? null;
      option.back = found[otherSide(table.side)].get(option.pair) ?? null;
    }
  }
}

/** The matches per 100 cards that a table really brings under a formula. */
function play({ groups }: Table, formula: Formula, random: Random): number {
  const cards = groups.flatMap((group) => dealt(group, formula, random));
  const matches = cards.filter(({ option }) => option.likes && option.isLiked).length;
  return cards.length === 0 ? 0 : (100 * matches) / cards.length;
}

/** Plays a season as shipped, logs a deck of half the members, estimates the other formulas from the log, and plays them. */
export function estimateFormulas(truth: TruthName, seed: number, perSide: number, weeks: number): Estimate[] {
  const market = makeMarket(seed, perSide, truth, weeks);
  const season = playSeason(market, { policy: 'shipped', weeks });
  const random = createRandom(seed + logStream);
  const tables = bothSides
    .flatMap((side) =>
      Array.from({ length: market.scene.sides[side].count }, (_, viewer) => tableOf(market, season, side, viewer)),
    )
    .filter(({ groups }) => groups.some(({ places }) => places > 0));
  const logs = tables.filter(() => random.next() < loggedShare).map((table) => log(table, random));
  noteDecisions(logs);
  const chances = both((side) => calibratedFor(logs, side));
  // Half of the people are logged, so that each decision of theirs counts twice.
  const modelsOf = (side: Side): Models => ({
    ...{ there: chances[side], back: chances[otherSide(side)], backCounts: (q) => q / loggedShare },
  });
  return formulaNames
    .filter((formula) => formula !== 'shipped')
    .map((formula) => {
      const values = logs.map(({ table: { side, groups } }) => valueOf(groups, formula, modelsOf(side)));
      const { middle, low, high } = estimateOf(values);
      const played = meanAndError(tables.map((table) => play(table, formula, random))).middle;
      return { formula, estimated: middle, low, high, played };
    });
}

/** Whether the interval contains what was played. */
export const isCovered = ({ low, high, played }: Estimate): boolean => low <= played && played <= high;

/** Kendall's τ of two orders: how many more pairs agree than disagree, as a share of all. */
export function kendall(one: readonly number[], other: readonly number[]): number {
  let [agree, pairs] = [0, 0];
  for (let a = 0; a < one.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      agree += Math.sign((at(one, a) - at(one, b)) * (at(other, a) - at(other, b)));
      pairs += 1;
    }
  }
  return agree / pairs;
}

const goals = { tau: 0.7, covered: 0.85 } as const;

/** Estimates and plays in every truth and seed, and prints both; fails below the goals. */
function main(): void {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '2' },
      'per-side': { type: 'string', default: '800' },
    },
  });
  const [seeds, perSide] = [Number(values.seeds), Number(values['per-side'])];
  const taus: number[] = [];
  const found: Estimate[] = [];
  for (const truth of truthNames) {
    for (let seed = 0; seed < seeds; seed += 1) {
      const estimates = estimateFormulas(truth, seed, perSide, 2);
      const tau = kendall(
        estimates.map(({ estimated }) => estimated),
        estimates.map(({ played }) => played),
      );
      taus.push(tau);
      found.push(...estimates);
      const rows = estimates.map(({ formula, estimated, low, high, played }) => [
        formula,
        estimated.toFixed(2),
        `${low.toFixed(2)} to ${high.toFixed(2)}`,
        played.toFixed(2),
      ]);
      const head = ['formula', 'estimated matches per 100 cards', '90 %', 'played'];
      process.stdout.write(`\n${truth}, seed ${seed}: Kendall's τ ${tau.toFixed(2)}\n\n${markdown([head, ...rows])}\n`);
    }
  }
  const tau = Math.min(...taus);
  const covered = found.filter(isCovered).length / found.length;
  process.stdout.write(
    `\nKendall's τ ${mean(taus).toFixed(2)} (lowest ${tau.toFixed(2)}, goal ${goals.tau}), ` +
      `${Math.round(100 * covered)} % of intervals cover what was played (goal ${100 * goals.covered} %)\n`,
  );
  process.exitCode = tau >= goals.tau && covered >= goals.covered ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) main();
