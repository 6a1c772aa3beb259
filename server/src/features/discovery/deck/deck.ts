import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ReasonKind } from '#contract/discovery/match-reasons.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { KeptCard } from '../../../platform/db/schema-discovery.ts';
import { fitOfAnswers } from '../../compatibility/public.ts';
import type { Around } from './around.ts';
import type { Cells } from './cells.ts';
import { dealPage, rankedFor, type Ranked } from './deal.ts';
import { pageRules } from '../serve/page.ts';
import { candidateOf } from '../serve/people.reads.ts';
import type { Candidate, Surroundings, Viewer } from './rows.ts';
import { candidatesFor, newestFor } from './sources.reads.ts';
import { varied } from './variety.ts';
import { viewerOf, viewerRow, type ViewerRow } from './viewer.reads.ts';
import { wishBonus } from '../preferences/wishes.ts';

const pages = 3;
/** How far chance moves R from one day to the next, as a standard deviation: no single move tells of a like. */
const chanceSd = 0.2;
/** Answers are compared with so many of the best only: the rest finds no place in a deck. */
const answersReadFor = 150;

/** What making decks is done with. */
export interface DeckMaker {
  db: Db;
  cells: Cells;
  around: Around;
}

/** A number from 0 to below 1 that follows from the text alone. */
function drawnFrom(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** A number about 0 that follows from the text alone, with a standard deviation of 1. */
function bell(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  const sum = [0, 4, 8].reduce((total, at) => total + digest.readUInt32BE(at) / 2 ** 32, 0);
  // Three dice between 0 and 1 have a standard deviation of a half.
  return (sum - 1.5) * 2;
}

/** The same cards in another order: where on a page somebody stands tells nothing of why they are on it. */
function shuffled<T>(cards: T[], seed: number): T[] {
  const keyed = cards.map((card, index) => ({ card, key: drawnFrom(`${seed} ${index}`) }));
  return keyed.sort((one, other) => one.key - other.key).map(({ card }) => card);
}

/** Ranks all by what is stated and learned, then the best of them with how their answers fit. */
async function rank(
  db: Db,
  accountId: string,
  viewer: Viewer,
  candidates: Candidate[],
  around: Surroundings,
  now: Date,
): Promise<Ranked[]> {
  const ranked = rankedFor(viewer, candidates, around).sort((one, other) => other.rank - one.rank);
  const best = ranked.slice(0, answersReadFor).map(({ candidate }) => candidate);
  const ids = best.map(({ id }) => id);
  const answers = await fitOfAnswers(db, accountId, ids, now);
  const answered = best.map((candidate) => ({ ...candidate, answers: answers.get(candidate.id)?.fit ?? null }));
  return [...rankedFor(viewer, answered, around), ...ranked.slice(answersReadFor)];
}

interface Chosen {
  id: string;
  card: KeptCard;
}

/** Three pages of cards, each dealt from those that the pages before it left. */
function deal(viewer: Viewer, ranked: Ranked[], around: Surroundings, seed: number): Chosen[] {
  const chosen: Chosen[] = [];
  let left = ranked;
  for (let page = 0; page < pages && left.length > 0; page += 1) {
    const cards = dealPage(viewer, left, around, seed + page);
    const taken = new Set(cards.map(({ candidate }) => candidate.id));
    left = left.filter(({ candidate }) => !taken.has(candidate.id));
    const kept = cards.map(({ candidate, reasons, slot }) => ({
      id: candidate.id,
      card: { reasons: reasons.map(({ reason }) => reason.kind), isExploration: slot === 'exploration' },
    }));
    const [before] = chosen.at(-1)?.card.reasons ?? [];
    chosen.push(...variedAnew(shuffled(kept, seed + page), before));
  }
  return chosen;
}

/** So that neighbours do not begin alike in their new order either; what premium moved is said last. */
function variedAnew(chosen: Chosen[], before: ReasonKind | undefined): Chosen[] {
  const isLabel = (kind: ReasonKind) => kind === 'premium';
  const told = chosen.map((card) => ({ card, kinds: card.card.reasons.filter((kind) => !isLabel(kind)) }));
  return varied(told, before).map(({ card: { id, card }, kinds }) => ({
    id,
    card: { ...card, reasons: [...(kinds as ReasonKind[]), ...card.reasons.filter(isLabel)] },
  }));
}

async function choose(maker: DeckMaker, row: ViewerRow, now: Date): Promise<Chosen[]> {
  const { db, cells } = maker;
  const accountId = row.account_id;
  if (row.wanted_order === 'newest') {
    const newest = await newestFor(db, cells, row, pages * pageRules.size, now);
    return newest.map(({ account_id }) => ({ id: account_id, card: { reasons: [], isExploration: false } }));
  }
  const viewer = viewerOf(row, now);
  const around = await maker.around.read(db);
  const rows = await candidatesFor(db, cells, row, now);
  const day = now.toISOString().slice(0, 10);
  const stated = rows.map((candidate) => {
    const met = candidateOf(candidate, now);
    const wished = wishBonus(row.wishes, { ...met, heightCm: candidate.height_cm });
    return { ...met, extra: wished + chanceSd * bell(`${day} ${accountId} ${met.id}`) };
  });
  const ranked = await rank(db, accountId, viewer, stated, around, now);
  return deal(viewer, ranked, around, drawnFrom(`${day} ${accountId}`) * 2_147_483_647);
}

/** Makes a member's deck anew: some sixty cards in their order. Nothing for who takes no part. */
export async function makeDeck(maker: DeckMaker, accountId: string, now: Date): Promise<void> {
  const { db } = maker;
  const row = await viewerRow(db, accountId);
  if (row === undefined) return;
  const chosen = await choose(maker, row, now);
  const targets = chosen.map(({ id }) => id);
  const cards = JSON.stringify(chosen.map(({ card }) => card));
  await sql`
    insert into deck (viewer_id, targets, cards, made_at)
    select id, ${targets}::uuid[], ${cards}::jsonb, ${now} from account where id = ${accountId}::uuid
    on conflict (viewer_id) do update set
      targets = excluded.targets, cards = excluded.cards, made_at = excluded.made_at, made_for = ${row.deck_changes}::int`.execute(
    db,
  );
}
