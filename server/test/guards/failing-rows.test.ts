import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secondsAfter } from '../../src/platform/process/clock.ts';
import { makeMember } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`.execute(
    app.db,
  );
});
afterAll(() => app.close());

/** A job that works on rows one after another. */
interface RowsOfJob {
  task: string;
  /** The write that fails for one of the rows, and the column that names it. */
  write: 'insert' | 'update' | 'delete';
  table: string;
  column: string;
  /** Makes a row due. The time that orders the rows is `days` ago. */
  makeDue: (id: string, days: number) => Promise<unknown>;
  /** Those for which the work is not done. */
  left: ReturnType<typeof sql>;
}

const ago = (days: number) => secondsAfter(app.clock.now(), -days * 86_400);
const change = (id: string, set: ReturnType<typeof sql>) =>
  sql`update account set ${set} where id = ${id}::uuid`.execute(app.db);

const jobs: [what: string, job: RowsOfJob][] = [
  [
    'a sanction that is over',
    {
      ...{ task: 'cases.endSanctions', write: 'update', table: 'sanction', column: 'account_id' },
      makeDue: (id, days) =>
        sql`insert into sanction (account_id, kind, reason, created_by_name, starts_at, ends_at, strikes, strikes_until)
          values (${id}::uuid, 'suspend', 'x', 'x', ${ago(99)}, ${ago(days)}, 0, ${ago(0)})`.execute(app.db),
      left: sql`select account_id from sanction where ended_at is null`,
    },
  ],
  [
    'an account whose owner left',
    {
      ...{ task: 'auth.endAccounts', write: 'delete', table: 'account', column: 'id' },
      makeDue: (id, days) => change(id, sql`leaving_since = ${ago(14 + days)}`),
      left: sql`select id from account`,
    },
  ],
  [
    'a warning of an unused account',
    {
      ...{ task: 'auth.endAccounts', write: 'insert', table: 'mail', column: 'account_id' },
      makeDue: async (id, days) => {
        await change(id, sql`created_at = ${ago(2000)}`);
        await sql`update presence set last_active_at = ${ago(1000 + days)} where account_id = ${id}::uuid`.execute(
          app.db,
        );
        await sql`delete from session where account_id = ${id}::uuid`.execute(app.db);
      },
      left: sql`select id from account where id not in (select account_id from inactivity_warning)`,
    },
  ],
  [
    'a due removal of two-step verification',
    {
      ...{ task: 'auth.removeFactors', write: 'update', table: 'account', column: 'id' },
      makeDue: (id, days) => change(id, sql`factor_removal_at = ${ago(days)}`),
      left: sql`select id from account where factor_removal_at is not null`,
    },
  ],
  [
    'a due mail about notifications',
    {
      ...{ task: 'notifications.mail', write: 'update', table: 'notification', column: 'account_id' },
      makeDue: (id, days) =>
        sql`insert into notification (account_id, kind, subject_id, at, mail_due_at)
          values (${id}::uuid, 'like', ${id}::uuid, ${ago(days)}, ${ago(days)})`.execute(app.db),
      left: sql`select account_id from notification where mail_due_at is not null`,
    },
  ],
  [
    'a reminder that a pause ends',
    {
      ...{ task: 'subscriptions.keepTime', write: 'update', table: 'subscription', column: 'account_id' },
      makeDue: (id, days) =>
        sql`insert into subscription (account_id, provider, plan, status, price_minor, currency, paused_until, created_at, updated_at)
          values (${id}::uuid, 'sandbox', 'monthly', 'paused', 1499, 'USD', ${secondsAfter(app.clock.now(), 86_400)}, ${ago(days)}, ${ago(0)})`.execute(
          app.db,
        ),
      left: sql`select account_id from subscription where reminded_of is null`,
    },
  ],
  [
    'a customer of a deleted account',
    {
      ...{ task: 'subscriptions.customerCleanup', write: 'delete', table: 'customer_cleanup', column: 'customer_id' },
      makeDue: (id, days) =>
        sql`insert into customer_cleanup (customer_id, provider, since) values (${id}, 'sandbox', ${ago(days)})`.execute(
          app.db,
        ),
      left: sql`select customer_id from customer_cleanup`,
    },
  ],
  [
    'a picture to delete',
    {
      ...{ task: 'media.sweep', write: 'delete', table: 'media_discard', column: 'object_key' },
      makeDue: (id, days) =>
        sql`insert into media_discard (object_key, due_at) values (${id}, now() - make_interval(days => ${days}))`.execute(
          app.db,
        ),
      left: sql`select object_key from media_discard`,
    },
  ],
];

describe('a job that works on rows', () => {
  it.each(jobs)('does the later ones when %s fails, and that one once it can', async (_, job) => {
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
    await sql`create trigger refuse before ${sql.raw(write)} on ${sql.table(table)} for each row
      when (${row}.${sql.ref(column)}::text = ${sql.lit(failing)}) execute function refuse()`.execute(app.db);
    const undone = async () => {
      const { rows } = await sql<{ id: string }>`
        select id from (${left}) left_over (id) where id::text = any (${[failing, other]}::text[])`.execute(app.db);
      return rows.map(({ id }) => id);
    };
    const run = async () => await app.app.background.tasks[task]?.({}, undefined as never);
    await expect(run()).rejects.toThrow('refused by the test');
    expect(await undone()).toEqual([failing]);
    await sql`drop trigger refuse on ${sql.table(table)}`.execute(app.db);
    await run();
    expect(await undone()).toEqual([]);
  });
});
