import { parseArgs } from 'node:util';
import { emailSchema } from '#contract/text.ts';
import { endSessionsByOperator } from './features/auth/staff.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { withDatabase } from './open-database.ts';
import { type Installation, type Command, runCommand } from './run-command.ts';

const usage = 'Use: npm run sessions:end -- --everyone | --account ADDRESS';

async function main({ embedded }: Installation): Promise<void> {
  const { values } = parseArgs({
    options: { everyone: { type: 'boolean', default: false }, account: { type: 'string' } },
  });
  if (values.everyone === (values.account !== undefined)) throw new StartError(usage);
  const email = values.account === undefined ? null : emailSchema.safeParse(values.account);
  if (email?.success === false) throw new StartError(`${values.account} is not an email address. ${usage}`);
  await withDatabase(readConfig(), embedded, async (db) => {
    const ended = await endSessionsByOperator(db, email?.data ?? null, systemClock.now());
    process.stdout.write(`Sessions ended: ${ended.toLocaleString('en')}\n`);
  });
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);
