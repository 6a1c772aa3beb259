import { describe, expect, it, onTestFinished } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { getProfile, searchPlaces, searchUsers } from '#contract/profiles/profiles.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember } from '../test/factories.ts';
import { password, passwordHash } from '../test/guards/people.ts';
import { startAppOn, type TestApp } from '../test/harness.ts';
import { makeDatabase, type MadeDatabase, type OwnDatabase } from '../test/own-database.ts';
import { importPlaces } from './features/profiles/place/import-places.ts';
import { migrateDatabase, type OpenDatabase, openDatabase, prepareDatabase } from './open-database.ts';
import { readConfig } from '#platform/config/config.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { addJob, drainJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';

const everySign = ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~%41é`;

/** Opens and migrates the database like a start. */
async function prepare(env: Record<string, string>): Promise<OpenDatabase> {
  const database = await openDatabase(readConfig(env), 'a test', createLog('silent'));
  await prepareDatabase(database);
  return database;
}

async function make(own: OwnDatabase): Promise<MadeDatabase> {
  const made = await makeDatabase(own);
  onTestFinished(() => made.drop());
  return made;
}

async function startOn(own: OwnDatabase): Promise<TestApp> {
  const made = await makeDatabase(own);
  await prepare({ DATABASE_URL: made.url });
  const test = await startAppOn(made);
  onTestFinished(() => test.close());
  await importPlaces(test.pool);
  return test;
}

const spread = (statements: string[], target: string) => statements.map((one) => `alter ${target} set ${one}`);

const collationC = `encoding 'UTF8' locale_provider libc locale 'C'`;
const turkish = `encoding 'UTF8' locale_provider icu icu_locale 'tr-TR' locale 'C'`;
const ofDatabase = (...settings: string[]) => ({ asServer: spread(settings, 'database @') });
const ofRole = (...settings: string[]) => ({ asServer: spread(settings, 'role #') });

const works: Record<string, OwnDatabase> = {
  'with day-first dates': ofDatabase(`datestyle = 'SQL, DMY'`),
  'with SQL-standard intervals': ofDatabase(`intervalstyle = 'sql_standard'`),
  'with the old bytea format': ofDatabase(`bytea_output = 'escape'`, 'standard_conforming_strings = off'),
  'with rounded floats': ofDatabase('extra_float_digits = -10'),
  'with a quarter-hour time zone': ofDatabase(`timezone = 'Asia/Kathmandu'`),
  'with an empty search path': ofDatabase(`search_path = ''`),
  'with read-only transactions by default': ofDatabase('default_transaction_read_only = on'),
  'with serializable transactions': ofDatabase(`default_transaction_isolation = 'serializable'`),
  'with changed null handling': ofDatabase('transform_null_equals = on', 'array_nulls = off'),
  'with short timeouts of the role': ofRole(
    `statement_timeout = '100ms'`,
    `idle_session_timeout = '500ms'`,
    `transaction_timeout = '500ms'`,
  ),
  'with collation C': { options: collationC },
  'with ICU’s Turkish rules': { options: turkish },
  'with a role that has its own schema': { inside: ['create schema # authorization #'] },
  'with every special character in the encoded password': { password: everySign },
};

/** Checks what members and staff see of a few people and places whose letters every collation treats differently. */
async function expectWorking(test: TestApp): Promise<void> {
  const [email, birthDate] = ['brice@example.test', '1990-02-03'];
  const names = { firstName: 'İpek', lastName: 'ŁÓDŹ BRISTOL', birthDate };
  await makeMember(test, { ...names, email, passwordHash: await passwordHash() });
  await makeMember(test, { firstName: 'Москва', lastName: 'Istanbul' });
  const { data } = (await test.call(login, { body: { email, password } })).body;
  if (!('token' in data)) throw new Error('a session was expected');
  const { token } = data;
  const { user } = (await test.call(getProfile, { token })).body.userData;
  expect(user).toMatchObject({ birthDate, createdAt: test.clock.now().toISOString() });

  const staff = await makeAdministrator(test);
  const found = async (search: string) =>
    (await test.call(listUsers, { token: staff.token, query: { search } })).body.data.users.length;
  const terms = ['łódź', 'LODZ', 'москва', 'МОСКВА', 'istanbul', 'ISTANBUL', 'BRISTOL', 'bristol', 'ipek', 'other'];
  const counts = await Promise.all(terms.map(async (term) => [term, await found(term)] as const));
  expect(counts).toEqual(terms.map((term) => [term, term === 'other' ? 0 : 1]));
  const members = await test.call(searchUsers, { token, query: { search: 'МОСКВА' } });
  expect(members.body.data.users).toHaveLength(1);

  const place = async (search: string) =>
    (await test.call(searchPlaces, { token, query: { search } })).body.data.places[0]?.city;
  expect(await Promise.all(['ISTANBUL', 'łódź', 'bristol'].map(place))).toEqual(['Istanbul', 'Łódź', 'Bristol']);
  await test.drain();
}

const trigrams = `create extension pg_trgm`;

/** Databases that the product can't work with, and how the error message ends. */
const refused: Record<string, [OwnDatabase, RegExp]> = {
  'the encoding LATIN1': [
    { options: collationC.replace('UTF8', 'LATIN1') },
    /^The database own_\w+ has the encoding LATIN1, but UTF8 is needed: .*\.$/,
  ],
  'the encoding SQL_ASCII': [
    { options: collationC.replace('UTF8', 'SQL_ASCII') },
    /^The database own_\w+ has the encoding SQL_ASCII, but UTF8 is needed: .*\.$/,
  ],
  'a role that may not create anything': [
    { isOwner: false },
    /^The role own_\w+ may not create tables in the database own_\w+: .* DATABASE_OWNER_URL\.$/,
  ],
  'a role that may create tables, but no schemas': [
    { isOwner: false, inside: ['grant create on schema public to #'] },
    /^The role own_\w+ may not create what is needed .*: as a superuser, run grant create, temporary on database own_\w+ to own_\w+\.$/,
  ],
  'a role that owns the database, but may not use public': [
    { inside: ['revoke all on schema public from public, pg_database_owner'] },
    /^The role own_\w+ may not create tables in the database own_\w+: .* DATABASE_OWNER_URL\.$/,
  ],
  'no schema public': [
    { inside: ['drop schema public'] },
    /^The database own_\w+ has no schema public: create it with create schema public\.$/,
  ],
  'tables in another schema': [
    { inside: ['create schema # authorization #', 'create table #.schema_file (name text)'] },
    /^The tables are in the schema own_\w+ of the database own_\w+, but .* alter schema own_\w+ rename to public\.$/,
  ],
  'an extension in another schema': [
    { inside: ['create schema extensions', `${trigrams} schema extensions`] },
    /^The extension pg_trgm is in the schema "extensions" .* alter extension pg_trgm set schema public\.$/,
  ],
};

describe("an operator's own database", () => {
  it.each(Object.entries(works))('works %s', async (_, own) => {
    await expectWorking(await startOn(own));
  });

  it.each(Object.entries(refused))('is refused with a one-sentence message: %s', async (_, [own, words]) => {
    const made = await make(own);
    const before = await made.contents();
    await expect(prepare({ DATABASE_URL: made.url })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(words) as string,
    });
    expect(await made.contents()).toEqual(before);
  });

  it('is refused if its owner cannot grant the serving role its rights', async () => {
    const rights = ['grant create, temporary on database @ to #', 'grant create on schema public to #'];
    const [made, serving] = [await make({ isOwner: false, inside: rights }), await make({})];
    const url = new URL(made.url);
    url.username = serving.role;
    const before = await made.contents();
    const env = { DATABASE_URL: url.href, DATABASE_OWNER_URL: made.url };
    await expect(prepare(env)).rejects.toThrow(
      /^The role own_\w+ may not give the role own_\w+ its rights: as a superuser, run grant create, temporary on database own_\w+ to own_\w+\.$/,
    );
    expect(await made.contents()).toEqual(before);
  });

  it('is refused behind a pooler if the role’s own settings don’t fit, and the message contains the statements that fix them', async () => {
    const made = await make({
      asServer: [`alter role # set bytea_output = 'escape'`, `alter role # set datestyle = 'German'`],
      inside: ['create schema # authorization #'],
    });
    const env = { DATABASE_URL: `${made.url}&application_name=pooled`, DATABASE_DIRECT_URL: made.url };
    const refusal = await prepare(env).catch((error: unknown) => error as Error);
    expect(refusal).toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /run alter role own_\w+ set bytea_output = 'hex'; alter role own_\w+ set search_path = 'public'\.$/,
      ) as string,
    });
    const statements = /run (.*)\.$/.exec((refusal as Error).message)?.[1] ?? '';
    await made.run([statements]);
    await expect(prepare(env)).resolves.toMatchObject({ directUrl: made.url });
  });

  const secret = 'q7';
  it.each([
    ...['/', '?', '#', '%'].map((sign) => [sign, `${secret}${sign}${secret}`]),
    ['character after digits, which look like a port', `12/${secret}`],
    ['space next to encoded characters', `${secret} ${secret}%40`],
    ['set of several characters', `1@${secret}/${secret}@?${secret}=1`],
    ['% before digits that are not hexadecimal', `${secret}%ff${secret}`],
  ])('is refused with an unencoded %s in the password, which the message does not repeat', (_, unencoded) => {
    const DATABASE_URL = `postgres://heartwood:${unencoded}@127.0.0.1:1/heartwood`;
    const error = thrownBy(() => readConfig({ DATABASE_URL }));
    expect(error).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^DATABASE_URL cannot be read: /),
    });
    expect(error).not.toMatchObject({ message: expect.stringContaining(secret) });
  });

  it.each(['@', ':', '&=+;,', '[]', '|\\^'])('accepts an unencoded %s in the password', async (signs) => {
    const text = `${secret}${signs}${secret}`;
    const made = await make({ password: text });
    const DATABASE_URL = made.url.replace(`:${new URL(made.url).password}@`, () => `:${text}@`);
    expect(DATABASE_URL).toContain(text);
    const opened = await openDatabase(readConfig({ DATABASE_URL }), 'a test', createLog('silent'));
    expect(opened.ownerUrl).toBe(DATABASE_URL);
  });
});

