import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ReasonKind } from '#contract/discovery.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { countRows, type Db } from '#platform/db/db.ts';
import type { Reads } from '#platform/db/replicas.ts';
import type { KeptCard } from '#platform/db/json.ts';
import { dayOf } from '#platform/process/clock.ts';
import { bandsOfAnswers } from '../../compatibility/public.ts';
import type { Cells } from './market.reads.ts';
import {
  dealDeck,
  deckRules,
  decoyKey,
  decoyPeriod,
  decoysFor,
  pageRules,
  type Ranked,
  rankedFrom,
  sources,
  varied,
} from './page.ts';
import { candidateOf, viewerOf, viewerRow, type ViewerRow } from './people.reads.ts';
import type { MarketStats, Viewer } from '../score/people.ts';
import { isBefore } from '../score/fit.ts';
import { inboxPenalty, type Parts, partsOf, rankOf } from '../score/score.ts';
import { candidatesFor, newestFor } from './sources.reads.ts';
import { preferenceBonus } from '../preferences.ts';

const dayMs = 86_400_000;
/** Compatibility answers are compared only for this many of the best people; the rest can't reach the deck. */
const answersReadFor = 150;

/** The dependencies of deck building. */
export interface DeckMaker {
  db: Db;
  /** Candidates may come from data that is two seconds old, because serving checks them again. */
  reads: Pick<Reads, 'from'>;
  cells: Cells;
  marketStats: (db: Db) => Promise<MarketStats>;
  /** Returns the secret that decoys are drawn with. It may have to be created, so it can't be read from a replica. */
  decoySecret: (db: Db) => Promise<string>;
}

/** A deterministic number in [0, 1) derived from the text. */
function drawnFrom(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0) / 2 ** 32;
}

/** A deterministic number with mean 0 and standard deviation 1, derived from the text. */
function bell(text: string): number {
  const digest = hash('sha256', text, 'buffer');
  const sum = [0, 4, 8].reduce((total, at) => total + digest.readUInt32BE(at) / 2 ** 32, 0);
  // The sum of three uniform numbers has a standard deviation of one half.
  return (sum - 1.5) * 2;
}

/** The daily random change of a card's rank; the day is `YYYY-MM-DD`. */
export function dailyTerm(day: string, viewerId: string, id: string): number {
  return deckRules.chanceSd * bell(`${day} ${viewerId} ${id}`);
}

/** The same cards in random order, so that a position on the page reveals nothing about the reason. */
function shuffled<T>(cards: T[], seed: number): T[] {
  const keyed = cards.map((card, index) => ({ card, key: drawnFrom(`${seed} ${index}`) }));
  return keyed.sort((one, other) => one.key - other.key).map(({ card }) => card);
}

/** Ranks everyone by stated facts and learned values, then the best again with the fit of their answers. */
async function rank(
  db: Db,
  accountId: string,
  viewer: Viewer,
  candidates: readonly Parts[],
  market: MarketStats,
  now: Date,
): Promise<Ranked[]> {
  // Likers come first because of their rank, so decoys must too; otherwise they could lack a reason that likers have.
  const decoysFirst = ({ candidate, rank }: Ranked) => (candidate.isDecoy === true ? Infinity : rank);
  const ranked = candidates
    .map((parts) => rankedFrom(parts))
    .sort((one, other) => (decoysFirst(other) > decoysFirst(one) ? 1 : -1));
  const best = ranked.slice(0, answersReadFor);
  const ids = best.map(({ candidate }) => candidate.id);
  const answers = await bandsOfAnswers(db, accountId, ids, now);
  const answered = best.map((one) => {
    const band = answers.get(one.candidate.id);
    if (band === undefined) return one;
    return rankedFrom(partsOf(viewer, { ...one.candidate, answers: band }, market));
  });
  return [...answered, ...ranked.slice(answersReadFor)];
}

/**
 * Picks decoys for members who may not see who likes them: as many other people, at least six, get the same places as people with a pending
 * like. Otherwise, people who stay on the first page whatever the filters are would be the hidden likers. Decoys are drawn with a secret
 * and learned values, so that neither filters nor a new deck change them: a decoy among many people is also a decoy among fewer.
 */
async function withDecoys(
  db: Db,
  secret: string,
  { account_id: viewerId, is_vip: seesLikes }: ViewerRow,
  candidates: Parts[],
  now: Date,
): Promise<Parts[]> {
  if (seesLikes) return candidates;
  const day = dayOf(now);
  const pending = sql`decision d where d.target_id = ${viewerId}::uuid and d.is_pending and ${isBefore(sql.ref('d'), day)}`;
  const likers = await countRows(db, pending, sources.pendingLikers);
  const days = now.getTime() / dayMs;
  const key = ({ candidate, there, back, capacity }: Parts) => {
    const draws = drawsOf(secret, `${viewerId} ${candidate.id}`);
    const drawn = draws(1 + (decoyPeriod(days, draws(0)) % (drawsOfPair - 1)));
    return decoyKey(drawn, rankOf(there, back, inboxPenalty(candidate.pendingLikes, capacity), 1));
  };
  const decoys = candidates
    .filter(({ candidate }) => !candidate.likesViewer)
    .map((parts) => ({ id: parts.candidate.id, key: key(parts) }))
    .sort((one, other) => other.key - one.key)
    .slice(0, decoysFor(likers));
  const ids = new Set(decoys.map(({ id }) => id));
  return candidates.map((parts) =>
    ids.has(parts.candidate.id) ? { ...parts, candidate: { ...parts.candidate, isDecoy: true } } : parts,
  );
}

