import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../harness.ts';

const architecture = readFileSync(resolve(import.meta.dirname, '../../../../docs/architecture.md'), 'utf8');

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('the database has exactly the triggers that docs/architecture.md explains', async () => {
  const { rows } = await client.query<{ trigger: string }>(`
    select tgrelid::regclass || ' ' || tgname as trigger from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and not c.relispartition and c.relnamespace <> to_regnamespace('graphile_worker')`);
  const documented = [...architecture.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|/gm)].map(
    ([, table, name]) => `${table} ${name}`,
  );
  expect(rows.map(({ trigger }) => trigger).sort()).toEqual(documented.sort());
});

it('the database refuses a match despite a block and a block despite a match, even in direct SQL', async () => {
  const { rows } = await client.query<{ id: string }>(
    `insert into account (email) values ('a@pair.test'), ('b@pair.test') returning id`,
  );
  const [low, high] = rows.map(({ id }) => id).sort();
  const match = () =>
    client.query('insert into match (low_id, high_id, matched_at) values ($1, $2, now())', [low, high]);
  const block = () =>
    client.query('insert into block (blocker_id, blocked_id, created_at) values ($1, $2, now())', [high, low]);
  await match();
  await expect(block()).rejects.toMatchObject({ constraint: 'no_match_beside_block' });
  await client.query('delete from match');
  await block();
  await expect(match()).rejects.toMatchObject({ constraint: 'no_match_beside_block' });
});
