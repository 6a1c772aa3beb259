import {
  type Deck,
  deckRules,
  decoyKey,
  decoyPeriod,
  decoysFor,
  sources,
} from '../../server/src/features/discovery/deck/page.ts';
import { isEnough, offer, shortlist } from '../../server/src/features/discovery/deck/best.ts';
import { isNew } from '../../server/src/features/discovery/score/people.ts';
import { bucketsCount } from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import { evenOf, viewerHash } from './draw.ts';
import { factorsOf, type Knowledge } from './knowledge.ts';
import type { Market } from './market.ts';
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

/** What dealing cards depends on during a season. */
export interface Table {
  market: Market;
  knowledge: Knowledge;
  decisions: Decisions;
  ranker: Ranker;
  dealing: Dealing;
  random: Random;
}

/** As many values of the daily random term as are kept; each pair and day picks one. */
const bellCount = 4096;

/** One viewer's candidates in the ranker's and the page's format; the columns are reused by every deck. */
export interface Candidates extends Table {
  meeting: Meeting;
  deck: Deck & {
    isDecoy: Uint8Array;
    isVip: Uint8Array;
    impressionsInWeek: Float64Array;
    decisionsReceived: Float64Array;
  };
  chosen: Uint8Array;
  bells: Float64Array;
}

/** Room for the candidates of the member with the most. */
export function makeCandidates(table: Table): Candidates {
  const { sides } = table.market.scene;
  const most = Math.max(sides[men].count, sides[women].count);
  const flags = () => new Uint8Array(most);
  const numbers = () => new Float64Array(most);
  const [likesViewer, rank] = [flags(), numbers()];
  const meeting: Meeting = {
    ...{ side: men, viewer: 0, count: 0, entries: new Int32Array(most), likesViewer, rank },
  };
  const deck = {
    ...{ count: 0, rank, likesViewer, isDecoy: flags(), isVip: flags() },
    ...{ impressionsInWeek: numbers(), decisionsReceived: numbers() },
  };
  const { random } = table;
  const bell = () => (random.next() + random.next() + random.next() - 1.5) * 2;
  return { ...table, meeting, deck, chosen: flags(), bells: Float64Array.from({ length: bellCount }, bell) };
}

