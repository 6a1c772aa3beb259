import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../process/lifecycle.ts';
import { openClient, withClient } from './connection.ts';
import { refuseMissingRights, type ServingRole } from './rights.ts';
import { appliedFiles, differs, originOf, readRelease, type SqlFile } from './sql-files.ts';

/** An arbitrary number that nothing else in the product locks. */
const advisoryLock = 4_073_211_508;
/** SQLSTATE of a lock timeout. */
const lockNotAvailable = '55P03';
/** SQLSTATEs of a lock timeout and of a deadlock. */
const lockTrouble = [lockNotAvailable, '40P01'];
/**
 * Requests queue behind a change that waits for its table, so it waits only as long as people don't notice, and then
 * lets them through. A file can wait for two tables one after the other.
 */
const lockTimeoutMs = 200;
const lockTries = 25;
const longestPauseMs = 5000;
const askAgainMs = 200;
/** The first line of a migration that runs outside a transaction, statement by statement, to build indexes without blocking writes. */
const withoutTransaction = '-- no transaction\n';
const serverFolder = resolve(import.meta.dirname, '../../..');

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
 * `schema/` once, in an empty database, or the upgrade of a database of the last release; then new files of `migrations/`
 * in the order of their names; then, if any file of `sql/` was changed, added or removed, all of `sql/`. Processes that
 * call it at the same time wait for the first, and a call goes on where an earlier one was interrupted. A different role
 * in `servingUrl` gets access together with the functions of `sql/`: servers of the last release call them at once, and
 * they may write to new tables. Throws a `StartError` if the database doesn't fit the files, and then leaves it unchanged.
 */
export async function migrate(url: string, folder = serverFolder, servingUrl = url): Promise<string[]> {
  const files = readRelease(folder);
  const serving = servingUrl === url ? null : await findServingRole(servingUrl);
  const client = await openClient(url);
  try {
    await takeTurn(client);
    const applied = await appliedFiles(client);
    const origin = originOf(files, applied);
    const missing = (list: SqlFile[]) => list.filter(({ name }) => !applied.has(name));
    const isLogicNew = differs(files.logic, applied, 'sql');
    const done = [
      ...(origin === 'empty' ? files.baseline : []),
      ...(origin === 'former' ? missing(files.upgrade) : []),
      ...missing(files.migrations),
    ];
    if (origin === 'former' || done.length > 0 || isLogicNew) {
      await refuseMissingRights(client, serving);
      await client.query(schemaFileTable);
    }
    if (origin === 'empty') await inTransaction(client, () => apply(client, files.baseline));
    if (origin === 'former') await upgrade(client, missing(files.upgrade), files.baseline);
    for (const file of missing(files.migrations)) await applyAlone(client, file);
    await inTransaction(client, async () => {
      if (isLogicNew) await replaceLogic(client, files.logic);
      if (serving !== null) await run(client, grantsTo(serving), 'The serving role cannot be given access');
    });
    if (isLogicNew) done.push(...files.logic.filter(({ name, checksum }) => applied.get(name) !== checksum));
    return done.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Makes a database of the former release one of the baseline, which it then says that it has. */
async function upgrade(client: pg.Client, missing: SqlFile[], baseline: SqlFile[]): Promise<void> {
  for (const file of missing) await applyAlone(client, file);
  await inTransaction(client, async () => {
    await client.query("delete from schema_file where name ~ '^(schema|upgrade|migrations)/'");
    for (const file of baseline) await remember(client, file);
  });
}

/**
 * Throws a `StartError` unless exactly the files below `folder` were applied to the database at `url`, for a role that
 * can't change that.
 */
export async function checkSchema(url: string, folder = serverFolder): Promise<void> {
  const files = readRelease(folder);
  const { applied, role, database } = await withClient(url, async (client) => {
    const names = 'select quote_ident(current_user) as role, quote_ident(current_database()) as database';
    const { rows } = await client.query<{ role: string; database: string }>(names);
    return { applied: await appliedFiles(client), role: rows[0]?.role ?? '', database: rows[0]?.database ?? '' };
  });
  const origin = originOf(files, applied);
  const isComplete = !differs(files.migrations, applied, 'migrations') && !differs(files.logic, applied, 'sql');
  if (origin === 'current' && isComplete) return;
  if (origin === 'empty') {
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

const schemaFileTable = `create table if not exists schema_file (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;

async function replaceLogic(client: pg.Client, files: SqlFile[]): Promise<void> {
  await run(client, dropLogic, 'The functions of sql/ cannot be replaced');
  await client.query("delete from schema_file where starts_with(name, 'sql/')");
  await apply(client, files);
}

async function apply(client: pg.Client, files: SqlFile[]): Promise<void> {
  for (const { name, text, checksum } of files) {
    await run(client, text, `The file ${name} failed and was undone`);
    await remember(client, { name, checksum });
  }
}

async function remember(client: pg.Client, { name, checksum }: Pick<SqlFile, 'name' | 'checksum'>): Promise<void> {
  await client.query('insert into schema_file (name, checksum) values ($1, $2)', [name, checksum]);
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

/**
 * Applies a file in a transaction, or statement by statement if it says so: statements that can't run in a transaction wait for others as
 * long as necessary, because no request waits for them. All must be safe to repeat.
 */
async function applyAlone(client: pg.Client, file: SqlFile): Promise<void> {
  if (!file.text.startsWith(withoutTransaction)) return await inTransaction(client, () => apply(client, [file]));
  for (const sql of file.text.split(/;\n/)) {
    const work = () => run(client, sql, `The file ${file.name} failed. Part of it may be done`);
    await (/ concurrently /.test(sql) ? work() : inTransaction(client, work));
  }
  await remember(client, file);
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
