import { parseArgs } from 'node:util';
import { fillWithDemoData } from './demo-data.ts';
import { joinDatabase, migrateDatabase, requireOwner } from './open-database.ts';
import { readMigrationConfig } from '#platform/config/config.ts';
import { createPool } from '#platform/db/pool.ts';
import { createLog } from '#platform/process/log.ts';
import { type Installation, type Command, runCommand } from './run-command.ts';

/**
 * Migrates the database and exits, so that a deployment can do this before its processes start; adds demo data if
 * configured. It needs the URLs of the database and none of the service's secrets.
 */
async function main({ embedded, demo }: Installation): Promise<void> {
  parseArgs({ options: {} });
  const config = readMigrationConfig();
  const database = await joinDatabase(config, createLog('silent'), embedded);
  try {
    const ownerUrl = requireOwner(database);
    await migrateDatabase({ ...database, ownerUrl });
    const pool = createPool(database.directUrl);
    await fillWithDemoData(config, {
      pool,
      ownerUrl,
      demo,
      say: (line) => process.stdout.write(`${line}\n`),
    });
    await pool.end();
  } finally {
    await database.close();
  }
}

export const command: Command = { usage: 'Use: npm run migrate', run: main };
if (import.meta.main) await runCommand(command);
