import { parseArgs } from 'node:util';
import { readConfig } from '#platform/config/config.ts';
import { createPool } from '#platform/db/pool.ts';
import { createLog } from '#platform/process/log.ts';
import { joinDatabase, prepareDatabase, requireDatabase } from './open-database.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { importGeoNames, type ImportReport, openDump } from './features/profiles/place/import-geonames.ts';
import { importPlaces } from './features/profiles/place/import-places.ts';
import { type Installation, type Command, runCommand } from './run-command.ts';

const usage = 'Use: npm run places:import -- FILE, where FILE is a GeoNames dump such as cities500.txt.';
const giveUpMs = 10 * 60_000;

/** The result as text: a line of figures, and one about broken lines. */
function inWords({ lines, added, known, leftOut, broken, faults }: ImportReport): string {
  const [read, ...counts] = [lines, added, known, leftOut, broken].map((count) => count.toLocaleString('en'));
  const [news, olds, others, faulty] = counts;
  const named = faults.map(({ line, fault }) => `line ${line} ${fault}`).join(', ');
  const more = broken - faults.length;
  return [
    `Lines read: ${read}. Places added: ${news}, already known: ${olds}, no present-day towns: ${others}, broken: ${faulty}.`,
    ...(broken === 0 ? [] : [`Broken: ${named}${more === 0 ? '' : `, and ${more} more`}.`]),
    'GeoNames requires attribution wherever its data is used (CC BY 4.0).',
    '',
  ].join('\n');
}

async function main({ embedded }: Installation): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new StartError(usage);
  const config = readConfig();
  await requireDatabase(config, embedded);
  const file = await openDump(path);
  const database = await joinDatabase(config, createLog('silent'), embedded);
  try {
    await prepareDatabase(database);
    const pool = createPool(database.directUrl, { giveUpMs });
    await importPlaces(pool);
    const report = await importGeoNames(pool, file);
    await pool.end();
    process.stdout.write(inWords(report));
  } finally {
    await database.close();
  }
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);
