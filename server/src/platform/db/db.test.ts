import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, createPool, inTransaction, type Db } from './db.ts';
import { CompiledQuery } from 'kysely';

const giveUpMs = 300;
// Longer than half the test timeout, so that waiting twice fails.
const hanging = CompiledQuery.raw('select pg_sleep(60)');
let pool: pg.Pool;
let db: Db;

beforeEach(async () => {
  pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, giveUpMs });
  db = createDb(pool);
  // The server must not cancel the statement itself, to simulate a hanging server.
  await pool.query('set statement_timeout = 0');
});

afterEach(async () => {
  await pool.end();
});

const one = async () => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

test('gives up a hanging query and discards its connection', async () => {
  await expect(db.executeQuery(hanging)).rejects.toThrow('timeout');
  expect(pool.totalCount).toBe(0);
  expect(await one()).toBe(1);
});

test('gives up a hanging transaction without waiting for its rollback', async () => {
  const started = performance.now();
  await expect(inTransaction(db, (tx) => tx.executeQuery(hanging))).rejects.toThrow(/timeout|closed/);
  expect(performance.now() - started).toBeLessThan(2 * giveUpMs);
  expect(pool.totalCount).toBe(0);
  expect(await one()).toBe(1);
});

test('keeps the connection after a refused query', async () => {
  await expect(db.executeQuery(CompiledQuery.raw('select nonsense'))).rejects.toThrow('nonsense');
  expect(pool.totalCount).toBe(1);
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
