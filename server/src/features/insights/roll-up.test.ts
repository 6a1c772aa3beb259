import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { FunnelStep } from '#contract/insights/cohorts.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { deleteAccounts, makeMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn, placeMatch } from '../../../test/likes.ts';
import { emptyHistory, liveThrough } from '../../../test/insight-history.ts';
import { randomOf } from '../../../test/random.ts';
import { warnedBy } from '../../../test/moderation/reports.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { daysAfter, monthOf } from './days.ts';
import { type DayColumn, dimensionsOf, type InsightCohort } from './groups.ts';

const app = startAppForTests();

const run = async () => {
  await addJob(app.db, 'insights.rollUp', {}, { jobKey: 'insights.rollUp' });
  await app.drain('insights.rollUp');
};
const tables = ['insight_day', 'insight_money', 'insight_cohort'] as const;
const forget = async () => {
  for (const table of tables) await app.db.deleteFrom(table).execute();
  await app.db.deleteFrom('installation').where('name', '=', 'insights').execute();
};
const daysKept = () =>
  app.db.selectFrom('insight_day').selectAll().orderBy(['day', 'gender', 'age', 'country']).execute();
const contents = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<{
          row: string;
        }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(app.db);
        return [table, rows.map(({ row }) => row)] as const;
      }),
    ),
  );
/** Continues from this day, as after a stop. */
const continueFrom = (day: string) =>
  sql`update installation set value = jsonb_set(value, '{next}', to_jsonb(${day}::text)) where name = 'insights'`.execute(
    app.db,
  );
const position = async () =>
  (await app.db.selectFrom('installation').select('value').where('name', '=', 'insights').executeTakeFirstOrThrow())
    .value as { next: string };

const firstDay = '2026-05-11';
const historyDays = 35;
const lastDay = daysAfter(firstDay, historyDays - 1);
const history = emptyHistory();

/** One row for each event: its day and the person it counts for. */
interface Event {
  id: string;
  day: string;
  person: string;
}

const eventsOf = async (from: RawBuilder<unknown>) =>
  (
    await sql<Event>`select id::text, (at at time zone 'UTC')::date as day, person from (${from}) e (id, at, person)`.execute(
      app.db,
    )
  ).rows;

const sides = (from: RawBuilder<unknown>) => sql`
  select id, at, low_id from (${from}) p union all select id, at, high_id from (${from}) p`;
const isSixthOfBoth = sql`m.seq = 6 and (
  select count(distinct sender_id) from message e where e.conversation_id = m.conversation_id and e.seq <= 6) = 2`;

/** Counts rows directly: the truth that the roll-up must equal. */
const truths: Partial<Record<DayColumn, RawBuilder<unknown>>> = {
  sign_ups: sql`select id, created_at, id from account`,
  confirmed: sql`select id, email_verified_at, id from account where email_verified_at is not null`,
  completed: sql`select p.account_id, claimed_at, p.account_id from picture p join profile f using (account_id) where f.complete`,
  likes: sql`select viewer_id, decided_at, viewer_id from decision where kind = 'like'`,
  messages: sql`select conversation_id, sent_at, sender_id from message`,
  matches: sides(sql`select id, began_at as at, low_id, high_id from conversation`),
  conversations:
    sides(sql`select c.id, m.sent_at as at, low_id, high_id from conversation c join message m on m.conversation_id = c.id
    where ${isSixthOfBoth}`),
  premium_new: sql`select subscription_id, min(paid_at), account_id from invoice group by subscription_id, account_id`,
  premium_lost: sql`select id, ended_at, account_id from subscription where ended_at is not null`,
  reports: sql`select id, created_at, reporter_id from report`,
};

/** The members active in the days up to a day. */
const activeIn = (day: string, days: number) =>
  new Set(Array.from({ length: days }, (_, ago) => [...(history.visits.get(daysAfter(day, -ago)) ?? [])]).flat());

