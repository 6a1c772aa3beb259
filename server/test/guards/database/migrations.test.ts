import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#platform/db/migrate.ts';
import { cloneDatabase, type TestDatabase } from '../../harness.ts';

/** Tables with so few rows that reading or writing all of them takes milliseconds. */
const smallTables = [
  'automatic_rule',
  'case_time',
  'community_rule',
  'installation',
  'sanction',
  'secret',
  'statistic',
];
/**
 * The functions that servers of the last release and this one call, with a hash of what they do. During an upgrade those servers
 * call the new version: a function with a new meaning gets a new name, and the old one is removed a release later. If a
 * change keeps the meaning for callers, replace the hash.
 */
const calledFunctions: Record<string, string> = {
  answers_changed: '80ca29b01c7f',
  audit_batch: 'ace6fed1b4e2',
  create_audit_months: '4e9e86ddb32b',
  drop_expired_audit: 'e0f892225978',
  has_hidden_word: 'b735a08d3360',
  hidden_cases: '819ef172e07b',
  hidden_people: 'ac6a12c4f0d6',
  judged_people: '69bc91980500',
  lock_pair: '7b3be989d982',
  note_seen: '31334d5698a2',
  notify_reports: 'ac835eb2cc63',
  own_accounts: '419baf90da7f',
  own_cases: 'b0541437b3a8',
  place_cell: '839a79f27362',
  refresh_online: '6e6bc9b0ef25',
  refresh_pictures: 'd9f66beb0a90',
  refresh_words: '490576edffd4',
  report_search_text: 'c8466284152b',
  report_statistic_keys: 'a09d79d901af',
  seal_audit: '3abda2b79691',
  statistic_fold: '41b46bf39748',
};

const serverFolder = resolve(import.meta.dirname, '../../..');

/** The names after `logic.` in the server's statements, whether or not the database has such a function. */
const namesCalled = () =>
  globSync('src/**/*.ts', { cwd: serverFolder })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(serverFolder, file), 'utf8').matchAll(/\blogic\.(\w+)\(/g)])
    .map(([, name = '']) => name);

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}

interface Table {
  name: string;
  /** The file number, which changes when the table is rewritten. */
  file: number;
  columns: Map<number, Column>;
  /** The checks and foreign keys that were validated against all rows. */
  constraints: Map<number, string>;
  /** Whether each index is unique. */
  indexes: Map<string, boolean>;
}

type Catalog = Map<number, Table>;

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const catalog: Catalog = new Map();
  const tables = await client.query<{ oid: number; name: string; file: number }>(`
    select oid::int, oid::regclass::text as name, relfilenode::int as file from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`);
  for (const { oid, name, file } of tables.rows)
    catalog.set(oid, { name, file, columns: new Map(), constraints: new Map(), indexes: new Map() });
  const columns = await client.query<Column & { table: number; at: number }>(`
    select attrelid::int as table, attnum as at, attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull as "isRequired", atthasdef or attidentity <> '' as "hasDefault"
    from pg_attribute where attnum > 0 and not attisdropped`);
  for (const { table, at, ...column } of columns.rows) catalog.get(table)?.columns.set(at, column);
  const constraints = await client.query<{ table: number; oid: number; name: string }>(`
    select conrelid::int as table, oid::int, conname as name from pg_constraint where contype in ('c', 'f') and convalidated`);
  for (const { table, oid, name } of constraints.rows) catalog.get(table)?.constraints.set(oid, name);
  const indexes = await client.query<{ table: number; name: string; isUnique: boolean }>(`
    select indrelid::int as table, indexrelid::regclass::text as name, indisunique as "isUnique" from pg_index`);
  for (const { table, name, isUnique } of indexes.rows) catalog.get(table)?.indexes.set(name, isUnique);
  return catalog;
}

/**
 * What the difference between two states would break for the tables of the last release, whose servers keep running and
 * whose tables are large.
 */
function problemsBetween(before: Catalog, after: Catalog, text: string): string[] {
  return [...before].flatMap(([oid, old]) => {
    const now = after.get(oid);
    if (now === undefined) return [`drops ${old.name}`];
    if (now.name !== old.name) return [`renames ${old.name}`];
    const isLarge = !smallTables.includes(old.name);
    return [
      ...(isLarge && now.file !== old.file ? [`rewrites ${old.name}`] : []),
      ...columnProblems(old, now),
      ...(isLarge ? lockingProblems(old, now, text) : []),
      ...[...old.indexes]
        .filter(([name, isUnique]) => isUnique && !now.indexes.has(name))
        .map(([name]) => `drops ${name}`),
    ];
  });
}