/** What the product's hard filters leave: no one decided, and no one whose pass is a day old; live, today's likes count too. */
function gather(
  { market: { scene }, decisions, dealing, meeting }: Candidates,
  side: Side,
  viewer: number,
  day: number,
) {
  const { offsets, ids } = scene.pairs[side];
  const { joinDay } = scene.sides[otherSide(side)];
  const [own, theirs] = [decisions.own[side], decisions.theirs[side]];
  const knownUntil = dealing.isLive ? day + 1 : day;
  const end = offsets[viewer + 1] ?? 0;
  let count = 0;
  for (let entry = offsets[viewer] ?? 0; entry < end; entry += 1) {
    if (own[entry] !== 0 || (joinDay[ids[entry] ?? 0] ?? 0) > day) continue;
    const decision = theirs[entry] ?? 0;
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

/** Marks the best candidates by bucket, in order where the last bucket has too many, and people who like the viewer. */
function chooseBest({ market: { scene }, knowledge, meeting, chosen }: Candidates): void {
  const { side, count, entries, likesViewer } = meeting;
  const { ids } = scene.pairs[side];
  const { bucket } = knowledge[otherSide(side)];
  if (bucket === null) throw new Error('Buckets are not kept');
  const sizes = new Int32Array(bucketsCount);
  for (let index = 0; index < count; index += 1) {
    const own = bucket[ids[entries[index] ?? 0] ?? 0] ?? 0;
    sizes[own] = (sizes[own] ?? 0) + 1;
  }
  let threshold = bucketsCount - 1;
  let room: number = sources.best;
  while (threshold > 0 && (sizes[threshold] ?? 0) <= room) {
    room -= sizes[threshold] ?? 0;
    threshold -= 1;
  }
  let likers: number = sources.pendingLikers;
  for (let index = 0; index < count; index += 1) {
    const own = bucket[ids[entries[index] ?? 0] ?? 0] ?? 0;
    const isBest = own > threshold || (own === threshold && room-- > 0);
    const isLiker = likesViewer[index] === 1 && likers-- > 0;
    chosen[index] = isBest || isLiker ? 1 : 0;
  }
}

/** Keeps the best by bucket, people who like the viewer, the newest newcomers and a random few, as the product's sources do. */
function narrow(candidates: Candidates): void {
  const { market, knowledge, meeting, chosen, random } = candidates;
  const { side, count, entries, likesViewer } = meeting;
  const { ids } = market.scene.pairs[side];
  const { joinDay } = market.scene.sides[otherSide(side)];
  const { decisionsReceived } = knowledge[otherSide(side)];
  chooseBest(candidates);
  const newest = shortlist(sources.newcomers);
  for (let index = 0; index < count; index += 1) {
    const j = ids[entries[index] ?? 0] ?? 0;
    if (isNew(decisionsReceived[j] ?? 0)) offer(newest, index, joinDay[j] ?? 0);
  }
  for (const index of newest.indexes) chosen[index] = 1;
  for (let drawn = 0; drawn < sources.random; drawn += 1) chosen[Math.floor(random.next() * count)] = 1;
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    if (chosen[index] !== 1) continue;
    entries[kept] = entries[index] ?? 0;
    likesViewer[kept] = likesViewer[index] ?? 0;
    kept += 1;
  }
  meeting.count = kept;
}

/** For members without premium: others are treated like people who like them, drawn as in the product. */
function disguise({ market: { scene }, knowledge, meeting, deck }: Candidates, now: number): void {
  const { side, viewer, count, entries, likesViewer } = meeting;
  deck.isDecoy.fill(0, 0, count);
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  if (own.isVip[viewer] === 1) return;
  const { ids } = scene.pairs[side];
  const { there, back } = factorsOf(knowledge, side, viewer);
  const starts = viewerHash(scene.seed + 77 + side, viewer);
  const first = decoyPeriod(now, 0);
  const draws = [first, first + 1].map((period) => viewerHash(scene.seed + 79 + 2 * period + side, viewer));
  let likers = 0;
  for (let index = 0; index < count; index += 1) likers += likesViewer[index] ?? 0;
  const decoys = shortlist(decoysFor(likers));
  for (let index = 0; index < count; index += 1) {
    if (likesViewer[index] === 1) continue;
    const j = ids[entries[index] ?? 0] ?? 0;
    const odds =
      (1 + (there[others.band[j] ?? 0] ?? 0) * (others.appealFactor[j] ?? 0)) *
      (1 + back * (others.selectivityFactor[j] ?? 0));
    const period = decoyPeriod(now, evenOf(starts, j));
    const drawn = 1 - evenOf(draws[period - first] ?? 0, j);
    // The key is at most this, since ln(x) ≤ x − 1 and the penalty only lowers R.
    if (!isEnough(decoys, (drawn - 1) * odds)) continue;
    offer(decoys, index, decoyKey(drawn, -Math.log(odds * (others.inboxFactor[j] ?? 1))));
  }
  for (const index of decoys.indexes) deck.isDecoy[index] = 1;
}

/** Adds the daily random term to the ranks. */
function vary({ market: { scene }, meeting, bells }: Candidates, day: number): void {
  const { side, viewer, count, entries, rank } = meeting;
  const { ids } = scene.pairs[side];
  const draws = viewerHash(scene.seed + 4 * day + 2 + side, viewer);
  for (let index = 0; index < count; index += 1) {
    const bell = bells[Math.floor(evenOf(draws, ids[entries[index] ?? 0] ?? 0) * bellCount)] ?? 0;
    rank[index] = (rank[index] ?? 0) + deckRules.chanceSd * bell;
  }
}

/** Fills in all columns for a viewer's candidates at a time. */
export function prepare(candidates: Candidates, side: Side, viewer: number, now: number): void {
  const { market, knowledge, dealing, ranker, meeting, deck } = candidates;
  const day = Math.floor(now);
  gather(candidates, side, viewer, day);
  if (dealing.isShipped) {
    narrow(candidates);
    disguise(candidates, now);
  }
  ranker(meeting, market, knowledge);
  if (dealing.isShipped) vary(candidates, day);
  deck.count = meeting.count;
  if (!dealing.explores) return;
  const { ids } = market.scene.pairs[side];
  const others = knowledge[otherSide(side)];
  for (let index = 0; index < meeting.count; index += 1) {
    const j = ids[meeting.entries[index] ?? 0] ?? 0;
    deck.isVip[index] = others.isVip[j] ?? 0;
    deck.impressionsInWeek[index] = others.impressionsInWeek[j] ?? 0;
    deck.decisionsReceived[index] = others.decisionsReceived[j] ?? 0;
  }
}
