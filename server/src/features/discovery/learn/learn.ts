import { sql } from 'kysely';
import type { Gender } from '#contract/profiles/profile-details.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachPage } from '#platform/jobs/turns.ts';
import { distanceKm, pointOf } from '../../profiles/public.ts';
import type { DeckMaker } from '../deck/deck.ts';
import { bitOf, type PlacedRow, statedOf, type StatedRow } from '../deck/people.reads.ts';
import { contentOf, contentTerms } from '../score/content.ts';
import { isNew, type MarketStats } from '../score/people.ts';
import {
  alikeness,
  alikeSegment,
  bucketOf,
  capacity,
  expectedReads,
  inboxPenalty,
  replyRate,
  segmentOf,
  unknownBase,
} from '../score/score.ts';
import { decidedDays, type Estimate, learnFrom, nothingLearned } from './learning.ts';

const eventsAtOnce = 400;
const dayMs = 86_400_000;
const pendingMost = 1000;

export interface TrainingEvent {
  id: string;
  viewer_id: string;
  target_id: string;
  liked: boolean;
}

type Queued = Pick<TrainingEvent, 'id'>;

interface LearnerRow extends StatedRow, PlacedRow {
  is_vip: boolean;
  joined_at: Date;
  decisions_received: number;
  impressions: number;
  cards_decided: number;
  bucket: number;
}

interface Learned {
  appeal: Estimate;
  selectivity: Estimate;
  at: Date;
}

/** Learns from all queued decisions, in the order they were made. */
export async function learn(db: Db, marketStats: DeckMaker['marketStats'], now: Date): Promise<void> {
  const read = async (after: Queued | undefined) => {
    const { rows } = await sql<Queued>`
      select id from training_event where id > ${after?.id ?? '0'}::bigint order by id limit ${eventsAtOnce}`.execute(
      db,
    );
    return rows;
  };
  const work = async (events: Queued[]) => {
    const market = await marketStats(db);
    await inTransaction(db, (tx) => learnFromSome(tx, events, market, now));
  };
  await eachPage(read, work, { round: 'discovery.learn decisions', keyOf: ({ id }) => id });
}

/** Takes these events, except those taken by another process, and learns from them. */
async function learnFromSome(tx: Db, events: Queued[], market: MarketStats, now: Date): Promise<void> {
  const { rows: trainingEvents } = await sql<TrainingEvent>`
    with taken as (
      select id from training_event where id = any (${events.map(({ id }) => id)}::bigint[]) order by id
      for update skip locked
    ),
    gone as (
      delete from training_event e using taken where e.id = taken.id
      returning e.id, e.viewer_id, e.target_id, e.liked
    )
    select * from gone order by id`.execute(tx);
  if (trainingEvents.length === 0) return;
  const ids = trainingEvents.flatMap(({ viewer_id, target_id }) => [viewer_id, target_id]);
  // Rows are locked in the order of ids, so that two batches can't deadlock.
  const batch = await gather(tx, ids, now, sql`order by account_id for no key update`);
  for (const trainingEvent of trainingEvents) applyEvent(batch, trainingEvent, market);
  await keep(tx, batch, market, now);
}

/** People, and what is learned about them. */
interface Batch {
  now: Date;
  people: Map<string, LearnerRow>;
  /** By account and gender bit. */
  learned: Map<string, Learned>;
  segments: Map<string, { shown: number; liked: number }>;
}

const keyOf = (accountId: string, gender: number) => `${accountId} ${gender}`;

