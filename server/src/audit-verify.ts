import { parseArgs } from 'node:util';
import { newestSeal, sealAudit, verifyAudit } from './features/moderation/audit/audit-seals.ts';
import { readConfig } from '#platform/config/config.ts';
import { systemClock } from '#platform/process/clock.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { withDatabase } from './open-database.ts';
import { type Installation, type Command, runCommand } from './run-command.ts';

const usage = 'Use: npm run audit:verify -- [--seal BATCH:HASH]';

async function main({ embedded }: Installation): Promise<void> {
  const { values } = parseArgs({ options: { seal: { type: 'string' } } });
  const [, batch, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(values.seal ?? '') ?? [];
  if (values.seal !== undefined && hash === undefined) throw new StartError(usage);
  const noted = hash === undefined ? null : { batch: Number(batch), hash: hash.toLowerCase() };
  await withDatabase(readConfig(), embedded, async (db) => {
    await sealAudit(db);
    const { batches, events, firstBad } = await verifyAudit(db, () => systemClock.now(), { noted });
    if (firstBad !== null) {
      const when = firstBad.until === null ? 'is missing' : `(events until ${firstBad.until}) does not match its seal`;
      throw new StartError(
        `Batch ${firstBad.batch} ${when}: events were changed, added or deleted outside the product.`,
      );
    }
    const counts = `Events: ${events.toLocaleString('en')}, batches: ${batches.toLocaleString('en')}`;
    process.stdout.write(`The audit trail is intact. ${counts}.\n`);
    const newest = await newestSeal(db);
    if (newest !== null) process.stdout.write(`Newest seal, to note elsewhere: ${newest.batch}:${newest.hash}\n`);
  });
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);