describe('an operator’s database with two roles', () => {
  /** A database migrated by its owner, and its URL for the serving role. */
  async function makeTwoRoles() {
    const serving = await make({ isOwner: false });
    const made = await make({});
    const url = new URL(made.url);
    url.username = serving.role;
    const roles = { directUrl: url.href, ownerUrl: made.url };
    await migrateDatabase(roles);
    return { made, serving, roles };
  }

  /** Reads everything that a dump reads, in the same way. */
  async function readEverything(url: string): Promise<void> {
    const pool = createPool(url, { max: 1 });
    onTestFinished(() => pool.end());
    await pool.query('set row_security = off');
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
         where relkind in ('r', 'p', 'S', 'v', 'm') and nspname !~ '^pg_|^information_schema$'`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['graphile_worker._private_jobs', 'audit.other', 'public.account']),
    );
    for (const { name } of rows) await pool.query(`select * from ${name} limit 1`);
  }

  async function runJob(url: string): Promise<void> {
    const pool = createPool(url);
    onTestFinished(() => pool.end());
    await addJob(createDb(pool), 'note', {}, { jobKey: 'note' });
    let done = 0;
    await drainJobs(pool, { note: () => void (done += 1) }, createLog('silent'));
    expect(done).toBe(1);
  }

  it('lets the owner read every table and sequence, so that the owner can make a dump', async () => {
    const { roles } = await makeTwoRoles();
    await readEverything(roles.ownerUrl);
    await runJob(roles.directUrl);
  });

  it('lets the owner dump a database of an earlier release after the next start', async () => {
    const { made, serving, roles } = await makeTwoRoles();
    await made.run([
      'alter table graphile_worker._private_jobs enable row level security',
      'revoke all on all tables in schema graphile_worker from #',
      'revoke all on schema graphile_worker from #',
    ]);
    await expect(readEverything(roles.ownerUrl)).rejects.toMatchObject({ code: '42501' });
    await prepare({ DATABASE_URL: roles.directUrl });
    await readEverything(roles.ownerUrl);
    expect(serving.role).not.toBe(made.role);
  });

  it('starts on a dump that the owner restored as soon as it is migrated', async () => {
    const { made, serving, roles } = await makeTwoRoles();
    await made.run([
      `reassign owned by ${serving.role} to #`,
      `revoke all on schema graphile_worker from ${serving.role}`,
      'alter table graphile_worker._private_jobs enable row level security',
    ]);
    await expect(prepare({ DATABASE_URL: roles.directUrl })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The job queue belongs to the role own_\w+, and the role own_\w+ may not use it: run npm run migrate with DATABASE_OWNER_URL\.$/,
      ) as string,
    });
    await migrateDatabase(roles);
    await prepare({ DATABASE_URL: roles.directUrl });
    await runJob(roles.directUrl);
    await readEverything(roles.ownerUrl);
  });

  it('is refused with a one-sentence message on a dump that a third role restored', async () => {
    const { made, serving, roles } = await makeTwoRoles();
    const third = await make({ isOwner: false });
    await made.run([
      `grant create on schema public to ${third.role}`,
      `reassign owned by ${serving.role} to ${third.role}`,
    ]);
    await expect(migrateDatabase(roles)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The job queue, .* belongs to the role own_\w+: as a superuser, run reassign/,
      ) as string,
    });
    await made.run([`alter table schema_file owner to ${third.role}`, 'revoke all on schema_file from #']);
    await expect(migrateDatabase(roles)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^A role of this database lacks a right \(.* schema_file\): .*\.$/) as string,
    });
    await made.run([`reassign owned by ${third.role} to #`, `drop owned by ${third.role}`]);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}
