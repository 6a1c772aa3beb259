import { standingFactor } from '../../server/src/features/discovery/score/score.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { normalFrom } from './draw.ts';
import {
  both,
  bothSides,
  drawMembers,
  marketRules,
  type Members,
  otherSide,
  seasonWeeks,
  type Side,
  weekDays,
} from './members.ts';
import { pairUp, turned, type Pairs } from './pairs.ts';
import { makeTruth, type Truth, type TruthName } from './truths.ts';

/** What a ranker knows about each pair from the start: the content terms both ways, aligned with `Pairs.ids`. */
export interface Seen {
  there: Float32Array;
  back: Float32Array;
  /**
   * Three for each entry, next to each other since they are read together: e^−C of both, so that chances need no exponentials, and
   * `standingFactor` of the owner's content term with the other.
   */
  factors: Float64Array;
}

/** How many `factors` an entry has. */
export const factorsEach = 3;

/** A visit of a member: when, in days since the season's start (day 1 begins at 1), and how many cards they would decide. */
export interface Session {
  side: Side;
  member: number;
  at: number;
  cards: number;
}

/** The market as rankers see it. */
export interface Scene {
  seed: number;
  sides: [Members, Members];
  pairs: [Pairs, Pairs];
  seen: [Seen, Seen];
  /** Of all days, in order of time; the same under every policy. */
  sessions: Session[];
}

export interface Market {
  scene: Scene;
  truth: Truth;
}

/** Offsets added to a seed so that random streams never coincide. */
const sessionStream = 1_000_000;

/** A geometric count of at least one card. */
function drawCards(mean: number, random: Random): number {
  const odds = Math.log1p(-1 / Math.max(1.01, mean));
  return Math.min(marketRules.cards.most, 1 + Math.floor(Math.log(1 - random.next()) / odds));
}

function drawSessions(sides: [Members, Members], days: number, random: Random): Session[] {
  const sessions: Session[] = [];
  for (let day = 1; day <= days; day += 1) {
    for (const side of bothSides) {
      const { count, activity, joinDay, leaveDay, awayFrom, awayTo, cardsMean } = sides[side];
      for (let member = 0; member < count; member += 1) {
        const isThere = random.next() < (activity[member] ?? 0);
        const isAway = day >= (awayFrom[member] ?? 0) && day < (awayTo[member] ?? 0);
        if (!isThere || isAway || (joinDay[member] ?? 1) > day || (leaveDay[member] ?? 0) <= day) continue;
        sessions.push({ side, member, at: day + random.next(), cards: drawCards(cardsMean[member] ?? 1, random) });
      }
    }
  }
  return sessions.sort((one, other) => one.at - other.at);
}

/** A market of that many men and as many women whose decisions follow a truth; the same seed gives the same market. */
export function makeMarket(seed: number, perSide: number, name: TruthName, weeks: number = seasonWeeks): Market {
  const random = createRandom(seed);
  const normal = normalFrom(random);
  const days = weeks * weekDays;
  const sides = both((side) => drawMembers(side, { count: perSide, days }, random, normal));
  const pairs = pairUp(sides);
  const { truth, signals } = makeTruth(name, pairs, [perSide, perSide], { random, normal });
  const seen = both((side): Seen => {
    const [there, back] = [signals[side], turned(pairs[side], signals[otherSide(side)])];
    return { there, back, factors: factorsOf(there, back) };
  });
  const sessions = drawSessions(sides, days, createRandom(seed + sessionStream));
  return { scene: { seed, sides, pairs, seen, sessions }, truth };
}

function factorsOf(there: Float32Array, back: Float32Array): Float64Array {
  const found = new Float64Array(factorsEach * there.length);
  for (let entry = 0, at = 0; entry < there.length; entry += 1, at += factorsEach) {
    found[at] = Math.exp(-(there[entry] ?? 0));
    found[at + 1] = Math.exp(-(back[entry] ?? 0));
    found[at + 2] = standingFactor(back[entry] ?? 0);
  }
  return found;
}
