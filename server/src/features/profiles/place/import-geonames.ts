import { open, type FileHandle } from 'node:fs/promises';
import type pg from 'pg';
import { copyRows } from '../../../platform/db/copy-rows.ts';
import { StartError } from '../../../platform/process/start-error.ts';
import { ownTowns, readGeoNamesLine } from './geonames.ts';
import type { Place } from './places.ts';

/** The result of an import. */
export interface ImportReport {
  lines: number;
  added: number;
  /** In our own list, or from an earlier import. */
  known: number;
  /** Mountains, lakes, parts of towns and abandoned towns. */
  leftOut: number;
  broken: number;
  /** The first broken lines, with their numbers and what is wrong with them. */
  faults: { line: number; fault: string }[];
}

const townsAtOnce = 2000;
const faultsNamed = 10;
/** A file whose first lines are all broken is not a dump. */
const patienceLines = 1000;
/** Longer than any line of a dump, where alternate names take up to 10,000 characters. */
const longestLine = 100_000;

const columns = ['name', 'country', 'latitude', 'longitude', 'population'] as const;

/** Opens a dump; a `StartError` says why it cannot be read. */
export async function openDump(path: string): Promise<FileHandle> {
  const refused = (why: string) => new StartError(`${path} cannot be imported: ${why}.`);
  const file = await open(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`);
  });
  if ((await file.stat()).isDirectory()) {
    await file.close();
    throw refused('it is a folder');
  }
  return file;
}

const notADump = () =>
  new StartError(
    'This is not a GeoNames dump: lines of tab-separated columns were expected, as in cities500.txt (unpacked). Nothing was changed.',
  );

/** The lines of a file, in batches. */
async function* linesOf(file: FileHandle): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw notADump();
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/**
 * Adds the towns of an open dump that are not known yet, all or none. A town is known if one with its name and country lies
 * within 0.05°, or if our own list has it under another name. Existing places are not changed.
 */
export async function importGeoNames(pool: pg.Pool, file: FileHandle): Promise<ImportReport> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`create temp table town on commit drop as select ${columns.join(', ')} from place with no data`);
    const report = await fillTowns(client, file);
    // A starting server adds places, too.
    await client.query('lock table place in share row exclusive mode');
    await client.query('analyze town');
    const { rowCount } = await client.query(
      `insert into place (${columns.join(', ')})
       select distinct t.* from town t
       where not exists (
         select from place p where lower(p.name) = lower(t.name) and lower(p.country) = lower(t.country)
           and abs(p.latitude - t.latitude) < 0.05 and abs(p.longitude - t.longitude) < 0.05)`,
    );
    await client.query('commit');
    client.release();
    const added = rowCount ?? 0;
    return { ...report, added, known: report.lines - report.leftOut - report.broken - added };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Writes the towns that are not in our own list into the table `town`, in batches. */
async function fillTowns(client: pg.ClientBase, file: FileHandle): Promise<ImportReport> {
  const report: ImportReport = { lines: 0, added: 0, known: 0, leftOut: 0, broken: 0, faults: [] };
  const isOwn = ownTowns();
  let towns: Pick<Place, (typeof columns)[number]>[] = [];
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      report.lines += 1;
      const read = readGeoNamesLine(line);
      if ('fault' in read) {
        report.broken += 1;
        if (report.faults.length < faultsNamed) report.faults.push({ line: report.lines, fault: read.fault });
        if (report.broken === patienceLines && report.lines === patienceLines) throw notADump();
      } else if ('isLeftOut' in read) report.leftOut += 1;
      else if (!isOwn(read.town, read.names)) towns.push({ ...read.town });
    }
    if (towns.length >= townsAtOnce) {
      await copyRows(client, 'town', towns);
      towns = [];
    }
  }
  if (report.broken === report.lines) throw notADump();
  await copyRows(client, 'town', towns);
  return report;
}
