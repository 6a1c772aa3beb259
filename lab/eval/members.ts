import type { Random } from '../chaos/random.ts';
import { betaTwoTwo } from './draw.ts';

/** The fixed market that policies are measured in. */
export const marketRules = {
  /** The mean chance that men like eligible women, and women eligible men. */
  likeRates: [0.35, 0.12],
  age: { mean: 31, sd: 6, from: 18, to: 60 },
  /** How many years below and above their age people look for, drawn uniformly; as given for men, mirrored for women. */
  wish: { younger: [3, 10], older: [1, 5] },
  joinShare: 0.15,
  joinDays: [7, 14],
  /** Members who leave for good, on any day after their first. */
  leaveShare: 0.15,
  /** Members who stay away for a while and come back. */
  breakShare: 0.25,
  breakDays: [3, 14],
  /** Cards a member decides in a session: a member's own mean is log-normal around this, a session's count geometric around that. */
  cards: { mean: 20, sd: 0.5, most: 100 },
} as const;

/** The season; its first week is not measured. */
export const seasonWeeks = 4;
export const measuredFrom = 8;
export const weekDays = 7;

export const men = 0;
export const women = 1;
export type Side = typeof men | typeof women;
export const otherSide = (side: Side): Side => (side === men ? women : men);
export const bothSides = [men, women] as const;
export const both = <T>(make: (side: Side) => T): [T, T] => [make(men), make(women)];

/** One side's members; all columns share one index. */
export interface Members {
  count: number;
  age: Int32Array;
  wishMin: Int32Array;
  wishMax: Int32Array;
  /** The chance of a session on a day. */
  activity: Float64Array;
  /** Their first day, from 1. */
  joinDay: Int32Array;
  /** The day from which they never return; after the season for most. */
  leaveDay: Int32Array;
  /** The first day of a break and the day they are back. */
  awayFrom: Int32Array;
  awayTo: Int32Array;
  /** Their mean number of cards in a session. */
  cardsMean: Float64Array;
}

const whole = (random: Random, [from, to]: readonly [number, number]) =>
  from + Math.floor(random.next() * (to - from + 1));

function drawAge(normal: () => number): number {
  const { mean, sd, from, to } = marketRules.age;
  for (;;) {
    const age = Math.round(mean + sd * normal());
    if (age >= from && age <= to) return age;
  }
}

/** The members of one side of a season of that many days. */
export function drawMembers(
  side: Side,
  { count, days }: Record<'count' | 'days', number>,
  random: Random,
  normal: () => number,
): Members {
  const { younger, older } = marketRules.wish;
  const [below, above] = side === men ? [younger, older] : [older, younger];
  const { mean, sd } = marketRules.cards;
  const age = new Int32Array(count).map(() => drawAge(normal));
  const joinDay = new Int32Array(count).map(() =>
    random.next() < marketRules.joinShare ? whole(random, marketRules.joinDays) : 1,
  );
  const within = (join: number) => join + 1 + Math.floor(random.next() * Math.max(1, days - join));
  const awayFrom = joinDay.map((join) => (random.next() < marketRules.breakShare ? within(join) : days + 1));
  return {
    count,
    age,
    wishMin: age.map((years) => Math.max(marketRules.age.from, years - whole(random, below))),
    wishMax: age.map((years) => years + whole(random, above)),
    activity: new Float64Array(count).map(() => betaTwoTwo(random)),
    joinDay,
    leaveDay: joinDay.map((join) => (random.next() < marketRules.leaveShare ? within(join) : days + 1)),
    awayFrom,
    awayTo: awayFrom.map((from) => from + whole(random, marketRules.breakDays)),
    cardsMean: new Float64Array(count).map(() => mean * Math.exp(sd * normal() - sd ** 2 / 2)),
  };
}
