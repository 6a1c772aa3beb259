import { createRandom } from '../chaos/random.ts';
import { figuresOf, type Figures } from './figures.ts';
import { bothSides, makeMarket, men, women, type Market, type Scene } from './market.ts';
import { policies, type Policy } from './policies.ts';
import { playSeason, type Flags, type Season } from './season.ts';
import type { Tally } from './tally.ts';

const vipShare = 0.1;
const vipStream = 3_000_000;

/** The results of one seed's market under each policy, and the effect of premium. */
export interface SeedFigures {
  seed: number;
  /** The share (0…1) of pairs whose ages fit. */
  eligibleShare: number;
  policies: Record<Policy, Figures>;
  premium: Premium;
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
  const withPremium = playSeason(market, { policy: 'ours', weeks, vips });
  const change = (wanted: 0 | 1) =>
    100 * (matchesOf(withPremium.tally, vips, wanted) / matchesOf(without.tally, vips, wanted) - 1);
  return { others: change(0), vips: change(1) };
}

/** Simulates all policies in the market of one seed, and ours again with premium; reports progress through `say`. */
export function measureSeed(
  seed: number,
  { perSide, weeks }: { perSide: number; weeks: number },
  say: (text: string) => void,
): { figures: SeedFigures; ours: Played } {
  const market = makeMarket(seed, perSide);
  const seasons = policies.map((policy) => {
    const startedAt = performance.now();
    const season = playSeason(market, { policy, weeks });
    const figures = figuresOf(market.scene, season.tally);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    say(`seed ${seed}, ${policy}: ${figures.matchesPer100Cards.toFixed(2)} matches per 100 cards (${seconds} s)`);
    return { policy, season, figures };
  });
  const ours = seasons.find(({ policy }) => policy === 'ours')?.season;
  if (ours === undefined) throw new Error('Our policy was not simulated');
  const byPolicy = Object.fromEntries(seasons.map(({ policy, figures }) => [policy, figures]));
  return {
    figures: {
      seed,
      eligibleShare:
        market.scene.pairs[men].ids.length / (market.scene.sides[men].count * market.scene.sides[women].count),
      policies: byPolicy as Record<Policy, Figures>,
      premium: premiumOf(market, ours, weeks),
    },
    ours: { market, season: ours },
  };
}
