import { sql } from 'kysely';
import type { Gender } from '#contract/profiles/profile-details.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { eachPage } from '../../../platform/jobs/turns.ts';
import { distanceKm, pointOf } from '../../profiles/public.ts';
import type { DeckMaker } from '../deck/deck.ts';
import { bitOf, gendersOf, type PlacedRow, statedOf, type StatedRow } from '../deck/people.reads.ts';
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

interface TrainingEvent {
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
  days: number;
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
  const batch = await gather(tx, trainingEvents, now);
  for (const trainingEvent of trainingEvents) applyEvent(batch, trainingEvent, market);
  await keep(tx, batch, market, now);
}

interface Batch {
  now: Date;
  people: Map<string, LearnerRow>;
  /** By account and gender bit. */
  learned: Map<string, Learned>;
  segments: Map<string, { shown: number; liked: number }>;
}

const keyOf = (accountId: string, gender: number) => `${accountId} ${gender}`;

async function gather(tx: Db, trainingEvents: TrainingEvent[], now: Date): Promise<Batch> {
  const ids = [...new Set(trainingEvents.flatMap(({ viewer_id, target_id }) => [viewer_id, target_id]))].sort();
  // Rows are locked in the order of ids, so that two batches can't deadlock.
  const { rows: people } = await sql<LearnerRow>`
    select * from discovery_row where account_id = any (${ids}::uuid[]) and gender > 0
    order by account_id for no key update`.execute(tx);
  const memberScores = await tx.selectFrom('standing').selectAll().where('account_id', 'in', ids).execute();
  const learned = memberScores.map((row): [string, Learned] => [
    keyOf(row.account_id, row.gender),
    {
      appeal: { value: row.appeal, weight: row.appeal_weight },
      selectivity: { value: row.selectivity, weight: row.selectivity_weight },
      days: (now.getTime() - row.learned_at.getTime()) / dayMs,
    },
  ]);
  return {
    now,
    people: new Map(people.map((row) => [row.account_id, row])),
    learned: new Map(learned),
    segments: new Map(),
  };
}

const learnedOf = ({ learned }: Batch, accountId: string, gender: number): Learned =>
  learned.get(keyOf(accountId, gender)) ?? { appeal: nothingLearned, selectivity: nothingLearned, days: 0 };

function applyEvent(batch: Batch, { viewer_id, target_id, liked }: TrainingEvent, market: MarketStats): void {
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
    selectivityDays: own.days,
    appeal: theirs.appeal,
    appealDays: theirs.days,
  });
  batch.learned.set(keyOf(viewer_id, targetRow.gender), { ...own, selectivity: after.selectivity, days: 0 });
  batch.learned.set(keyOf(target_id, viewerRow.gender), { ...theirs, appeal: after.appeal, days: 0 });
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

const people: Record<Gender, string> = { woman: 'women', man: 'men', 'non-binary': 'non-binary people' };
/** Log-odds from the first number on are a small difference, from the second on a large one. */
const [noticeable, large] = [0.25, 0.75];

/** Finer figures would change with a single decision and reveal whose it was. */
const [steps, tens] = [0.25, 10];
const roundedTo = (step: number, figure: number) => Math.round(figure / step) * step;

function howOften(logOdds: number): string {
  if (Math.abs(logOdds) < noticeable) return 'about as often as';
  const much = Math.abs(logOdds) < large ? 'somewhat' : 'much';
  return `${much} ${logOdds > 0 ? 'more' : 'less'} often than`;
}

/**
 * What was learned from a member's own decisions, for their data export: per gender of the other person, as rounded log-odds and as text,
 * with the approximate number of decisions behind it. What was learned from decisions about them is left out, because it contains other
 * people's data: two exports before and after a visit would reveal that someone passed.
 */
export async function learnedData(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('standing')
    .select(['gender', 'selectivity'])
    .where('account_id', '=', accountId)
    .where('selectivity_weight', '>', 0)
    .orderBy('gender')
    .execute();
  const counted = await db
    .selectFrom('discovery_row')
    .select('cards_decided')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const replies = await db
    .selectFrom('reply_count')
    .select(['received', 'answered'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    about:
      'What we learned from your decisions in order to rank cards; it fades within a month. We also learn from what others decide about you. That is left out, because it would reveal their decisions.',
    decisionsOfYours: roundedTo(tens, counted?.cards_decided ?? 0),
    firstMessagesToYou: Math.round(replies?.received ?? 0),
    ofTheseYouAnswered: Math.round(replies?.answered ?? 0),
    towards: rows.flatMap(({ gender, selectivity }) => {
      const [name] = gendersOf(gender);
      if (name === undefined) return [];
      return [
        {
          whom: people[name],
          selectivity: roundedTo(steps, selectivity),
          selectivityInWords: `When ${people[name]} are shown to you, you like them ${howOften(selectivity)} others do.`,
        },
      ];
    }),
  };
}
