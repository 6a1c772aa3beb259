import type { Formula } from '#contract/discovery/matching.ts';
import { chanceAbove } from '../deck/chances.ts';
import { formulas, weighted } from '../score/formulas.ts';
import { sigmoid } from '../score/score.ts';
import { fitLogistic, logOddsOf } from './logistic-regression.ts';

// What another formula would have brought, from decks that one formula dealt, the chances of their cards, and what was decided.

/** Larger weights are cut: a few cards that were hardly ever dealt would decide everything. */
const weightMost = 10;
/** Chances are known to a thousandth. */
const chanceLeast = 0.0005;
/** The number of standard errors on both sides that contain nine in ten. */
const ninety = 1.645;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const logit = (p: number) => Math.log(p / (1 - p));

/** A decision, and how likely it was to be known. */
export interface Known {
  likes: boolean;
  chance: number;
}

/** A candidate of a deck, dealt or not. */
export interface Option {
  /** Who is on the card: errors of decks that share people are related. */
  person: string | number;
  likesViewer: boolean;
  /** p(i→j) and p(j→i) as the score knows them, and R without the daily term and preferences, which are the `bonus`. */
  chanceThere: number;
  chanceBack: number;
  rank: number;
  bonus: number;
  /** What the viewer decided, and what the person decided about the viewer. */
  own: Known | null;
  back: Known | null;
}

/** The candidates of a deck that compete among themselves, and for how many places. */
export interface Group<T extends Option = Option> {
  options: readonly T[];
  places: number;
}

/** The score's chances corrected by what was decided. */
export interface Models {
  there: (p: number) => number;
  back: (p: number) => number;
  /** How much a person's decision about the viewer counts, given the chance that the viewer likes them. */
  backCounts: (q: number) => number;
}

/** A candidate's rank under a formula, without the daily term. */
export const rankUnder = (option: Option, formula: Formula): number =>
  weighted(option, formulas[formula]) + option.bonus;

/** How likely each option of a group gets a place under a formula: the threshold is where as many as there are places are expected above. */
function placeChances({ options, places }: Group, formula: Formula): number[] {
  const bases = options.map((option) => rankUnder(option, formula));
  if (places >= options.length) return bases.map(() => 1);
  let [low, high] = [Math.min(...bases) - 1, Math.max(...bases) + 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (sum(bases.map((base) => chanceAbove(middle, base))) > places) low = middle;
    else high = middle;
  }
  return bases.map((base) => chanceAbove(low, base));
}

/**
 * Corrects the score's chances by outcomes: p as a logistic function of the score's log-odds. Chances stay as they are while all
 * outcomes are the same.
 */
export function calibrated(outcomes: readonly { p: number; isYes: boolean }[]): (p: number) => number {
  const yes = outcomes.map(({ isYes }) => isYes);
  if (!yes.includes(true) || !yes.includes(false)) return (p) => p;
  const model = fitLogistic(
    outcomes.map(({ p }) => Float64Array.of(logit(p))),
    yes,
    1,
  );
  return (p) => sigmoid(logOddsOf(model, Float64Array.of(logit(p))));
}

/** A deck's value, and the parts of it that come from single people's decisions, by person. */
export interface Value {
  value: number;
  parts: [person: string | number, part: number][];
}

/**
 * Matches per 100 cards of a deck under a formula, doubly robust: the model's expectation over the places the formula would deal, plus
 * what decisions differ from it, weighted by how much likelier the formula deals the card than its decision was to be known. The deck has
 * a place at least.
 */
export function valueOf(groups: readonly Group[], formula: Formula, { there, back, backCounts }: Models): Value {
  const cards = sum(groups.map(({ places }) => places));
  let value = 0;
  const parts: Value['parts'] = [];
  for (const group of groups) {
    const chances = placeChances(group, formula);
    for (const [index, option] of group.options.entries()) {
      const { person, likesViewer, own } = option;
      const chance = chances[index] ?? 0;
      const [q, answer] = [there(option.chanceThere), likesViewer ? 1 : back(option.chanceBack)];
      const differs = (known: Known | null, expected: number) =>
        known === null
          ? 0
          : Math.min(weightMost, chance / Math.max(chanceLeast, known.chance)) * ((known.likes ? 1 : 0) - expected);
      const ownPart = differs(own, q) * answer;
      const backPart = likesViewer ? 0 : backCounts(q) * differs(option.back, answer);
      value += chance * q * answer + ownPart + backPart;
      if (ownPart + backPart !== 0) parts.push([person, ((ownPart + backPart) * 100) / cards]);
    }
  }
  return { value: (100 * value) / cards, parts };
}

/** The mean of values and its standard error; of a single value, the error is infinite. */
export function meanAndError(values: readonly number[]): { middle: number; error: number } {
  const middle = sum(values) / values.length;
  const variance =
    values.length < 2 ? Infinity : sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
  return { middle, error: Math.sqrt(variance / values.length) };
}

/** The mean of the decks' values with an interval of 90 %, where decks of different viewers share people (clustered both ways). */
export function estimateOf(values: readonly Value[]): { middle: number; low: number; high: number } {
  const { middle, error } = meanAndError(values.map(({ value }) => value));
  const byPerson = new Map<string | number, number>();
  let single = 0;
  for (const [person, part] of values.flatMap(({ parts }) => parts)) {
    byPerson.set(person, (byPerson.get(person) ?? 0) + part);
    single += part ** 2;
  }
  const shared = Math.max(0, sum([...byPerson.values()].map((total) => total ** 2)) - single);
  const half = ninety * Math.sqrt(error ** 2 + shared / values.length ** 2);
  return { middle, low: middle - half, high: middle + half };
}
