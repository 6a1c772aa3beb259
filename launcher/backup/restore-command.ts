import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findOwnDatabase } from '../../server/src/open-database.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { createLog } from '#platform/process/log.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { verifyDatabase } from './verify.ts';
import { runCommand } from '../../server/src/run-command.ts';
import { dumpIn, note } from './backup.ts';
import { openEmbedded, runningDatabase } from '../open-embedded.ts';
import { drill, findBackup, readManifest, restore, restoreDump } from './restore.ts';

const usage = `Use: npm run restore -- FOLDER [--replace | --drill]. FOLDER is a backup, or the folder given to npm run backup (by default
backups/): then the latest one in it is used.`;
const log = createLog('silent');

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, drill: { type: 'boolean', default: false } },
  });
  const [folder = 'backups', ...more] = positionals;
  if (more.length > 0 || (values.replace && values.drill)) throw new StartError(usage);
  const config = readConfig();
  const { dataDir, media } = config;
  const from = await findBackup(folder);
  const isDump = dumpIn(await readManifest(from)) !== null;
  const ownUrl = await findOwnDatabase(config);
  if (values.drill) {
    const { counts, seconds } = await drill({ from, log, verify: verifyDatabase, ownUrl });
    const running = ownUrl === null && existsSync(dataDir) ? runningDatabase(dataDir)?.ownerUrl : ownUrl;
    if (running) await note(running, 'lastDrill', systemClock.now());
    const found = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
    say(`${from} can be restored: ${found.join(', ')}, and signing in works. ${seconds.toFixed(1)} s.`);
    return;
  }
  const mediaDir = media.storage.driver === 'disk' ? media.directory : null;
  if (isDump) {
    if (values.replace) throw new StartError('A dump is restored into an empty database only, without --replace.');
    const embedded = ownUrl === null ? await openEmbedded(dataDir, 'a restore', log) : null;
    try {
      const { madeAt } = await restoreDump({ from, url: embedded?.ownerUrl ?? ownUrl ?? '', mediaDir });
      say(`Restored the state of ${madeAt} from ${from} and ended all sessions.`);
    } finally {
      await embedded?.close();
    }
    say('Run npm run migrate if there are two roles. npm start repeats deletions since then.');
    return;
  }
  if (ownUrl !== null)
    throw new StartError(
      `${from} is a copy of the embedded database: unset DATABASE_URL, or make a dump with npm run backup -- --dump.`,
    );
  const { replace } = values;
  const { movedTo, manifest } = await restore({ from, dataDir, mediaDir, replace, now: systemClock.now(), log });
  say(`Restored the state of ${manifest.madeAt} from ${from} and ended all sessions.`);
  say('npm start repeats deletions since then.');
  if (movedTo !== null) say(`The database from before is in ${movedTo}. Delete it when you don't need it any more.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runCommand({ usage, run });
