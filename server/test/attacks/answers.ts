import { answerChangesMax, bandScores, importances, type Question, questions } from '#contract/compatibility.ts';
import type { Random } from '../random.ts';
import type { KeptAnswer, KeptAnswers } from '#platform/db/json.ts';
import { toAnswers } from '../../src/features/compatibility/compatibility.ts';
import { compatibilityBand } from '../../src/features/compatibility/score.ts';

/** What an attacker can do to learn the victims' private answers from how well they fit the attacker's own. */
export interface AnswersWorld {
  victims: number;
  /** Sets or deletes an answer of one of the attacker's accounts. */
  change(account: number, questionId: string, answer: KeptAnswer | null): Promise<void>;
  /** Everything an account can see on a day, as one number per victim and channel: bands, orders, reasons. */
  read(account: number): Promise<number[][]>;
  /** Moves on to the next day, when changes take effect. */
  sleep(): Promise<void>;
}

export const attackers = 4;
export const daysOfAttack = 60;
const weekDays = 7;
const questionsAtFirst = 12;

/**
 * How the attacker's answers change: a few changes a week until the sheet is full; one more question a day; one fewer; one mandatory
 * question among others.
 */
export const strategies = ['change', 'grow', 'shrink', 'isolate'] as const;
export type Strategy = (typeof strategies)[number];

