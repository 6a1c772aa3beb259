import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Config } from './platform/config/config.ts';
import { createDb, createPool, type Db } from './platform/db/db.ts';
import { checkSchema, createAuditMonths, migrate, ownsTables } from './platform/db/migrate.ts';
import { migrateJobs } from './platform/jobs/jobs.ts';
import { createLog } from './platform/process/log.ts';
import { StartError } from './platform/process/lifecycle.ts';

export interface OpenDatabase {
  url: string;
  /** The same database as the role that owns its tables, which may be the same role; null if this process doesn't know it. */
  ownerUrl: string | null;
  /** The same database as the serving role without a pooler in between. */
  directUrl: string;
  /** The folder outside the data folder that the embedded database had to use, or null. */
  outside: string | null;
  /** Stops an embedded database, cleanly if that takes no longer than `graceMs`; an external one is left alone. */
  close(graceMs?: number): Promise<void>;
}

export type OwnedDatabase = OpenDatabase & { ownerUrl: string };

/** What names a database. */
type Place = Pick<Config, 'production' | 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseOwnerUrl'>;

/**
 * The configured database, checked; or the embedded one, started, with the data folder locked until `close`. `holder`
 * is how a second start on the same folder names this process. The code for the embedded database is loaded only when
 * it is used. Throws a `StartError` that says what to do.
 */
export async function openDatabase(config: Place, holder: string, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return await external(config.databaseUrl, config);
  const { openEmbedded } = await import('../../launcher/open-embedded.ts');
  return await openEmbedded(config.dataDir, holder, log);
}

/**
 * Like `openDatabase`, but joins the embedded database of a running server, for commands that run at the same time.
 */
export async function joinDatabase(config: Place, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return await external(config.databaseUrl, config);
  const { openEmbedded, runningDatabase } = await import('../../launcher/open-embedded.ts');
  const running = runningDatabase(config.dataDir);
  return running === null
    ? await openEmbedded(config.dataDir, 'a command', log)
    : { ...running, directUrl: running.url, outside: null, close: () => Promise.resolve() };
}

async function external(url: string, config: Place): Promise<OpenDatabase> {
  const directUrl = config.databaseDirectUrl ?? url;
  await checkDatabase(directUrl, config);
  if (directUrl !== url) await checkDatabase(url, config);
  return {
    url,
    directUrl,
    ownerUrl: config.databaseOwnerUrl ?? ((await ownsTables(directUrl)) ? directUrl : null),
    outside: null,
    close: () => Promise.resolve(),
  };
}

/**
 * Migrates the database as its owner, and the tables of the job queue as the serving role; a separate serving role can
 * then read and write, but not change tables or audit rows.
 */
export async function migrateDatabase({
  directUrl,
  ownerUrl,
}: Pick<OwnedDatabase, 'directUrl' | 'ownerUrl'>): Promise<void> {
  await migrate(ownerUrl, undefined, directUrl);
  await complete(directUrl);
}

/**
 * Migrates the database, if this process may do that; else throws a `StartError` unless its schema is that of this
 * release. Processes that serve don't need the owner's password for that.
 */
export async function prepareDatabase({
  directUrl,
  ownerUrl,
}: Pick<OpenDatabase, 'directUrl' | 'ownerUrl'>): Promise<void> {
  if (ownerUrl !== null) return await migrateDatabase({ directUrl, ownerUrl });
  await checkSchema(directUrl);
  await complete(directUrl);
}

/** Why the roles of this database protect less than they could, for a process that serves; null if they do, or for the embedded one. */
export function weaknessOfRoles(
  { production, databaseUrl, databaseOwnerUrl }: Place,
  { directUrl, ownerUrl }: Pick<OpenDatabase, 'directUrl' | 'ownerUrl'>,
): string | null {
  if (databaseUrl === null) return null;
  if (ownerUrl === directUrl) return 'the serving role owns the tables, so it could change the audit trail';
  return production && databaseOwnerUrl !== null
    ? 'DATABASE_OWNER_URL is set in a process that serves; only server/src/migrate.ts needs it'
    : null;
}

/** What the serving role does itself: a function of the owner creates the next months, and the job queue is its own. */
async function complete(directUrl: string): Promise<void> {
  await createAuditMonths(directUrl);
  const pool = createPool(directUrl);
  try {
    await migrateJobs(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Runs `work` on the migrated database of this installation, for commands, and returns its result; a server may be running at the same time.
 */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const database = await joinDatabase(config, createLog('silent'));
  try {
    await prepareDatabase(database);
    const pool = createPool(database.directUrl);
    const result = await work(createDb(pool));
    await pool.end();
    return result;
  } finally {
    await database.close();
  }
}

const oldestMajor = 15;
const connectTimeoutMs = 10_000;
const codes = {
  wrongPassword: ['28P01', '28000'],
  noDatabase: '3D000',
  noAnswer: ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  noHost: ['ENOTFOUND', 'EAI_AGAIN'],
};

/**
 * Throws a `StartError` when the database server at `url` cannot be reached, is too old, or, in production, acknowledges
 * writes that a crash would lose.
 */
export async function checkDatabase(url: string, options: { production: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as "synchronousCommit"`,
    );
    const server = rows[0];
    if (server !== undefined) judge(server, options.production);
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(inWords(error, client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Server {
  version: number;
  fsync: string;
  synchronousCommit: string;
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

function inWords(error: unknown, client: pg.Client): string {
  const { code = '', message } = error as Error & { code?: string };
  const server = `${client.host}:${client.port}`;
  if (codes.noHost.includes(code)) return `The host ${client.host} in DATABASE_URL cannot be found.`;
  if (codes.noAnswer.includes(code)) return `No database answers at ${server}, the address in DATABASE_URL.`;
  if (codes.wrongPassword.includes(code))
    return `The database at ${server} rejected the user or password in DATABASE_URL.`;
  if (code === codes.noDatabase)
    return `The server at ${server} has no database "${client.database}". Create it, or correct DATABASE_URL.`;
  return `The database at ${server} (DATABASE_URL) cannot be used: ${message}.`;
}