const compareAll = async (isVisitChecked: boolean) => {
  const { rows: people } = await sql<{ id: string; gender: string | null; joined: string }>`
    select account_id as id, gender, (created_at at time zone 'UTC')::date as joined from profile
    join account on id = account_id`.execute(app.db);
  const genderOf = new Map(people.map(({ id, gender }) => [id, gender ?? '']));
  const rows = new Map((await daysKept()).map((row) => [`${row.day} ${row.gender} ${row.age} ${row.country}`, row]));
  for (const [column, from] of Object.entries(truths) as [DayColumn, RawBuilder<unknown>][]) {
    const events = await eventsOf(from);
    expect(events.length, column).toBeGreaterThan(0);
    for (let day = firstDay; day <= lastDay; day = daysAfter(day, 1)) {
      const today = events.filter((event) => event.day === day);
      const isPair = column === 'matches' || column === 'conversations';
      const all = isPair ? new Set(today.map(({ id }) => id)).size : today.length;
      expect(rows.get(`${day} * * *`)?.[column], `${column} ${day}`).toBe(all);
      for (const gender of ['woman', 'man', 'non-binary', '']) {
        const own = today.filter(({ person }) => genderOf.get(person) === gender).length;
        const row = rows.get(`${day} ${gender} * *`);
        const members = people.filter((each) => (each.gender ?? '') === gender && each.joined <= day).length;
        if (row !== undefined) expect(row, `${column} ${day} ${gender}`).toMatchObject({ members, [column]: own });
      }
    }
  }
  expect(rows.has(`${lastDay} woman * *`)).toBe(true);
  if (!isVisitChecked) return;
  for (let day = firstDay; day <= lastDay; day = daysAfter(day, 1)) {
    const [daily, weekly, monthly] = [1, 7, 30].map((days) => activeIn(day, days).size);
    expect(rows.get(`${day} * * *`), day).toMatchObject({
      daily_active: daily,
      weekly_active: weekly,
      monthly_active: monthly,
    });
  }
};

/** When each person first did what a step of the funnel counts. */
const firsts: [FunnelStep, RawBuilder<unknown>][] = [
  ['confirmed', sql`select id, email_verified_at from account where email_verified_at is not null`],
  [
    'completed',
    sql`select account_id, greatest(created_at, claimed_at) from picture p join profile f using (account_id)
      join account a on a.id = account_id where f.complete`,
  ],
  ['liked', sql`select viewer_id, decided_at from decision where kind = 'like'`],
  ['matched', sql`select person, at from (${truths.matches ?? sql``}) e (id, at, person)`],
  ['messaged', sql`select sender_id, sent_at from message`],
  ['conversation', sql`select person, at from (${truths.conversations ?? sql``}) e (id, at, person)`],
  ['premium', sql`select account_id, paid_at from invoice`],
];

/** How many members who joined in a month reached each step within 7 days, 30 days and ever, including all steps before it. */
const cameWithin = async (month: string): Promise<Partial<Record<FunnelStep, number[]>>> => {
  const { rows: joined } = await sql<{ id: string; at: Date }>`select id, created_at as at from account
    where (date_trunc('month', created_at at time zone 'UTC'))::date = ${month}::date`.execute(app.db);
  let left = new Map(joined.map(({ id, at }) => [id, { joined: at.getTime(), at: at.getTime() }]));
  const counts: Partial<Record<FunnelStep, number[]>> = {};
  for (const [step, from] of firsts) {
    const { rows } = await sql<{ id: string; at: Date }>`
      select id, min(at) as at from (${from}) e (id, at) group by 1`.execute(app.db);
    left = new Map(
      rows.flatMap(({ id, at }) => {
        const before = left.get(id);
        return before === undefined ? [] : [[id, { ...before, at: Math.max(before.at, at.getTime()) }] as const];
      }),
    );
    const within = (days: number) => [...left.values()].filter((one) => one.at - one.joined < days * 86_400_000).length;
    counts[step] = [7, 30, Infinity].map(within);
  }
  return counts;
};

const cohortCounts = (rows: readonly InsightCohort[], month: string, step: string) =>
  [0, 1, 2].map((within) =>
    rows
      .filter((row) => row.month === month && row.step === step && row.elapsed <= within)
      .reduce((sum, { people }) => sum + people, 0),
  );

