import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, createPool, inTransaction, type Db } from './db.ts';
import { CompiledQuery } from 'kysely';

const giveUpMs = 300;
// Longer than the test may take, so that whoever waits for it twice fails.
const hanging = CompiledQuery.raw('select pg_sleep(60)');
let pool: pg.Pool;
let db: Db;

beforeEach(async () => {
  pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { max: 1, giveUpMs });
  db = createDb(pool);
  // The server itself must not end the statement: that is how a server that hangs looks from here.
  await pool.query('set statement_timeout = 0');
});

afterEach(async () => {
  await pool.end();
});

const one = async () => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

test('a query that hangs is given up, and nobody inherits its connection', async () => {
  await expect(db.executeQuery(hanging)).rejects.toThrow('timeout');
  expect(pool.totalCount).toBe(0);
  expect(await one()).toBe(1);
});

test('a transaction that hangs is given up as soon, without waiting for its rollback too', async () => {
  const started = performance.now();
  await expect(inTransaction(db, (tx) => tx.executeQuery(hanging))).rejects.toThrow(/timeout|closed/);
  expect(performance.now() - started).toBeLessThan(2 * giveUpMs);
  expect(pool.totalCount).toBe(0);
  expect(await one()).toBe(1);
});

test('a query that is refused keeps its connection', async () => {
  await expect(db.executeQuery(CompiledQuery.raw('select nonsense'))).rejects.toThrow('nonsense');
  expect(pool.totalCount).toBe(1);
});
