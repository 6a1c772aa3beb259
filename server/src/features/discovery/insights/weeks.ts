import { sql } from 'kysely';
import * as z from 'zod/mini';
import { ageBuckets } from '#contract/statistics.ts';
import { insightWeeks, type MatchingSegment, smallestCell } from '#contract/discovery.ts';
import type { Gender } from '#contract/profiles/profile-details.ts';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { startPiece } from '#platform/jobs/pieces.ts';
import { gendersOf } from '../deck/people.reads.ts';
import { ageBand } from '../score/score.ts';
import type { Database } from '#platform/db/schema.ts';
import { dayOf } from '#platform/process/clock.ts';

const dayMs = 86_400_000;
/** How many weeks are counted again each night: later answers still change the last weeks, and a new member has a week to find a match. */
const weeksCounted = 3;
const keptWeeks = 104;
const membersPerBatch = 1000;
const everyone = '';

/** The Monday of the week of `at`, UTC, as YYYY-MM-DD. */
function weekOf(at: Date): string {
  const daysSinceMonday = (at.getUTCDay() + 6) % 7;
  return dayOf(new Date(at.getTime() - daysSinceMonday * dayMs));
}

const countNames = [
  'likes',
  'likes_unread',
  'newcomers',
  'newcomers_matched',
  'first_messages',
  'replied',
  'matches',
  'conversations',
] as const;
type Counts = Record<(typeof countNames)[number], number>;
const countSchemas = Object.fromEntries(countNames.map((name) => [name, z.number()]));

/** The counts so far of one week for one gender and age. */
const cellSchema = z.object({
  ...(countSchemas as Record<keyof Counts, z.ZodMiniNumber>),
  week: z.string(),
  gender: z.string(),
  age: z.string(),
  matched: z.number(),
  /** How many active members received how many likes. */
  received: z.record(z.string(), z.number()),
});
type Cell = z.infer<typeof cellSchema>;

/** A job's payload: where it continues, and the counts so far. */
export const walkSchema = z.object({ weeks: z.array(z.string()), after: z.string(), cells: z.array(cellSchema) });
type Walk = z.infer<typeof walkSchema>;

interface CountedRow extends Counts {
  week: string;
  gender: number;
  years: number;
  active: boolean;
  /** Likes received by each of these members. */
  received: number;
  members: number;
  matched: number;
}

/** The members of a batch by week, gender, age, activity and likes received. What a member did is looked up by index. */
async function countBatch(db: Db, weeks: string[], after: string, now: Date) {
  const { rows } = await sql<CountedRow & { last: string }>`
    with batch as materialized (
      select r.account_id as id, r.gender, r.birth_date, r.joined_at, p.paused_at is not null as is_paused
      from discovery_row r join profile p on p.account_id = r.account_id
      where r.account_id > ${after}::uuid order by r.account_id limit ${membersPerBatch}
    ), weeks as materialized (
      select week, week::timestamp at time zone 'UTC' as since, (week + 7)::timestamp at time zone 'UTC' as until
      from unnest(${weeks}::date[]) as week
    ), each_member as (
      select w.week, m.gender, extract(year from age(w.week, m.birth_date))::int as years, decided.active,
        got.likes, got.unread, talk.matches, talk.conversations, talk.first_messages, talk.replied,
        (m.joined_at >= w.since and m.joined_at < w.until and m.joined_at <= ${now}::timestamptz - interval '7 days') as joined,
        talk.soon, m.is_paused
      from batch m cross join weeks w
        cross join lateral (select exists (
          select from decision d where d.viewer_id = m.id and d.decided_at >= w.since and d.decided_at < w.until and d.kind <> 'unmatch'
        ) as active) decided
        cross join lateral (
          select count(*)::int as likes, count(*) filter (where d.is_pending)::int as unread
          from decision d where d.target_id = m.id and d.kind = 'like' and coalesce(d.delivered_at, d.decided_at) >= w.since
            and coalesce(d.delivered_at, d.decided_at) < w.until
        ) got
        cross join lateral (
          select count(*) filter (where c.began_at >= w.since and c.began_at < w.until) as matches,
            count(*) filter (where c.began_at >= w.since and c.began_at < w.until and c.last_seq >= 6 and c.is_answered) as conversations,
            coalesce(bool_or(c.began_at < m.joined_at + interval '7 days'), false) as soon,
            count(first.sent_at) as first_messages,
            count(*) filter (where case when first.sent_at is not null then (
              select reply.sent_at from message reply
              where reply.conversation_id = c.id and reply.sender_id = m.id order by reply.seq limit 1
            ) <= first.sent_at + interval '1 day' end) as replied
          from conversation c
            left join message first on first.conversation_id = c.id and first.seq = 1 and first.sender_id <> m.id
              and first.sent_at >= w.since and first.sent_at < w.until and first.sent_at <= ${now}::timestamptz - interval '1 day'
          where c.low_id = m.id or c.high_id = m.id
        ) talk
      where m.gender > 0
    )
    select to_char(week, 'YYYY-MM-DD') as week, gender, years, active, likes as received, count(*)::int as members,
      count(*) filter (where matches > 0)::int as matched, sum(likes)::int as likes, sum(unread)::int as likes_unread,
      count(*) filter (where joined and (soon or not is_paused))::int as newcomers, count(*) filter (where joined and soon)::int as newcomers_matched,
      sum(first_messages)::int as first_messages, sum(replied)::int as replied,
      sum(matches)::int as matches, sum(conversations)::int as conversations
    from each_member group by 1, 2, 3, 4, 5`.execute(db);
  const { rows: ids } = await sql<{ id: string }>`
    select account_id as id from discovery_row
    where account_id > ${after}::uuid order by account_id limit ${membersPerBatch}`.execute(db);
  return { rows, last: ids.length < membersPerBatch ? null : (ids.at(-1)?.id ?? null) };
}

