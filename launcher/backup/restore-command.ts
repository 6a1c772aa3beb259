import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { systemClock } from '../../server/src/platform/process/clock.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { StartError } from '../../server/src/platform/process/lifecycle.ts';
import { verifyDatabase } from './verify.ts';
import { runCommand } from '../../server/src/run-command.ts';
import { note } from './backup.ts';
import { runningDatabase } from '../open-embedded.ts';
import { drill, restore } from './restore.ts';

const usage = 'Use: npm run restore -- FOLDER [--replace | --drill], where FOLDER was made by npm run backup.';

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, drill: { type: 'boolean', default: false } },
  });
  const [from, ...more] = positionals;
  if (from === undefined || more.length > 0 || (values.replace && values.drill)) throw new StartError(usage);
  const { databaseUrl, dataDir, media } = readConfig();
  if (values.drill) {
    const { counts, seconds } = await drill({ from, log: createLog('silent'), verify: verifyDatabase });
    const running = databaseUrl === null && existsSync(dataDir) ? runningDatabase(dataDir) : null;
    if (running !== null) await note(running.ownerUrl, 'lastDrill', systemClock.now());
    const found = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
    say(`The backup can be restored: ${found.join(', ')}, and signing in works. ${seconds.toFixed(1)} s.`);
    return;
  }
  if (databaseUrl !== null) throw new StartError('Unset DATABASE_URL: this restores the embedded database.');
  const mediaDir = media.storage.driver === 'disk' ? media.directory : null;
  const { movedTo, manifest } = await restore({
    from,
    dataDir,
    mediaDir,
    replace: values.replace,
    now: systemClock.now(),
    log: createLog('silent'),
  });
  say(`Restored the state of ${manifest.madeAt} and ended all sessions. npm start repeats deletions since then.`);
  if (movedTo !== null) say(`The database from before is in ${movedTo}. Delete it when you don't need it any more.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runCommand({ usage, run });
