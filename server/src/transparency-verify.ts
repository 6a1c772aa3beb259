import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { verifyFile } from './features/moderation/transparency/verify.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { StartError } from '#platform/process/lifecycle.ts';
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
    process.stdout.write(await verifyFile(db, bytes, () => systemClock.now()));
  });
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);
