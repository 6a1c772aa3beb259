import { at, evenOfPair, type Random } from '../random.ts';
import { type Knowledge, memberOf } from './knowledge.ts';
import type { Market } from './market.ts';
import { otherSide, type Side } from './members.ts';
import { logOddsFor, type Meeting, type Option, type Policy } from './policies.ts';
import * as ranker from './ranker.ts';

/** The owners' decisions by side and entry: 0 for none, else twice the day plus 1 for a like. */
export type Decisions = [Uint8Array, Uint8Array];

export const isLike = (decision: number): boolean => (decision & 1) === 1;
export const dayOf = (decision: number): number => decision >> 1;
export const decisionOn = (day: number, likes: boolean): number => 2 * day + (likes ? 1 : 0);

/** Everything that dealing cards depends on during a season. */
interface Table {
  market: Market;
  knowledge: Knowledge;
  decisions: Decisions;
  policy: Policy;
  random: Random;
}

/** The cards waiting for a member, in order. */
interface KeptDeck {
  entries: number[];
  madeAt: number;
}

/** The decks of a season. */
interface Dealer extends Table {
  decks: readonly [Map<number, KeptDeck>, Map<number, KeptDeck>];
  rules: typeof ranker.pageRules;
  /** The possible values of the daily random term; each pair picks one each day. */
  bells: Float64Array;
  /** The seed of the next page. */
  turn: number;
}

const bellCount = 4096;
/** The time of day of the nightly job, in days. */
const nightlyAt = (4 + 11 / 60) / 24;

/** The decision of the other person in this entry about the entry's owner. */
function decisionBack({ market, decisions }: Table, side: Side, entry: number): number {
  return at(decisions[otherSide(side)], at(market.pairs[side].reverse, entry));
}

/**
 * The candidates that pass the product's hard filters: the viewer has not decided about them, and they had not passed on the viewer by the
 * day before. Live policies also use today's decisions.
 */
function eligible(dealer: Dealer, { side, viewer, day }: Meeting): Option[] {
  const { market, knowledge, decisions, policy } = dealer;
  const { offsets, ids } = market.pairs[side];
  const members = market.sides[otherSide(side)];
  const knownUntil = policy.isLive === true ? day + 1 : day;
  const options: Option[] = [];
  for (let entry = at(offsets, viewer); entry < at(offsets, viewer + 1); entry += 1) {
    const j = at(ids, entry);
    if (decisions[side][entry] !== 0 || (members[j]?.joinDay ?? 0) > day) continue;
    const decision = decisionBack(dealer, side, entry);
    const likesViewer = decision !== 0 && dayOf(decision) < knownUntil;
    if (likesViewer && !isLike(decision)) continue;
    options.push({ entry, j, other: memberOf(knowledge, otherSide(side), j), likesViewer, isDecoy: false, rank: 0 });
  }
  return options;
}

/** Keeps the best by bucket, people who like the viewer, the newest newcomers and a random few, as the product's sources do. */
function narrowed({ market, random }: Dealer, { side }: Meeting, options: Option[]): Option[] {
  const members = market.sides[otherSide(side)];
  const buckets = options.map(({ other }) => other.bucket);
  const chosen = new Uint8Array(options.length);
  const best: number[] = [];
  const newest = ranker.shortlist(ranker.sources.newcomers);
  let likers = 0;
  for (const [index, { j, other, likesViewer }] of options.entries()) {
    ranker.keepBest(best, ranker.sources.best, buckets, index);
    if (ranker.isNew(other.decisionsReceived)) ranker.offer(newest, index, members[j]?.joinDay ?? 0);
    if (likesViewer && (likers += 1) <= ranker.sources.pendingLikers) chosen[index] = 1;
  }
  for (const index of [...best, ...newest.indexes]) chosen[index] = 1;
  for (let drawn = 0; drawn < ranker.sources.random; drawn += 1) chosen[Math.floor(random.next() * options.length)] = 1;
  return options.filter((_, index) => chosen[index] === 1);
}

/** Chooses decoys for members without premium, who are treated like people who like the viewer, as in the product. */
function disguise(meeting: Meeting, options: Option[], now: number): void {
  const { market, knowledge, side, viewer } = meeting;
  if (memberOf(knowledge, side, viewer).isVip) return;
  const { seed } = market;
  const odds = logOddsFor(meeting);
  const decoys = ranker.shortlist(ranker.decoysFor(options.filter(({ likesViewer }) => likesViewer).length));
  for (const [index, { j, other, likesViewer }] of options.entries()) {
    if (likesViewer) continue;
    const period = ranker.decoyPeriod(now, evenOfPair(seed + 77 + side, viewer, j));
    const drawn = 1 - evenOfPair(seed + 79 + 2 * period + side, viewer, j);
    const penalty = ranker.inboxPenalty(other.pendingLikes, other.capacity);
    const rank = ranker.rankOf(odds.there(other), odds.back(other), penalty, 1);
    ranker.offer(decoys, index, ranker.decoyKey(drawn, rank));
  }
  for (const index of decoys.indexes) (options[index] as Option).isDecoy = true;
}

