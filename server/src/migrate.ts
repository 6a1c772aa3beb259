import { readConfig } from './platform/config/config.ts';
import { withDatabase } from './open-database.ts';
import { runCommand } from './run-command.ts';

// Brings the database up to date and ends, so that a deployment can do that before its processes start.
await runCommand('Use: node server/src/migrate.ts', () => withDatabase(readConfig(), () => Promise.resolve()));
