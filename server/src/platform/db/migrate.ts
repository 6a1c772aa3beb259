import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../process/lifecycle.ts';
import { openClient, withClient } from './connection.ts';
import { refuseMissingRights, type ServingRole } from './rights.ts';

/** An arbitrary number that nothing else in the product locks. */
const advisoryLock = 4_073_211_508;
/** SQLSTATE of a lock timeout. */
const lockNotAvailable = '55P03';
/** SQLSTATEs of a lock timeout and of a deadlock. */
const lockTrouble = [lockNotAvailable, '40P01'];
/**
 * Requests queue behind a change that waits for its table, so it waits only as long as a request may take, and then
 * lets them through.
 */
const lockTimeoutMs = 2000;
const lockTries = 12;
const longestPauseMs = 5000;
const askAgainMs = 200;
/** The first line of a migration that runs outside a transaction, statement by statement, to build indexes without blocking writes. */
const withoutTransaction = '-- no transaction\n';
const serverFolder = resolve(import.meta.dirname, '../../..');

interface SqlFile {
  /**
   * The part and the file name, such as `migrations/0001-nicknames.sql`: a migration keeps it when its folder changes.
   */
  name: string;
  text: string;
  checksum: string;
}

/** Drops everything that `sql/` defined. Fails if an index or a generated column uses one of its functions. */
const dropLogic = `
do $$ declare command text; begin
  for command in
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
      from pg_trigger t join pg_proc f on f.oid = t.tgfoid
      where f.pronamespace = to_regnamespace('logic') and not t.tgisinternal and t.tgparentid = 0
    union all
    select 'drop routine ' || string_agg(oid::regprocedure::text, ', ')
      from pg_proc where pronamespace = to_regnamespace('logic') having count(*) > 0
  loop execute command; end loop;
end $$;
create schema if not exists logic`;

/**
 * Migrates the database at `url` with the SQL files below `folder`, and returns the names of those it applied:
 * `schema/` once, in an empty database; then new files of `migrations/` in the order of their names; then, if any file
 * of `sql/` was changed, added or removed, all of `sql/`. Processes that call it at the same time wait for the first. A
 * different role in `servingUrl` gets access together with the functions of `sql/`: servers of the last release call
 * them at once, and they may write to new tables. Throws a `StartError` if the database doesn't fit the files, and then
 * leaves it unchanged.
 */