function columnProblems(old: Table, now: Table): string[] {
  const kept = [...old.columns].flatMap(([at, column]) => {
    const name = `${old.name}.${column.name}`;
    const changed = now.columns.get(at);
    if (changed === undefined) return [`drops ${name}`];
    if (changed.name !== column.name) return [`renames ${name}`];
    if (changed.type !== column.type) return [`changes the type of ${name}`];
    if (changed.isRequired && !column.isRequired) return [`requires ${name}`];
    return column.hasDefault && !changed.hasDefault ? [`removes the default of ${name}`] : [];
  });
  const added = [...now.columns].filter(([at]) => !old.columns.has(at)).map(([, column]) => column);
  return [
    ...kept,
    ...added
      .filter(({ isRequired, hasDefault }) => isRequired && !hasDefault)
      .map(({ name }) => `requires ${old.name}.${name}, which the last release does not write`),
  ];
}

/** What would block members' writes while all rows are read. */
function lockingProblems(old: Table, now: Table, text: string): string[] {
  const isConcurrent = (name: string) => new RegExp(`create (unique )?index concurrently ${name}\\b`).test(text);
  return [
    ...[...now.indexes.keys()]
      .filter((name) => !old.indexes.has(name) && !isConcurrent(name))
      .map((name) => `builds ${name} without "concurrently"`),
    ...[...now.constraints]
      .filter(([oid, name]) => !old.constraints.has(oid) && !text.includes(`validate constraint ${name};`))
      .map(([, name]) => `adds ${name} without "not valid"`),
    ...(new RegExp(`^\\s*(update|delete from) (\\w+\\.)?${old.name}\\b`, 'm').test(text)
      ? [`writes all of ${old.name} in one transaction`]
      : []),
  ];
}

/** Statements that are allowed in a file without a transaction, because they are safe to repeat. */
const repeatable =
  /^((drop index concurrently if exists|create (unique )?index concurrently|alter table [\w.]+ validate constraint) .+|insert into .+\son conflict do nothing)?$/s;

function textProblems(text: string): string[] {
  if (!text.startsWith('-- no transaction\n')) return [];
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\n/)
    .map((statement) => statement.trim());
  const created = [...text.matchAll(/create (?:unique )?index concurrently (\w+)/g)].map(([, name = '']) => name);
  return [
    ...statements
      .filter((statement) => !repeatable.test(statement))
      .map((statement) => `has a statement that cannot be repeated: ${statement}`),
    ...created
      .filter((name) => !text.includes(`drop index concurrently if exists ${name};`))
      .map((name) => `leaves behind the invalid index ${name} if it is interrupted`),
  ];
}

const migrationsFolder = join(serverFolder, 'migrations');
/**
 * The migrations of the next release. Those of earlier releases, in folders with their versions, were already applied.
 */
const nextFolder = join(migrationsFolder, 'next');
/** The files of a folder in order; none if a release has just renamed it. */
const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

let folder: string;
/** The database of the last release, from which others are cloned. */
let base: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'released-'));
  mkdirSync(join(folder, 'sql'));
  cpSync(join(serverFolder, 'schema'), join(folder, 'schema'), { recursive: true });
  cpSync(migrationsFolder, join(folder, 'migrations'), { recursive: true, filter: (path) => path !== nextFolder });
  base = await cloneDatabase('template0');
  await migrate(base.url, folder);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await base.drop();
});

async function catalogOf(url: string): Promise<Catalog> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readCatalog(client);
  } finally {
    await client.end();
  }
}

/**
 * What remains of `released` in a later state: its tables with its columns. Anything added since may be dropped again.
 */
function releasedPart(released: Catalog, later: Catalog): Catalog {
  return new Map(
    [...later].flatMap(([oid, table]): [number, Table][] => {
      const columns = released.get(oid)?.columns;
      if (columns === undefined) return [];
      return [[oid, { ...table, columns: new Map([...table.columns].filter(([at]) => columns.has(at))) }]];
    }),
  );
}

/**
 * Applies migrations to a database of the last release one after the other, and returns what they would break there.
 */