/** Adds counted rows to the cells they belong to: their segment, their gender, and all members. */
function addTo(cells: Map<string, Cell>, rows: readonly CountedRow[]): void {
  for (const row of rows) {
    const gender = gendersOf(row.gender)[0] ?? everyone;
    const band = ageBuckets[ageBand(row.years)]?.bucket ?? everyone;
    const segments = [
      [gender, band],
      [gender, everyone],
      [everyone, everyone],
    ] as const;
    for (const [of, age] of segments) {
      const key = `${row.week} ${of} ${age}`;
      const nothing = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts;
      const cell = cells.get(key) ?? { week: row.week, gender: of, age, ...nothing, matched: 0, received: {} };
      cells.set(key, cell);
      for (const name of countNames) cell[name] += row[name];
      if (!row.active) continue;
      cell.matched += row.matched;
      cell.received[row.received] = (cell.received[row.received] ?? 0) + row.members;
    }
  }
}

/** The Gini coefficient of values, given how often each occurs: 0 if all are equal, towards 1 if one has everything. */
export function giniOf(times: Readonly<Record<number, number>>): number {
  let [members, total, ranked] = [0, 0, 0];
  // Numeric keys of an object are iterated in ascending order.
  for (const [value, count] of Object.entries(times)) {
    // The sum of the ranks `members + 1` to `members + count`.
    ranked += Number(value) * ((count * (2 * members + count + 1)) / 2);
    members += count;
    total += Number(value) * count;
  }
  return total === 0 ? 0 : (2 * ranked) / (members * total) - (members + 1) / members;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function store(db: Db, weeks: string[], cells: readonly Cell[], now: Date): Promise<void> {
  const rows = cells.map(({ received, ...cell }) => ({
    ...cell,
    members: sum(Object.values(received)),
    gini: giniOf(received),
    counted_at: now,
  }));
  const oldest = weekOf(new Date(now.getTime() - keptWeeks * 7 * dayMs));
  await inTransaction(db, async (tx) => {
    await sql`delete from matching_week where week = any (${weeks}::date[]) or week < ${oldest}::date`.execute(tx);
    if (rows.length > 0) await tx.insertInto('matching_week').values(rows).execute();
  });
}

/**
 * Counts the last weeks, one batch of members at a time, on a replica if there is one. A long count continues in further jobs. A batch can
 * be repeated safely, because the counts so far are in the job's payload.
 */
export async function countWeeks(
  { db, reads, clock }: Deps,
  payload: { [Key in keyof Walk]?: Walk[Key] | undefined },
): Promise<void> {
  const now = clock.now();
  const {
    weeks = Array.from({ length: weeksCounted }, (_, index) => weekOf(new Date(now.getTime() - index * 7 * dayMs))),
    cells: counted = [],
  } = payload;
  const cells = new Map(counted.map((cell) => [`${cell.week} ${cell.gender} ${cell.age}`, cell]));
  let after: string | null = payload.after ?? '00000000-0000-0000-0000-000000000000';
  const isOver = startPiece();
  while (after !== null && !isOver()) {
    const from: string = after;
    const { rows, last } = await reads.from((replica) => countBatch(replica, weeks, from, now));
    addTo(cells, rows);
    after = last;
  }
  if (after === null) return await store(db, weeks, [...cells.values()], now);
  const rest: Walk = { weeks, after, cells: [...cells.values()] };
  await addJob(db, 'discovery.countWeeks', rest, { jobKey: 'discovery.countWeeks' });
}

type Row = Pick<Database['matching_week'], 'gender' | 'age' | 'members' | 'matched' | 'gini' | keyof Counts>;

/** A percentage, or null if it is about too few people. It has a decimal only where that reveals nothing about individuals. */
function shareOf(part: number, whole: number): number | null {
  if (whole < smallestCell) return null;
  const steps = whole < manyPeople ? 1 : 10;
  return Math.round((100 * steps * part) / whole) / steps;
}
const manyPeople = 1000;

/**
 * The segments of a week with at least ten members. Their numbers are rounded to tens, so that a smaller segment can't be computed from the
 * sum of the others.
 */
export function published(rows: readonly Row[]): MatchingSegment[] {
  return rows
    .filter(({ members }) => members >= smallestCell)
    .map((row) => ({
      gender: row.gender === everyone ? null : (row.gender as Gender),
      age: row.age === everyone ? null : row.age,
      members: Math.round(row.members / 10) * 10,
      coverage: shareOf(row.matched, row.members),
      gini: Math.round(row.gini * 100) / 100,
      unread: shareOf(row.likes_unread, row.likes),
      newMatched: shareOf(row.newcomers_matched, row.newcomers),
      replied: shareOf(row.replied, row.first_messages),
      conversations: shareOf(row.conversations, row.matches),
    }));
}

/** The last weeks, newest first. */
export async function readInsights(db: Db, now: Date) {
  const since = weekOf(new Date(now.getTime() - (insightWeeks - 1) * 7 * dayMs));
  const rows = await db
    .selectFrom('matching_week')
    .selectAll()
    .where('week', '>=', since)
    .orderBy('week', 'desc')
    .orderBy('gender')
    .orderBy('age')
    .execute();
  const weeks = Map.groupBy(rows, ({ week }) => week);
  return {
    weeks: [...weeks].map(([week, found]) => ({ week, segments: published(found) })),
    countedAt: rows[0]?.counted_at ?? null,
  };
}
