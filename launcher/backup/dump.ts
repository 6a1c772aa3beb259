import { existsSync } from 'node:fs';
import pg from 'pg';
import { systemCertificates } from '#platform/config/database.ts';
import { readAddress, withClient } from '#platform/db/connection.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { runCommand } from '../command.ts';

/** Tables and schemas of this database that are not PostgreSQL's own. */
const ours = `c.relkind in ('r', 'p', 'S') and n.nspname !~ '^(pg_|information_schema$)'`;
const question = `
  select current_setting('server_version_num')::int / 10000 as major, count(*) = 0 as "isEmpty",
    string_agg(distinct format('grant %I to %I', pg_get_userbyid(c.relowner), current_user), '; ')
      filter (where not pg_has_role(c.relowner, 'usage') and (c.relrowsecurity or not has_schema_privilege(n.oid, 'usage')
        or not has_table_privilege(c.oid, 'select'))) as grants
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours}`;

async function inspect(url: string): Promise<{ major: number; isEmpty: boolean; grants: string | null }> {
  return await withClient(url, async (client) => {
    const [found] = (await client.query<{ major: number; isEmpty: boolean; grants: string | null }>(question)).rows;
    return found ?? { major: 0, isEmpty: true, grants: null };
  });
}

/** Dumps the database at `url` with the installed `pg_dump`; returns the major version of its server. */
export async function dumpDatabase(url: string, file: string): Promise<string> {
  const { major, grants } = await inspect(url);
  if (grants !== null)
    throw new StartError(`This role may not read all tables of the database: as a superuser, run ${grants}.`);
  await runClient('pg_dump', ['--format=custom', `--file=${file}`], { url, major });
  return String(major);
}

/**
 * Fills the empty database at `url` from a dump of a server of version `dumpedBy`, or leaves it empty if that fails. Everything belongs to the
 * role of `url`; a migration gives another role its rights. Sessions end, because some may have been ended on purpose since the dump.
 */
export async function loadDump(url: string, file: string, dumpedBy: string): Promise<void> {
  const { major, isEmpty } = await inspect(url);
  const { database } = readAddress(url);
  if (!isEmpty)
    throw new StartError(`The database ${database} is not empty: create another, and restore into that one.`);
  if (major < Number(dumpedBy))
    throw new StartError(`The backup is of PostgreSQL ${dumpedBy}, and the server is ${major}: it needs a newer one.`);
  const args = ['--no-owner', '--no-privileges', '--single-transaction', `--dbname=${database}`, file];
  await runClient('pg_restore', args, { url, major: Number(dumpedBy) });
  await withClient(url, (client) => client.query('delete from session'));
}

/**
 * Runs `work` on a new database beside the one at `url`, and drops it. The name is always the same, so that the leftover of a killed
 * process is noticed.
 */
export async function withScratchDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const { database, user } = readAddress(url);
  const name = `${database}_drill`;
  const scratch = new URL(url);
  scratch.pathname = `/${encodeURIComponent(name)}`;
  const quoted = pg.escapeIdentifier(name);
  await withClient(url, (client) =>
    client.query(`create database ${quoted} template template0 encoding 'UTF8'`).catch((error: unknown) => {
      const { code } = error as { code?: string };
      if (code === '42501')
        throw new StartError(
          `The drill needs a database of its own: as a superuser, run alter role ${pg.escapeIdentifier(user)} createdb.`,
        );
      if (code !== '42P04') throw error;
      throw new StartError(`The database ${name} of an interrupted drill is still there: drop it, and try again.`);
    }),
  );
  try {
    return await work(scratch.href);
  } finally {
    await withClient(url, (client) => client.query(`drop database ${quoted} with (force)`));
  }
}

/** Runs a program of PostgreSQL's client, of the version `major` or newer. */
async function runClient(
  program: 'pg_dump' | 'pg_restore',
  args: string[],
  { url, major }: { url: string; major: number },
): Promise<void> {
  const options = { env: environmentOf(url), quiet: true };
  const version = /\(PostgreSQL\) (\d+)/.exec((await runCommand(program, ['--version'], options)).output)?.[1];
  if (version === undefined || Number(version) < major)
    throw new StartError(
      `PostgreSQL ${major} needs ${program} ${major} or newer, and ${version === undefined ? 'there is none' : `this one is ${version}`}: install its client, on Debian and Ubuntu postgresql-client-${major}.`,
    );
  const { code, output } = await runCommand(program, args, options);
  if (code !== 0)
    throw new StartError(`${program} failed: ${/^.*\berror: .*$/m.exec(output)?.[0] ?? `it ended with ${code}`}`);
}

/** The address for libpq. Arguments would show the password to everyone on this machine. */
function environmentOf(url: string): NodeJS.ProcessEnv {
  const { host, port, user, password, database } = readAddress(url);
  const { searchParams } = new URL(url);
  const mode = sslModeOf(searchParams);
  const certificates =
    searchParams.get('sslrootcert') ?? (existsSync(systemCertificates) ? systemCertificates : 'system');
  return {
    LC_ALL: 'C',
    PGHOST: host,
    PGPORT: port,
    PGUSER: user,
    PGPASSWORD: password === '' ? undefined : password,
    PGDATABASE: database,
    PGSSLMODE: mode,
    PGSSLROOTCERT: mode.startsWith('verify-') ? certificates : undefined,
    PGSSLCERT: searchParams.get('sslcert') ?? undefined,
    PGSSLKEY: searchParams.get('sslkey') ?? undefined,
  };
}

/** The driver verifies the certificate in more modes than libpq does. */
function sslModeOf(params: URLSearchParams): string {
  const mode = params.get('sslmode');
  if (mode === null) return /^(true|1)$/.test(params.get('ssl') ?? '') ? 'verify-full' : 'prefer';
  if (mode === 'no-verify') return 'require';
  return mode === 'disable' || params.get('uselibpqcompat') === 'true' ? mode : 'verify-full';
}
