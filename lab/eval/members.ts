import { at, betaTwoTwo, type Random } from '../random.ts';
import { ageBand } from './ranker.ts';

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

/** The length of a season, whose first week is not measured. */
export const seasonWeeks = 4;
export const weekDays = 7;
export const isMeasured = (day: number): boolean => day > weekDays;

export const men = 0;
export const women = 1;
export type Side = typeof men | typeof women;
export const bothSides = [men, women] as const;
export const otherSide = (side: Side): Side => (side === men ? women : men);
export const both = <T>(make: (side: Side) => T): [T, T] => [make(men), make(women)];
/** Flags of both sides’ members, 0 or 1. */
export type Flags = [Uint8Array, Uint8Array];

/** All candidates of one side's members, member after member: `ids` from `offsets[i]` to `offsets[i + 1]` are i's. */
export interface Pairs {
  offsets: Int32Array;
  ids: Int32Array;
  /** The owner of the entry. */
  owners: Int32Array;
  /** The index of the same pair in the other side's entries. */
  reverse: Int32Array;
}

export interface Draws {
  random: Random;
  normal: () => number;
}

/** Draws the members of one side for a season of `days`. A seed always gives the same members only if the order of the draws stays. */
export function drawMembers(side: Side, { count, days }: { count: number; days: number }, draws: Draws) {
  const { random, normal } = draws;
  const { age, wish, joinShare, joinDays, leaveShare, breakShare, breakDays, cards } = marketRules;
  const [below, above] = side === men ? [wish.younger, wish.older] : [wish.older, wish.younger];
  const whole = ([from, to]: readonly [number, number]) => from + Math.floor(random.next() * (to - from + 1));
  const within = (join: number) => join + 1 + Math.floor(random.next() * Math.max(1, days - join));
  const ages = Array.from({ length: count }, () => {
    for (;;) {
      const drawn = Math.round(age.mean + age.sd * normal());
      if (drawn >= age.from && drawn <= age.to) return drawn;
    }
  });
  const joined = ages.map(() => (random.next() < joinShare ? whole(joinDays) : 1));
  const awayFrom = joined.map((join) => (random.next() < breakShare ? within(join) : days + 1));
  const min = ages.map((years) => Math.max(age.from, years - whole(below)));
  const max = ages.map((years) => years + whole(above));
  const activity = ages.map(() => betaTwoTwo(random));
  const leaveDay = joined.map((join) => (random.next() < leaveShare ? within(join) : days + 1));
  const awayTo = awayFrom.map((from) => from + whole(breakDays));
  const cardsMean = ages.map(() => cards.mean * Math.exp(cards.sd * normal() - cards.sd ** 2 / 2));
  return ages.map((years, i) => ({
    age: years,
    band: ageBand(years),
    wish: { min: at(min, i), max: at(max, i) },
    /** The chance of a session on a day. */
    activity: at(activity, i),
    /** The first day, from 1, and the day from which they never return, which is after the season for most. */
    joinDay: at(joined, i),
    leaveDay: at(leaveDay, i),
    /** The first day of a break and the day they are back. */
    awayFrom: at(awayFrom, i),
    awayTo: at(awayTo, i),
    /** Their mean number of cards in a session. */
    cardsMean: at(cardsMean, i),
  }));
}
export type Member = ReturnType<typeof drawMembers>[number];

const accepts = ({ wish }: Member, { age }: Member) => age >= wish.min && age <= wish.max;

function entriesOf(own: Member[], others: Member[]): Omit<Pairs, 'reverse'> {
  const offsets = new Int32Array(own.length + 1);
  const [ids, owners]: [number[], number[]] = [[], []];
  for (const [i, one] of own.entries()) {
    for (const [j, other] of others.entries()) {
      if (!accepts(one, other) || !accepts(other, one)) continue;
      ids.push(j);
      owners.push(i);
    }
    offsets[i + 1] = ids.length;
  }
  return { offsets, ids: Int32Array.from(ids), owners: Int32Array.from(owners) };
}

/** Finds each entry's counterpart: iterating over one side in order visits the other side's entries in order, too. */
function reverseOf(ids: Int32Array, offsets: Int32Array): Int32Array {
  const next = offsets.slice();
  return ids.map((j) => {
    const entry = at(next, j);
    next[j] = entry + 1;
    return entry;
  });
}

/** Eligible pairs: each age lies within the other's range. */
export function pairUp([first, second]: [Member[], Member[]]): [Pairs, Pairs] {
  const [one, other] = [entriesOf(first, second), entriesOf(second, first)];
  return [
    { ...one, reverse: reverseOf(one.ids, other.offsets) },
    { ...other, reverse: reverseOf(other.ids, one.offsets) },
  ];
}
