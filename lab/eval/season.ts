import { freeLikesPerDay } from '#contract/constants.ts';
import { outcomeDays } from '../../server/src/features/discovery/learn/learning.ts';
import { boostMax } from '../../server/src/features/discovery/score/score.ts';
import { createRandom } from '../chaos/random.ts';
import { decisionOn, isLike, type Decisions } from './candidates.ts';
import { createDealer } from './decks.ts';
import { evenOfPair } from './draw.ts';
import { beginDay, changePending, knowNothing, learnDecision, learnMatch, type Knowledge } from './knowledge.ts';
import type { Market, Session } from './market.ts';
import { both, men, otherSide, type Side } from './members.ts';
import { dealingOf, rankerOf, type Policy } from './policies.ts';
import { emptyTally, isMeasured, noteCard, noteMatched, type Tally } from './tally.ts';

/** An offset added to a seed so that random streams never coincide. */
const policyStream = 2_000_000;
const talkStream = 4_000_000;
/** With this many cards left, the client loads more. */
const clientLowWater = 5;

/** Flags of both sides' members, row by row. */
export type Flags = [Uint8Array, Uint8Array];

export interface SeasonOptions {
  policy: Policy;
  weeks: number;
  /** Members with premium; only our policies use them. */
  vips?: Flags;
}

export interface Season {
  tally: Tally;
  /** The state at the end. */
  knowledge: Knowledge;
  decisions: Decisions;
}

/** The season under way. */
interface Play extends Season {
  market: Market;
  /** By side and pair, whether the other's like of the owner counts as sent. */
  isCounted: Flags;
  /** Matches by the day on which they are learned from. */
  maturing: Map<number, { man: number; woman: number; isGood: boolean }[]>;
}

/** Notes whether a match becomes a conversation, which is learned from a week later. */
function noteMatch({ market, maturing, tally }: Play, man: number, woman: number, day: number): void {
  const isGood = evenOfPair(market.scene.seed + talkStream, man, woman) < market.truth.talks(men, man, woman);
  if (isGood && isMeasured(day)) tally.conversations += 1;
  const due = maturing.get(day + outcomeDays);
  if (due === undefined) maturing.set(day + outcomeDays, [{ man, woman, isGood }]);
  else due.push({ man, woman, isGood });
}

/** Learns from the matches that are a week old, once each way. */
function learnMatches({ maturing, knowledge }: Play, day: number): void {
  for (const { man, woman, isGood } of maturing.get(day) ?? []) learnMatch(knowledge, man, woman, isGood);
}

/** Simulates the decision about one card, the `place`-th of its session, and its effects; returns whether it is a like. */
function decide(
  play: Play,
  side: Side,
  { viewer, entry, place }: Record<'viewer' | 'entry' | 'place', number>,
  day: number,
): boolean {
  const { market, decisions, isCounted, tally, knowledge } = play;
  const { scene, truth } = market;
  const other = otherSide(side);
  const pairs = scene.pairs[side];
  const j = pairs.ids[entry] ?? 0;
  const there = pairs.reverse[entry] ?? 0;
  const chance = (truth.chance[side][entry] ?? 0) * truth.patience(place);
  const likes = evenOfPair(scene.seed * 2 + side, viewer, j) < chance;
  const theirs = decisions.theirs[side][entry] ?? 0;
  decisions.own[side][entry] = decisionOn(day, likes);
  decisions.theirs[other][there] = decisionOn(day, likes);
  learnDecision(knowledge, side, { i: viewer, j, content: scene.seen[side].there[entry] ?? 0, liked: likes });
  noteCard(tally, other, { j, liked: likes }, day);
  if (isLike(theirs)) {
    changePending(knowledge[side], viewer, -1);
    if (isCounted[side][entry] === 1) tally.likesRead += 1;
    if (!likes) return false;
    if (isMeasured(day)) tally.matches += 1;
    noteMatched(tally, side, viewer, day);
    noteMatched(tally, other, j, day);
    const [man, woman] = side === men ? [viewer, j] : [j, viewer];
    noteMatch(play, man, woman, day);
  } else if (likes && theirs === 0) {
    changePending(knowledge[other], j, 1);
    if (!isMeasured(day)) return true;
    isCounted[other][there] = 1;
    tally.likesSent += 1;
  }
  return likes;
}

/** One visit: the client keeps a page, loads more when five cards are left, and ends with the cards, the people or the likes. */
function playSession(play: Play, dealer: ReturnType<typeof createDealer>, session: Session): void {
  const { side, member, at, cards } = session;
  const day = Math.floor(at);
  play.knowledge[side].lastActive[member] = day;
  play.knowledge[side].absenceTerm[member] = 0;
  const isVip = play.knowledge[side].isVip[member] === 1;
  let likesLeft = isVip ? Infinity : freeLikesPerDay;
  let waiting: number[] = [];
  let hasMore = true;
  for (let place = 0; place < cards && likesLeft > 0; place += 1) {
    if (hasMore && waiting.length <= clientLowWater) {
      const dealt = dealer.deal(side, member, at);
      const fresh = dealt.filter((entry) => !waiting.includes(entry));
      hasMore = fresh.length > 0;
      waiting = [...waiting, ...fresh];
    }
    const entry = waiting.shift();
    if (entry === undefined) return;
    if (decide(play, side, { viewer: member, entry, place }, day)) likesLeft -= 1;
  }
}

/**
 * Simulates a season under one policy. Sessions and decisions depend only on the market's seed, so
 * seasons differ only in the cards shown.
 */
export function playSeason(market: Market, { policy, weeks, vips }: SeasonOptions): Season {
  const { scene } = market;
  const random = createRandom(scene.seed + policyStream);
  const ofPairs = () => both((side) => new Uint8Array(scene.pairs[side].ids.length));
  const noOne = both((side) => new Uint8Array(scene.sides[side].count));
  const dealing = dealingOf(policy);
  const knowledge = knowNothing(scene, vips ?? noOne, boostMax, dealing.isShipped);
  const decisions = { own: ofPairs(), theirs: ofPairs() };
  const ranker = rankerOf(policy, random);
  const dealer = createDealer({ market, knowledge, decisions, ranker, dealing, random });
  const tally = emptyTally(scene, weeks);
  const play: Play = { market, decisions, isCounted: ofPairs(), tally, knowledge, maturing: new Map() };
  let day = 0;
  for (const session of scene.sessions) {
    while (day < Math.floor(session.at)) {
      beginDay(knowledge, scene, (day += 1));
      if (dealing.learnsOutcomes) learnMatches(play, day);
    }
    playSession(play, dealer, session);
  }
  return { tally: play.tally, knowledge, decisions };
}
