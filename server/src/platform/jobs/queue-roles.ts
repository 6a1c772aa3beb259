import pg from 'pg';
import { withClient } from '../db/connection.ts';
import { createPool } from '../db/pool.ts';
import { StartError } from '../process/lifecycle.ts';
import { migrateJobs } from './jobs.ts';

/** An arbitrary number that nothing else in the product locks. */
const advisoryLock = 4_073_211_509;

interface Queue {
  /** The current role, quoted for SQL. */
  role: string;
  /** The owner of the job queue, quoted for SQL, or null if there is no queue. */
  owner: string | null;
  /** Whether the current role has the owner's rights. */
  isOwn: boolean;
  /** The owner of our tables, quoted for SQL, or null if there are none. */
  tableOwner: string | null;
}

const queueQuery = `
  select quote_ident(current_user) as role, quote_ident(pg_get_userbyid(n.nspowner)) as owner,
    coalesce(pg_has_role(n.nspowner, 'usage'), false) as "isOwn",
    (select quote_ident(pg_get_userbyid(relowner)) from pg_class
       where relname = 'schema_file' and relnamespace = to_regnamespace('public')) as "tableOwner"
  from (select to_regnamespace('graphile_worker') as id) asked left join pg_namespace n on n.oid = asked.id`;

/**
 * Creates or upgrades the job queue, and lets both roles use it: the serving role, and the one that owns the tables and
 * makes dumps. It belongs to the serving role or, after the owner has restored a dump, to the owner. `ownerUrl` is null
 * if this process doesn't know the owner. Throws a `StartError` if the queue can't be used.
 */
export async function prepareJobs(servingUrl: string, ownerUrl: string | null): Promise<void> {
  const serving = await readQueue(servingUrl);
  if (serving.owner === null || serving.isOwn) {
    await migrateAs(servingUrl);
    if (serving.tableOwner !== null) await shareWith(servingUrl, serving.tableOwner);
    return;
  }
  if (ownerUrl !== null && (await readQueue(ownerUrl)).isOwn) {
    await migrateAs(ownerUrl);
    await shareWith(ownerUrl, serving.role);
    return;
  }
  if (ownerUrl !== null) {
    throw new StartError(
      `The job queue, the schema graphile_worker, belongs to the role ${serving.owner}: as a superuser, run reassign owned by ${serving.owner} to ${serving.tableOwner ?? serving.role}, or restore the dump as the owner of the tables.`,
    );
  }
  if (await isClosedTo(servingUrl, serving.role)) {
    throw new StartError(
      `The job queue belongs to the role ${serving.owner}, and the role ${serving.role} may not use it: run npm run migrate with DATABASE_OWNER_URL.`,
    );
  }
  await migrateAs(servingUrl);
}

async function readQueue(url: string): Promise<Queue> {
  return await withClient(url, async (client) => {
    const [queue] = (await client.query<Queue>(queueQuery)).rows;
    return queue ?? { role: '', owner: null, isOwn: false, tableOwner: null };
  });
}

async function migrateAs(url: string): Promise<void> {
  const pool = createPool(url);
  try {
    await migrateJobs(pool);
  } finally {
    await pool.end();
  }
}

/** Whether a role lacks a right on the job queue. A role with one of the rights below has all of them. */
const closedQuery = `
  select coalesce(not has_schema_privilege(role.oid, to_regnamespace('graphile_worker'), 'usage') or exists (
    select from pg_class c where c.relnamespace = to_regnamespace('graphile_worker') and not pg_has_role(role.oid, c.relowner, 'usage')
      and case when c.relkind = 'S' then not has_sequence_privilege(role.oid, c.oid, 'usage')
        when c.relkind in ('r', 'p', 'v') then c.relrowsecurity or not has_table_privilege(role.oid, c.oid, 'delete')
        else false end), true) as closed
  from (select $1::regrole::oid) role (oid)`;

async function isClosedTo(url: string, role: string): Promise<boolean> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ closed: boolean }>(closedQuery, [role]);
    return rows[0]?.closed === true;
  });
}

/**
 * Gives another role access to all rows of the job queue that belongs to the role of `url`. The library enables row
 * security without any policy, so only the owner of a table may read it: neither a dump nor the serving role of a
 * restored database could read a job.
 */
async function shareWith(url: string, role: string): Promise<void> {
  if (!(await isClosedTo(url, role))) return;
  const statements = `
    begin; select pg_advisory_xact_lock(${advisoryLock});
    do $$ declare command text; begin
      for command in
        select format('alter table %s disable row level security', oid::regclass) from pg_class
          where relnamespace = to_regnamespace('graphile_worker') and relrowsecurity
      loop execute command; end loop;
    end $$;
    grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    grant usage, select on all sequences in schema graphile_worker to ${role};
    commit`;
  await withClient(url, (client) => client.query(statements));
}

/** SQLSTATE of a statement that the role may not run. */
const insufficientPrivilege = '42501';

/**
 * Runs `work` of a start or a migration; throws a `StartError` if a role lacks a right, as after a restore by another
 * role.
 */
export async function explainMissingRights<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== insufficientPrivilege) throw error;
    throw new StartError(
      `A role of this database lacks a right (${error.message}): if it was restored from a dump, restore it as the owner of the tables into an empty database and run npm run migrate, as "Backup and restore" in docs/operating.md shows.`,
      { cause: error },
    );
  }
}
