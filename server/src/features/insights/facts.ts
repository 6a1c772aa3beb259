import { type RawBuilder, sql } from 'kysely';
import { ageBuckets } from '#contract/statistics.ts';
import { smallestGroup } from '#contract/insights/series.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf, latestBirthDate } from '#platform/process/clock.ts';
import { bitOfDay, bitsByMonth, daysAfter, daysBetween, monthOf } from './days.ts';
import type { DayColumn, GroupKey } from './groups.ts';

/** A day as a range of time. */
export interface CountedDay {
  day: string;
  since: Date;
  until: Date;
  /** The countries that are counted separately, by their names in the directory. */
  countries: string[];
  /** Whether the day is today or yesterday: data without a history is counted only then. */
  isRecent: boolean;
}

/** What the members of one group add to a measure: to the figures of groups, and to the figure of everyone. */
export interface Cell<Measure extends string = DayColumn> extends GroupKey {
  measure: Measure;
  n: number;
  total: number;
}

/** The range of a day, and the countries with enough members. */
export async function openDay(db: Db, day: string, now: Date): Promise<CountedDay> {
  const { rows } = await sql<{ country: string }>`
    select country from directory where country is not null group by 1 having count(*) >= ${smallestGroup}`.execute(db);
  const isRecent = daysBetween(day, dayOf(now)) <= 1;
  const countries = rows.map(({ country }) => country);
  return { day, since: new Date(day), until: new Date(daysAfter(day, 1)), countries, isRecent };
}

/** The quarters of a day in order, so that no statement reads all its likes or messages at once. */
export const quartersOf = (day: CountedDay): CountedDay[] =>
  [0, 1, 2, 3].map((quarter) => {
    const since = new Date(day.since.getTime() + quarter * quarterMs);
    return { ...day, since, until: new Date(since.getTime() + quarterMs) };
  });
const quarterMs = 21_600_000;

/** The age band of a birth date on a day; empty without one. */
function bandOn(day: string, birthDate: RawBuilder<unknown>) {
  const bands = ageBuckets.toReversed().map(({ bucket, from }) => {
    return sql`when ${birthDate} <= ${latestBirthDate(from, new Date(day))}::date then ${bucket}::text`;
  });
  return sql`case ${sql.join(bands, sql` `)} else '' end`;
}

/** Whether a time lies in the day. */
export const isOn = ({ since, until }: Pick<CountedDay, 'since' | 'until'>, time: RawBuilder<unknown>) =>
  sql`${time} >= ${since}::timestamptz and ${time} < ${until}::timestamptz`;

/** The columns of the group that the row `p` of the directory belongs to. */
const groupOn = ({ day, countries }: CountedDay) => sql`
  coalesce(p.gender, '') as gender, ${bandOn(day, sql`p.birth_date`)} as age,
  case when p.country = any (${countries}::text[]) then p.country else '' end as country`;

/**
 * Adds up rows of `account_id, measure, n, total` by group. Accounts that are not listed, because they are leaving, don't count, except
 * among `anyone`: money and reports count without a group, even if their people are deleted.
 */
export async function cellsOf<Measure extends string>(
  db: Db,
  day: CountedDay,
  facts: RawBuilder<unknown>,
  who: 'listed' | 'anyone' = 'listed',
): Promise<Cell<Measure>[]> {
  const join = who === 'listed' ? sql`join` : sql`left join`;
  const { rows } = await sql<GroupKey & { measure: Measure; n: string; total: string }>`
    select ${groupOn(day)},
      f.measure, sum(f.n) as n, sum(f.total) as total
    from (${facts}) f (account_id, measure, n, total) ${join} directory p on p.account_id = f.account_id
    group by 1, 2, 3, 4`.execute(db);
  return rows.map((row) => ({ ...row, n: Number(row.n), total: Number(row.total) }));
}

/**
 * Counts people of the directory, the rows `p` of `from`, by group: one column for each measure, so that large sets of rows are read and
 * joined once. It reads a quarter of all ids at a time, so that no statement takes long.
 */
