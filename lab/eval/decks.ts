import {
  composeDeck,
  composePage,
  deckRules,
  decoyKey,
  decoyPeriod,
  decoysFor,
  offer,
  pageRules,
  shortlist,
  sources,
} from '../../server/src/features/discovery/deck/page.ts';
import { isNew } from '../../server/src/features/discovery/score/people.ts';
import { bucketsCount, likeLogOdds, rankOf, unknownBase } from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import { evenOfPair } from './draw.ts';
import { changeExpected, type Knowledge } from './knowledge.ts';
import type { Market, Scene } from './market.ts';
import { men, otherSide, women, type Side } from './members.ts';
import type { Dealing, Meeting, Ranker } from './policies.ts';

/** Decisions by side and pair: 0 for none, else twice the day plus 1 for a like. */
export interface Decisions {
  own: [Uint8Array, Uint8Array];
  /** What the other decided about the owner of an entry. */
  theirs: [Uint8Array, Uint8Array];
}

/** Whether a decision is a like. */
export const isLike = (decision: number): boolean => (decision & 1) === 1;
export const dayOf = (decision: number): number => decision >> 1;
export const decisionOn = (day: number, likes: boolean): number => 2 * day + (likes ? 1 : 0);

/** The cards waiting for a member, in order. */
interface KeptDeck {
  entries: number[];
  /** p(i→j) of each card that counts as an expected like; 0 once it no longer does. */
  chances: number[];
  madeAt: number;
}

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;
/** As many values of the daily random term as are kept; each pair and day picks one. */
const bellCount = 4096;

/** One viewer's candidates in the ranker's and the page's format; the columns are reused by every deck. */
function makeTable({ sides }: Scene) {
  const most = Math.max(sides[men].count, sides[women].count);
  const [likesViewer, rank] = [new Uint8Array(most), new Float64Array(most)];
  const meeting: Meeting = {
    side: men,
    viewer: 0,
    count: 0,
    entries: new Int32Array(most),
    likesViewer,
    rank,
    chance: new Float64Array(most),
  };
  const deck = {
    count: 0,
    rank,
    likesViewer,
    isDecoy: new Uint8Array(most),
    isVip: new Uint8Array(most),
    impressionsInWeek: new Float64Array(most),
    decisionsReceived: new Float64Array(most),
  };
  return { meeting, deck, chosen: new Uint8Array(most) };
}

/** What dealing cards depends on during a season. */
export interface Table {
  market: Market;
  knowledge: Knowledge;
  decisions: Decisions;
  ranker: Ranker;
  dealing: Dealing;
  random: Random;
}

