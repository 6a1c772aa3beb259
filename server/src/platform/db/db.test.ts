import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDb, createPool, inTransaction, type Db, statementName } from './db.ts';
import { CompiledQuery } from 'kysely';

const giveUpMs = 300;
// Longer than half the test timeout, so that waiting twice fails.
const hanging = CompiledQuery.raw('select pg_sleep(60)');
let pool: pg.Pool;
let db: Db;
let errors: string[];

async function open(pipeline: boolean): Promise<void> {
  errors = [];
  const onError = ({ message }: Error) => errors.push(message);
  pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, giveUpMs, onError, pipeline });
  db = createDb(pool);
  // The server must not cancel the statement itself, to simulate a hanging server.
  await pool.query('set statement_timeout = 0');
}

beforeEach(() => open(true));
afterEach(async () => {
  await pool.end();
});

const one = async () => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

describe.each([{ pipeline: true }, { pipeline: false }])('a pool with pipeline $pipeline', ({ pipeline }) => {
  beforeEach(async () => {
    await pool.end();
    await open(pipeline);
  });

  test('gives up a hanging query and discards its connection', async () => {
    const started = performance.now();
    await expect(db.executeQuery(hanging)).rejects.toThrow('terminated');
    expect(performance.now() - started).toBeLessThan(2 * giveUpMs);
    expect(errors).toContain('a query was not answered within 300 ms');
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('gives up a hanging query of the pool', async () => {
    await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('terminated');
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('keeps a connection whose queries are answered one after the other for longer than that', async () => {
    await inTransaction(db, async (tx) => {
      for (let asked = 0; asked < 8; asked += 1) await tx.executeQuery(CompiledQuery.raw('select pg_sleep(0.1)'));
    });
    const client = await pool.connect();
    await Promise.all(Array.from({ length: 8 }, () => client.query('select pg_sleep(0.1)')));
    client.release();
    expect(pool.totalCount).toBe(1);
    expect(errors).toEqual([]);
  });

  test('gives up a hanging transaction without waiting for its rollback', async () => {
    const started = performance.now();
    await expect(inTransaction(db, (tx) => tx.executeQuery(hanging))).rejects.toThrow(/terminated|closed/);
    expect(performance.now() - started).toBeLessThan(2 * giveUpMs);
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });

  test('keeps the connection after a refused query', async () => {
    await expect(db.executeQuery(CompiledQuery.raw('select nonsense'))).rejects.toThrow('nonsense');
    expect(pool.totalCount).toBe(1);
  });

  test('gives up all statements behind a hanging one', async () => {
    const started = performance.now();
    const together = inTransaction(db, (tx) =>
      Promise.allSettled([hanging, hanging, hanging].map((statement) => tx.executeQuery(statement))),
    );
    await expect(together).rejects.toThrow(/terminated|closed|queryable/);
    expect(performance.now() - started).toBeLessThan(2 * giveUpMs);
    expect(pool.totalCount).toBe(0);
    expect(await one()).toBe(1);
  });
});

test('cancels statements and waits for locks after the configured times', async () => {
  const limited = createPool(process.env['TEST_DATABASE_URL'] ?? '', { statementTimeoutMs: 200, lockTimeoutMs: 100 });
  await pool.query('select pg_advisory_lock(1)');
  await expect(limited.query('select pg_advisory_lock(1)')).rejects.toThrow('lock timeout');
  await expect(limited.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
  await limited.end();
});

test.each([
  { preparedStatements: true, kept: 1 },
  { preparedStatements: false, kept: 0 },
])(
  'leaves $kept statements on its connection with preparedStatements $preparedStatements',
  async ({ preparedStatements, kept }) => {
    const other = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, preparedStatements });
    await other.query('/* prepared */ select $1::int', [1]);
    const { rows } = await other.query('select from pg_prepared_statements');
    await other.end();
    expect(rows).toHaveLength(kept);
  },
);

test.each([
  [-1, ['select pg_database', 'update nowhere', 'select pg_class']],
  [60_000, []],
])(
  'reports statements slower than %i ms, by what they do to which tables, whether they fail or not',
  async (slowMs, heard) => {
    const names: string[] = [];
    const watched = createPool(process.env['TEST_DATABASE_URL'] ?? '', { slowMs, onSlow: (name) => names.push(name) });
    await watched.query("select 'Canary' from pg_database where datname <> 'Ada' limit $1", [1]);
    await expect(watched.query('update "nowhere" set x = 1')).rejects.toThrow();
    await createDb(watched).executeQuery(CompiledQuery.raw('select 1 from pg_class limit 1'));
    await watched.end();
    expect(names).toEqual(heard);
  },
);

test.each([
  ['/* prepared */\n select * from "profile" p join "account" a on true where name = \'x\'', 'select profile, account'],
  ['insert into mail values ($1)', 'insert mail'],
  ['with new as (select 1 from a) update b set c = 1 from d', 'with a, b, d'],
  ['commit', 'commit'],
])('the name of %j is %j', (text, name) => {
  expect(statementName({ text })).toBe(name);
});