async function countsOf<Measure extends DayColumn>(
  db: Db,
  day: CountedDay,
  from: (isWithin: (id: RawBuilder<unknown>) => RawBuilder<unknown>) => RawBuilder<unknown>,
  counts: Record<Measure, RawBuilder<unknown>>,
): Promise<Cell[]> {
  const measures = Object.keys(counts) as Measure[];
  const columns = measures.map((measure) => sql`count(*) filter (where ${counts[measure]}) as ${sql.ref(measure)}`);
  const cells: Cell[] = [];
  for (const digits of ['0123', '4567', '89ab', 'cdef']) {
    const [first, last] = [idFrom(digits.charAt(0), '0'), idFrom(digits.charAt(3), 'f')];
    const within = from((id) => sql`${id} between ${first}::uuid and ${last}::uuid`);
    const { rows } = await sql<GroupKey & Record<Measure, string>>`
      select ${groupOn(day)}, ${sql.join(columns)} from ${within} group by 1, 2, 3`.execute(db);
    for (const row of rows) {
      const { gender, age, country } = row;
      for (const measure of measures) {
        const n = Number(row[measure]);
        cells.push({ gender, age, country, measure, n, total: n });
      }
    }
  }
  return cells;
}

/** The first id that starts with a digit. */
const idFrom = (start: string, rest: string) =>
  `${start}${'xxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.replaceAll('x', rest)}`;

/**
 * The two people of each pair. In a group, a pair counts for each of its people; among everyone it counts once, for the first of them who
 * is listed.
 */
const sidesOf = (pairs: RawBuilder<unknown>, measure: DayColumn) => sql`
  select side.id, ${measure}::text, 1, side.total from (${pairs}) pair (low_id, high_id) cross join lateral (values
    (low_id, 1), (high_id, (not exists (select from directory d where d.account_id = low_id))::int)) side (id, total)`;

/** The matches of a day, including those that have ended since, with their time, id and people. */
export const matchesOn = (day: CountedDay) => sql`
  select id, low_id, high_id, matched_at as at from match where ${isOn(day, sql`matched_at`)}
  union
  select id, low_id, high_id, began_at from conversation where ended_at >= ${day.since} and ${isOn(day, sql`began_at`)}`;

/** The conversations whose sixth message was sent on the day, after both have written. */
export const conversationsOn = (day: CountedDay) => sql`
  select c.id, c.low_id, c.high_id, sixth.sent_at as at from message sixth join conversation c on c.id = sixth.conversation_id
  where ${isOn(day, sql`sixth.sent_at`)} and sixth.seq = 6 and (
    select count(distinct sender_id) from message m where m.conversation_id = sixth.conversation_id and m.seq <= 6) = 2`;

/** The members who were active in the thirty days up to a day, and whether they were on the day and in the seven days. */
function activeIn(day: string, isWithin: RawBuilder<unknown>) {
  const week = bitsByMonth(day, 7);
  const months = [...bitsByMonth(day, 30)].map(
    ([month, bits]) =>
      sql`(${month}::date, ${bits}::int, ${week.get(month) ?? 0}::int, ${month === monthOf(day) ? bitOfDay(day) : 0}::int)`,
  );
  return sql`(
    select a.account_id, bool_or(a.days & m.day <> 0) as daily, bool_or(a.days & m.week <> 0) as weekly
    from active_days a join (values ${sql.join(months)}) m (month, days, week, day) on m.month = a.month
    where a.days & m.days <> 0 and ${isWithin} group by 1)`;
}

/** Premium: subscriptions that were first paid or ended on the day, and those that are paid or paused at its end. */
const premiumOn = (day: CountedDay) => sql`
  select account_id, 'premium_new', 1, 1 from invoice i
  where ${isOn(day, sql`paid_at`)} and status in ('paid', 'refunded') and subscription_id is not null and not exists (
    select from invoice e where e.subscription_id = i.subscription_id and (e.paid_at, e.id) < (i.paid_at, i.id)
      and e.status in ('paid', 'refunded'))
  union all
  select account_id, v.measure, 1, 1 from subscription s cross join lateral (values
    ('premium_lost', ever_paid and ${isOn(day, sql`ended_at`)}),
    ('premium_paying', ever_paid and coalesce(trial_end, created_at) < ${day.until}
      and (ended_at is null or ended_at >= ${day.until})),
    ('premium_paused', status = 'paused' and ${day.isRecent}::boolean)) v (measure, counts) where v.counts`;

/**
 * Reports by their reporters, and decisions by the person they are about. A decision that an appeal reversed later still counts on its day,
 * as in the lists of decisions; a click that was undone within seconds does not count.
 */
