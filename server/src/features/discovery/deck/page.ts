import { type Candidate, isNew, type MarketStats, type Viewer } from '../score/people.ts';
import type { MatchReason } from '#contract/discovery.ts';
import { type FoundReason, reasonsFor } from '../score/reasons.ts';
import { type Parts, partsOf, scoreFrom } from '../score/score.ts';
import { isEnough, keepBest, medianOf, offer, type Shortlist, shortlist } from './best.ts';

/** The eligible candidates of one viewer, column by column; flags are 0 or 1. */
export interface Deck {
  count: number;
  /** R. */
  rank: ArrayLike<number>;
  likesViewer: ArrayLike<number>;
  /** Never set for people who like the viewer. */
  isDecoy: ArrayLike<number>;
  isVip: ArrayLike<number>;
  impressionsInWeek: ArrayLike<number>;
  decisionsReceived: ArrayLike<number>;
}

const hasOwnPlace = ({ likesViewer, isDecoy }: Deck, index: number) => likesViewer[index] === 1 || isDecoy[index] === 1;

/** Puts newcomers first, however often they were shown. */
const newcomerLead = 1e9;

/** What the pages of a deck are composed from. */
interface Supply {
  deck: Deck;
  rules: PageRules;
  /** The best candidates of each kind, best first: at least as many as these pages can use. */
  likers: number[];
  decoys: number[];
  others: number[];
  /** Everyone who is neither a liker nor a decoy. */
  notApart: Int32Array;
  /** The result of `leastMeritsOf` for them, computed when it is first needed. */
  leastMerits: Float64Array | null;
  /** The page a candidate is on, by index, from 1; 0 if they are not on a page yet. */
  pageOf: Uint8Array;
  /** The page that is being composed. */
  page: number;
  /** A buffer for the ranks from which a median is computed. */
  ranks: Float64Array;
}

/**
 * Candidates for exploration slots, best first: newcomers at any R, then others above the viewer's median R. Within each group, those with
 * the fewest impressions in the last 7 days come first, then those with the higher R. Returns `slots` candidates with and `slots` without
 * premium. Pending likers and decoys are left out, because they have their own places, and so are candidates that are already on a page.
 */
function explorable(supply: Supply, slots: number): number[] {
  const { deck, pageOf, page, ranks, notApart } = supply;
  const { rank, isVip, decisionsReceived } = deck;
  const leastMerits = (supply.leastMerits ??= leastMeritsOf(deck, notApart));
  let left = 0;
  for (let at = 0; at < notApart.length; at += 1) {
    const index = notApart[at] ?? 0;
    const on = pageOf[index];
    if (on === 0 || on === page) ranks[left++] = rank[index] ?? 0;
  }
  const median = medianOf(ranks, left);
  const [best, bestVips] = [shortlist(slots), shortlist(slots)];
  for (let at = 0; at < notApart.length; at += 1) {
    const index = notApart[at] ?? 0;
    const leastMerit = leastMerits[at] ?? 0;
    const list = isVip[index] === 1 ? bestVips : best;
    if (!isEnough(list, leastMerit + 0.5) || pageOf[index] !== 0) continue;
    const own = rank[index] ?? 0;
    // Impressions are integers, so a term within 0…0.5 only breaks ties.
    if (own >= median || isNew(decisionsReceived[index] ?? 0))
      offer(list, index, leastMerit + 0.5 / (1 - Math.min(0, own)));
  }
  const merits = new Map(
    [best, bestVips].flatMap((list) => list.indexes.map((index, at) => [index, list.values[at] ?? 0])),
  );
  return [...merits].sort(([, one], [, other]) => other - one).map(([index]) => index);
}

/** What candidates for exploration slots are ordered by, except for the tie-breaker: the same on all pages. */
function leastMeritsOf({ decisionsReceived, impressionsInWeek }: Deck, notApart: Int32Array) {
  const leastMerits = new Float64Array(notApart.length);
  for (let at = 0; at < notApart.length; at += 1) {
    const index = notApart[at] ?? 0;
    const lead = isNew(decisionsReceived[index] ?? 0) ? newcomerLead : 0;
    leastMerits[at] = lead - (impressionsInWeek[index] ?? 0);
  }
  return leastMerits;
}

/** The limits of a page. */
export const pageRules = { size: 20, likersMax: 8, explorationSlots: 2, vipsMax: 2 };
type PageRules = typeof pageRules;

/** The limits of a deck. */
export const deckRules = {
  pages: 3,
  /** The deck is rebuilt in the background when fewer cards than this are left or after this many hours. */
  lowWater: 20,
  hours: 24,
  /** A nightly job deletes an older deck, as the map of data about people says. */
  keptDays: 2,
  /** Standard deviation of the daily random change of R. It hides the effect of a single like. */
  chanceSd: 0.2,
  /** The deck of a member without premium treats at least this many other people like people who like them. */
  decoysMin: 6,
  /** A decoy stays one for at most this many days; the days on which pairs change differ. */
  decoyDays: 28,
} as const;

