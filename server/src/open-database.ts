import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './platform/config/config.ts';
import { checkDatabase } from './platform/db/check.ts';
import { placeInWords } from './platform/db/connection.ts';
import { createDb, type Db } from './platform/db/db.ts';
import { createPool } from './platform/db/pool.ts';
import { checkSchema, createAuditMonths, migrate, ownsTables } from './platform/db/migrate.ts';
import { explainMissingRights, prepareJobs } from './platform/jobs/queue-roles.ts';
import { StartError } from './platform/process/lifecycle.ts';
import { createLog } from './platform/process/log.ts';

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

/** Runs a database of its own in the data folder, for installations without `DATABASE_URL`. */
export interface EmbeddedLauncher {
  /** Whether the folder has a database. Creates nothing. */
  exists(dataDir: string): Promise<boolean>;
  /** Starts it, and locks the folder until `close`. `holder` is how a second start on the same folder names this process. */
  open(dataDir: string, holder: string, log: FastifyBaseLogger): Promise<OwnedDatabase>;
  /** The addresses of the one that another process runs in the folder, or null. */
  running(dataDir: string): Promise<Pick<OwnedDatabase, 'url' | 'ownerUrl'> | null>;
}

/** What names a database. */
type Place = Pick<Config, 'production' | 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseOwnerUrl'>;

/**
 * The configured database, checked; or the embedded one, started, with the data folder locked until `close`. Throws a `StartError` that
 * says what to do.
 */
export async function openDatabase(
  config: Place,
  holder: string,
  log: FastifyBaseLogger,
  embedded?: EmbeddedLauncher,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return await external(config.databaseUrl, config);
  return await present(embedded).open(config.dataDir, holder, log);
}

function present(embedded: EmbeddedLauncher | undefined): EmbeddedLauncher {
  if (embedded !== undefined) return embedded;
  throw new StartError(
    'DATABASE_URL is not set, and only npm start and the commands of npm run bring an embedded database: set it, or use them.',
  );
}

/**
 * Throws a `StartError` if there is no embedded database yet. A command without the server's environment would otherwise create one, and
 * report success in a database that no server uses.
 */
export async function requireDatabase({ databaseUrl, dataDir }: Place, embedded?: EmbeddedLauncher): Promise<void> {
  if (databaseUrl !== null) return;
  if (!(await present(embedded).exists(dataDir))) {
    throw new StartError(
      `There is no embedded database in ${dataDir} yet, and this command creates none: run it with the server's environment, such as its DATABASE_URL or DATA_DIR, or start Heartwood once.`,
    );
  }
}

/** The database of the configuration in words, without its password. */
export function nameOfDatabase({ databaseUrl, dataDir }: Place): string {
  if (databaseUrl === null) return `the embedded one in ${dataDir}`;
  return placeInWords(databaseUrl);
}

/**
 * Like `openDatabase`, but joins the embedded database of a running server, for commands that run at the same time.
 */
export async function joinDatabase(
  config: Place,
  log: FastifyBaseLogger,
  embedded?: EmbeddedLauncher,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) return await external(config.databaseUrl, config);
  const running = await present(embedded).running(config.dataDir);
  return running === null
    ? await present(embedded).open(config.dataDir, 'a command', log)
    : { ...running, directUrl: running.url, outside: null, close: () => Promise.resolve() };
}

async function external(url: string, config: Place): Promise<OpenDatabase> {
  const { production, databaseOwnerUrl } = config;
  const directUrl = config.databaseDirectUrl ?? url;
  const hasPooler = directUrl !== url;
  await checkDatabase(directUrl, { production, hasPooler, name: hasPooler ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL' });
  if (hasPooler) await checkDatabase(url, { production });
  if (databaseOwnerUrl !== null) await checkDatabase(databaseOwnerUrl, { production, name: 'DATABASE_OWNER_URL' });
  return {
    url,
    directUrl,
    ownerUrl: databaseOwnerUrl ?? ((await ownsTables(directUrl)) ? directUrl : null),
    outside: null,
    close: () => Promise.resolve(),
  };
}

/**
 * Migrates the database as its owner, and the tables of the job queue as the role they belong to; a separate serving role can
 * then read and write, but not change tables or audit rows.
 */
export async function migrateDatabase({
  directUrl,
  ownerUrl,
}: Pick<OwnedDatabase, 'directUrl' | 'ownerUrl'>): Promise<void> {
  await explainMissingRights(async () => {
    await migrate(ownerUrl, undefined, directUrl);
    await complete(directUrl, ownerUrl);
  });
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
  await explainMissingRights(async () => {
    await checkSchema(directUrl);
    await complete(directUrl, null);
  });
}

/** Why the roles of this database protect less than they could, for a process that serves; null if they do, or for the embedded one. */
export function weaknessOfRoles(
  { production, databaseUrl, databaseOwnerUrl }: Place,
  { directUrl, ownerUrl }: Pick<OpenDatabase, 'directUrl' | 'ownerUrl'>,
): string | null {
  if (databaseUrl === null) return null;
  if (ownerUrl === directUrl) return 'the serving role owns the tables, so it could change the audit trail';
  return production && databaseOwnerUrl !== null
    ? 'DATABASE_OWNER_URL is set in a process that serves; only npm run migrate needs it'
    : null;
}

/** A function of the owner creates the next months of the audit trail, and the job queue may belong to either role. */
async function complete(directUrl: string, ownerUrl: string | null): Promise<void> {
  await createAuditMonths(directUrl);
  await prepareJobs(directUrl, ownerUrl);
}

/**
 * Runs `work` on the migrated database of this installation, for commands, and returns its result; a server may be running at the same time.
 */
export async function withDatabase<T>(
  config: Config,
  embedded: EmbeddedLauncher | undefined,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  await requireDatabase(config, embedded);
  const database = await joinDatabase(config, createLog('silent'), embedded);
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
