import { parseArgs } from 'node:util';
import { examine } from './features/operations/doctor.ts';
import { withDatabase, weaknessOfRoles } from './open-database.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { type Command, type Installation, runCommand } from './run-command.ts';

/** Prints one sentence for each thing that a running installation lacks, and exits with 1 if there are any. */
async function main({ embedded }: Installation): Promise<void> {
  parseArgs({ options: {} });
  const config = readConfig();
  await withDatabase(config, embedded, async (db, database) => {
    const findings = await examine({
      config,
      db,
      now: systemClock.now(),
      weakness: weaknessOfRoles(config, database),
    });
    for (const { name, faults, limit } of findings)
      process.stdout.write(
        faults.length === 0
          ? `ok    ${name}${limit === undefined ? '' : ` (${limit})`}\n`
          : faults.map((one) => `LOOK  ${name}: ${one}\n`).join(''),
      );
    if (findings.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
  });
}

export const command: Command = { usage: 'Use: npm run doctor, with the settings of the running service', run: main };
if (import.meta.main) await runCommand(command);
