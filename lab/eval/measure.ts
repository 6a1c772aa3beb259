import { createRandom } from '../random.ts';
import { figuresOf, type Figures, type Tally } from './figures.ts';
import { makeMarket, type Market } from './market.ts';
import { both, bothSides } from './members.ts';
import { policies, type PolicyName } from './policies.ts';
import { playSeason, type Season } from './season.ts';
import { truthNames, type TruthName } from './truths.ts';

/** One market to simulate. */
export interface Task {
  truth: TruthName;
  seed: number;
  perSide: number;
  weeks: number;
  policies: readonly PolicyName[];
  /** Whether the shipped policy is simulated again with premium. */
  withPremium: boolean;
}

/** The results of one seed's market of one truth under each policy. */
export interface SeedFigures {
  truth: TruthName;
  seed: number;
  policies: Partial<Record<PolicyName, Figures>>;
  /** The change in the number of everyone else's matches, in percent, once one member in ten has premium; null if not measured. */
  premium: number | null;
}

const vipShare = 0.1;
const vipStream = 3_000_000;
/** The number of seeds of the market that only compares ways of learning. */
const seedsOfSilence = 2;

/** Policies that are informative in only one truth: the upper bounds in the formula's market, and `likes alone` where conversations differ from likes. */
const onlyIn: Partial<Record<PolicyName, TruthName>> = { live: 'formula', oracle: 'formula', 'likes alone': 'silence' };

/**
 * The markets to evaluate: several seeds for each ground truth. The largest come first, so that the threads finish at about the same time.
 */
export function tasksOf({ perSide, weeks, seeds }: { perSide: number; weeks: number; seeds: number }): Task[] {
  const names = Object.keys(policies) as PolicyName[];
  const tasks = Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) =>
    truthNames
      .filter((truth) => truth !== 'silence' || seed < seedsOfSilence)
      .map((truth): Task => ({
        ...{ truth, seed, perSide, weeks },
        policies: names.filter((name) => onlyIn[name] === undefined || onlyIn[name] === truth),
        withPremium: truth === 'formula',
      })),
  );
  return tasks.sort((one, other) => other.policies.length - one.policies.length);
}

/** One member in ten gets premium, drawn from the seed; a match of two others counts twice. */
function premiumOf(market: Market, without: Season, weeks: number): number {
  const random = createRandom(market.seed + vipStream);
  const vips = both((side) => Uint8Array.from(market.sides[side], () => (random.next() < vipShare ? 1 : 0)));
  const ofOthers = ({ received }: Tally) =>
    bothSides
      .flatMap((side) => received[side].filter((_, i) => vips[side][i] === 0))
      .reduce((sum, { matches }) => sum + matches, 0);
  const { tally } = playSeason(market, { policy: 'shipped', weeks, vips });
  return 100 * (ofOthers(tally) / ofOthers(without.tally) - 1);
}

/** Simulates a task's policies, and the shipped one again with premium; reports progress through `say`. */
export function measureSeed({ truth, seed, perSide, weeks, ...task }: Task, say: (text: string) => void): SeedFigures {
  const market = makeMarket(seed, perSide, truth, weeks);
  const found: SeedFigures = { truth, seed, policies: {}, premium: null };
  for (const policy of task.policies) {
    const season = playSeason(market, { policy, weeks });
    const figures = figuresOf(market, season.tally);
    found.policies[policy] = figures;
    if (policy === 'shipped' && task.withPremium) found.premium = premiumOf(market, season, weeks);
    say(`${truth}, seed ${seed}, ${policy}: ${figures.matchesPer100Cards.toFixed(2)} matches per 100 cards`);
  }
  return found;
}
