import { parseArgs } from 'node:util';
import { findOwnDatabase } from '../../server/src/open-database.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { createLog } from '#platform/process/log.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { runCommand } from '../../server/src/run-command.ts';
import { backUp } from './backup.ts';

const usage = `Use: npm run backup [-- FOLDER] [--dump]. It goes to a new folder in FOLDER, by default in backups/. With --dump, your own
PostgreSQL can read what the embedded database contains.`;

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { dump: { type: 'boolean' } } });
  const [target = 'backups', ...more] = positionals;
  if (more.length > 0) throw new StartError(usage);
  const config = readConfig();
  const { dataDir, media } = config;
  const isOnDisk = media.storage.driver === 'disk';
  const folder = await backUp({
    dataDir,
    mediaDir: isOnDisk ? media.directory : null,
    target,
    now: systemClock.now(),
    log: createLog('silent'),
    ownUrl: await findOwnDatabase(config),
    ...(values.dump === true && { isDump: true }),
  });
  process.stdout.write(`Backup: ${folder}\n${isOnDisk ? '' : 'The pictures are in a bucket and not part of it.\n'}`);
}

await runCommand({ usage, run });
