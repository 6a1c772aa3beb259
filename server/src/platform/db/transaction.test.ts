import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { inTransaction, type Db } from './db.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.pool.query('create table pair_of_rows (id int primary key, changes int not null default 0)');
  await app.pool.query('insert into pair_of_rows values (1), (2)');
});
afterAll(() => app.close());

const change = (tx: Db, id: number) => sql`update pair_of_rows set changes = changes + 1 where id = ${id}`.execute(tx);

describe('inTransaction', () => {
  it('retries when the database aborts it because of a deadlock', async () => {
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

  it('gives up after three retries', async () => {
    let runs = 0;
    const conflict = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`.execute(tx);
    });
    await expect(conflict).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(4);
  });

  it('does not retry after other errors', async () => {
    let runs = 0;
    const refused = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`insert into pair_of_rows values (1)`.execute(tx);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });

  it('rejects statements after it has ended', async () => {
    const kept: Db[] = [];
    await inTransaction(app.db, async (tx) => {
      kept.push(tx);
      await change(tx, 1);
    });
    for (const tx of kept) await expect(change(tx, 1)).rejects.toThrow('already committed');
  });
});
