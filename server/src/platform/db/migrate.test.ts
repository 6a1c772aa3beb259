import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { StartError } from '../process/lifecycle.ts';

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
  for (const part of ['schema', 'migrations', 'sql']) mkdirSync(join(folder, part));
  put('schema/01-first.sql', 'create table first (id int);');
  put('schema/02-second.sql', 'create table second (id int); insert into first values (1);');
});

afterEach(async () => {
  await server.query(`drop database ${database} with (force)`);
  await server.end();
  rmSync(folder, { recursive: true });
});

const put = (name: string, sql: string) => writeFileSync(join(folder, name), sql);
const remove = (name: string) => rmSync(join(folder, name));

/** The first column of the rows that `sql` selects. */
async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

const tables = () => query("select tablename from pg_tables where schemaname = 'public' order by 1");
const files = () => query('select name from schema_file order by name');

describe('schema/ and migrations/', () => {
  it('are applied once, in order of their names', async () => {
    put('migrations/0001-third.sql', 'create table third (id int); insert into third select id from first;');
    expect(await migrate(url, folder)).toEqual([
      'schema/01-first.sql',
      'schema/02-second.sql',
      'migrations/0001-third.sql',
    ]);
    expect(await migrate(url, folder)).toEqual([]);
    put('migrations/0002-more.sql', 'insert into third values (2);');
    expect(await migrate(url, folder)).toEqual(['migrations/0002-more.sql']);
    expect(await query('select id from third order by id')).toEqual([1, 2]);
  });

  it('are identified by name, whatever folder they are in', async () => {
    for (const name of ['next', '0.3.0']) mkdirSync(join(folder, 'migrations', name));
    put('migrations/next/0001-third.sql', 'create table third (id int);');
    expect(await migrate(url, folder)).toContain('migrations/0001-third.sql');
    renameSync(join(folder, 'migrations/next/0001-third.sql'), join(folder, 'migrations/0.3.0/0001-third.sql'));
    put('migrations/next/0002-more.sql', 'insert into third values (2);');
    expect(await migrate(url, folder)).toEqual(['migrations/0002-more.sql']);
  });

  it('are applied once when several processes start at the same time', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, folder)));
    expect(applied.flat()).toHaveLength(2);
    expect(await query('select id from first')).toEqual([1]);
  });

  it('wait for a table that others use without blocking requests, and try again', async () => {
    await migrate(url, folder);
    put('migrations/0001-more.sql', 'alter table first add column note text;');
    const busy = new pg.Client({ connectionString: url });
    await busy.connect();
    await busy.query('begin; select from first');
    const migrated = migrate(url, folder);
    // It gave up its place in the queue: a request succeeded although the table is still in use.
    await vi.waitFor(
      async () => expect(await query('select count(*)::int from pg_locks where not granted')).toEqual([1]),
      { timeout: 60_000 },
    );
    await query('insert into first values (2)');
    await busy.query('commit');
    await busy.end();
    expect(await migrated).toEqual(['migrations/0001-more.sql']);
  });

  it('build indexes concurrently in a file without a transaction, even when several processes start', async () => {
    await migrate(url, folder);
    put(
      'migrations/0001-index.sql',
      '-- no transaction\ndrop index concurrently if exists first_id;\ncreate index concurrently first_id on first (id);\n',
    );
    const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(url, folder)));
    expect(applied.flat()).toEqual(['migrations/0001-index.sql']);
    expect(await query("select indisvalid from pg_index where indexrelid = 'first_id'::regclass")).toEqual([true]);
  });

  it('leave nothing behind when a baseline file fails', async () => {
    put('schema/02-second.sql', 'select 1 / 0;');
    await expect(migrate(url, folder)).rejects.toThrow(
      'The file schema/02-second.sql failed and was undone: division by zero.',
    );
    expect(await tables()).toEqual(['schema_file']);
    put('schema/02-second.sql', 'create table second (id int);');
    expect(await migrate(url, folder)).toHaveLength(2);
  });

  it('undo a migration that fails, and keep the earlier ones', async () => {
    put('migrations/0001-third.sql', 'create table third (id int);');
    put('migrations/0002-broken.sql', 'create table fourth (id int); select 1 / 0;');
    await expect(migrate(url, folder)).rejects.toThrow(
      'The file migrations/0002-broken.sql failed and was undone: division by zero.',
    );
    expect(await tables()).toEqual(['first', 'schema_file', 'second', 'third']);
  });

  it('refuse to start if an applied file was changed', async () => {
    put('migrations/0001-third.sql', 'create table third (id int);');
    await migrate(url, folder);
    put('migrations/0001-third.sql', 'create table third (id bigint);');
    await expect(migrate(url, folder)).rejects.toThrow(/^The file migrations\/0001-third\.sql differs from/);
    put('migrations/0001-third.sql', 'create table third (id int);');
    put('schema/01-first.sql', 'create table first (id bigint);');
    await expect(migrate(url, folder)).rejects.toThrow(/^The files in server\/schema differ from/);
    put('schema/01-first.sql', 'create table first (id int);');
    put('schema/03-new.sql', 'create table new (id int);');
    await expect(migrate(url, folder)).rejects.toThrow(/^The files in server\/schema differ from/);
  });

  it('refuse the database of a newer release', async () => {
    put('migrations/0009-newer.sql', 'select 1;');
    await migrate(url, folder);
    remove('migrations/0009-newer.sql');
    const error = await migrate(url, folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(
      /The database has migrations\/0009-newer\.sql, which this release does not know: start the newer release again\.$/,
    );
  });

  it('refuse a database from before 0.2.0 and leave it unchanged', async () => {
    await query('create table account (id int)');
    await query('create table migration (name text primary key, checksum text not null)');
    await query("insert into migration values ('0001-accounts.sql', 'abc')");
    const error = await migrate(url, folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(
      /made by a release before 0\.2\.0.+start with an empty database or another DATA_DIR\.$/,
    );
    expect(await tables()).toEqual(['account', 'migration']);
    expect(await query('select name from migration')).toEqual(['0001-accounts.sql']);
  });
});