/** Deals cards as the product does, or live; one per season. */
export function createDealer({ market, knowledge, decisions, ranker, dealing, random }: Table) {
  const { scene } = market;
  const { meeting, deck, chosen } = makeTable(scene);
  const rules = dealing.explores ? pageRules : { ...pageRules, explorationSlots: 0 };
  const decks = [new Map<number, KeptDeck>(), new Map<number, KeptDeck>()] as const;
  const bells = Float64Array.from(
    { length: bellCount },
    () => (random.next() + random.next() + random.next() - 1.5) * 2,
  );
  let turn = 0;

  /** What the product's hard filters leave: no one decided, and no one whose pass is a day old; live, today's likes count too. */
  function gather(side: Side, viewer: number, day: number): void {
    const { offsets, ids } = scene.pairs[side];
    const { joinDay } = scene.sides[otherSide(side)];
    const [own, theirs] = [decisions.own[side], decisions.theirs[side]];
    const knownUntil = dealing.isLive ? day + 1 : day;
    const end = at(offsets, viewer + 1);
    let count = 0;
    for (let entry = at(offsets, viewer); entry < end; entry += 1) {
      if (at(own, entry) !== 0 || at(joinDay, at(ids, entry)) > day) continue;
      const decision = at(theirs, entry);
      const isKnown = decision !== 0 && dayOf(decision) < knownUntil;
      if (isKnown && !isLike(decision)) continue;
      meeting.entries[count] = entry;
      meeting.likesViewer[count] = isKnown ? 1 : 0;
      count += 1;
    }
    meeting.side = side;
    meeting.viewer = viewer;
    meeting.count = count;
  }

  /** Keeps the best by bucket, people who like the viewer, the newest newcomers and a random few, as the product's sources do. */
  function narrow(): void {
    const { side, count, entries, likesViewer } = meeting;
    const { ids } = scene.pairs[side];
    const { joinDay } = scene.sides[otherSide(side)];
    const { bucket, decisionsReceived } = knowledge[otherSide(side)];
    const sizes = new Int32Array(bucketsCount);
    const newest = shortlist(sources.newcomers);
    for (let index = 0; index < count; index += 1) {
      const j = at(ids, at(entries, index));
      sizes[at(bucket, j)] = at(sizes, at(bucket, j)) + 1;
      if (isNew(at(decisionsReceived, j))) offer(newest, index, at(joinDay, j));
    }
    let threshold = bucketsCount - 1;
    let room: number = sources.best;
    while (threshold > 0 && at(sizes, threshold) <= room) {
      room -= at(sizes, threshold);
      threshold -= 1;
    }
    let likers: number = sources.pendingLikers;
    for (let index = 0; index < count; index += 1) {
      const own = at(bucket, at(ids, at(entries, index)));
      const isBest = own > threshold || (own === threshold && room-- > 0);
      const isLiker = at(likesViewer, index) === 1 && likers-- > 0;
      chosen[index] = isBest || isLiker ? 1 : 0;
    }
    for (const index of newest.indexes) chosen[index] = 1;
    for (let drawn = 0; drawn < sources.random; drawn += 1) chosen[Math.floor(random.next() * count)] = 1;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      if (chosen[index] !== 1) continue;
      entries[kept] = at(entries, index);
      likesViewer[kept] = at(likesViewer, index);
      kept += 1;
    }
    meeting.count = kept;
  }

  /** For members without premium: others are treated like people who like them, drawn as in the product. */
  function disguise(now: number): void {
    const { side, viewer, count, entries, likesViewer } = meeting;
    deck.isDecoy.fill(0, 0, count);
    const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
    if (own.isVip[viewer] === 1) return;
    const { ids } = scene.pairs[side];
    const baseBack = others.base[at(own.band, viewer)] ?? unknownBase;
    let likers = 0;
    for (let index = 0; index < count; index += 1) likers += at(likesViewer, index);
    const decoys = shortlist(decoysFor(likers));
    for (let index = 0; index < count; index += 1) {
      if (likesViewer[index] === 1) continue;
      const j = at(ids, at(entries, index));
      const there = likeLogOdds(
        own.base[at(others.band, j)] ?? unknownBase,
        at(own.selectivity, viewer),
        at(others.appeal, j),
        0,
      );
      const back = likeLogOdds(baseBack, at(others.selectivity, j), at(own.appeal, viewer), 0);
      const period = decoyPeriod(now, evenOfPair(scene.seed + 77 + side, viewer, j));
      const drawn = 1 - evenOfPair(scene.seed + 79 + 2 * period + side, viewer, j);
      offer(decoys, index, decoyKey(drawn, rankOf(there, back, at(others.inboxPenalty, j), 1)));
    }
    for (const index of decoys.indexes) deck.isDecoy[index] = 1;
  }

  /** Fills in all columns for a viewer's candidates at a time. */
  function prepare(side: Side, viewer: number, now: number): void {
    const day = Math.floor(now);
    gather(side, viewer, day);
    if (dealing.isShipped) {
      narrow();
      disguise(now);
    }
    ranker(meeting, market, knowledge);
    const { ids } = scene.pairs[side];
    const others = knowledge[otherSide(side)];
    for (let index = 0; index < meeting.count; index += 1) {
      const j = at(ids, at(meeting.entries, index));
      if (dealing.isShipped) {
        const bell = at(bells, Math.floor(evenOfPair(scene.seed + 4 * day + 2 + side, viewer, j) * bellCount));
        meeting.rank[index] = at(meeting.rank, index) + deckRules.chanceSd * bell;
      }
      deck.isVip[index] = at(others.isVip, j);
      deck.impressionsInWeek[index] = at(others.impressionsInWeek, j);
      deck.decisionsReceived[index] = at(others.decisionsReceived, j);
    }
    deck.count = meeting.count;
  }

  function expect(side: Side, { entries, chances }: KeptDeck, sign: 1 | -1): void {
    if (!dealing.countsExpected) return;
    const others = knowledge[otherSide(side)];
    for (const [place, entry] of entries.entries()) {
      const change = at(chances, place);
      if (change !== 0) changeExpected(others, at(scene.pairs[side].ids, entry), sign * change);
    }
  }

  function makeDeck(side: Side, viewer: number, now: number): KeptDeck {
    prepare(side, viewer, now);
    const old = decks[side].get(viewer);
    if (old !== undefined) expect(side, old, -1);
    turn += deckRules.pages;
    const places = composeDeck(deck, turn, rules).flatMap((page) => random.shuffled(page));
    const made = {
      entries: places.map(({ index }) => at(meeting.entries, index)),
      chances: places.map(({ index }) => at(meeting.chance, index)),
      madeAt: now,
    };
    decks[side].set(viewer, made);
    expect(side, made, 1);
    return made;
  }

  /** The deck at a time, unless the nightly job (at 04:11) has deleted it. */
  function deckOf(side: Side, viewer: number, now: number): KeptDeck | undefined {
    const found = decks[side].get(viewer);
    const lastNight = Math.floor(now - nightlyAt) + nightlyAt;
    if (found === undefined || found.madeAt >= lastNight - deckRules.keptDays) return found;
    expect(side, found, -1);
    decks[side].delete(viewer);
    return undefined;
  }

  /** The next page for a viewer: entries of the side's pairs. A deck that is short or old is rebuilt afterwards. */
  function deal(side: Side, viewer: number, now: number): number[] {
    if (dealing.isLive) {
      prepare(side, viewer, now);
      return composePage(deck, (turn += 1), rules).map(({ index }) => at(meeting.entries, index));
    }
    const day = Math.floor(now);
    const kept = deckOf(side, viewer, now);
    const { entries, madeAt } = kept ?? makeDeck(side, viewer, now);
    const fitting = entries.filter((entry) => {
      const decision = at(decisions.theirs[side], entry);
      return at(decisions.own[side], entry) === 0 && (decision === 0 || isLike(decision) || dayOf(decision) >= day);
    });
    const isOld = (now - madeAt) * 24 > deckRules.hours;
    if (kept !== undefined && (fitting.length < deckRules.lowWater || isOld)) makeDeck(side, viewer, now);
    return fitting.slice(0, pageRules.size);
  }

  /** A decided card is no longer an expected like. */
  function forget(side: Side, viewer: number, entry: number): void {
    const kept = dealing.countsExpected ? decks[side].get(viewer) : undefined;
    const place = kept?.entries.indexOf(entry) ?? -1;
    if (kept === undefined || place < 0) return;
    changeExpected(knowledge[otherSide(side)], at(scene.pairs[side].ids, entry), -at(kept.chances, place));
    kept.chances[place] = 0;
  }

  return { deal, forget };
}

/** The time of day of the nightly job, in days. */
const nightlyAt = (4 + 11 / 60) / 24;
