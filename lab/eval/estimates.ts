import { parseArgs } from 'node:util';
import { type Formula, formulaNames } from '#contract/discovery/matching.ts';
import { chanceAbove } from '../../server/src/features/discovery/deck/chances.ts';
import { deckRules, pageRules } from '../../server/src/features/discovery/deck/page.ts';
import { formulas, weighted } from '../../server/src/features/discovery/score/formulas.ts';
import {
  certainty,
  inboxPenalty,
  likeLogOdds,
  rankOf,
  sigmoid,
  unknownBase,
} from '../../server/src/features/discovery/score/score.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { isLike } from './decks.ts';
import { evenOfPair } from './draw.ts';
import { mean } from './figures.ts';
import { fitLogistic, logOddsOf } from './logistic-regression.ts';
import { makeMarket, type Market } from './market.ts';
import { both, bothSides, otherSide, type Side } from './members.ts';
import { markdown } from './report.ts';
import { playSeason, type Season } from './season.ts';
import { type TruthName, truthNames } from './truths.ts';

// Whether the decisions about cards that one formula dealt tell what others would have brought: estimated from a log, then played.

/** Larger weights are cut: a few cards that were hardly ever dealt would decide everything. */
const weightMost = 10;
/** The share of members whose decks are logged; all members play. */
const loggedShare = 0.5;
const logStream = 5_000_000;
const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const logit = (p: number) => Math.log(p / (1 - p));

/** A card that may be dealt, with what is known before and, for the check, what both would decide. */
interface Option {
  /** The pair, the same in both directions, and the person on the card. */
  pair: number;
  person: number;
  likesViewer: boolean;
  /** p(i→j) and p(j→i) as the score knows them, and R. */
  chanceThere: number;
  chanceBack: number;
  rank: number;
  likes: boolean;
  isLiked: boolean;
}

/** A viewer's candidates in the two groups that compete for places: people who like the viewer, and all others. */
interface Table {
  side: Side;
  groups: { options: Option[]; places: number }[];
}

