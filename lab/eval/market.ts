import { createRandom, normalFrom, type Random } from '../random.ts';
import {
  both,
  bothSides,
  drawMembers,
  marketRules,
  type Member,
  pairUp,
  type Pairs,
  seasonWeeks,
  type Side,
  weekDays,
} from './members.ts';
import { makeTruth, type Truth, type TruthName } from './truths.ts';

/** A visit of a member: its time in days since the season's start (day 1 begins at 1), and how many cards they would decide. */
export interface Session {
  side: Side;
  member: number;
  at: number;
  cards: number;
}

export interface Market {
  seed: number;
  sides: [Member[], Member[]];
  pairs: [Pairs, Pairs];
  /** C of each entry, as rankers see it in profiles. */
  content: [Float32Array, Float32Array];
  /** The visits of all days in order of time; the same under every policy. */
  sessions: Session[];
  truth: Truth;
}

/** An offset added to a seed so that random streams never coincide. */
const sessionStream = 1_000_000;

/** A market of that many men and as many women whose decisions follow a truth; the same seed gives the same market. */
export function makeMarket(seed: number, perSide: number, name: TruthName, weeks: number = seasonWeeks): Market {
  const random = createRandom(seed);
  const draws = { random, normal: normalFrom(random) };
  const days = weeks * weekDays;
  const sides = both((side) => drawMembers(side, { count: perSide, days }, draws));
  const pairs = pairUp(sides);
  const { truth, content } = makeTruth(name, pairs, perSide, draws);
  const sessions = drawSessions(sides, days, createRandom(seed + sessionStream));
  return { seed, sides, pairs, content, sessions, truth };
}

/** A geometric count of at least one card. */
function drawCards(mean: number, random: Random): number {
  const odds = Math.log1p(-1 / Math.max(1.01, mean));
  return Math.min(marketRules.cards.most, 1 + Math.floor(Math.log(1 - random.next()) / odds));
}

function drawSessions(sides: [Member[], Member[]], days: number, random: Random): Session[] {
  const sessions: Session[] = [];
  for (let day = 1; day <= days; day += 1) {
    for (const side of bothSides) {
      for (const [member, { activity, joinDay, leaveDay, awayFrom, awayTo, cardsMean }] of sides[side].entries()) {
        const isActive = random.next() < activity;
        const isAway = day >= awayFrom && day < awayTo;
        if (!isActive || isAway || joinDay > day || leaveDay <= day) continue;
        sessions.push({ side, member, at: day + random.next(), cards: drawCards(cardsMean, random) });
      }
    }
  }
  return sessions.sort((one, other) => one.at - other.at);
}
