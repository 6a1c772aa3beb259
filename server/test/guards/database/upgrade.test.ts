import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { checkSchema, migrate } from '#platform/db/migrate.ts';
import { withClient } from '#platform/db/connection.ts';
import { cloneDatabase, type TestDatabase } from '../../harness.ts';

const serverFolder = resolve(import.meta.dirname, '../../..');
const releasedFolder = join(serverFolder, 'test/releases/0.2.0');

/** Everything that a dump of the tables contains, except the order of columns in indexes and tables. */
const catalog = `
  select format('%s.%s %s %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, attcollation::regcollation, pg_get_expr(adbin, adrelid)) as line
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
  union all
  select format('%s %s %s %s', oid::regclass, relkind, relpersistence, reloptions) from pg_class
    where relkind in ('r', 'p', 'i', 'I', 'S') and relnamespace = 'public'::regnamespace and not oid::regclass::text ~ '^test_'
  union all
  select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all
  select format('%s %s', pg_get_indexdef(indexrelid), indisvalid) from pg_index join pg_class c on c.oid = indrelid
    where relnamespace = 'public'::regnamespace
  union all
  select pg_get_functiondef(oid) from pg_proc where pronamespace in ('public'::regnamespace, 'logic'::regnamespace) and prolang <> 13
  union all
  select format('%s %s', tgrelid::regclass, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal and tgparentid = 0
  union all
  select format('%s %s', name, checksum) from schema_file order by 1`;

const linesOf = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line));

let released: TestDatabase;
let current: string[];
beforeAll(async () => {
  released = await cloneDatabase('template0');
  await migrate(released.url, releasedFolder);
  await withClient(released.url, (client) => client.query(people));
  const fresh = await cloneDatabase('template0');
  await migrate(fresh.url);
  current = await linesOf(fresh.url, catalog);
  await fresh.drop();
});
afterAll(() => released.drop());

/** Three members of 0.2.0, and a like with a note. */
const people = `
  insert into account (email, created_at) select 'member' || n || '@example.test', now() - interval '40 days' from generate_series(1, 3) n;
  insert into decision (viewer_id, target_id, kind, decided_at, note)
    select one.id, other.id, 'like', now(), 'Hello!' from account one, account other
    where one.email = 'member1@example.test' and other.email = 'member2@example.test'`;

async function clone(): Promise<TestDatabase> {
  const database = await cloneDatabase(new URL(released.url).pathname.slice(1));
  onTestFinished(() => database.drop());
  return database;
}

it('turns a database of 0.2.0 into one of this release, with all data', async () => {
  const { url } = await clone();
  expect(await migrate(url)).toContain('upgrade/01-columns.sql');
  expect(await linesOf(url, catalog)).toEqual(current);
  expect(await linesOf(url, 'select note || kind as line from decision')).toEqual(['Hello!like']);
  expect(await migrate(url)).toEqual([]);
  await checkSchema(url);
});

it.each(['upgrade/01-columns.sql', 'upgrade/03-indexes.sql', 'schema/0.3.0/30-holds.sql', 'upgrade/41-figures.sql'])(
  'resumes after an interruption in %s',
  async (name) => {
    const { url } = await clone();
    const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const part of ['schema', 'upgrade', 'migrations', 'sql'])
      cpSync(join(serverFolder, part), join(folder, part), { recursive: true });
    const statements = readFileSync(join(folder, name), 'utf8').split(/;\n/);
    const middle = Math.floor(statements.length / 2);
    writeFileSync(join(folder, name), statements.toSpliced(middle, 0, '\nselect 1 / 0').join(';\n'));
    await expect(migrate(url, folder)).rejects.toThrow(/division by zero/);
    await expect(checkSchema(url)).rejects.toThrow(/run npm run migrate/);
    await migrate(url);
    expect(await linesOf(url, catalog)).toEqual(current);
  },
);

it('refuses a database from between the two releases, and leaves it unchanged', async () => {
  const { url } = await clone();
  const change = "insert into schema_file (name, checksum) values ('migrations/0023-server-processes.sql', 'x')";
  await withClient(url, (client) => client.query(change));
  const before = await linesOf(url, catalog);
  await expect(migrate(url)).rejects.toThrow(/neither those of 0\.2\.0 nor those of this release/);
  await expect(checkSchema(url)).rejects.toThrow(/neither those of 0\.2\.0 nor those of this release/);
  expect(await linesOf(url, catalog)).toEqual(before);
});
