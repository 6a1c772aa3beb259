import { boostMax } from '../../server/src/features/discovery/score/score.ts';
import { composePage, pageRules } from '../../server/src/features/discovery/deck/page.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { evenOfPair } from './draw.ts';
import { beginDay, changePending, knowNothing, learnDecision, type Knowledge } from './knowledge.ts';
import {
  bothSides,
  men,
  otherSide,
  seasonWeeks,
  trueChance,
  women,
  type Market,
  type Scene,
  type Side,
} from './market.ts';
import { rankerOf, type Meeting, type Policy } from './policies.ts';
import { emptyTally, isMeasured, noteCard, noteMatched, weekDays, type Tally } from './tally.ts';

const undecided = 0;
const decidedYes = 1;
const decidedNo = 2;

/** Offsets added to a seed so that random streams never coincide. */
const streams = { sessions: 1_000_000, policy: 2_000_000 };

/** Flags of both sides' members, row by row. */
export type Flags = [Uint8Array, Uint8Array];

/** By side, for every pair: the decision, whether the other likes the owner, and whether that like counts as sent. */
interface Decisions {
  decided: Flags;
  likesOwner: Flags;
  isCounted: Flags;
}

export interface SeasonOptions {
  policy: Policy;
  /** Defaults to 4. */
  weeks?: number;
  /** Members with premium; only our policy and page use them. */
  vips?: Flags;
}

export interface Season {
  tally: Tally;
  /** The state at the end. */
  knowledge: Knowledge;
}

interface Session {
  side: Side;
  member: number;
}

/** Members with a session on a day, in random order; the same in every season of a seed. */
function sessionsOf({ sides }: Scene, day: number, random: Random): Session[] {
  const sessions = bothSides.flatMap((side) => {
    const { count, activity, joinDay } = sides[side];
    return Array.from({ length: count }, (_, member): Session => ({ side, member })).filter(
      ({ member }) => random.next() < (activity[member] ?? 0) && (joinDay[member] ?? 1) <= day,
    );
  });
  return random.shuffled(sessions);
}

const flagsOf = (lengthOf: (side: Side) => number): Flags => [
  new Uint8Array(lengthOf(men)),
  new Uint8Array(lengthOf(women)),
];

/** One viewer's undecided candidates in the page's format; the columns are reused by every session. */
function makeTable({ sides }: Scene) {
  const most = Math.max(sides[men].count, sides[women].count);
  const likesViewer = new Uint8Array(most);
  const meeting: Meeting = { side: men, viewer: 0, count: 0, entries: new Int32Array(most), likesViewer };
  const deck = {
    count: 0,
    rank: new Float64Array(most),
    likesViewer,
    isVip: new Uint8Array(most),
    impressionsInWeek: new Float64Array(most),
    decisionsReceived: new Float64Array(most),
  };
  return { meeting, deck };
}

type Table = ReturnType<typeof makeTable>;

/** Fills in the viewer's undecided candidates of today. */
function layOut({ meeting, deck }: Table, scene: Scene, knowledge: Knowledge, decisions: Decisions, day: number): void {
  const { side, viewer } = meeting;
  const { offsets, ids } = scene.pairs[side];
  const { joinDay } = scene.sides[otherSide(side)];
  const { isVip, impressionsInWeek, decisionsReceived } = knowledge[otherSide(side)];
  const [decided, likes] = [decisions.decided[side], decisions.likesOwner[side]];
  const end = offsets[viewer + 1] ?? 0;
  let count = 0;
  for (let entry = offsets[viewer] ?? 0; entry < end; entry += 1) {
    const j = ids[entry] ?? 0;
    if (decided[entry] !== undecided || (joinDay[j] ?? 1) > day) continue;
    meeting.entries[count] = entry;
    meeting.likesViewer[count] = likes[entry] ?? 0;
    deck.isVip[count] = isVip[j] ?? 0;
    deck.impressionsInWeek[count] = impressionsInWeek[j] ?? 0;
    deck.decisionsReceived[count] = decisionsReceived[j] ?? 0;
    count += 1;
  }
  meeting.count = count;
  deck.count = count;
}

/** Simulates the decision about one card and its effects. */
function decide(
  { scene, truth }: Market,
  decisions: Decisions,
  { tally, knowledge }: Season,
  { side, viewer }: Meeting,
  entry: number,
  day: number,
): void {
  const other = otherSide(side);
  const pairs = scene.pairs[side];
  const j = pairs.ids[entry] ?? 0;
  const there = pairs.reverse[entry] ?? 0;
  const likes = evenOfPair(scene.seed * 2 + side, viewer, j) < trueChance(truth, side, viewer, j);
  decisions.decided[side][entry] = likes ? decidedYes : decidedNo;
  learnDecision(knowledge, side, viewer, j, scene.seen[side].there[entry] ?? 0, likes, day);
  noteCard(tally, other, j, likes, day);
  if (decisions.likesOwner[side][entry] === 1) {
    changePending(knowledge[side], viewer, -1);
    if (decisions.isCounted[side][entry] === 1) tally.likesRead += 1;
    if (!likes) return;
    if (isMeasured(day)) tally.matches += 1;
    noteMatched(tally, side, viewer, day);
    noteMatched(tally, other, j, day);
  } else if (likes && decisions.decided[other][there] === undecided) {
    decisions.likesOwner[other][there] = 1;
    changePending(knowledge[other], j, 1);
    if (!isMeasured(day)) return;
    decisions.isCounted[other][there] = 1;
    tally.likesSent += 1;
  }
}

/**
 * Simulates a season under one policy. Sessions and decisions depend only on the market's seed, so
 * seasons differ only in the cards shown. Only our policy explores.
 */
export function playSeason(market: Market, { policy, weeks = seasonWeeks, vips }: SeasonOptions): Season {
  const { scene } = market;
  const random = createRandom(scene.seed + streams.sessions);
  const ranker = rankerOf(policy, createRandom(scene.seed + streams.policy));
  const noOne = flagsOf((side) => scene.sides[side].count);
  const season = { tally: emptyTally(scene, weeks), knowledge: knowNothing(scene, vips ?? noOne, boostMax) };
  const ofPairs = () => flagsOf((side) => scene.pairs[side].ids.length);
  const decisions: Decisions = { decided: ofPairs(), likesOwner: ofPairs(), isCounted: ofPairs() };
  const table = makeTable(scene);
  const { meeting, deck } = table;
  const rules = policy === 'ours' ? pageRules : { ...pageRules, explorationSlots: 0 };
  for (let day = 1; day <= weeks * weekDays; day += 1) {
    beginDay(season.knowledge, scene, day);
    for (const [turn, { side, member }] of sessionsOf(scene, day, random).entries()) {
      meeting.side = side;
      meeting.viewer = member;
      layOut(table, scene, season.knowledge, decisions, day);
      ranker(meeting, scene, season.knowledge, deck.rank);
      for (const { index } of composePage(deck, turn, rules)) {
        decide(market, decisions, season, meeting, meeting.entries[index] ?? 0, day);
      }
    }
  }
  return season;
}