async function lint(migrations: Record<string, string>): Promise<string[]> {
  const own = mkdtempSync(join(tmpdir(), 'lint-'));
  cpSync(folder, own, { recursive: true });
  const { url, drop } = await cloneDatabase(new URL(base.url).pathname.slice(1));
  const released = await catalogOf(url);
  const problems: string[] = [];
  for (const [name, text] of Object.entries(migrations)) {
    const before = releasedPart(released, await catalogOf(url));
    writeFileSync(join(own, 'migrations', name), text);
    await migrate(url, own);
    const found = [...textProblems(text), ...problemsBetween(before, await catalogOf(url), text)];
    problems.push(...found.map((problem) => `${name} ${problem}`));
  }
  await drop();
  rmSync(own, { recursive: true });
  return problems;
}

describe('migration files', () => {
  it('have unique numbers, and those of earlier releases come first', () => {
    const numbersIn = (name: string) => filesIn(join(migrationsFolder, name)).map((file) => file.slice(0, 4));
    const versions = readdirSync(migrationsFolder).filter((name) => /^\d/.test(name));
    const released = versions.flatMap(numbersIn).sort();
    const [last = '', added] = [released.at(-1), numbersIn('next')];
    const early = added.filter((number) => number <= last);
    expect(early, `Begin their names with a number after ${last}`).toEqual([]);
    expect(new Set(added).size).toBe(added.length);
  });
});

describe('migrations since the last release', () => {
  it('keep servers of the last release running, and block no writes', async () => {
    const added = filesIn(nextFolder);
    const problems = await lint(
      Object.fromEntries(added.map((name) => [name, readFileSync(join(nextFolder, name), 'utf8')])),
    );
    expect(problems, 'server/migrations/README.md says what to write instead').toEqual([]);
  });

  it.each([
    ['drops profile.bio', 'alter table profile drop column bio cascade;'],
    ['renames profile.bio', 'alter table profile rename column bio to about;'],
    ['changes the type of mail.template', 'alter table mail alter column template type varchar;'],
    ['drops idempotency', 'drop table idempotency;'],
    ['drops idempotency_pkey', 'alter table idempotency drop constraint idempotency_pkey;'],
    ['renames block', 'alter table block rename to blocked_person;'],
    ['requires mail.last_error', 'alter table mail alter column last_error set not null;'],
    ['removes the default of mail.attempts', 'alter table mail alter column attempts drop default;'],
    ['requires mail.kind, which the last release does not write', 'alter table mail add column kind text not null;'],
    ['rewrites mail', 'alter table mail add column token uuid default gen_random_uuid();'],
    ['builds mail_sent without "concurrently"', 'create index mail_sent on mail (sent_at);'],
    ['adds short without "not valid"', 'alter table mail add constraint short check (length(template) < 99);'],
    ['writes all of mail in one transaction', "update mail set status = 'dead';"],
    [
      'leaves behind the invalid index due if it is interrupted',
      '-- no transaction\ncreate index concurrently due on mail (sent_at);\n',
    ],
    [
      'has a statement that cannot be repeated: alter table mail add column two text',
      '-- no transaction\nalter table mail add column two text;\n',
    ],
  ])('are refused if one %s', async (problem, text) => {
    expect(await lint({ '9999-example.sql': text })).toEqual([`9999-example.sql ${problem}`]);
  });

  it('may add tables, columns and indexes, drop them again, and validate a constraint afterwards', async () => {
    const rule = 'alter table mail add constraint short check (length(template) < 99) not valid;\n';
    expect(
      await lint({
        '9997-add.sql': `create table extra (id int primary key); alter table mail add column kind text not null default 'x'; ${rule}`,
        '9998-change.sql':
          'alter table extra drop column id; alter table mail drop column kind; create index first on sanction (kind);',
        '9999-later.sql':
          '-- no transaction\nalter table mail validate constraint short;\n' +
          'drop index concurrently if exists due;\ncreate index concurrently due on mail (sent_at);\n',
      }),
    ).toEqual([]);
  });
});

describe('functions that servers of the last release and this one call', () => {
  it('still exist with the same meaning', async () => {
    const migrated = await cloneDatabase();
    const client = new pg.Client({ connectionString: migrated.url });
    await client.connect();
    const { rows } = await client.query<{ name: string; definition: string }>(
      `
      select proname as name, string_agg(concat_ws(' ', pg_get_function_arguments(oid), pg_get_function_result(oid), prosrc), ';') as definition
      from pg_proc where pronamespace = 'logic'::regnamespace and proname = any ($1) group by 1`,
      [[...Object.keys(calledFunctions), ...namesCalled()]],
    );
    await client.end();
    await migrated.drop();
    const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
    const found = Object.fromEntries(rows.map(({ name, definition }) => [name, digest(definition)]));
    expect(found, 'Read what `calledFunctions` above says').toEqual(calledFunctions);
  });
});