/** How many numbers a digest has: the start of a pair's periods, then one for each of seven periods, after which they repeat. */
const drawsOfPair = 8;

/** Numbers in (0, 1) derived from a secret and a string. */
function drawsOf(secret: string, text: string): (at: number) => number {
  const digest = keyedHash(secret, text);
  return (at) => (digest.readUInt32BE(4 * at) + 1) / (2 ** 32 + 1);
}

interface Chosen {
  id: string;
  card: KeptCard;
}

/** Three pages of cards. */
function deal(viewer: Viewer, ranked: Ranked[], market: MarketStats, seed: number): Chosen[] {
  const chosen: Chosen[] = [];
  for (const [page, cards] of dealDeck(viewer, ranked, market, seed).entries()) {
    const kept = cards.map(({ candidate, reasons, slot }) => ({
      id: candidate.id,
      card: {
        reasons: reasons.map(({ reason }) => reason.kind),
        isExploration: slot === 'exploration',
        isApart: slot === 'liker',
      },
    }));
    const [before] = chosen.at(-1)?.card.reasons ?? [];
    chosen.push(...variedAgain(shuffled(kept, seed + page), before));
  }
  return chosen;
}

/**
 * Cards with a reason come first. Neighbours must start with different reasons in the new order too. A rank raised by premium is always
 * listed last.
 */
function variedAgain(chosen: Chosen[], before: ReasonKind | undefined): Chosen[] {
  const isLabel = (kind: ReasonKind) => kind === 'premium';
  const explained = chosen.map((card) => ({ card, kinds: card.card.reasons.filter((kind) => !isLabel(kind)) }));
  const reasonsFirst = explained.toSorted(
    (one, other) => Number(one.kinds.length === 0) - Number(other.kinds.length === 0),
  );
  return varied(reasonsFirst, before).map(({ card: { card, ...chosenCard }, kinds }) => ({
    ...chosenCard,
    card: { ...card, reasons: [...(kinds as ReasonKind[]), ...card.reasons.filter(isLabel)] },
  }));
}

/** The cards of a deck. */
async function choose(
  { cells, marketStats, decoySecret, db: primary }: DeckMaker,
  db: Db,
  row: ViewerRow,
  now: Date,
): Promise<Chosen[]> {
  if (row.wanted_order === 'newest') {
    const newest = await newestFor(db, cells, row, deckRules.pages * pageRules.size, now);
    return newest.map(({ account_id }) => ({ id: account_id, card: { reasons: [], isExploration: false } }));
  }
  const accountId = row.account_id;
  const viewer = viewerOf(row, now);
  const market = await marketStats(db);
  const rows = await candidatesFor(db, cells, row, now);
  const day = dayOf(now);
  const stated = rows.map((candidate) => {
    const met = candidateOf(candidate, now);
    const wished = preferenceBonus(row.wishes, { ...met, heightCm: candidate.height_cm });
    return partsOf(viewer, { ...met, extra: wished + dailyTerm(day, accountId, met.id) }, market);
  });
  const disguised = await withDecoys(db, await decoySecret(primary), row, stated, now);
  const ranked = await rank(db, accountId, viewer, disguised, market, now);
  return deal(viewer, ranked, market, drawnFrom(`${day} ${accountId}`) * 2_147_483_647);
}

/** Rebuilds a member's deck of about sixty ordered cards. Does nothing for members outside discovery. */
export async function makeDeck(maker: DeckMaker, accountId: string, now: Date): Promise<void> {
  const { db, reads } = maker;
  const row = await viewerRow(db, accountId);
  if (row === undefined) return;
  const chosen = await reads.from(async (from) => {
    if (from !== db && (await viewerRow(from, accountId))?.deck_changes !== row.deck_changes)
      throw new Error('the replica does not know the newest preferences yet');
    return await choose(maker, from, row, now);
  });
  const targets = chosen.map(({ id }) => id);
  const cards = JSON.stringify(chosen.map(({ card }) => card));
  // Nothing is stored for a member who was deleted in the meantime.
  await sql`
    insert into deck (viewer_id, targets, cards, made_at, made_for)
    select id, ${targets}::uuid[], ${cards}::jsonb, ${now}::timestamptz, ${row.deck_changes}::int
    from account where id = ${accountId}::uuid for key share
    on conflict (viewer_id) do update set targets = excluded.targets, cards = excluded.cards, made_at = excluded.made_at,
      made_for = excluded.made_for`.execute(db);
}