/** What is known about people before something is learned; `lock` ends the query of their rows. */
export async function gather(tx: Db, given: readonly string[], now: Date, lock = sql``): Promise<Batch> {
  const ids = [...new Set(given)].sort();
  const { rows: people } = await sql<LearnerRow>`
    select * from discovery_row where account_id = any (${ids}::uuid[]) and gender > 0 ${lock}`.execute(tx);
  const memberScores = await tx.selectFrom('standing').selectAll().where('account_id', 'in', ids).execute();
  const learned = memberScores.map((row): [string, Learned] => [
    keyOf(row.account_id, row.gender),
    {
      appeal: { value: row.appeal, weight: row.appeal_weight },
      selectivity: { value: row.selectivity, weight: row.selectivity_weight },
      at: row.learned_at,
    },
  ]);
  return {
    now,
    people: new Map(people.map((row) => [row.account_id, row])),
    learned: new Map(learned),
    segments: new Map(),
  };
}

const learnedOf = (batch: Batch, accountId: string, gender: number): Learned =>
  batch.learned.get(keyOf(accountId, gender)) ?? { appeal: nothingLearned, selectivity: nothingLearned, at: batch.now };

/** Days from one time to another, and 0 if that is earlier. */
export const daysFrom = (at: Date, now: Date): number => Math.max(0, (now.getTime() - at.getTime()) / dayMs);

/** Learns from a decision at the batch's time. Does nothing if one of the two has no place in discovery. */
export function applyEvent(
  batch: Batch,
  { viewer_id, target_id, liked }: Omit<TrainingEvent, 'id'>,
  market: MarketStats,
): void {
  const [viewerRow, targetRow] = [batch.people.get(viewer_id), batch.people.get(target_id)];
  if (viewerRow === undefined || targetRow === undefined) return;
  const viewer = statedOf(viewerRow, batch.now);
  const target = statedOf(targetRow, batch.now);
  const [one, other] = [pointOf(viewerRow), pointOf(targetRow)];
  const kmApart = one === null || other === null ? null : distanceKm(one, other);
  const terms = contentTerms(viewer, { ...target, distanceKm: kmApart, answers: null }, market.interestShares);
  const segment = segmentOf(viewer.gender, target.gender, target.age);
  const alikeIn = alikeSegment(viewer.gender, target.gender);
  const own = learnedOf(batch, viewer_id, targetRow.gender);
  const theirs = learnedOf(batch, target_id, viewerRow.gender);
  const after = learnFrom({
    liked,
    base: market.base.get(segment) ?? unknownBase,
    content: contentOf(terms),
    alike: alikeness(own.appeal.value, theirs.appeal.value),
    alikeWeight: market.alike.get(alikeIn) ?? 0,
    selectivity: own.selectivity,
    selectivityDays: daysFrom(own.at, batch.now),
    appeal: theirs.appeal,
    appealDays: daysFrom(theirs.at, batch.now),
  });
  batch.learned.set(keyOf(viewer_id, targetRow.gender), { ...own, selectivity: after.selectivity, at: batch.now });
  batch.learned.set(keyOf(target_id, viewerRow.gender), { ...theirs, appeal: after.appeal, at: batch.now });
  viewerRow.cards_decided += 1;
  targetRow.decisions_received += 1;
  targetRow.impressions += 1;
  count(batch, segment, 1, liked ? 1 : 0);
  count(batch, alikeIn, after.alike.information, after.alike.evidence);
}

function count({ segments }: Batch, segment: string, shown: number, liked: number): void {
  const counted = segments.get(segment) ?? { shown: 0, liked: 0 };
  segments.set(segment, { shown: counted.shown + shown, liked: counted.liked + liked });
}

async function keep(tx: Db, batch: Batch, market: MarketStats, now: Date): Promise<void> {
  await keepMemberScores(tx, batch, now);
  await keepSegments(tx, batch.segments);
  await keepPeople(tx, batch, market, now);
}

