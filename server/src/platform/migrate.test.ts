import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
let server: pg.Client;
let database: string;
let url: string;
let folder: string;

beforeEach(async () => {
  server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  database = `migrate_${randomUUID().replaceAll('-', '')}`;
  await server.query(`create database ${database} strategy file_copy`);
  const own = new URL(serverUrl);
  own.pathname = database;
  url = own.href;
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  put('0001-first.sql', 'create table first (id int);');
  put('0002-second.sql', 'insert into first values (1); create table second (id int);');
});

afterEach(async () => {
  await server.query(`drop database ${database} with (force)`);
  await server.end();
  rmSync(folder, { recursive: true });
});

function put(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql);
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows.map((row) => Object.values(row)[0]);
}

test('applies what is missing, in the order of the names, once', async () => {
  expect(await migrate(url, folder)).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await migrate(url, folder)).toEqual([]);
  put('0003-third.sql', 'insert into second values (3);');
  expect(await migrate(url, folder)).toEqual(['0003-third.sql']);
  expect(await query('select id from first')).toEqual([1]);
});

test('applies each once when several processes start at the same time', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, folder)));
  expect(applied.flat()).toHaveLength(2);
  expect(await query('select id from first')).toEqual([1]);
});

test('a migration that fails is undone and named; those before it stay', async () => {
  put('0003-broken.sql', 'create table third (id int); select 1 / 0;');
  await expect(migrate(url, folder)).rejects.toThrow(
    'The migration 0003-broken.sql failed and was undone: division by zero.',
  );
  expect(await query("select name from migration where name > '0002'")).toEqual(['0002-second.sql']);
  expect(await query("select to_regclass('third')")).toEqual([null]);
});

test('refuses a migration that was changed after it was applied', async () => {
  await migrate(url, folder);
  put('0001-first.sql', 'create table first (id bigint);');
  await expect(migrate(url, folder)).rejects.toThrow(/^The migration 0001-first\.sql differs/);
});

test('refuses the database of a newer release', async () => {
  put('0009-newer.sql', 'select 1;');
  await migrate(url, folder);
  rmSync(join(folder, '0009-newer.sql'));
  await expect(migrate(url, folder)).rejects.toThrow(/0009-newer\.sql, which this release does not know/);
});
