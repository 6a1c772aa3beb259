import { parseArgs } from 'node:util';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { systemClock } from '../../server/src/platform/process/clock.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { StartError } from '../../server/src/platform/process/lifecycle.ts';
import { runCommand } from '../../server/src/run-command.ts';
import { backUp } from './backup.ts';

const usage = 'Use: npm run backup [-- FOLDER]. Without FOLDER it goes to backups/.';

async function run(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target = 'backups', ...more] = positionals;
  if (more.length > 0) throw new StartError(usage);
  const { databaseUrl, dataDir, media } = readConfig();
  if (databaseUrl !== null)
    throw new StartError(
      'This backs up the embedded database. For your own PostgreSQL, see "Backup and restore" in docs/operating.md.',
    );
  const isOnDisk = media.storage.driver === 'disk';
  const mediaDir = isOnDisk ? media.directory : null;
  const folder = await backUp({ dataDir, mediaDir, target, now: systemClock.now(), log: createLog('silent') });
  process.stdout.write(`Backup: ${folder}\n${isOnDisk ? '' : 'The pictures are in a bucket and not part of it.\n'}`);
}

await runCommand({ usage, run });
