import { type RawBuilder, sql } from 'kysely';
import { funnelSteps } from '#contract/insights/cohorts.ts';
import type { Db } from '#platform/db/db.ts';
import { bitOfDay, daysAfter, monthOf } from './days.ts';
import { conversationsOn, type CountedDay, isOn, likesOn, matchesOn, messagesOn, quartersOf } from './facts.ts';
import type { InsightCohort } from './groups.ts';

/** The steps that members reached during a part of a day, with their times. */
const reachedIn = (part: CountedDay) => [
  sql`select id, 'confirmed', email_verified_at from account where ${isOn(part, sql`email_verified_at`)}`,
  sql`select id, 'liked', min(at) from (${likesOn(part)}) l group by 1`,
  sql`select side.id, 'matched', min(at) from (${matchesOn(part)}) m
    cross join lateral (values (low_id), (high_id)) side (id) group by 1`,
  sql`select id, 'messaged', min(at) from (${messagesOn(part)}) m group by 1`,
  sql`select side.id, 'conversation', min(at) from (${conversationsOn(part)}) c
    cross join lateral (values (low_id), (high_id)) side (id) group by 1`,
  sql`select account_id, 'premium', min(paid_at) from invoice
    where ${isOn(part, sql`paid_at`)} and status in ('paid', 'refunded') and account_id is not null group by 1`,
];

/**
 * Writes the steps that members reached for the first time on a day. A step that was reached before stays, so days must
 * come in order; a day can be repeated. A complete profile has no time of its own: it counts from its first picture, or
 * from the day on which it was first seen.
 */
export async function noteMilestones(db: Db, day: CountedDay): Promise<void> {
  const completed = sql`
    with fresh as materialized (
      select account_id, created_at from directory d where is_complete and created_at < ${day.until} and not exists (
        select from milestone m where m.account_id = d.account_id and m.step = 'completed')
    )
    select account_id, 'completed', greatest(seen.at, ${day.since}::timestamptz) from fresh cross join lateral (
      select greatest(fresh.created_at, min(claimed_at)) as at from picture
      where account_id = fresh.account_id and place >= 0
    ) seen where seen.at < ${day.until}`;
  for (const rows of [...quartersOf(day).flatMap(reachedIn), completed])
    await sql`insert into milestone (account_id, step, reached_at) ${rows} on conflict do nothing`.execute(db);
}

/**
 * Fills in who was active on a day before visits were recorded, as far as other rows show it: people who joined, liked, wrote or were last
 * active on it.
 */
export async function noteVisits(db: Db, day: CountedDay): Promise<void> {
  await sql`
    insert into active_days as a (account_id, month, days)
    select id, ${monthOf(day.day)}::date, ${bitOfDay(day.day)}::int from (
      select account_id as id from directory where ${isOn(day, sql`created_at`)}
      union select viewer_id from decision where ${isOn(day, sql`decided_at`)} and kind = 'like'
      union select sender_id from message where ${isOn(day, sql`sent_at`)} and own_sent_at is null
      union select account_id from presence where ${isOn(day, sql`last_active_at`)}
    ) seen order by id
    on conflict (account_id, month) do update set days = a.days | excluded.days`.execute(db);
}

/**
 * The members who reached a step on a day: they have completed it and all steps before it, and the last of these on that day. So each step
 * counts a subset of the one before.
 */
const cameOn = (day: CountedDay) => sql`
  select account_id, step, at from (${came(sql`account_id in (select account_id from milestone where ${isOn(day, sql`reached_at`)})`)}) m
  where ${isOn(day, sql`at`)}`;

/** When members reached each step. */
const came = (isAsked: RawBuilder<unknown>) => sql`
  select account_id, step, at from (
    select account_id, step, nth, max(reached_at) over so_far as at, count(*) over so_far as reached
    from milestone join unnest(${funnelSteps.slice(1)}::text[]) with ordinality s (step, nth) using (step)
    where ${isAsked} window so_far as (partition by account_id order by nth)
  ) m where reached = nth`;

/** Within a week of joining, within a month, or later. */
const elapsedSince = (at: RawBuilder<unknown>) => sql`case
  when ${at} < d.created_at + interval '7 days' then 0 when ${at} < d.created_at + interval '30 days' then 1 else 2 end`;
const joinedMonth = sql`date_trunc('month', d.created_at at time zone 'UTC')::date`;

/**
 * Recounts all steps of the funnel. Release 0.3.0 counted each step separately, so that someone could be missing in an earlier one. Members
 * who have left since are counted only as joined.
 */
export async function recountFunnel(tx: Db): Promise<void> {
  await sql`delete from insight_cohort where step <> all (array['joined', 'active'])`.execute(tx);
  await sql`insert into insight_cohort (month, step, gender, elapsed, day, people)
    select ${joinedMonth}, step, coalesce(gender, ''), ${elapsedSince(sql`m.at`)}, (m.at at time zone 'UTC')::date, count(*)::int
    from (${came(sql`true`)}) m join directory d using (account_id) group by 1, 2, 3, 4, 5`.execute(tx);
}

/**
 * The members who reached a step on a day, by the month in which they joined. A member is active in a month from the first day on which
 * they were active.
 */
export async function cohortsOf(db: Db, day: CountedDay): Promise<InsightCohort[]> {
  const [month, bit] = [monthOf(day.day), bitOfDay(day.day)];
  const monthsSince = sql`(12 * (extract(year from ${month}::date) - extract(year from joined_month))
    + extract(month from ${month}::date) - extract(month from joined_month))`;
  const { rows } = await sql<InsightCohort>`
    select joined_month as month, step, coalesce(gender, '') as gender, elapsed::smallint as elapsed, ${day.day}::date as day,
      count(*)::int as people
    from (
      select account_id, 'joined' as step, created_at as at from directory where ${isOn(day, sql`created_at`)}
      union all
      ${cameOn(day)}
      union all
      select account_id, 'active', null from active_days
      where month = ${month}::date and days & ${bit}::int <> 0 and days & ${bit - 1}::int = 0
    ) reached
      join directory d using (account_id)
      cross join lateral (select ${joinedMonth} as joined_month) joined
      cross join lateral (
        select case when step = 'active' then ${monthsSince} else ${elapsedSince(sql`at`)} end as elapsed) since
    where elapsed >= 0
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** What is stored about a member's active days and first actions, for their data export. */
export async function activityData(db: Db, accountId: string) {
  const months = await db
    .selectFrom('active_days')
    .select(['month', 'days'])
    .where('account_id', '=', accountId)
    .orderBy('month')
    .execute();
  const firsts = await db
    .selectFrom('milestone')
    .select(['step', 'reached_at'])
    .where('account_id', '=', accountId)
    .orderBy('reached_at')
    .execute();
  return {
    about:
      'The days on which you were here, kept for three months, and when you did things for the first time. We only add them up.',
    days: months.flatMap(({ month, days }) =>
      Array.from({ length: 31 }, (_, index) => daysAfter(month, index)).filter(
        (day) => monthOf(day) === month && (days & bitOfDay(day)) !== 0,
      ),
    ),
    firstTimes: firsts.map(({ step, reached_at }) => ({ step, at: reached_at })),
  };
}
