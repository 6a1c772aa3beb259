import { freeLikesPerDay } from '#contract/constants.ts';
import { at, createRandom, evenOfPair } from '../random.ts';
import { createDealer, dayOf, decisionOn, type Decisions, isLike } from './dealer.ts';
import { emptyTally, noteCard, noteMatched, type Tally } from './figures.ts';
import { beginDay, type Knowledge, knowNothing, learnDecision, learnMatch, memberOf } from './knowledge.ts';
import type { Market, Session } from './market.ts';
import { both, type Flags, isMeasured, men, otherSide, type Side, women } from './members.ts';
import { policies, type Policy, type PolicyName } from './policies.ts';
import { outcomeDays } from './ranker.ts';

/** Offsets added to a seed so that random streams never coincide. */
const policyStream = 2_000_000;
const talkStream = 4_000_000;
/** The number of remaining cards at which the client loads more. */
const clientLowWater = 5;

export interface SeasonOptions {
  policy: PolicyName;
  weeks: number;
  /** Members with premium; only our policies use them. */
  vips?: Flags;
}

export interface Season {
  tally: Tally;
  /** The state at the end. */
  knowledge: Knowledge;
}

/** A match, and whether it becomes a conversation. */
interface Match {
  man: number;
  woman: number;
  isGood: boolean;
}

/** A season while it is simulated. */
interface Play extends Season {
  market: Market;
  decisions: Decisions;
  /** Matches by the day on which they are learned from. */
  maturing: Map<number, Match[]>;
}

/** Records a match, which is learned from a week later. */
function noteMatch({ market, maturing, tally }: Play, side: Side, [i, j]: [number, number], day: number): void {
  const [man, woman] = side === men ? [i, j] : [j, i];
  noteMatched(tally, men, man, day);
  noteMatched(tally, women, woman, day);
  const isGood = evenOfPair(market.seed + talkStream, man, woman) < market.truth.talks(men, man, woman);
  if (isMeasured(day)) tally.matches += 1;
  if (isGood && isMeasured(day)) tally.conversations += 1;
  const due = day + outcomeDays;
  maturing.set(due, [...(maturing.get(due) ?? []), { man, woman, isGood }]);
}

/** Simulates the decision about one card, the `place`-th of its session, and its effects; returns whether it is a like. */
function decide(play: Play, { side, member: i, at: now }: Session, entry: number, place: number): boolean {
  const { market, decisions, tally, knowledge } = play;
  const { ids, reverse } = market.pairs[side];
  const [day, other, j] = [Math.floor(now), otherSide(side), at(ids, entry)];
  const chance = at(market.truth.chance[side], entry) * market.truth.patience(place);
  const liked = evenOfPair(market.seed * 2 + side, i, j) < chance;
  const theirs = at(decisions[other], at(reverse, entry));
  decisions[side][entry] = decisionOn(day, liked);
  learnDecision(knowledge, { side, i, j, content: at(market.content[side], entry), liked });
  noteCard(tally, { side: other, i: j, liked }, day);
  if (isLike(theirs)) {
    memberOf(knowledge, side, i).pendingLikes -= 1;
    if (isMeasured(dayOf(theirs))) tally.likesRead += 1;
    if (liked) noteMatch(play, side, [i, j], day);
  } else if (liked && theirs === 0) {
    memberOf(knowledge, other, j).pendingLikes += 1;
    if (isMeasured(day)) tally.likesSent += 1;
  }
  return liked;
}

/** Simulates one visit. The client loads more when five cards are left, and the visit ends when cards, people or likes run out. */
function playSession(play: Play, deal: ReturnType<typeof createDealer>, session: Session): void {
  const { side, member, at: now, cards } = session;
  const learned = memberOf(play.knowledge, side, member);
  learned.lastActive = Math.floor(now);
  let likesLeft = learned.isVip ? Infinity : freeLikesPerDay;
  let waiting: number[] = [];
  let hasMore = true;
  for (let place = 0; place < cards && likesLeft > 0; place += 1) {
    if (hasMore && waiting.length <= clientLowWater) {
      const dealt = deal(side, member, now);
      const fresh = dealt.filter((entry) => !waiting.includes(entry));
      hasMore = fresh.length > 0;
      waiting = [...waiting, ...fresh];
    }
    const entry = waiting.shift();
    if (entry === undefined) return;
    if (decide(play, session, entry, place)) likesLeft -= 1;
  }
}

/**
 * Simulates a season under one policy. Sessions and decisions depend only on the market's seed, so
 * seasons differ only in the cards shown.
 */
export function playSeason(market: Market, { policy: name, weeks, vips }: SeasonOptions): Season {
  const random = createRandom(market.seed + policyStream);
  const policy: Policy = policies[name];
  const knowledge = knowNothing(market, vips);
  const decisions = both((side) => new Uint8Array(market.pairs[side].ids.length));
  const deal = createDealer({ market, knowledge, decisions, policy, random });
  const play: Play = { market, decisions, tally: emptyTally(market, weeks), knowledge, maturing: new Map() };
  let day = 0;
  for (const session of market.sessions) {
    while (day < Math.floor(session.at)) {
      beginDay(knowledge, market, (day += 1));
      if (policy.learnsOutcomes !== true) continue;
      for (const { man, woman, isGood } of play.maturing.get(day) ?? [])
        learnMatch(knowledge, memberOf(knowledge, men, man), memberOf(knowledge, women, woman), isGood);
    }
    playSession(play, deal, session);
  }
  return { tally: play.tally, knowledge };
}
