import { type FileHandle, open } from 'node:fs/promises';
import type pg from 'pg';
import { copyRows } from '#platform/db/copy-rows.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { addTowns, townColumns, townRow } from './add-towns.ts';
import { linesOf, notADump, readGeoNamesLine } from './geonames.ts';
import { ownTowns } from './import-places.ts';

/** The result of an import. */
export interface ImportReport {
  lines: number;
  added: number;
  /** The number of towns in our own list or from an earlier import. */
  known: number;
  /** The number of mountains, lakes, parts of towns and abandoned towns. */
  leftOut: number;
  broken: number;
  /** The first broken lines, with their numbers and what is wrong with them. */
  faults: { line: number; fault: string }[];
}

const townsAtOnce = 2000;
const faultsNamed = 10;
/** If this many first lines are all broken, the file is not a dump. */
const patienceLines = 1000;

/** Opens a dump. Throws a `StartError` that says why the file cannot be read. */
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

/** Adds the new towns of an open dump, and replaces the built-in ones: all of them or none; see `addTowns`. */
export async function importGeoNames(pool: pg.Pool, file: FileHandle): Promise<ImportReport> {
  const client = await pool.connect();
  try {
    const columns = Object.entries(townColumns).map(([name, type]) => `${name} ${type}`);
    await client.query(`create temp table t (${columns.join(', ')})`);
    // The file is read before the transaction, which locks the table.
    const report = await fillTowns(client, file);
    await client.query('begin');
    // A starting server adds places too.
    await client.query('lock table place in share row exclusive mode');
    await client.query('analyze t');
    const added = await addTowns(client, { table: 't' }, false);
    await client.query('drop table t');
    await client.query('commit');
    client.release();
    return { ...report, added, known: report.lines - report.leftOut - report.broken - added };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Writes the towns to the table `t`, in batches. */
async function fillTowns(client: pg.ClientBase, file: FileHandle): Promise<ImportReport> {
  const report: ImportReport = { lines: 0, added: 0, known: 0, leftOut: 0, broken: 0, faults: [] };
  const ownTown = ownTowns();
  let towns: ReturnType<typeof townRow>[] = [];
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      report.lines += 1;
      const read = readGeoNamesLine(line);
      if ('fault' in read) {
        report.broken += 1;
        if (report.faults.length < faultsNamed) report.faults.push({ line: report.lines, fault: read.fault });
        if (report.broken === patienceLines && report.lines === patienceLines) throw notADump();
      } else if ('isLeftOut' in read) report.leftOut += 1;
      else towns.push(townRow(read.town, ownTown(read.town, read.names)?.name));
    }
    if (towns.length >= townsAtOnce) {
      await copyRows(client, 't', towns);
      towns = [];
    }
  }
  if (report.broken === report.lines) throw notADump();
  await copyRows(client, 't', towns);
  return report;
}