/** The candidates of a member after a season, as the product's hard filters leave them. */
function tableOf({ scene, truth }: Market, { knowledge, decisions }: Season, side: Side, viewer: number): Table {
  const other = otherSide(side);
  const [own, others] = [knowledge[side], knowledge[other]];
  const { offsets, ids, reverse } = scene.pairs[side];
  const options: Option[] = [];
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
      person: j,
      likesViewer,
      chanceThere: sigmoid(there),
      chanceBack: sigmoid(back),
      rank: rankOf(there, back, penalty, 1),
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
function dealt(options: readonly Option[], places: number, formula: Formula, random: Random) {
  const ranked = options
    .map((option) => {
      const base = weighted(option, formulas[formula]);
      return { option, base, rank: base + dailyTerm(random) };
    })
    .sort((one, other) => other.rank - one.rank);
  const threshold = ranked[places]?.rank ?? -Infinity;
  return ranked.slice(0, places).map(({ option, base }) => ({ option, chance: chanceAbove(threshold, base) }));
}

/** How likely each option of a group gets a place under a formula: the threshold is where as many as there are places are expected above. */
function placeChances(options: readonly Option[], places: number, formula: Formula): number[] {
  const bases = options.map((option) => weighted(option, formulas[formula]));
  if (places >= options.length) return bases.map(() => 1);
  let [low, high] = [Math.min(...bases) - 1, Math.max(...bases) + 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (sum(bases.map((base) => chanceAbove(middle, base))) > places) low = middle;
    else high = middle;
  }
  return bases.map((base) => chanceAbove(low, base));
}

/** A logged deck: its table, and of the cards that were decided the chance with which they were dealt. */
interface Logged {
  table: Table;
  /** How many of the dealt cards were decided. */
  share: number;
  decided: Map<Option, number>;
}

function log(table: Table, random: Random): Logged {
  const cards = table.groups.flatMap(({ options, places }) => dealt(options, places, 'shipped', random));
  // Visits differ in length; a card's place on its page is random.
  const count = Math.max(1, Math.min(cards.length, Math.round(-20 * Math.log(1 - random.next()))));
  const decided = random.shuffled(cards).slice(0, count);
  return {
    table,
    share: cards.length === 0 ? 1 : decided.length / cards.length,
    decided: new Map(decided.map(({ option, chance }) => [option, chance])),
  };
}

/** Corrects a side's chances of a like by what its members decided: p as a logistic function of the score's log-odds. */
function calibrated(logs: readonly Logged[], side: Side): (p: number) => number {
  const options = logs.flatMap(({ table, decided }) => (table.side === side ? [...decided.keys()] : []));
  const rows = options.map(({ chanceThere }) => Float64Array.of(logit(chanceThere)));
  const model = fitLogistic(
    rows,
    options.map(({ likes }) => likes),
    1,
  );
  return (p) => sigmoid(logOddsOf(model, Float64Array.of(logit(p))));
}

interface Estimate {
  formula: Formula;
  /** Matches per 100 cards, with an interval that contains nine in ten. */
  estimated: number;
  low: number;
  high: number;
  played: number;
}

/** What was decided, and how likely it was to be logged, by side and pair. */
type Decided = [Map<number, { likes: boolean; chance: number }>, Map<number, { likes: boolean; chance: number }>];

function decidedBy(logs: readonly Logged[]): Decided {
  const found: Decided = both(() => new Map<number, { likes: boolean; chance: number }>());
  for (const { table, share, decided } of logs)
    for (const [{ pair, likes }, chance] of decided) found[table.side].set(pair, { likes, chance: chance * share });
  return found;
}

/** A deck's value, and the parts of it that come from single people's decisions, by person. */
interface Value {
  value: number;
  parts: [person: number, part: number][];
}

/**
 * Matches per 100 cards of a deck under a formula, doubly robust: the model's expectation over the places the formula would deal, plus
 * what both people's decisions differ from it, weighted by how much likelier the formula deals the card than it was to be logged.
 */
function valueOf({ side, groups }: Table, formula: Formula, qOf: ((p: number) => number)[], decided: Decided): Value {
  const [there, back] = [qOf[side], qOf[otherSide(side)]];
  if (there === undefined || back === undefined) throw new Error('a side without a model');
  const cards = sum(groups.map(({ places }) => places));
  let value = 0;
  const parts: [number, number][] = [];
  for (const { options, places } of groups) {
    const chances = placeChances(options, places, formula);
    for (const [index, { pair, person, likesViewer, chanceThere, chanceBack }] of options.entries()) {
      const chance = at(chances, index);
      const [q, answer] = [there(chanceThere), likesViewer ? 1 : back(chanceBack)];
      const [own, theirs] = [decided[side].get(pair), decided[otherSide(side)].get(pair)];
      const differs = (found: typeof own, expected: number) =>
        found === undefined ? 0 : Math.min(weightMost, chance / found.chance) * ((found.likes ? 1 : 0) - expected);
      const ownPart = differs(own, q) * answer;
      // Half of the people are logged, so that each decision of theirs counts twice.
      const theirPart = likesViewer ? 0 : (q * differs(theirs, answer)) / loggedShare;
      value += chance * q * answer + ownPart + theirPart;
      if (ownPart + theirPart !== 0) parts.push([2 * person + side, ((ownPart + theirPart) * 100) / cards]);
    }
  }
  return { value: (100 * value) / cards, parts };
}

/** The mean of the decks' values and its standard error, where decks of different viewers share people (clustered both ways). */
function estimateOf(values: readonly Value[]): { middle: number; error: number } {
  const { middle, error } = meanAndError(values.map(({ value }) => value));
  const byPerson = new Map<number, number>();
  let single = 0;
  for (const [person, part] of values.flatMap(({ parts }) => parts)) {
    byPerson.set(person, (byPerson.get(person) ?? 0) + part);
    single += part ** 2;
  }
  const shared = Math.max(0, sum([...byPerson.values()].map((total) => total ** 2)) - single);
  return { middle, error: Math.sqrt(error ** 2 + shared / values.length ** 2) };
}

/** The matches per 100 cards that a table really brings under a formula. */
function play({ groups }: Table, formula: Formula, random: Random): number {
  const cards = groups.flatMap(({ options, places }) => dealt(options, places, formula, random));
  const matches = cards.filter(({ option }) => option.likes && option.isLiked).length;
  return cards.length === 0 ? 0 : (100 * matches) / cards.length;
}

function meanAndError(values: readonly number[]): { middle: number; error: number } {
  const middle = mean(values);
  const variance = sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
  return { middle, error: Math.sqrt(variance / values.length) };
}

/** The number of standard errors on both sides that contain nine in ten. */
const ninety = 1.645;

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
  const decided = decidedBy(logs);
  const models = bothSides.map((side) => calibrated(logs, side));
  return formulaNames
    .filter((formula) => formula !== 'shipped')
    .map((formula) => {
      const { middle, error } = estimateOf(logs.map(({ table }) => valueOf(table, formula, models, decided)));
      const played = meanAndError(tables.map((table) => play(table, formula, random))).middle;
      return { formula, estimated: middle, low: middle - ninety * error, high: middle + ninety * error, played };
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
