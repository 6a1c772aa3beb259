import pg from 'pg';
import { StartError } from '../process/lifecycle.ts';
import { missingBehindPooler } from './connection.ts';

const oldestMajor = 15;
const connectTimeoutMs = 10_000;
const codes = {
  wrongPassword: ['28P01', '28000'],
  noDatabase: '3D000',
  noAnswer: ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  noHost: ['ENOTFOUND', 'EAI_AGAIN'],
};

interface Server {
  version: number;
  fsync: string;
  synchronousCommit: string;
}

interface Found extends Server {
  /** The database and the role, quoted for SQL. */
  database: string;
  role: string;
  encoding: string;
  hasIcu: boolean;
  hasPublic: boolean;
  /** The schema other than public that contains our tables, quoted for SQL, or null. */
  otherSchema: string | null;
}

/** Runs without our connection settings, to find out what the database's own settings are. */
const question = `
  select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as "synchronousCommit", quote_ident(current_database()) as database,
    quote_ident(current_user) as role, getdatabaseencoding() as encoding,
    exists (select from pg_collation where collname = 'und-x-icu') as "hasIcu", to_regnamespace('public') is not null as "hasPublic",
    (select quote_ident(min(n.nspname collate "C")) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = 'schema_file' and c.relkind = 'r' having not bool_or(n.nspname = 'public')) as "otherSchema"`;

interface Address {
  production: boolean;
  /** Whether this is the URL that bypasses a pooler, whose connections have only the role's default settings. */
  hasPooler?: boolean;
  /** The setting that contains the URL. */
  name?: string;
}

/**
 * Throws a `StartError` if the database at `url` cannot be reached, is too old or set up in an unsupported way, or, in
 * production, acknowledges writes that a crash would lose. Changes nothing.
 */
export async function checkDatabase(
  url: string,
  { production, hasPooler, name = 'DATABASE_URL' }: Address,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [found] = (await client.query<Found>(question)).rows;
    if (found === undefined) return;
    judge(found, production);
    refuseForm(found);
    if (hasPooler === true) refuseDefaults(found, await missingBehindPooler(client));
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(inWords(error, client, name));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws a `StartError` for an unsupported database server. */
export function judge(server: Server, production: boolean): void {
  const major = Math.floor(server.version / 10_000);
  if (major < oldestMajor)
    throw new StartError(`The database is PostgreSQL ${major}, but ${oldestMajor} or newer is needed.`);
  const off = server.fsync === 'off' ? 'fsync' : server.synchronousCommit === 'off' ? 'synchronous_commit' : null;
  if (production && off !== null) {
    throw new StartError(
      `The database has ${off} turned off, so a crash would lose acknowledged writes. Turn it on for production.`,
    );
  }
}

/** Throws for properties that connection settings can't change. */
function refuseForm({ database, encoding, hasIcu, hasPublic, otherSchema }: Found): void {
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database ${database} has the encoding ${encoding}, but UTF8 is needed: create one with createdb --encoding UTF8 --template template0.`,
    );
  }
  if (!hasIcu)
    throw new StartError('The database server was built without ICU, which is needed to compare and sort texts.');
  if (otherSchema !== null) {
    throw new StartError(
      `The tables are in the schema ${otherSchema} of the database ${database}, but they have to be in public: remove the schema public if it is empty, and run alter schema ${otherSchema} rename to public.`,
    );
  }
  if (!hasPublic)
    throw new StartError(`The database ${database} has no schema public: create it with create schema public.`);
}

function refuseDefaults({ role }: Found, missing: string[]): void {
  if (missing.length === 0) return;
  const statements = missing.map((setting) => `alter role ${role} set ${setting}`);
  throw new StartError(
    `Connections through a pooler have only the settings of their role, some of which are not those needed: run ${statements.join('; ')}.`,
  );
}

function inWords(error: unknown, client: pg.Client, name: string): string {
  const { code = '', message } = error as Error & { code?: string };
  const server = `${client.host}:${client.port}`;
  if (codes.noHost.includes(code)) return `The host ${client.host} in ${name} cannot be found.`;
  if (codes.noAnswer.includes(code)) return `No database answers at ${server}, the address in ${name}.`;
  if (codes.wrongPassword.includes(code)) return `The database at ${server} rejected the user or password in ${name}.`;
  if (code === codes.noDatabase)
    return `The server at ${server} has no database "${client.database}". Create it, or correct ${name}.`;
  return `The database at ${server} (${name}) cannot be used: ${message}.`;
}
