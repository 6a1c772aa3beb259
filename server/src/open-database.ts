import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './platform/config/config.ts';
import { checkDatabase } from './platform/db/database-check.ts';
import { createDb, createPool, type Db } from './platform/db/db.ts';
import { createAuditMonths, grantToServingRole, migrate } from './platform/db/migrate.ts';
import { migrateJobs } from './platform/jobs/jobs.ts';
import { createLog } from './platform/process/log.ts';

export interface OpenDatabase {
  url: string;
  /** The same database as the role that owns its tables, which may be the same role. */
  ownerUrl: string;
  /** The folder outside the data folder that the embedded database had to use, or null. */
  outside: string | null;
  /** Stops an embedded database, cleanly if that takes no longer than `graceMs`; an external one is left alone. */
  close(graceMs?: number): Promise<void>;
}

/**
 * The configured database, checked; or the embedded one, started, with the data folder locked until `close`. `holder`
 * is how a second start on the same folder names this process. The code for the embedded database is loaded only when
 * it is used. Throws a `StartError` that says what to do.
 */
export async function openDatabase(config: Config, holder: string, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null)
    return await external(config.databaseUrl, config.databaseOwnerUrl, config.production);
  const { openEmbedded } = await import('../../launcher/open-embedded.ts');
  return await openEmbedded(config.dataDir, holder, log);
}

/**
 * Like `openDatabase`, but joins the embedded database of a running server, for commands that run at the same time.
 */
export async function joinDatabase(config: Config, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null)
    return await external(config.databaseUrl, config.databaseOwnerUrl, config.production);
  const { openEmbedded, runningDatabase } = await import('../../launcher/open-embedded.ts');
  const running = await runningDatabase(config.dataDir);
  return running === null
    ? await openEmbedded(config.dataDir, 'a command', log)
    : await external(running.url, running.ownerUrl, false);
}

async function external(url: string, ownerUrl: string | null, production: boolean): Promise<OpenDatabase> {
  await checkDatabase(url, { production });
  return { url, ownerUrl: ownerUrl ?? url, outside: null, close: () => Promise.resolve() };
}

/**
 * Migrates the database as its owner; a separate serving role can then read and write, but not change tables or audit
 * rows.
 */
export async function migrateDatabase({ url, ownerUrl }: Pick<OpenDatabase, 'url' | 'ownerUrl'>): Promise<void> {
  await migrate(ownerUrl);
  await createAuditMonths(ownerUrl);
  if (ownerUrl !== url) await grantToServingRole(ownerUrl, url);
}

/**
 * Runs `work` on the migrated database of this installation, for commands; a server may be running at the same time.
 */
export async function withDatabase(config: Config, work: (db: Db) => Promise<unknown>): Promise<void> {
  const database = await joinDatabase(config, createLog('silent'));
  try {
    await migrateDatabase(database);
    const pool = createPool(database.url);
    await migrateJobs(pool);
    await work(createDb(pool));
    await pool.end();
  } finally {
    await database.close();
  }
}