export async function migrate(url: string, folder = serverFolder, servingUrl = url): Promise<string[]> {
  const baseline = readFiles(folder, 'schema');
  const migrations = readFiles(folder, 'migrations');
  const logic = readFiles(folder, 'sql');
  const serving = servingUrl === url ? null : await findServingRole(servingUrl);
  const client = await openClient(url);
  try {
    await takeTurn(client);
    const applied = await readApplied(client);
    const isEmpty = applied.size === 0;
    if (!isEmpty) refuseOtherBaseline(baseline, applied);
    refuseOtherMigrations(migrations, applied);

    const steps: SqlFile[][] = isEmpty ? [baseline] : [];
    steps.push(...migrations.filter(({ name }) => !applied.has(name)).map((migration) => [migration]));
    const isLogicNew = differs(logic, applied, 'sql');
    if (steps.length > 0 || isLogicNew) {
      await refuseMissingRights(client, serving);
      await client.query(schemaFileTable);
    }
    for (const files of steps) {
      if (files[0]?.text.startsWith(withoutTransaction) === true) await applyAlone(client, files[0]);
      else await inTransaction(client, () => apply(client, files));
    }
    await inTransaction(client, async () => {
      if (isLogicNew) await replaceLogic(client, logic);
      if (serving !== null) await run(client, grantsTo(serving), 'The serving role cannot be given access');
    });
    if (isLogicNew) {
      steps.push(logic.filter(({ name, checksum }) => applied.get(name) !== checksum));
    }
    return steps.flat().map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Throws a `StartError` unless exactly the files below `folder` were applied to the database at `url`, for a role that
 * can't change that.
 */
export async function checkSchema(url: string, folder = serverFolder): Promise<void> {
  const [baseline, migrations, logic] = ['schema', 'migrations', 'sql'].map((part) => readFiles(folder, part));
  const { applied, role, database } = await withClient(url, async (client) => {
    const names = 'select quote_ident(current_user) as role, quote_ident(current_database()) as database';
    const { rows } = await client.query<{ role: string; database: string }>(names);
    return { applied: await appliedFiles(client), role: rows[0]?.role ?? '', database: rows[0]?.database ?? '' };
  });
  if (applied.size > 0) {
    refuseOtherBaseline(baseline ?? [], applied);
    refuseOtherMigrations(migrations ?? [], applied);
  }
  if (applied.size > 0 && !differs(migrations ?? [], applied, 'migrations') && !differs(logic ?? [], applied, 'sql'))
    return;
  if (applied.size === 0) {
    throw new StartError(
      `The role ${role} may not create tables in the database ${database}: make it the owner with alter database ${database} owner to ${role}, or run npm run migrate with DATABASE_OWNER_URL.`,
    );
  }
  throw new StartError(
    "The database's tables are not those of this release, and the role of DATABASE_URL may not change them: run npm run migrate with DATABASE_OWNER_URL.",
  );
}

/** Whether the role of `url` owns our tables, or may create them. */
export async function ownsTables(url: string): Promise<boolean> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select coalesce((select pg_has_role(relowner, 'usage') from pg_class
           where relname = 'schema_file' and relnamespace = to_regnamespace('public')),
         has_schema_privilege('public', 'create')) as owns`,
    );
    return rows[0]?.owns === true;
  });
}

/**
 * Waits until no other process migrates. A statement that waited in the database would block an index that is built
 * concurrently.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLock]);
    if (rows[0]?.taken === true) return;
    await pause(askAgainMs);
  }
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

/** The SQL files of a part, in the order of their names, whatever folder they are in. */
function readFiles(folder: string, part: string): SqlFile[] {
  const paths = readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  );
  const files = paths.map((path) => ({ path, name: basename(path) })).sort(byName);
  return files.map(({ path, name }) => {
    const text = readFileSync(join(folder, part, path), 'utf8').replaceAll('\r\n', '\n');
    return { name: `${part}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

const schemaFileTable = `create table if not exists schema_file (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;

/** The checksums of the applied files, by name. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  if (await hasTable(client, 'migration')) {
    throw new StartError(
      'This database was made by a release before 0.2.0, which this release cannot read. Nothing was changed: export or back up ' +
        'what you need with the old release, then start with an empty database or another DATA_DIR.',
    );
  }
  return await appliedFiles(client);
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const found = await client.query("select from pg_tables where schemaname = 'public' and tablename = $1", [name]);
  return found.rowCount !== 0;
}

/**
 * Files of 0.2.0 that made the tables of the payment sandbox: their checksums then, with the file's checksum now, or
 * null if it was removed. The sandbox has since made its own tables (`demo/payments/tables.sql`).
 */
const filesWithSandbox: Record<string, string | null> = {
  '7ec72ecce8d979775ead430cc93746307a07548186133f1bbb72d1dc81b105bd': null,
  '2967ca762fee4b1d477fec9e2533c0151b820d4f033cb2c43618794fc7e00262':
    '2582e9197a103f5724bb64b7ebb3a155b13df7b4a028e9729bb8684fd4659b87',
  '829821a9d1992819284522030437ba6ae8f6ca2d684157711381f67e4d028e1a':
    'dff0581c52a7b526d01a09892d12a108ae8300858f52e8149e65e7bf67a3f01e',
};

async function appliedFiles(client: pg.Client): Promise<Map<string, string>> {
  if (!(await hasTable(client, 'schema_file'))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_file');
  return new Map(
    rows.flatMap(({ name, checksum }): [string, string][] => {
      const now = checksum in filesWithSandbox ? filesWithSandbox[checksum] : checksum;
      return now == null ? [] : [[name, now]];
    }),
  );
}

/** Whether the files of one part differ in name or text from those that were applied. */
function differs(files: SqlFile[], applied: Map<string, string>, part: string): boolean {
  const known = [...applied.keys()].filter((name) => name.startsWith(`${part}/`));
  return known.length !== files.length || files.some(({ name, checksum }) => applied.get(name) !== checksum);
}

function refuseOtherBaseline(baseline: SqlFile[], applied: Map<string, string>): void {
  if (!differs(baseline, applied, 'schema')) return;
  throw new StartError(
    'The files in server/schema differ from those the database was created with: restore them, and make the change in a new ' +
      'file in server/migrations.',
  );
}

function refuseOtherMigrations(migrations: SqlFile[], applied: Map<string, string>): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!name.startsWith('migrations/') || checksums.get(name) === checksum) continue;
    throw new StartError(
      checksums.has(name)
        ? `The file ${name} differs from the one applied to the database: restore it, and make the change in a new file.`
        : `The database has ${name}, which this release does not know: start the newer release again.`,
    );
  }
}

async function replaceLogic(client: pg.Client, files: SqlFile[]): Promise<void> {
  await run(client, dropLogic, 'The functions of sql/ cannot be replaced');
  await client.query("delete from schema_file where starts_with(name, 'sql/')");
  await apply(client, files);
}

async function apply(client: pg.Client, files: SqlFile[]): Promise<void> {
  for (const { name, text, checksum } of files) {
    await run(client, text, `The file ${name} failed and was undone`);
    await client.query('insert into schema_file (name, checksum) values ($1, $2)', [name, checksum]);
  }
}

async function run(client: pg.Client, sql: string, complaint: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw error instanceof pg.DatabaseError
      ? new StartError(`${complaint}: ${error.message}.`, { cause: error })
      : error;
  }
}

/** Runs the statements of a file one after the other, each committed separately; they must be safe to repeat. */
async function applyAlone(client: pg.Client, { name, text, checksum }: SqlFile): Promise<void> {
  for (const sql of text.split(/;\n/)) await run(client, sql, `The file ${name} failed. Part of it may be done`);
  await client.query('insert into schema_file (name, checksum) values ($1, $2)', [name, checksum]);
}

/** Runs `work` in a transaction, and retries for about a minute while others hold a table it needs. */
async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
    try {
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (tries === lockTries || !isLockTrouble(error)) throw error;
      // Random pauses, so that requests waiting behind the lock get through.
      await pause(Math.min(100 * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2));
    }
  }
}

const isLockTrouble = (error: unknown) =>
  error instanceof StartError &&
  error.cause instanceof pg.DatabaseError &&
  lockTrouble.includes(error.cause.code ?? '');

async function findServingRole(servingUrl: string): Promise<ServingRole> {
  return await withClient(servingUrl, async (client) => {
    const { rows } = await client.query<ServingRole>(
      `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
         has_database_privilege(current_database(), 'create') and has_database_privilege(current_database(), 'temporary') as "mayCreate"`,
    );
    return rows[0] ?? { role: '', database: '', mayCreate: false };
  });
}

/**
 * Statements that give the serving role access to all tables. In the audit trail it can only add entries and drop
 * expired ones, through `logic.drop_expired_audit`. The job queue's own schema belongs to it.
 */
function grantsTo({ role, database }: ServingRole): string {
  return `
    grant create, temporary on database ${database} to ${role};
    grant usage on schema public, logic to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage, select on all sequences in schema public to ${role};
    revoke insert, update, delete on audit_event from ${role};
    grant insert (at, actor_id, actor_name, actor_role, action, target_type, target_id, reason, changes) on audit_event to ${role};
    revoke insert, update, delete on audit_seal, schema_file from ${role}`;
}

/**
 * Creates the next months of the audit trail. If the table is busy, the month is left to the daily job, or to the
 * default partition.
 */
export async function createAuditMonths(url: string): Promise<void> {
  await withClient(url, async (client) => {
    try {
      await client.query('select logic.create_audit_months()');
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable)) throw error;
    }
  });
}
