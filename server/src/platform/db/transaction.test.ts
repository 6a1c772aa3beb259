import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { createDb, createPool, inTransaction, type Db } from './db.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.pool.query('create table pair_of_rows (id int primary key, changes int not null default 0)');
  await app.pool.query('insert into pair_of_rows values (1), (2)');
});
afterAll(() => app.close());

const change = (tx: Db, id: number) => sql`update pair_of_rows set changes = changes + 1 where id = ${id}`.execute(tx);

describe('inTransaction', () => {
  it('runs again when the database ends it because of a deadlock', async () => {
    let runs = 0;
    const inOrder = (first: number, second: number) =>
      inTransaction(app.db, async (tx) => {
        runs += 1;
        await change(tx, first);
        await sql`select pg_sleep(0.2)`.execute(tx);
        await change(tx, second);
      });
    await Promise.all([inOrder(1, 2), inOrder(2, 1)]);
    expect(runs).toBeGreaterThan(2);
    const { rows } = await app.pool.query('select changes from pair_of_rows order by id');
    expect(rows).toEqual([{ changes: 2 }, { changes: 2 }]);
  });

  it('gives up after three more tries', async () => {
    let runs = 0;
    const conflict = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`.execute(tx);
    });
    await expect(conflict).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(4);
  });

  it('does not repeat other errors', async () => {
    let runs = 0;
    const refused = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`insert into pair_of_rows values (1)`.execute(tx);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });

  it('sends a statement before an earlier one is answered', async () => {
    const sent: number[] = [];
    const pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, pipeline: true });
    let written = () => 0;
    pool.on('connect', (client) => {
      written = () => (client.connection.stream as Socket).bytesWritten;
    });
    await inTransaction(createDb(pool), async (tx) => {
      const long = sql.raw(`'${'x'.repeat(10_000)}'`);
      const first = sql`select pg_sleep(0.2)`.execute(tx);
      const before = written();
      const second = sql`select ${long}`.execute(tx);
      await setImmediate();
      sent.push(written() - before);
      await Promise.all([first, second]);
    });
    await pool.end();
    expect(sent[0]).toBeGreaterThan(10_000);
  });

  it('runs statements that are sent together in order', async () => {
    const count = (tx: Db) => sql<{ n: number }>`select count(*)::int as n from pair_of_rows`.execute(tx);
    const add = (tx: Db, id: number) => sql`insert into pair_of_rows values (${id})`.execute(tx);
    const [, first, , second] = await inTransaction(app.db, (tx) =>
      Promise.all([add(tx, 3), count(tx), add(tx, 4), count(tx)]),
    );
    expect([first.rows, second.rows]).toEqual([[{ n: 3 }], [{ n: 4 }]]);
  });

  it('undoes all statements that were sent together when one fails, with its error', async () => {
    const together = inTransaction(app.db, (tx) =>
      Promise.all([
        change(tx, 1),
        sql`insert into pair_of_rows values (1)`.execute(tx),
        change(tx, 2),
        sql`insert into pair_of_rows values (9)`.execute(tx),
      ]),
    );
    await expect(together).rejects.toMatchObject({ code: '23505' });
    const { rows } = await app.pool.query('select id from pair_of_rows where changes > 2 or id = 9');
    expect(rows).toEqual([]);
  });

  it('fails with the first error, however many promises it passes', async () => {
    const later = async <T>(one: Promise<T>) => (await Promise.all([Promise.all([one])]))[0][0];
    const deep = async (tx: Db) => await later(later(later(sql`insert into pair_of_rows values (1)`.execute(tx))));
    const together = inTransaction(app.db, (tx) => Promise.all([deep(tx), change(tx, 2)]));
    await expect(together).rejects.toMatchObject({ code: '23505' });
    const ignored = inTransaction(app.db, (tx) => Promise.allSettled([deep(tx), change(tx, 2)]));
    await expect(ignored).rejects.toMatchObject({ code: '23505' });
  });

  it('sends nothing after the end of work that failed, without a pipeline as well', async () => {
    const pool = createPool(app.pool.options.connectionString ?? '', { max: 1 });
    const add = (tx: Db, id: number) => sql`insert into pair_of_rows values (${id})`.execute(tx);
    const failed = inTransaction(createDb(pool), (tx) =>
      Promise.all([add(tx, 1), add(tx, 11), add(tx, 12), add(tx, 13)]),
    );
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    const { rows } = await pool.query('select id from pair_of_rows where id > 10');
    await pool.end();
    expect(rows).toEqual([]);
  });

  it('sends nothing more for work that goes on after it has failed', async () => {
    const later: Promise<unknown>[] = [];
    const failed = inTransaction(app.db, async (tx) => {
      const adds = change(tx, 1).then(() => sql`insert into pair_of_rows values (7)`.execute(tx));
      // The rollback waits behind this one, and meanwhile the other branch goes on.
      const sleeps = sql`select pg_sleep(0.2)`.execute(tx);
      later.push(...[adds, sleeps].map((one) => one.then(() => null, String)));
      await Promise.reject(new Error('Changed our mind'));
    });
    await expect(failed).rejects.toThrow('Changed our mind');
    expect(await Promise.all(later)).toEqual(['Error: This transaction is over', null]);
    const { rows } = await app.pool.query('select id from pair_of_rows where id = 7');
    expect(rows).toEqual([]);
  });

  it('refuses statements after its end', async () => {
    const kept: Db[] = [];
    await inTransaction(app.db, async (tx) => {
      kept.push(tx);
      await change(tx, 1);
    });
    for (const tx of kept) await expect(change(tx, 1)).rejects.toThrow(/committed|over/);
  });
});
