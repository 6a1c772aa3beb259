import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#platform/config/config.ts';
import { checkDatabase } from '#platform/db/check.ts';
import { placeInWords } from '#platform/db/connection.ts';
import { createDb, type Db } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { checkSchema, createAuditMonths, migrate, ownsTables } from '#platform/db/migrate.ts';
import { explainMissingRights, prepareJobs } from '#platform/jobs/queue-roles.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { createLog } from '#platform/process/log.ts';

export interface OpenDatabase {
  url: string;
  /**
   * The URL of the same database as the role that owns its tables, which may be the same role; null if this process
   * doesn't know it.
   */
  ownerUrl: string | null;
  /** The URL of the same database as the serving role, without a pooler in between. */
  directUrl: string;
  /** The folder outside the data folder that the embedded database had to use, or null. */
  outside: string | null;
  /** Stops an embedded database, cleanly if that takes no longer than `graceMs`; does nothing to an external one. */
  close(graceMs?: number): Promise<void>;
}

export type OwnedDatabase = OpenDatabase & { ownerUrl: string };

/** Runs an embedded database in the data folder, for installations without `DATABASE_URL`. */
export interface EmbeddedLauncher {
  /** Whether the folder contains a database. Creates nothing. */
  exists(dataDir: string): Promise<boolean>;
  /**
   * Starts the database, and locks the folder until `close`. A second start on the same folder names this process as
   * `holder`.
   */
  open(dataDir: string, holder: string, log: FastifyBaseLogger): Promise<OwnedDatabase>;
  /** The URLs of the database that another process runs in the folder, or null. */
  running(dataDir: string): Promise<Pick<OwnedDatabase, 'url' | 'ownerUrl'> | null>;
}

/** The settings that identify a database. */
type Place = Pick<Config, 'production' | 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseOwnerUrl'>;

/**
 * Checks and opens the configured database, or starts the embedded one and locks the data folder until `close`. Throws
 * a `StartError` that says what to do.
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
    'DATABASE_URL is not set, and only npm start and the npm run commands have an embedded database: set it, or use them.',
  );
}

/**
 * Throws a `StartError` if there is no embedded database yet. A command without the server's environment would
 * otherwise create one, and report success in a database that no server uses.
 */
export async function requireDatabase({ databaseUrl, dataDir }: Place, embedded?: EmbeddedLauncher): Promise<void> {
  if (databaseUrl !== null) return;
  if (!(await present(embedded).exists(dataDir))) {
    throw new StartError(
      `There is no embedded database in ${dataDir} yet, and this command creates none: run it with the server's environment, such as its DATABASE_URL or DATA_DIR, or start Heartwood once.`,
    );
  }
}

/** The configured database in words, without its password. */
export function nameOfDatabase({ databaseUrl, dataDir }: Place): string {
  if (databaseUrl === null) return `the embedded one in ${dataDir}`;
  return placeInWords(databaseUrl);
}

/** Like `openDatabase`, but uses the embedded database of a running server, for commands that run at the same time. */
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

/** The address of an open database as the role that owns its tables; a `StartError` if this process doesn't know it. */
export function requireOwner({ ownerUrl }: OpenDatabase): string {
  if (ownerUrl !== null) return ownerUrl;
  throw new StartError('The role of DATABASE_URL does not own the tables, so DATABASE_OWNER_URL is needed.');
}

/** The address of the operator's own database as the role that owns its tables, or null for the embedded database. */
export async function findOwnDatabase(config: Place): Promise<string | null> {
  return config.databaseUrl === null ? null : requireOwner(await external(config.databaseUrl, config));
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
 * Migrates the database as its owner, and the tables of the job queue as the role they belong to. A separate serving
 * role can then read and write, but not change tables or audit rows.
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
 * Migrates the database if this process may; otherwise throws a `StartError` unless its schema is that of this release.
 * Serving processes don't need the owner's password for that.
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

/**
 * Why the roles of this database protect less than they could, for a serving process; null if they are fine, and for
 * the embedded database.
 */
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

/**
 * Creates the next months of the audit trail through a function of the owner, and prepares the job queue, which may
 * belong to either role.
 */
async function complete(directUrl: string, ownerUrl: string | null): Promise<void> {
  await createAuditMonths(directUrl);
  await prepareJobs(directUrl, ownerUrl);
}

/**
 * Runs `work` on the migrated database of this installation, for commands, and returns its result; a server may run at
 * the same time.
 */
export async function withDatabase<T>(
  config: Config,
  embedded: EmbeddedLauncher | undefined,
  work: (db: Db, database: OpenDatabase) => Promise<T>,
): Promise<T> {
  await requireDatabase(config, embedded);
  const database = await joinDatabase(config, createLog('silent'), embedded);
  try {
    await prepareDatabase(database);
    const pool = createPool(database.directUrl);
    const result = await work(createDb(pool), database);
    await pool.end();
    return result;
  } finally {
    await database.close();
  }
}
