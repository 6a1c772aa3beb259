import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, afterAll, beforeAll } from 'vitest';
import { CompiledQuery, sql } from 'kysely';
import { createDb, inTransaction, type Db } from './db.ts';
import { createPool } from './pool.ts';
import { statementName } from './client.ts';
import { plannedMark } from './prepared.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

const giveUpMs = 300;
// Longer than half the test timeout, so that waiting twice fails.
const hanging = CompiledQuery.raw('select pg_sleep(60)');
let pool: pg.Pool;
let db: Db;
let errors: string[];

async function open(): Promise<void> {
  errors = [];
  const onError = ({ message }: Error) => errors.push(message);
  pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, giveUpMs, onError });
  db = createDb(pool);
  // The server must not cancel the statement itself, to simulate a hanging server.
  await pool.query('set statement_timeout = 0');
}

beforeEach(() => open());
afterEach(async () => {
  await pool.end();
});

const one = async () => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

describe('a connection pool', () => {
  test('abandons a hanging query and discards its connection', async () => {
    await expect(db.executeQuery(hanging)).rejects.toThrow('terminated');
    expect(errors).toContain('a query was not answered within 300 ms');
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('abandons a hanging query sent through the pool itself', async () => {
    await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('terminated');
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('keeps a connection whose successive queries together take longer than the limit', async () => {
    await inTransaction(db, async (tx) => {
      for (let asked = 0; asked < 8; asked += 1) await tx.executeQuery(CompiledQuery.raw('select pg_sleep(0.1)'));
    });
    expect(pool.totalCount).toBe(1);
    expect(errors).toEqual([]);
  });

  test('abandons a hanging transaction without waiting for its rollback', async () => {
    await expect(inTransaction(db, (tx) => tx.executeQuery(hanging))).rejects.toThrow(/terminated|closed/);
    expect(errors.filter((error) => error.includes('not answered'))).toHaveLength(1);
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('keeps the connection after a failed query', async () => {
    await expect(db.executeQuery(CompiledQuery.raw('select nonsense'))).rejects.toThrow('nonsense');
    expect(pool.totalCount).toBe(1);
  });
});

test('a pool cancels statements and lock waits after the configured times', async () => {
  const limited = createPool(process.env['TEST_DATABASE_URL'] ?? '', { statementTimeoutMs: 200, lockTimeoutMs: 100 });
  await pool.query('select pg_advisory_lock(1)');
  await expect(limited.query('select pg_advisory_lock(1)')).rejects.toThrow('lock timeout');
  await expect(limited.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
  await limited.end();
});

describe('a pool with prepared statements', () => {
  const url = process.env['TEST_DATABASE_URL'] ?? '';

  test.each([
    { kept: 1, uses: 5, text: 'select 5 + $1::int', of: 'a statement that was sent five times' },
    { kept: 0, uses: 4, text: 'select 4 + $1::int', of: 'a statement that was sent four times' },
    { kept: 0, uses: 5, text: 'select 6 + $1::int', isOff: true, of: 'any statement where they are off' },
    { kept: 0, uses: 5, text: `select 7 + $1::int ${plannedMark}`, of: 'a statement that is planned for its values' },
  ])('keeps $kept on its connection for $of', async ({ kept, uses, text, isOff = false }) => {
    const other = createPool(url, { max: 1, preparedStatements: !isOff });
    for (let use = 0; use < uses; use += 1) await other.query(text, [1]);
    const { rows } = await other.query('select from pg_prepared_statements');
    await other.end();
    expect(rows).toHaveLength(kept);
  });

  test('gives a statement the same name in every process', async () => {
    const other = createPool(url, { max: 1 });
    for (let use = 0; use < 5; use += 1) await other.query('select $1::int as named', [1]);
    const { rows } = await other.query('select name from pg_prepared_statements');
    await other.end();
    expect(rows).toEqual([{ name: 'TSTqPaeSuCP1wbSQekhO' }]);
  });

  test('repeats a statement whose columns a migration changed, alone and in a transaction', async () => {
    const changing = createPool(url, { max: 1 });
    const changingDb = createDb(changing);
    const alone = 'select *, 1 as alone from changing where id = $1';
    const within = sql`select *, 2 as within from changing where id = ${1}`;
    await changing.query('create temp table changing as select 1 as id');
    for (let use = 0; use < 5; use += 1) {
      await changing.query(alone, [1]);
      await within.execute(changingDb);
    }
    await changing.query('alter table changing add column added int');
    const { rows } = await changing.query(alone, [1]);
    const found = await inTransaction(changingDb, (tx) => within.execute(tx));
    await changing.end();
    expect(rows).toEqual([{ id: 1, added: null, alone: 1 }]);
    expect(found.rows).toEqual([{ id: 1, added: null, within: 2 }]);
  });
});

test.each([
  [-1, ['select pg_database', 'update nowhere', 'select pg_class']],
  [60_000, []],
])(
  'a pool reports statements slower than %i ms by operation and tables, whether they fail or not',
  async (slowMs, heard) => {
    const names: string[] = [];
    const watched = createPool(process.env['TEST_DATABASE_URL'] ?? '', { slowMs, onSlow: (name) => names.push(name) });
    // The settings of a new connection are sent as a statement, too.
    const statements = () => names.filter((name) => name !== 'select');
    await watched.query("select 'Canary' from pg_database where datname <> 'Ada' limit $1", [1]);
    await expect(watched.query('update "nowhere" set x = 1')).rejects.toThrow();
    await createDb(watched).executeQuery(CompiledQuery.raw('select 1 from pg_class limit 1'));
    await watched.end();
    expect(statements()).toEqual(heard);
  },
);

test.each([
  ['/* a mark */\n select * from "profile" p join "account" a on true where name = \'x\'', 'select profile, account'],
  ['insert into mail values ($1)', 'insert mail'],
  ['with new as (select 1 from a) update b set c = 1 from d', 'with a, b, d'],
  ['commit', 'commit'],
])('statementName turns %j into %j', (text, name) => {
  expect(statementName(text)).toBe(name);
});

describe('inTransaction', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    await app.pool.query('create table pair_of_rows (id int primary key, changes int not null default 0)');
    await app.pool.query('insert into pair_of_rows values (1), (2)');
  });
  afterAll(() => app.close());

  const change = (tx: Db, id: number) =>
    sql`update pair_of_rows set changes = changes + 1 where id = ${id}`.execute(tx);

  test('retries when the database aborts it because of a deadlock', async () => {
    await app.pool.query('update pair_of_rows set changes = 0');
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

  test('gives up after three retries', async () => {
    let runs = 0;
    const conflict = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`.execute(tx);
    });
    await expect(conflict).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(4);
  });

  test('does not retry after other errors', async () => {
    let runs = 0;
    const refused = inTransaction(app.db, async (tx) => {
      runs += 1;
      await sql`insert into pair_of_rows values (1)`.execute(tx);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });

  test('rejects statements after it has ended', async () => {
    const kept: Db[] = [];
    await inTransaction(app.db, async (tx) => {
      kept.push(tx);
      await change(tx, 1);
    });
    for (const tx of kept) await expect(change(tx, 1)).rejects.toThrow('already committed');
  });
});
