import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';

const app = startAppForTests();
beforeAll(async () => {
  await app.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`;
});

/** A job that processes rows one after another. */
interface RowsOfJob {
  task: string;
  /** The write that fails for one of the rows, and the column that identifies the row. */
  write: 'insert' | 'update' | 'delete';
  table: string;
  column: string;
  /** Makes a row due. The time that orders the rows is `days` ago. */
  makeDue: (id: string, days: number) => Promise<unknown>;
  /** The rows that are not done yet. */
  left: ReturnType<typeof sql>;
}

const ago = (days: number) => secondsAfter(app.clock.now(), -days * 86_400);
const change = (id: string, set: ReturnType<typeof sql>) =>
  sql`update account set ${set} where id = ${id}::uuid`.execute(app.db);

const makeCase = (id: string, dueAt: Date, leaseUntil: Date | null) =>
  sql`insert into moderation_case (id, stage, priority, opened_at, updated_at, started_at, due_at, lease_until)
    values (${id}::uuid, ${leaseUntil === null ? 'open' : 'claimed'}, 'high', ${ago(20)}, ${ago(20)}, ${ago(20)}, ${dueAt}, ${leaseUntil})`.execute(
    app.db,
  );

const jobs = Object.entries<RowsOfJob>({
  'a sanction that is over': {
    ...{ task: 'cases.endSanctions', write: 'update', table: 'sanction', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into sanction (account_id, kind, reason, created_by_name, starts_at, ends_at, strikes, strikes_until)
          values (${id}::uuid, 'suspend', 'x', 'x', ${ago(99)}, ${ago(days)}, 0, ${ago(0)})`.execute(app.db),
    left: sql`select account_id from sanction where ended_at is null`,
  },
  'an account whose owner left': {
    ...{ task: 'auth.endAccounts', write: 'delete', table: 'account', column: 'id' },
    makeDue: (id, days) => change(id, sql`leaving_since = ${ago(14 + days)}`),
    left: sql`select id from account`,
  },
  'an inactivity warning': {
    ...{ task: 'auth.endAccounts', write: 'insert', table: 'mail', column: 'account_id' },
    makeDue: async (id, days) => {
      await change(id, sql`created_at = ${ago(2000)}`);
      await app.sql`update presence set last_active_at = ${ago(1000 + days)} where account_id = ${id}::uuid`;
      await app.sql`delete from session where account_id = ${id}::uuid`;
    },
    left: sql`select id from account where id not in (select account_id from inactivity_warning)`,
  },
  'a warning about someone banned for fraud': {
    ...{ task: 'bans.warn', write: 'update', table: 'fraud_warning', column: 'account_id' },
    makeDue: (id, days) =>
      sql`with banned as (
          insert into sanction (kind, reason, created_by_name, starts_at, strikes, strikes_until)
          values ('ban', 'x', 'x', ${ago(9)}, 0, ${ago(0)}) returning id
        ) insert into fraud_warning (sanction_id, account_id, due_at) select id, ${id}::uuid, ${ago(days)} from banned`.execute(
        app.db,
      ),
    left: sql`select account_id from fraud_warning where due_at is not null`,
  },
  'a due removal of two-step verification': {
    ...{ task: 'auth.removeFactors', write: 'update', table: 'account', column: 'id' },
    makeDue: (id, days) => change(id, sql`factor_removal_at = ${ago(days)}`),
    left: sql`select id from account where factor_removal_at is not null`,
  },
  'a due email about notifications': {
    ...{ task: 'notifications.mail', write: 'update', table: 'notification', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into notification (account_id, kind, subject_id, at, mail_due_at)
          values (${id}::uuid, 'like', ${id}::uuid, ${ago(days)}, ${ago(days)})`.execute(app.db),
    left: sql`select account_id from notification where mail_due_at is not null`,
  },
  'a look for new people who fit': {
    ...{ task: 'notifications.fit', write: 'update', table: 'fit_alert', column: 'account_id' },
    makeDue: (id, days) =>
      sql`with chosen as (insert into notification_choice values (${id}::uuid, 'fit', 'daily', false))
          insert into fit_alert (account_id, next_at, looked_at) values (${id}::uuid, ${ago(days)}, ${ago(days)})`.execute(
        app.db,
      ),
    left: sql`select account_id from fit_alert where next_at < '2026-06-15'`,
  },
  'a reminder that a pause ends': {
    ...{ task: 'subscriptions.keepTime', write: 'update', table: 'subscription', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into subscription (account_id, provider, plan, status, price_minor, currency, paused_until, created_at, updated_at)
          values (${id}::uuid, 'sandbox', 'monthly', 'paused', 1499, 'USD', ${secondsAfter(app.clock.now(), 86_400)}, ${ago(days)}, ${ago(0)})`.execute(
        app.db,
      ),
    left: sql`select account_id from subscription where reminded_of is null`,
  },
  'the customer of a deleted account': {
    ...{ task: 'subscriptions.customerCleanup', write: 'delete', table: 'customer_cleanup', column: 'customer_id' },
    makeDue: (id, days) =>
      sql`insert into customer_cleanup (customer_id, provider, since) values (${id}, 'sandbox', ${ago(days)})`.execute(
        app.db,
      ),
    left: sql`select customer_id from customer_cleanup`,
  },
  'a picture to delete': {
    ...{ task: 'media.sweep', write: 'delete', table: 'media_discard', column: 'object_key' },
    makeDue: (id, days) =>
      sql`insert into media_discard (object_key, due_at) values (${id}, now() - make_interval(days => ${days}))`.execute(
        app.db,
      ),
    left: sql`select object_key from media_discard`,
  },
  'a decision to learn from': {
    ...{ task: 'discovery.learn', write: 'delete', table: 'training_event', column: 'viewer_id' },
    makeDue: async (id) => {
      const { id: target } = await makeMember(app);
      await app.sql`insert into training_event (viewer_id, target_id, liked, decided_at)
          values (${id}::uuid, ${target}::uuid, true, ${ago(1)})`;
    },
    left: sql`select viewer_id from training_event`,
  },
  'a match to learn from': {
    ...{ task: 'discovery.learn', write: 'update', table: 'conversation', column: 'id' },
    makeDue: async (id, days) => {
      const { id: other } = await makeMember(app);
      await app.sql`insert into conversation (id, low_id, high_id, began_at, last_at)
          values (${id}::uuid, least(${id}, ${other})::uuid, greatest(${id}, ${other})::uuid, ${ago(10 + days)}, ${ago(10)})`;
    },
    left: sql`select id from conversation where not is_outcome_learned`,
  },
  'an answer to learn from': {
    ...{ task: 'discovery.learn', write: 'update', table: 'meeting_answer', column: 'account_id' },
    makeDue: async (id, days) => {
      const { id: other } = await makeMember(app);
      await app.sql`insert into conversation (id, low_id, high_id, began_at, last_at)
          values (${id}::uuid, least(${id}, ${other})::uuid, greatest(${id}, ${other})::uuid, ${ago(1)}, ${ago(1)})`;
      await app.sql`insert into meeting_answer (conversation_id, account_id, answer, meet_again, first_answered_at, answered_at)
          values (${id}::uuid, ${id}::uuid, 'yes', true, ${ago(2 + days)}, ${ago(2 + days)})`;
    },
    left: sql`select account_id from meeting_answer where not is_learned`,
  },
  'expired premium': {
    ...{ task: 'subscriptions.keepTime', write: 'delete', table: 'entitlement', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into entitlement (account_id, until) values (${id}::uuid, ${ago(days)})`.execute(app.db),
    left: sql`select account_id from entitlement`,
  },
  'a pause that begins': {
    ...{ task: 'subscriptions.keepTime', write: 'update', table: 'subscription', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into subscription (account_id, provider, plan, status, price_minor, currency, paid_through, paused_until, created_at, updated_at)
          values (${id}::uuid, 'sandbox', 'monthly', 'active', 1499, 'USD', ${ago(days)}, ${ago(-30)}, ${ago(60)}, ${ago(0)})`.execute(
        app.db,
      ),
    left: sql`select account_id from subscription where status = 'active'`,
  },
  'a subscription that was never paid': {
    ...{ task: 'subscriptions.reconcile', write: 'update', table: 'subscription', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into subscription (account_id, provider, plan, status, price_minor, currency, created_at, updated_at)
          values (${id}::uuid, 'sandbox', 'monthly', 'incomplete', 1499, 'USD', ${ago(1 + days)}, ${ago(1)})`.execute(
        app.db,
      ),
    left: sql`select account_id from subscription where status = 'incomplete'`,
  },
  'member activity to record': {
    ...{ task: 'discovery.noteActivity', write: 'update', table: 'discovery_row', column: 'account_id' },
    makeDue: async (id, days) => {
      await app.sql`update discovery_row set last_active_on = '2020-01-01' where account_id = ${id}::uuid`;
      await app.sql`update presence set last_active_at = ${secondsAfter(app.clock.now(), -days)} where account_id = ${id}::uuid`;
    },
    left: sql`select account_id from discovery_row where last_active_on = '2020-01-01'`,
  },
  'a case that is nearly due': {
    ...{ task: 'cases.remind', write: 'update', table: 'moderation_case', column: 'id' },
    makeDue: (id, days) => makeCase(id, ago(days), null),
    left: sql`select id from moderation_case where reminded_at is null`,
  },
  'a claim that was not renewed': {
    ...{ task: 'cases.endClaims', write: 'update', table: 'moderation_case', column: 'id' },
    makeDue: (id, days) => makeCase(id, ago(-9), ago(days)),
    left: sql`select id from moderation_case where lease_until is not null`,
  },
  'an unjudged hit of an automatic rule': {
    ...{ task: 'rules.undo', write: 'update', table: 'rule_hit', column: 'account_id' },
    makeDue: (id, days) => {
      const at = ago(3 + days);
      return sql`
          with rule as (
            insert into automatic_rule (name, conditions, actions, expires_on, changed_at, changed_by_name)
            values (${id}, '[]', '{}', ${ago(-9)}, ${at}, 'x') returning id
          ), opened as (
            insert into moderation_case (person_id, priority, opened_at, updated_at, started_at)
            values (${id}::uuid, 'high', ${at}, ${at}, ${at}) returning id
          ), filed as (
            insert into report (reported_id, problem_type, description, first_priority, priority, created_at, updated_at, due_at,
              case_id, source, opened_at, is_listed)
            select ${id}::uuid, 'Other', 'x', 'high', 'high', ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, id,
              'automatic', ${at}::timestamptz, false from opened returning id, case_id
          )
          insert into rule_hit (rule_id, version, account_id, case_id, report_id, hit_at)
          select rule.id, 1, ${id}::uuid, filed.case_id, filed.id, ${at}::timestamptz from rule, filed`.execute(app.db);
    },
    left: sql`select account_id from rule_hit where judged_at is null`,
  },
  'an old report': {
    ...{ task: 'reports.cleanUp', write: 'delete', table: 'report', column: 'id' },
    makeDue: (id, days) =>
      sql`insert into report (id, problem_type, description, first_priority, priority, status, created_at, updated_at, due_at)
          values (${id}::uuid, 'Other', 'x', 'other', 'other', 'closed', ${ago(800 + days)}, ${ago(800 + days)}, ${ago(800)})`.execute(
        app.db,
      ),
    left: sql`select id from report`,
  },
  'an email with a link that has ended': {
    ...{ task: 'mail.sweep', write: 'update', table: 'mail', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into mail (recipient, account_id, template, data, created_at, expires_at)
          values ('x@example.test', ${id}::uuid, 'x', '{}', ${ago(days)}, ${ago(days)})`.execute(app.db),
    left: sql`select account_id from mail where status = 'waiting'`,
  },
  'an old email': {
    ...{ task: 'auth.cleanUp', write: 'delete', table: 'mail', column: 'account_id' },
    makeDue: (id, days) =>
      sql`insert into mail (recipient, account_id, template, data, created_at)
          values ('x@example.test', ${id}::uuid, 'x', '{}', ${ago(100 + days)})`.execute(app.db),
    left: sql`select account_id from mail`,
  },
});

describe('a job that processes rows', () => {
  it.each(jobs)('processes later rows when %s fails, and the failed row once it can', async (_, job) => {
    const { task, write, table, column, makeDue, left } = job;
    const [failing = '', other = ''] = [randomUUID(), randomUUID()].sort();
    for (const [id, days] of [
      [failing, 2],
      [other, 1],
    ] as const) {
      await makeMember(app, { id });
      await makeDue(id, days);
    }
    const row = sql.raw(write === 'insert' ? 'new' : 'old');
    await app.sql`create trigger refuse before ${sql.raw(write)} on ${sql.table(table)} for each row
      when (${row}.${sql.ref(column)}::text = ${sql.lit(failing)}) execute function refuse()`;
    const undone = async () => {
      const { rows } = await sql<{ id: string }>`
        select id from (${left}) left_over (id) where id::text = any (${[failing, other]}::text[])`.execute(app.db);
      return rows.map(({ id }) => id);
    };
    const run = async () => await app.app.background.tasks[task]?.({}, undefined as never);
    await expect(run()).rejects.toThrow('refused by the test');
    expect(await undone()).toEqual([failing]);
    await app.sql`drop trigger refuse on ${sql.table(table)}`;
    await run();
    expect(await undone()).toEqual([]);
  });
});
