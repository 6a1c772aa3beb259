import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { verifyFile } from './features/moderation/transparency/verify.ts';
import { readConfig } from './platform/config/config.ts';
import { systemClock } from './platform/process/clock.ts';
import { StartError } from './platform/process/lifecycle.ts';
import { withDatabase } from './open-database.ts';
import { type Command, type Installation, runCommand } from './run-command.ts';

const usage = 'Use: npm run transparency:verify -- FILE';

async function main({ embedded }: Installation): Promise<void> {
  const [path, ...rest] = parseArgs({ allowPositionals: true }).positionals;
  if (path === undefined || rest.length > 0) throw new StartError(usage);
  const bytes = await readFile(path).catch(() => {
    throw new StartError(`${path} could not be read. ${usage}`);
  });
  await withDatabase(readConfig(), embedded, async (db) => {
    const verdict = await verifyFile(db, bytes, () => systemClock.now());
    if (verdict.is === 'unknown')
      throw new StartError(`No published report has this file (SHA-256 ${verdict.hash}): something in it was changed.`);
    if (verdict.is === 'broken')
      throw new StartError(`Batch ${verdict.batch} of the audit trail does not match its seal: events were changed.`);
    if (verdict.is === 'unsealed')
      throw new StartError('The file was published a moment ago and is not sealed yet. Try again in ten minutes.');
    const { file, year, version, batch, seal } = verdict;
    process.stdout.write(`This is the file "${file}" of the report of ${year}, version ${version}, unchanged.\n`);
    process.stdout.write(`Sealed in the audit trail: ${batch}:${seal}\n`);
  });
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);