/** How many candidates each source contributes to a deck. */
export const sources = { best: 400, pendingLikers: 60, newcomers: 40, random: 80 } as const;

type Slot = 'liker' | 'ranked' | 'exploration';

/** A place on a page: the index of a candidate. */
export interface Place {
  index: number;
  slot: Slot;
}

/** A deterministic number in [0, 1) from the seed and `turn` (murmur3's finalizer). */
function drawn(seed: number, turn: number): number {
  let mixed = (seed + Math.imul(turn + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Collects pending likers, decoys and everyone else by R, as many of each as these pages can use, with and without premium. */
function supplyOf(deck: Deck, rules: PageRules, pages: number): Supply {
  const [size, likersMax, vipsMax] = [pages * rules.size, pages * rules.likersMax, pages * rules.vipsMax];
  const [likers, likersVip] = [shortlist(likersMax), shortlist(vipsMax)];
  const [decoys, decoysVip] = [shortlist(likersMax), shortlist(vipsMax)];
  const [others, othersVip]: [number[], Shortlist] = [[], shortlist(vipsMax)];
  const { count, rank, likesViewer, isDecoy, isVip } = deck;
  const notApart = new Int32Array(count);
  let left = 0;
  for (let index = 0; index < count; index += 1) {
    if (likesViewer[index] === 1) offer(isVip[index] === 1 ? likersVip : likers, index, rank[index] ?? 0);
    else if (isDecoy[index] === 1) offer(isVip[index] === 1 ? decoysVip : decoys, index, rank[index] ?? 0);
    else {
      notApart[left++] = index;
      if (isVip[index] === 1) offer(othersVip, index, rank[index] ?? 0);
      else keepBest(others, size, rank, index);
    }
  }
  others.sort((one, other) => (rank[other] ?? 0) - (rank[one] ?? 0) || one - other);
  return {
    deck,
    rules,
    likers: byRank(deck, [...likers.indexes, ...likersVip.indexes]),
    decoys: byRank(deck, [...decoys.indexes, ...decoysVip.indexes]),
    others: byRank(deck, [...others, ...othersVip.indexes]),
    notApart: notApart.subarray(0, left),
    leastMerits: null,
    pageOf: new Uint8Array(deck.count),
    page: 0,
    ranks: new Float64Array(deck.count),
  };
}

function byRank(deck: Deck, indexes: number[]): number[] {
  return indexes.sort((one, other) => (deck.rank[other] ?? 0) - (deck.rank[one] ?? 0));
}

/** Composes the next page of a supply. */
function nextPage(supply: Supply, seed: number): Place[] {
  const { deck, rules, pageOf } = supply;
  supply.page += 1;
  let vips = 0;
  const take = (from: number[], most: number): number[] => {
    const picked: number[] = [];
    for (const index of from) {
      if (picked.length >= most) break;
      const isVip = deck.isVip[index] === 1;
      if (pageOf[index] !== 0 || (isVip && vips === rules.vipsMax)) continue;
      if (isVip) vips += 1;
      pageOf[index] = supply.page;
      picked.push(index);
    }
    return picked;
  };
  const likers = [...take(supply.likers, rules.likersMax), ...take(supply.decoys, rules.likersMax)];
  const free = rules.size - likers.length;
  const ranked = take(supply.others, free - rules.explorationSlots);
  const slots = Math.min(rules.explorationSlots, free - ranked.length);
  const exploring = slots === 0 ? [] : take(explorable(supply, slots), slots);
  const filling = take(supply.others, free - ranked.length - exploring.length);
  const places = byRank(deck, [...likers, ...ranked, ...filling]).map((index): Place => {
    return { index, slot: hasOwnPlace(deck, index) ? 'liker' : 'ranked' };
  });
  for (const [turn, index] of exploring.entries()) {
    places.splice(Math.floor(drawn(seed, turn) * (places.length + 1)), 0, { index, slot: 'exploration' });
  }
  return places;
}

/**
 * Composes a page, always the same for a deck and seed: at most 8 pending likers, at most 8 decoys among them, 2 exploration slots at
 * seeded positions, and the rest by R. At most 2 of the 20 have premium. Decoys have their own places, so that they neither take those of
 * likers nor lose theirs to others when filters leave more people. A short deck makes a short page; leftover candidates wait for the next
 * page.
 */
export function composePage(deck: Deck, seed: number, rules: PageRules = pageRules): Place[] {
  return nextPage(supplyOf(deck, rules, 1), seed);
}

/** The places of a deck, page by page. Each page is composed, with the next seed, from the candidates that the previous pages left. */
export function composeDeck(deck: Deck, seed: number, rules: PageRules = pageRules): Place[][] {
  const supply = supplyOf(deck, rules, deckRules.pages);
  const pages: Place[][] = [];
  for (let left = deck.count; pages.length < deckRules.pages && left > 0; left -= pages.at(-1)?.length ?? 0) {
    pages.push(nextPage(supply, seed + pages.length));
  }
  return pages;
}

/**
 * How many decoys a deck has for this many likers: the same number, at least six. Where likers compete for their places, decoys do so too,
 * and more of them compete, so that those on a page are people the viewer may like.
 */
export function decoysFor(likers: number): number {
  const most = Math.min(likers, sources.pendingLikers);
  return Math.max(deckRules.decoysMin, most, 2 * most - pageRules.likersMax);
}

/** The period in which a pair is or isn't a decoy, from the time in days and the pair's number in (0, 1]. */
export function decoyPeriod(days: number, drawn: number): number {
  return Math.floor(days / deckRules.decoyDays + drawn);
}

/** The order in which decoys are chosen, highest first: a draw without replacement with weights e^R (Efraimidis and Spirakis). */
export function decoyKey(drawn: number, rank: number): number {
  return Math.log(drawn) / Math.exp(rank);
}

/** A card with the kinds of its reasons, strongest first. */
interface Explained<T> {
  card: T;
  kinds: readonly string[];
}

/**
 * Orders the cards such that no two neighbours start with the same reason: a card whose first reason was just used starts with another of
 * its reasons, or lets a later card go first, or shows no reason. `precededBy` is the first reason of the previous card.
 */
export function varied<T>(cards: readonly Explained<T>[], precededBy?: string): Explained<T>[] {
  const waiting = [...cards];
  const result: Explained<T>[] = [];
  let before = precededBy;
  while (waiting.length > 0) {
    const fits = waiting.findIndex(({ kinds }) => kinds.length === 0 || kinds.some((kind) => kind !== before));
    const [next] = waiting.splice(Math.max(0, fits), 1);
    if (next === undefined) break;
    const first = next.kinds.find((kind) => kind !== before);
    const kinds = first === undefined ? [] : [first, ...next.kinds.filter((kind) => kind !== first)];
    result.push({ card: next.card, kinds });
    before = first;
  }
  return result;
}

/** One card of a page: the person, their rank, the reasons, and the score feature behind each reason. */
export interface Card {
  candidate: Candidate;
  rank: number;
  slot: Slot;
  reasons: FoundReason[];
}

/** A candidate with R, and what the daily random term and preferences add to it. */
export interface Ranked {
  candidate: Candidate;
  rank: number;
}

/** Ranks each of the candidates for the viewer. */
export function rankedFor(viewer: Viewer, candidates: readonly Candidate[], market: MarketStats): Ranked[] {
  return candidates.map((candidate) => rankedFrom(partsOf(viewer, candidate, market)));
}

/** A candidate with its rank, computed from the parts of the score. */
export function rankedFrom(parts: Parts): Ranked {
  const { candidate } = parts;
  return { candidate, rank: scoreFrom(parts).rank + (candidate.extra ?? 0) };
}

const flag = (isSet: boolean) => (isSet ? 1 : 0);

/** The candidates as the columns that `composePage` reads. */
function deckOf(ranked: readonly Ranked[]): Deck {
  return {
    count: ranked.length,
    rank: ranked.map(({ rank }) => rank),
    likesViewer: ranked.map(({ candidate }) => flag(candidate.likesViewer)),
    isDecoy: ranked.map(({ candidate }) => flag(candidate.isDecoy === true)),
    isVip: ranked.map(({ candidate }) => flag(candidate.isVip)),
    impressionsInWeek: ranked.map(({ candidate }) => candidate.impressionsInWeek),
    decisionsReceived: ranked.map(({ candidate }) => candidate.decisionsReceived),
  };
}

const isLabel = ({ kind }: MatchReason) => kind === 'premium';

/**
 * A page for the viewer from ranked, eligible candidates (`isEligible` and the database's conditions). Neighbouring cards start with
 * different reasons. The same seed gives the same page.
 */
export function dealPage(viewer: Viewer, ranked: readonly Ranked[], market: MarketStats, seed: number): Card[] {
  return explained(viewer, ranked, market, composePage(deckOf(ranked), seed));
}

/** All pages of a deck, each composed like `dealPage` does. */
export function dealDeck(viewer: Viewer, ranked: readonly Ranked[], market: MarketStats, seed: number): Card[][] {
  return composeDeck(deckOf(ranked), seed).map((places) => explained(viewer, ranked, market, places));
}

function explained(viewer: Viewer, ranked: readonly Ranked[], market: MarketStats, places: readonly Place[]): Card[] {
  const cards = places.flatMap(({ index, slot }): Card[] => {
    const placed = ranked[index];
    if (placed === undefined) return [];
    return [{ ...placed, slot, reasons: reasonsFor(viewer, placed.candidate, market, slot === 'exploration') }];
  });
  const kindsOf = ({ reasons }: Card) => reasons.flatMap(({ reason }) => (isLabel(reason) ? [] : [reason.kind]));
  return varied(cards.map((card) => ({ card, kinds: kindsOf(card) }))).map(({ card, kinds }) => ({
    ...card,
    reasons: [
      ...kinds.flatMap((kind) => card.reasons.filter(({ reason }) => reason.kind === kind)),
      ...card.reasons.filter(({ reason }) => isLabel(reason)),
    ],
  }));
}