async function keepMemberScores(tx: Db, { learned, people }: Batch, now: Date): Promise<void> {
  const entries = [...learned].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = entries.flatMap(([key, value]) => {
    const [accountId = '', gender = ''] = key.split(' ');
    return people.has(accountId) ? [{ accountId, gender: Number(gender), ...value }] : [];
  });
  await sql`
    insert into standing (account_id, gender, appeal, appeal_weight, selectivity, selectivity_weight, learned_at)
    select *, ${now}::timestamptz from unnest(
      ${rows.map(({ accountId }) => accountId)}::uuid[], ${rows.map(({ gender }) => gender)}::smallint[],
      ${rows.map(({ appeal }) => appeal.value)}::real[], ${rows.map(({ appeal }) => appeal.weight)}::real[],
      ${rows.map(({ selectivity }) => selectivity.value)}::real[], ${rows.map(({ selectivity }) => selectivity.weight)}::real[])
    on conflict (account_id, gender) do update set
      appeal = excluded.appeal, appeal_weight = excluded.appeal_weight, selectivity = excluded.selectivity,
      selectivity_weight = excluded.selectivity_weight, learned_at = excluded.learned_at`.execute(tx);
}

/** Adds to the counts of segments. */
export async function keepSegments(tx: Db, segments: Batch['segments']): Promise<void> {
  const entries = [...segments].sort(([one], [other]) => (one < other ? -1 : 1));
  await sql`
    insert into segment_base as s (segment, shown, liked)
    select * from unnest(${entries.map(([name]) => name)}::text[], ${entries.map(([, { shown }]) => shown)}::float8[],
      ${entries.map(([, { liked }]) => liked)}::float8[])
    on conflict (segment) do update set shown = s.shown + excluded.shown, liked = s.liked + excluded.liked`.execute(tx);
}

/** A member's bucket, from the average of the learned values towards the genders they seek. */
function bucketFor(batch: Batch, row: LearnerRow, pending: number, market: MarketStats, now: Date): number {
  const stated = statedOf(row, now);
  const towards = (stated.seeking.length > 0 ? stated.seeking : [stated.gender]) as Gender[];
  const mean = (of: (gender: Gender) => number) =>
    towards.reduce((sum, gender) => sum + of(gender), 0) / towards.length;
  const days = Math.min(decidedDays, (now.getTime() - row.joined_at.getTime()) / dayMs);
  const reads = expectedReads(row.cards_decided, days);
  return bucketOf({
    baseThere: mean((gender) => market.base.get(segmentOf(gender, stated.gender, stated.age)) ?? unknownBase),
    baseBack: unknownBase,
    appeal: mean((gender) => learnedOf(batch, row.account_id, bitOf(gender)).appeal.value),
    selectivity: mean((gender) => learnedOf(batch, row.account_id, bitOf(gender)).selectivity.value),
    inboxPenalty: inboxPenalty(pending, capacity(reads, replyRate(0, 0))),
    boost: 1,
  });
}

async function keepPeople(tx: Db, batch: Batch, market: MarketStats, now: Date): Promise<void> {
  const people = [...batch.people.values()];
  const ids = people.map(({ account_id }) => account_id);
  const { rows } = await sql<{ id: string; pending: number }>`
    select u.id, count(l.*)::int as pending from unnest(${ids}::uuid[]) as u (id)
      left join lateral (select from decision where target_id = u.id and is_pending limit ${pendingMost}) l on true
    group by u.id`.execute(tx);
  const pendingOf = new Map(rows.map(({ id, pending }) => [id, pending]));
  const pending = ids.map((id) => pendingOf.get(id) ?? 0);
  await sql`
    update discovery_row r set decisions_received = n.received, impressions = n.impressions, cards_decided = n.decided,
      pending = n.pending, bucket = n.bucket, is_newcomer = n.newcomer
    from unnest(${ids}::uuid[], ${people.map((row) => row.decisions_received)}::real[],
      ${people.map(({ impressions }) => impressions)}::real[], ${people.map((row) => row.cards_decided)}::real[],
      ${pending}::int[], ${people.map((row, at) => bucketFor(batch, row, pending[at] ?? 0, market, now))}::smallint[],
      ${people.map((row) => isNew(row.decisions_received))}::boolean[])
      as n (id, received, impressions, decided, pending, bucket, newcomer)
    where r.account_id = n.id`.execute(tx);
}