const shuffled = <T>(list: readonly T[], random: Random): T[] =>
  list
    .map((item) => ({ item, key: random.next() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);

/** Accepts about this share of the options, drawn at random, but never all. */
function drawAnswer({ options }: Question, own: string, share: number, random: Random): KeptAnswer {
  const ids = options.map(({ id }) => id);
  const count = Math.min(ids.length - 1, Math.max(1, Math.round(share * ids.length + random.next() - 0.5)));
  return [own, shuffled(ids, random).slice(0, count), 'very'];
}

/**
 * A typical member's answers to all questions, independent of each other, so that guessing by chance means picking any
 * option.
 */
export function victimSheet(random: Random): KeptAnswers {
  return Object.fromEntries(
    questions.map(({ id, options }): [string, KeptAnswer] => {
      const ids = options.map((option) => option.id);
      const own = random.pick(ids);
      const accepted = ids.filter((option) => random.chance(option === own ? 0.9 : 0.4));
      const some = accepted.length === 0 ? [own] : accepted;
      return [id, [own, some.length === ids.length ? some.slice(1) : some, random.pick(importances.slice(1))]];
    }),
  );
}

/** The changes of each day, the first of which fills the sheet. */
function plan(
  strategy: Strategy,
  share: number,
  changesPerWeek: number,
  random: Random,
): Map<string, KeptAnswer | null>[] {
  const order = shuffled(questions, random);
  const own = new Map(order.map(({ id, options }) => [id, random.pick(options).id]));
  const draw = (question: Question) => drawAnswer(question, own.get(question.id) ?? '', share, random);
  const isFull = strategy === 'change' || strategy === 'shrink';
  const asked = order.slice(0, isFull ? order.length : questionsAtFirst);
  const days = [new Map<string, KeptAnswer | null>(asked.map((question) => [question.id, draw(question)]))];
  for (let day = 1; day < daysOfAttack; day += 1) {
    const changes = new Map<string, KeptAnswer | null>();
    const more = order[asked.length];
    if (strategy === 'grow' && more !== undefined) {
      asked.push(more);
      changes.set(more.id, draw(more));
    }
    if (strategy === 'shrink' && asked.length > questionsAtFirst) changes.set(asked.pop()?.id ?? '', null);
    if (day % weekDays < changesPerWeek) {
      const changed = strategy === 'isolate' ? asked[Math.floor(day / weekDays) % asked.length] : random.pick(asked);
      if (changed !== undefined) {
        const [answer, accepted] = draw(changed);
        changes.set(changed.id, [answer, accepted, strategy === 'isolate' ? 'mandatory' : 'very']);
      }
    }
    days.push(changes);
  }
  return days;
}

interface Reading {
  account: number;
  channel: number;
  sheet: KeptAnswers;
  seen: number[];
}

const options = questions.flatMap(({ id, options: all }) =>
  all.map((option) => ({ questionId: id, optionId: option.id })),
);

/** How much more than average a sheet accepts each option. */
function pullOf(sheet: KeptAnswers): number[] {
  const given = Object.values(sheet).filter((answer) => answer !== null).length;
  return options.map(({ questionId, optionId }) => {
    const answer = sheet[questionId];
    if (answer == null) return 0;
    const all = questions.find(({ id }) => id === questionId)?.options.length ?? 1;
    return ((answer[1].includes(optionId) ? 1 : 0) - answer[1].length / all) * (10 / given);
  });
}

/** Solves `matrix · x = right` for each column of `right` (Gauss-Jordan; the matrix is positive definite). */
function solve(matrix: number[][], right: number[][]): number[][] {
  const rows = matrix.map((row, index) => [...row, ...(right[index] ?? [])]);
  for (const [at, pivotRow] of rows.entries()) {
    const pivot = pivotRow[at] ?? 1;
    for (let column = at; column < pivotRow.length; column += 1) pivotRow[column] = (pivotRow[column] ?? 0) / pivot;
    for (const [other, row] of rows.entries()) {
      const factor = row[at] ?? 0;
      if (other === at || factor === 0) continue;
      for (let column = at; column < row.length; column += 1) {
        row[column] = (row[column] ?? 0) - factor * (pivotRow[column] ?? 0);
      }
    }
  }
  return rows.map((row) => row.slice(matrix.length));
}

/**
 * The option that each victim most likely chose for each question asked so far: a ridge regression of all readings,
 * relative to the other victims, on what the sheets accepted. Each account and channel has its own baseline.
 */
function guess(readings: readonly Reading[], victims: number): Map<string, string>[] {
  const pulls = readings.map(({ sheet }) => pullOf(sheet));
  const kernel = readings.map((one, i) =>
    readings.map((other, j) => {
      const level = one.account === other.account && one.channel === other.channel ? 1 : 0;
      const like = (pulls[i] ?? []).reduce((sum, pull, k) => sum + pull * (pulls[j]?.[k] ?? 0), 0);
      return level + 0.3 * like + (i === j ? 1 : 0);
    }),
  );
  const centred = readings.map(({ seen }) => {
    const mean = seen.reduce((sum, value) => sum + value, 0) / seen.length;
    const spread = Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / seen.length);
    return seen.map((value) => (spread === 0 ? 0 : (value - mean) / spread));
  });
  const dual = solve(kernel, centred);
  const asked = new Set(readings.flatMap(({ sheet }) => Object.keys(sheet)));
  return Array.from({ length: victims }, (_, victim) => {
    const worth = options.map((_, k) =>
      readings.reduce((sum, _, i) => sum + (pulls[i]?.[k] ?? 0) * (dual[i]?.[victim] ?? 0), 0),
    );
    const best = new Map<string, { optionId: string; worth: number }>();
    for (const [k, { questionId, optionId }] of options.entries()) {
      const value = worth[k] ?? 0;
      if (asked.has(questionId) && value > (best.get(questionId)?.worth ?? -Infinity))
        best.set(questionId, { optionId, worth: value });
    }
    return new Map([...best].map(([questionId, { optionId }]) => [questionId, optionId]));
  });
}

interface AttackOptions {
  strategy: Strategy;
  /** The share of the options that the attacker's sheets accept. */
  share: number;
  random: Random;
  /** Days between two readings. */
  every?: number;
  changesPerWeek?: number;
}

/** Attacks for 60 days; returns by how many percentage points the guesses are better than chance. */
export async function attackAnswers(
  world: AnswersWorld,
  truth: readonly KeptAnswers[],
  { strategy, share, random, every = 1, changesPerWeek = answerChangesMax }: AttackOptions,
): Promise<number> {
  const plans = Array.from({ length: attackers }, () => plan(strategy, share, changesPerWeek, random));
  const sheets = plans.map((): KeptAnswers => ({}));
  const readings: Reading[] = [];
  for (let day = 0; day < daysOfAttack; day += 1) {
    for (const [account, days] of plans.entries()) {
      const changes = days[day] ?? new Map<string, KeptAnswer | null>();
      for (const [questionId, answer] of changes) await world.change(account, questionId, answer);
      sheets[account] = { ...sheets[account], ...Object.fromEntries(changes) };
    }
    await world.sleep();
    if (day % every > 0) continue;
    for (const [account, sheet] of sheets.entries()) {
      for (const [channel, seen] of (await world.read(account)).entries())
        readings.push({ account, channel, sheet, seen });
    }
  }
  let [right, chance, count] = [0, 0, 0];
  for (const [victim, guesses] of guess(readings, world.victims).entries()) {
    for (const [questionId, optionId] of guesses) {
      const all = questions.find(({ id }) => id === questionId)?.options.length ?? 1;
      if (truth[victim]?.[questionId]?.[0] === optionId) right += 1;
      chance += 1 / all;
      count += 1;
    }
  }
  return (100 * (right - chance)) / count;
}

/** A world without a server, in which accounts see what `shown` computes from two sheets. */
export function worldOf(
  truth: readonly KeptAnswers[],
  shown: (own: KeptAnswers, theirs: KeptAnswers) => number,
): AnswersWorld {
  const sheets: KeptAnswers[] = Array.from({ length: attackers }, () => ({}));
  return {
    victims: truth.length,
    change(account, questionId, answer) {
      sheets[account] = { ...sheets[account], [questionId]: answer };
      return Promise.resolve();
    },
    read: (account) => Promise.resolve([truth.map((sheet) => shown(sheets[account] ?? {}, sheet))]),
    sleep: () => Promise.resolve(),
  };
}

/** What a profile shows about how two sheets fit: the band's number, or 0. */
export const bandShown = (own: KeptAnswers, theirs: KeptAnswers) => {
  const band = compatibilityBand(toAnswers(own), toAnswers(theirs));
  return band === null ? 0 : bandScores[band];
};