describe('sql/', () => {
  const returning = (text: string) =>
    `create function logic.answer() returns text language sql as $$ select '${text}' $$;`;
  const trigger = (name: string) => `
    create function logic.on_${name}() returns trigger language plpgsql as $$ begin new.id := new.id + 1; return new; end $$;
    create trigger ${name} before insert on first for each row execute function logic.on_${name}();`;

  it('is applied after the migrations, and again when its text changes', async () => {
    put('migrations/0001-third.sql', 'create table third (id int);');
    put(
      'sql/answers.sql',
      'create function logic.thirds() returns bigint language sql as $$ select count(*) from third $$;',
    );
    expect(await migrate(url, folder)).toHaveLength(4);
    expect(await migrate(url, folder)).toEqual([]);
    put('sql/answers.sql', returning('new'));
    expect(await migrate(url, folder)).toEqual(['sql/answers.sql']);
    expect(await query('select logic.answer()')).toEqual(['new']);
    expect(await query("select to_regproc('logic.thirds')")).toEqual([null]);
  });

  it('replaces functions whose arguments or results changed', async () => {
    put('sql/answers.sql', returning('text'));
    await migrate(url, folder);
    put('sql/answers.sql', 'create function logic.answer(n int default 7) returns int language sql as $$ select n $$;');
    await migrate(url, folder);
    expect(await query('select logic.answer()')).toEqual([7]);
  });

  it('drops functions and triggers that are no longer in its files', async () => {
    put('sql/one.sql', trigger('one'));
    put('sql/two.sql', trigger('two'));
    await migrate(url, folder);
    await query('insert into first values (10)');
    remove('sql/two.sql');
    expect(await migrate(url, folder)).toEqual([]);
    expect(await files()).not.toContain('sql/two.sql');
    await query('insert into first values (20)');
    expect(await query('select id from first where id >= 10 order by id')).toEqual([12, 21]);
    expect(await query("select proname from pg_proc where pronamespace = 'logic'::regnamespace")).toEqual(['on_one']);
    expect(await query('select tgname from pg_trigger where not tgisinternal')).toEqual(['one']);
  });

  it('leaves the database unchanged when a file fails', async () => {
    put('sql/answers.sql', returning('old'));
    await migrate(url, folder);
    put('sql/answers.sql', returning('new'));
    put('sql/broken.sql', 'create function logic.broken() returns int language sql as $$ select nothing $$;');
    await expect(migrate(url, folder)).rejects.toThrow(/^The file sql\/broken\.sql failed and was undone/);
    expect(await query('select logic.answer()')).toEqual(['old']);
  });

  it('never drops an index that depends on a function', async () => {
    put(
      'sql/answers.sql',
      'create function logic.half(n int) returns int language sql immutable as $$ select n / 2 $$;',
    );
    await migrate(url, folder);
    await query('create index first_half on first (logic.half(id))');
    put('sql/answers.sql', returning('new'));
    await expect(migrate(url, folder)).rejects.toThrow(/^The functions of sql\/ cannot be replaced: .* depend on/);
    expect(await query("select to_regclass('first_half')::text")).toEqual(['first_half']);
  });
});