/** A viewer's candidates at a time, ranked, as the product's pages read them. */
function rankedFor(dealer: Dealer, side: Side, viewer: number, now: number) {
  const { market, knowledge, policy, random, bells } = dealer;
  const day = Math.floor(now);
  const meeting: Meeting = { market, knowledge, side, viewer, day, random };
  let options = eligible(dealer, meeting);
  if (policy.isShipped === true) {
    options = narrowed(dealer, meeting, options);
    disguise(meeting, options, now);
  }
  const rank = policy.rank(meeting);
  for (const option of options) {
    option.rank = rank(option);
    if (policy.isShipped !== true) continue;
    const even = evenOfPair(market.seed + 4 * day + 2 + side, viewer, option.j);
    option.rank += ranker.deckRules.chanceSd * at(bells, Math.floor(even * bellCount));
  }
  const column = (of: (option: Option) => number) => options.map(of);
  const deck = {
    count: options.length,
    rank: column((option) => option.rank),
    likesViewer: column(({ likesViewer }) => (likesViewer ? 1 : 0)),
    isDecoy: column(({ isDecoy }) => (isDecoy ? 1 : 0)),
    isVip: column(({ other }) => (other.isVip ? 1 : 0)),
    impressionsInWeek: column(({ other }) => other.impressionsInWeek),
    decisionsReceived: column(({ other }) => other.decisionsReceived),
  };
  return { deck, entryAt: ({ index }: { index: number }) => options[index]?.entry ?? 0 };
}

function makeDeck(dealer: Dealer, side: Side, viewer: number, now: number): KeptDeck {
  const { deck, entryAt } = rankedFor(dealer, side, viewer, now);
  dealer.turn += ranker.deckRules.pages;
  const places = ranker.composeDeck(deck, dealer.turn, dealer.rules).flatMap((page) => dealer.random.shuffled(page));
  const made = { entries: places.map(entryAt), madeAt: now };
  dealer.decks[side].set(viewer, made);
  return made;
}

/** The next page from a viewer's deck, unless the nightly job (at 04:11) has deleted it. A deck that is short or old is rebuilt afterwards. */
function dealKept(dealer: Dealer, side: Side, viewer: number, now: number): number[] {
  const lastNight = Math.floor(now - nightlyAt) + nightlyAt;
  const found = dealer.decks[side].get(viewer);
  const kept = found !== undefined && found.madeAt >= lastNight - ranker.deckRules.keptDays ? found : undefined;
  const { entries, madeAt } = kept ?? makeDeck(dealer, side, viewer, now);
  const fitting = entries.filter((entry) => {
    const decision = decisionBack(dealer, side, entry);
    const isPassedBefore = decision !== 0 && !isLike(decision) && dayOf(decision) < Math.floor(now);
    return dealer.decisions[side][entry] === 0 && !isPassedBefore;
  });
  const isOld = (now - madeAt) * 24 > ranker.deckRules.hours;
  if (kept !== undefined && (fitting.length < ranker.deckRules.lowWater || isOld)) makeDeck(dealer, side, viewer, now);
  return fitting.slice(0, ranker.pageRules.size);
}

/** Creates the dealer of a season. It returns the next page for a viewer, as the product does or live, as entries of the side's pairs. */
export function createDealer(table: Table): (side: Side, viewer: number, now: number) => number[] {
  const { random, policy } = table;
  const bell = () => (random.next() + random.next() + random.next() - 1.5) * 2;
  const dealer: Dealer = {
    ...table,
    decks: [new Map(), new Map()],
    rules: policy.explores === true ? ranker.pageRules : { ...ranker.pageRules, explorationSlots: 0 },
    bells: Float64Array.from({ length: bellCount }, bell),
    turn: 0,
  };
  return (side, viewer, now) => {
    if (policy.isLive !== true) return dealKept(dealer, side, viewer, now);
    const { deck, entryAt } = rankedFor(dealer, side, viewer, now);
    dealer.turn += 1;
    return ranker.composePage(deck, dealer.turn, dealer.rules).map(entryAt);
  };
}