const safetyOn = (day: CountedDay) => sql`
  select reporter_id, 'reports', 1::bigint, 1::bigint from report
  where ${isOn(day, sql`created_at`)} and deleted_at is null and is_listed
  union all
  select c.person_id, v.measure, v.n, v.n from case_decision d join moderation_case c on c.id = d.case_id
    cross join lateral (
      select min(r.created_at) as first_at from case_decision_report l join report r on r.id = l.report_id
      where l.decision_id = d.id
    ) reported
    cross join lateral (values
      ('actions', 1::bigint, d.outcome = 'actioned'),
      ('repeat_actions', 1, d.outcome = 'actioned' and exists (
        select from case_decision e where e.case_id = d.case_id and e.decided_at < d.decided_at
          and e.outcome = 'actioned' and e.undone_at is null)),
      ('decisions', 1, first_at is not null),
      ('decision_ms', (extract(epoch from d.decided_at - first_at) * 1000)::bigint, first_at is not null)
    ) v (measure, n, counts)
  where ${isOn(day, sql`d.decided_at`)} and (d.kind = 'full' or d.kind = 'quick' and d.undone_at is null) and v.counts`;

/** The likes of a day with their senders, including undelivered ones. */
export const likesOn = (day: CountedDay) => sql`
  select viewer_id as id, decided_at as at from decision where ${isOn(day, sql`decided_at`)} and kind = 'like'
  union all
  select viewer_id, decided_at from decision where ${isOn(day, sql`decided_at`)} and kind in ('held', 'dropped')`;

/** The messages of a day with their senders, including undelivered ones; messages delivered later count on the day they were sent. */
export const messagesOn = (day: CountedDay) => sql`
  select sender_id as id, sent_at as at from message where ${isOn(day, sql`sent_at`)} and own_sent_at is null
  union all
  select sender_id, own_sent_at from message where ${isOn(day, sql`own_sent_at`)}
  union all
  select sender_id, sent_at from held_message where ${isOn(day, sql`sent_at`)}`;

/** What happened in a part of a day. Each statement reads the rows of the part by an index. */
const eventsOn = (part: CountedDay) => [
  sql`select account_id, step, 1, 1 from milestone
    where ${isOn(part, sql`reached_at`)} and step in ('confirmed', 'completed')`,
  sql`select id, 'likes', count(*), count(*) from (${likesOn(part)}) l group by 1`,
  sql`select id, 'messages', count(*), count(*) from (${messagesOn(part)}) m group by 1`,
  sidesOf(sql`select low_id, high_id from (${matchesOn(part)}) m`, 'matches'),
  sidesOf(sql`select low_id, high_id from (${conversationsOn(part)}) c`, 'conversations'),
];

/** All figures of a day by group, one statement after the other. */
export async function factsOf(db: Db, day: CountedDay): Promise<Cell[]> {
  const cells = await countsOf(
    db,
    day,
    (isWithin) => sql`directory p where created_at < ${day.until} and ${isWithin(sql`p.account_id`)}`,
    {
      members: sql`true`,
      sign_ups: sql`created_at >= ${day.since}`,
    },
  );
  cells.push(
    ...(await countsOf(
      db,
      day,
      (isWithin) => sql`${activeIn(day.day, isWithin(sql`a.account_id`))} active join directory p using (account_id)`,
      {
        daily_active: sql`daily`,
        weekly_active: sql`weekly`,
        monthly_active: sql`true`,
      },
    )),
  );
  for (const facts of quartersOf(day).flatMap(eventsOn)) cells.push(...(await cellsOf<DayColumn>(db, day, facts)));
  for (const facts of [premiumOn(day), safetyOn(day)])
    cells.push(...(await cellsOf<DayColumn>(db, day, facts, 'anyone')));
  return cells;
}

export type MoneyMeasure = `${'payments' | 'paid_minor' | 'refunded_minor'} ${string}`;

/** Payments and refunds of a day by group; the measure names the currency as well. */
export async function moneyOf(db: Db, day: CountedDay): Promise<Cell<MoneyMeasure>[]> {
  // A refund follows its payment within months, so the index on payments bounds both.
  const facts = sql`
    select account_id, v.measure || ' ' || currency, v.n, v.n from invoice cross join lateral (values
      ('payments', 1::bigint, ${isOn(day, sql`paid_at`)}),
      ('paid_minor', total_minor, ${isOn(day, sql`paid_at`)}),
      ('refunded_minor', refunded_minor, ${isOn(day, sql`refunded_at`)})) v (measure, n, counts)
    where paid_at < ${day.until} and paid_at >= ${new Date(daysAfter(day.day, -refundDays))}
      and status in ('paid', 'refunded') and v.counts and v.n > 0`;
  return await cellsOf<MoneyMeasure>(db, day, facts, 'anyone');
}
const refundDays = 400;
