import { createRandom } from '../chaos/random.ts';
import { figuresOf, type Figures } from './figures.ts';
import { makeMarket, type Market, type Scene } from './market.ts';
import { bothSides, men, seasonWeeks, women } from './members.ts';
import { policies, type Policy } from './policies.ts';
import { playSeason, type Flags, type Season } from './season.ts';
import type { Tally } from './tally.ts';
import { truthNames, type TruthName } from './truths.ts';

/** How large an evaluation is. */
export interface Form {
  perSide: number;
  weeks: number;
  truths: readonly TruthName[];
  firstSeed: number;
  seeds: number;
  cards: number;
  reasonCards: number;
  /** Whether what is shipped is simulated again with premium. */
  withPremium: boolean;
  /** Whether every seed simulates all policies and premium, not only the first one. */
  everyPolicy: boolean;
}

/** The form that the gates are judged by. */
export const fullForm: Form = {
  perSide: 3_000,
  weeks: seasonWeeks,
  truths: truthNames,
  firstSeed: 0,
  seeds: 5,
  cards: 10_000,
  reasonCards: 1_000,
  withPremium: true,
  everyPolicy: false,
};

/**
 * The form that runs with the tests. After four weeks members of such a small market have decided about most candidates, and
 * every order gives the same result; two weeks leave a difference.
 */
export const smallForm: Form = {
  perSide: 1_200,
  weeks: 2,
  truths: ['formula', 'homophily'],
  firstSeed: 1,
  seeds: 1,
  cards: 10_000,
  reasonCards: 1_000,
  withPremium: false,
  everyPolicy: false,
};

/** The seeds of the market that only compares ways of learning. */
const seedsOfSilence = 2;

/**
 * The first seed of a truth simulates every policy that tells something there; the others, and all of `silence`, those of its gates:
 * the oracle's is about the formula's market, and learning from likes alone is only worth a comparison where conversations differ
 * from likes. Live ranking is an upper bound for the formula.
 */
function policiesOf(truth: TruthName, isFull: boolean): readonly Policy[] {
  const only: Partial<Record<Policy, TruthName>> = { 'likes alone': 'silence', live: 'formula' };
  const gates: readonly Policy[] = ['random', 'one-sided + inbox', 'shipped'];
  return policies.filter((policy) => {
    if (only[policy] !== undefined) return only[policy] === truth && (isFull || policy === 'likes alone');
    return (isFull && truth !== 'silence') || gates.includes(policy) || (policy === 'oracle' && truth === 'formula');
  });
}

/** The markets of a form; those of the formula, again with premium. The largest come first, so that threads end together. */
export function tasksOf(form: Form): Task[] {
  const numbers = Array.from({ length: form.seeds }, (_, number) => number);
  const tasks = numbers.flatMap((number) =>
    form.truths
      .filter((truth) => truth !== 'silence' || number < seedsOfSilence)
      .map((truth) => ({
        ...{ truth, seed: form.firstSeed + number, perSide: form.perSide, weeks: form.weeks },
        policies: policiesOf(truth, number === 0 || form.everyPolicy),
        withPremium: form.withPremium && (truth === 'formula' || (form.everyPolicy && truth !== 'silence')),
      })),
  );
  return tasks.sort((one, other) => other.policies.length - one.policies.length);
}

const vipShare = 0.1;
const vipStream = 3_000_000;

/** The results of one seed's market of one truth under each policy, and the effect of premium. */
export interface SeedFigures {
  truth: TruthName;
  seed: number;
  /** The share (0…1) of pairs whose ages fit. */
  eligibleShare: number;
  policies: Partial<Record<Policy, Figures>>;
  /** Null if not measured. */
  premium: Premium | null;
}

/** The change of members' matches in percent once one in ten has premium. */
export interface Premium {
  others: number;
  vips: number;
}

/** A market with the season of our policy. */
export interface Played {
  market: Market;
  season: Season;
}

/** What is simulated of one market. */
export interface Task {
  truth: TruthName;
  seed: number;
  perSide: number;
  weeks: number;
  policies: readonly Policy[];
  withPremium: boolean;
}

/** One member in ten, drawn from the seed. */
export function drawVips({ seed, sides }: Scene): Flags {
  const random = createRandom(seed + vipStream);
  const draw = (count: number) => new Uint8Array(count).map(() => (random.next() < vipShare ? 1 : 0));
  return [draw(sides[men].count), draw(sides[women].count)];
}

/** The matches of members whose flag is `wanted`; a match of two of them counts twice. */
function matchesOf({ received }: Tally, flags: Flags, wanted: 0 | 1): number {
  let sum = 0;
  for (const side of bothSides) {
    for (const [i, count] of received[side].matches.entries()) if (flags[side][i] === wanted) sum += count;
  }
  return sum;
}

function premiumOf(market: Market, without: Season, weeks: number): Premium {
  const vips = drawVips(market.scene);
  const withPremium = playSeason(market, { policy: 'shipped', weeks, vips });
  const change = (wanted: 0 | 1) =>
    100 * (matchesOf(withPremium.tally, vips, wanted) / matchesOf(without.tally, vips, wanted) - 1);
  return { others: change(0), vips: change(1) };
}

/** Simulates a task's policies, and what is shipped again with premium; reports progress through `say`. */
export function measureSeed(
  { truth, seed, perSide, weeks, policies, withPremium }: Task,
  say: (text: string) => void,
): { figures: SeedFigures; shipped: Played } {
  const market = makeMarket(seed, perSide, truth, weeks);
  const seasons = policies.map((policy) => {
    const startedAt = performance.now();
    const season = playSeason(market, { policy, weeks });
    const figures = figuresOf(market.scene, season.tally);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    say(
      `${truth}, seed ${seed}, ${policy}: ${figures.matchesPer100Cards.toFixed(2)} matches per 100 cards (${seconds} s)`,
    );
    return { policy, season, figures };
  });
  const shipped = seasons.find(({ policy }) => policy === 'shipped')?.season;
  if (shipped === undefined) throw new Error('What is shipped was not simulated');
  const { sides, pairs } = market.scene;
  return {
    figures: {
      truth,
      seed,
      eligibleShare: pairs[men].ids.length / (sides[men].count * sides[women].count),
      policies: Object.fromEntries(seasons.map(({ policy, figures }) => [policy, figures])),
      premium: withPremium ? premiumOf(market, shipped, weeks) : null,
    },
    shipped: { market, season: shipped },
  };
}