// One installation over weeks: each test continues where the one before it stopped.
describe('the nightly roll-up', { shuffle: false }, () => {
  it('gives the same figures as counting the rows, by day and by gender', async () => {
    const random = randomOf(47);
    app.clock.set(new Date(`${daysAfter(firstDay, -1)}T12:00:00Z`));
    await run();
    for (let day = firstDay; day <= lastDay; day = daysAfter(day, 1)) {
      await liveThrough(app, random, history, day);
      if (random.chance(0.5)) await run();
      app.clock.set(new Date(`${daysAfter(day, 1)}T00:07:00Z`));
      await run();
    }
    await compareAll(true);
  });

  it('stores figures of groups only if no number below ten can be derived from them', async () => {
    const days = Map.groupBy(await daysKept(), ({ day }) => day);
    const names = ['gender', 'age', 'country'] as const;
    for (const [day, rows] of days) {
      const all = rows.find((row) => dimensionsOf(row).length === 0)?.members ?? 0;
      if (all < 10) expect(rows, day).toHaveLength(1);
      else
        for (const row of rows)
          for (const along of names) {
            const parts = rows.filter((one) =>
              names.every((name) =>
                name === along ? one[name] !== '*' && row[name] === '*' : one[name] === row[name],
              ),
            );
            const rest = parts.reduce((left, { members }) => left - members, row.members);
            expect(rest === 0 || rest >= 10, `${day}: ${rest} of ${JSON.stringify(row)} by ${along}`).toBe(true);
          }
    }
    expect(Math.max(...[...days.values()].map((rows) => rows.length))).toBeGreaterThan(6);
    expect((await daysKept()).filter(({ age, country }) => age !== '*' && country !== '*')).toEqual([]);
  });

  it('counts how many members reached each step, by month of joining and time since then', async () => {
    const rows = await app.db.selectFrom('insight_cohort').selectAll().execute();
    for (const month of ['2026-05-01', '2026-06-01']) {
      const expected = await cameWithin(month);
      for (const [step, counts] of Object.entries(expected))
        expect(cohortCounts(rows, month, step), `${month} ${step}`).toEqual(counts);
    }
    expect(cohortCounts(rows, '2026-05-01', 'conversation').at(-1)).toBeGreaterThan(0);
  });

  it('recounts a funnel that an earlier release counted step by step', async () => {
    const before = (await contents())['insight_cohort'];
    await app.sql`update insight_cohort set people = people + 3 where step = 'premium'`;
    await app.sql`update installation set value = value - 'isNested' where name = 'insights'`;
    await run();
    expect((await contents())['insight_cohort']).toEqual(before);
  });

  it('counts a member once in each month in which they were active', async () => {
    const rows = await app.db.selectFrom('insight_cohort').selectAll().where('step', '=', 'active').execute();
    const { rows: joined } = await sql<{ id: string }>`
      select id from account where created_at < '2026-06-01T00:00:00Z'`.execute(app.db);
    const inJune = new Set(
      [...history.visits].filter(([day]) => monthOf(day) === '2026-06-01').flatMap(([, ids]) => [...ids]),
    );
    const people = rows
      .filter(({ month, elapsed }) => month === '2026-05-01' && elapsed === 1)
      .reduce((sum, row) => sum + row.people, 0);
    expect(people).toBe(joined.filter(({ id }) => inJune.has(id)).length);
  });

  it('writes the same rows when days are recounted', async () => {
    const before = await contents();
    await continueFrom(daysAfter(lastDay, -6));
    await run();
    expect(await contents()).toEqual(before);
  });

  it('counts the earlier days of an existing installation, and resumes after a failure', async () => {
    const everyone = async () =>
      (await daysKept())
        .filter(({ country, day }) => country === '*' && day >= firstDay)
        .map(({ daily_active: _1, weekly_active: _2, monthly_active: _3, ...row }) => JSON.stringify(row))
        .sort();
    const live = await everyone();
    await forget();
    await app.db.deleteFrom('milestone').execute();
    const broken = daysAfter(firstDay, 10);
    await app.sql`create function refuse_day() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$`;
    await app.sql`create trigger refuse_day before insert on insight_day for each row when (new.day = ${sql.lit(broken)}::date)
      execute function refuse_day()`;
    await run();
    expect((await position()).next).toBe(broken);
    await app.sql`drop function refuse_day cascade`;
    await run();
    expect((await position()).next).toBe(daysAfter(lastDay, 1));
    expect(await everyone()).toEqual(live);
    await compareAll(false);
  });

  it('keeps the figures of past days and cohorts when members leave', async () => {
    const kept = async () => (await contents())['insight_cohort'];
    const before = { days: await daysKept(), cohorts: await kept() };
    await app.sql`update account set leaving_since = ${app.clock.now()}
      where id in (select id from account order by created_at limit 5)`;
    const [gone = ''] = history.people;
    await deleteAccounts(app, gone);
    await run();
    const past = ({ day }: { day: string }) => day <= lastDay;
    expect((await daysKept()).filter(past)).toEqual(before.days.filter(past));
    expect(await kept()).toEqual(before.cohorts);
    const today = (await daysKept()).find(
      ({ day, gender, age, country }) => day > lastDay && gender + age + country === '***',
    );
    expect(today?.members).toBe(history.people.length - 5);
  });

  it('counts decisions, including those revoked later, with the time since the first report, and the people concerned', async () => {
    const person = await makeMember(app);
    await warnedBy(app, person.id);
    app.clock.advance(3600);
    const again = await warnedBy(app, person.id);
    await app.sql`with filed as (
        insert into report (reported_id, problem_type, description, first_priority, priority, created_at, updated_at, due_at)
        select ${person.id}::uuid, 'Other', 'x', 'other', 'other', at, at, at
        from unnest(${[new Date(app.clock.now().getTime() - 3_600_000), app.clock.now()]}::timestamptz[]) at returning id
      ) insert into case_decision_report (decision_id, report_id) select ${again}::uuid, id from filed`;
    await app.sql`update case_decision set undone_at = ${app.clock.now()} where id = ${again}::uuid`;
    await run();
    const [row] = await app.db
      .selectFrom('insight_day')
      .selectAll()
      .where('day', '=', daysAfter(lastDay, 1))
      .where('gender', '=', '*')
      .where('age', '=', '*')
      .where('country', '=', '*')
      .execute();
    expect(row).toMatchObject({ actions: 2, repeat_actions: 1, decisions: 1 });
    expect(Number(row?.decision_ms)).toBe(3_600_000);
  });

  it('counts what a held member sent once, on the day it was sent', async () => {
    const held = await makeMember(app);
    const id = await placeMatch(app, held, await makeMember(app));
    await holdAccount(app, held);
    const today = app.clock.now().toISOString().slice(0, 10);
    await likesIn(() => app).like(held, await makeMember(app));
    const body = { clientId: randomUUID(), text: 'Hello' };
    expect((await app.call(sendMessage, { token: held.token, params: { id }, body })).status).toBe(201);
    const counts = async () =>
      (await daysKept())
        .filter(({ day, gender, age, country }) => day >= today && gender + age + country === '***')
        .map(({ day, likes, messages }) => ({ day, likes, messages }));
    app.clock.set(new Date(`${daysAfter(today, 1)}T00:07:00Z`));
    await run();
    const [before] = await counts();
    app.clock.set(new Date(`${daysAfter(today, 2)}T12:00:00Z`));
    await endHoldOf(app, held, 'released');
    await run();
    const none = { likes: 0, messages: 0 };
    expect(await counts()).toEqual([before, ...[1, 2].map((days) => ({ day: daysAfter(today, days), ...none }))]);
    await continueFrom(today);
    await run();
    expect((await counts())[0]).toEqual(before);
    expect(before?.messages).toBe(1);
  });

  it('keeps the active days of members for the current month and the two before it', async () => {
    app.clock.set(new Date('2026-09-02T10:00:00Z'));
    await run();
    await run();
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from active_days where month < '2026-07-01'`.execute(app.db);
    expect(rows[0]?.count).toBe(0);
  });
});
