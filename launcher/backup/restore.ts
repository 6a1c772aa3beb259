import { constants, existsSync, mkdtempSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { withClient } from '#platform/db/connection.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { countRows, digestOf, dumpIn, listTree, type Manifest, severalAtOnce } from './backup.ts';
import { loadDump, withScratchDatabase } from './dump.ts';
import { embeddedPlace, startEmbeddedDatabase } from '../embedded-database/embedded-database.ts';
import { majorVersion, sessionsToEnd, unfinishedRestore } from '../embedded-database/cluster.ts';
import { giveTo } from '../embedded-database/user.ts';
import { lockDataDir } from '../open-embedded.ts';

/** A file in the manifest that differs or is missing. */
const broken = (path: string) =>
  new StartError(`This backup is damaged: ${path} is not as it was copied. Nothing was changed.`);

/** The backup in `folder`: the folder itself, or the latest of the backups in it. */
export async function findBackup(folder: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes('manifest.json')) return folder;
  const latest = names
    .filter((name) => /^heartwood-[\dT-]+$/.test(name))
    .toSorted()
    .at(-1);
  return latest === undefined ? folder : join(folder, latest);
}

/** Reads what a backup contains. A `StartError` if this isn't a complete one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (text === null) throw new StartError(`${folder} is not a complete backup: it has no manifest.json.`);
  return JSON.parse(text) as Manifest;
}

/** Compares every file with the manifest. A `StartError` if this isn't a backup, is damaged, or is from another PostgreSQL version. */
async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (dumpIn(manifest) === null && manifest.postgres !== majorVersion)
    throw new StartError(
      `This backup is of PostgreSQL ${manifest.postgres}, and this release brings ${majorVersion}. Restore it with the release that made it.`,
    );
  await severalAtOnce(Object.entries(manifest.files), async ([path, { sha256 }]) => {
    if ((await digestOf(join(folder, path))) !== sha256) throw broken(path);
  });
  return manifest;
}

interface Restoring {
  from: string;
  dataDir: string;
  mediaDir: string | null;
  replace: boolean;
  now: Date;
  /** Whether to wait until the disk confirms each file; by default yes. */
  sync?: boolean;
}

interface Restored {
  movedTo: string | null;
  manifest: Manifest;
}

/**
 * Replaces the database of `dataDir`, which no process may be using, by a verified backup, and adds the pictures that are missing in
 * `mediaDir` (null: they are in a bucket). An existing database is only replaced with `replace`, and then kept next to the new one; the
 * path it was moved to is returned. Pictures and the ledger of deletions that are newer than the backup stay. All sessions end: some may
 * have been ended on purpose since the backup. If it is interrupted before the database is in place, repeat it with `replace`; from then on,
 * the next start ends the sessions. Pictures may still be missing.
 */
export async function restore({ log, ...options }: Restoring & { log: FastifyBaseLogger }): Promise<Restored> {
  const { dataDir, release } = lockDataDir(options.dataDir, 'a restore');
  try {
    const restored = await putBack({ ...options, dataDir });
    // This mark makes the next start end the sessions.
    const database = await startEmbeddedDatabase({ dataDir, log });
    await database.stop();
    return restored;
  } finally {
    release();
  }
}

async function putBack(options: Restoring): Promise<Restored> {
  const { dataDir, mediaDir, replace, now, sync = true } = options;
  const from = resolve(options.from);
  const place = embeddedPlace(dataDir);
  const cluster = join(place.home, 'data');
  const exists = existsSync(cluster);
  if (exists && !replace)
    throw new StartError(`There is a database in ${cluster}. With --replace it is kept beside the restored one.`);
  const manifest = await checkBackup(from);
  const half = join(place.home, unfinishedRestore);
  await rm(half, { recursive: true, force: true });
  await copyFrom(join(from, 'database'), half, { sync });
  await copyOne(join(from, 'password'), join(half, 'password'), sync);
  await writeFile(join(half, sessionsToEnd), '', { flush: sync });
  if (place.user !== null) giveTo(place.user, half);
  const movedTo = exists
    ? join(place.home, `before-restore-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`)
    : null;
  if (movedTo !== null) {
    await mkdir(movedTo, { mode: 0o700 });
    await rename(cluster, join(movedTo, 'data'));
    await rename(join(place.home, 'password'), join(movedTo, 'password'));
    if (place.user !== null) giveTo(place.user, movedTo);
  }
  await rename(join(half, 'password'), join(place.home, 'password'));
  await rename(half, cluster);
  await addPictures(from, mediaDir, sync);
  return { movedTo, manifest };
}

/**
 * Restores a verified backup that is a dump into the empty database at `url`, as the role that will own it, and adds pictures as `restore`
 * does. If it fails before the pictures, the database stays empty.
 */
export async function restoreDump(
  options: Pick<Restoring, 'from' | 'mediaDir' | 'sync'> & { url: string },
): Promise<Manifest> {
  const { url, mediaDir, sync = true } = options;
  const from = resolve(options.from);
  const manifest = await checkBackup(from);
  await loadDump(url, join(from, dumpIn(manifest) ?? ''), manifest.postgres);
  await addPictures(from, mediaDir, sync);
  return manifest;
}

/** Adds the pictures of a backup that are missing in `mediaDir`; null if they are in a bucket. */
async function addPictures(from: string, mediaDir: string | null, sync: boolean): Promise<void> {
  if (mediaDir !== null && existsSync(join(from, 'media')))
    await copyFrom(join(from, 'media'), mediaDir, { sync, keep: true });
}

async function copyFrom(from: string, to: string, options: { sync: boolean; keep?: boolean }): Promise<void> {
  const { folders, files } = await listTree(from);
  for (const path of ['', ...folders]) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  const missing = options.keep === true ? files.filter((path) => !existsSync(join(to, path))) : files;
  await severalAtOnce(missing, (path) => copyOne(join(from, path), join(to, path), options.sync));
}

async function copyOne(from: string, to: string, sync: boolean): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  if (!sync) return;
  const file = await open(to);
  await file.sync();
  await file.close();
}

/** The outcome of a drill. */
export interface Drill {
  counts: Record<string, number>;
  seconds: number;
}

/**
 * Restores a backup into a scratch folder, starts PostgreSQL on it, lets `verify` use the database, and removes the folder. A dump is
 * restored into a scratch database of the server at `ownUrl` instead, if there is one. A `StartError` says what the backup lacks. The
 * product's data is not touched.
 */
export async function drill(options: {
  from: string;
  log: FastifyBaseLogger;
  verify: (url: string, mediaDir: string | null) => Promise<void>;
  ownUrl?: string | null;
}): Promise<Drill> {
  const { from, log, ownUrl = null } = options;
  const began = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'heartwood-drill-'));
  const dataDir = join(scratch, 'data');
  const mediaDir = join(scratch, 'media');
  // The scratch folder doesn't have to survive a power failure.
  const into = { from, dataDir, mediaDir, replace: false, now: new Date(), sync: false };
  const examine = async (url: string, { counts: expected, hasPictures }: Manifest) => {
    const counts = await withClient(url, countRows);
    for (const [what, count] of Object.entries(expected))
      // In a busy database, some rows are deleted or added between the copy and the count.
      if ((counts[what] ?? 0) < count - Math.floor(count / 100))
        throw new StartError(`The restored database has ${counts[what] ?? 0} ${what}, and there were ${count}.`);
    await options.verify(url, hasPictures ? mediaDir : null);
    return { counts, seconds: (performance.now() - began) / 1000 };
  };
  const examineDump = async (url: string) => await examine(url, await restoreDump({ ...into, url }));
  try {
    // PostgreSQL's own user must be able to enter it.
    await chmod(scratch, 0o755);
    const isDump = dumpIn(await readManifest(from)) !== null;
    if (isDump && ownUrl !== null) return await withScratchDatabase(ownUrl, examineDump);
    const manifest = isDump ? null : (await putBack(into)).manifest;
    const outsideRoot = join(scratch, 'outside');
    const settings = { fsync: 'off' };
    const database = await startEmbeddedDatabase({ dataDir, log, outsideRoot, settings });
    try {
      return manifest === null ? await examineDump(database.url) : await examine(database.url, manifest);
    } finally {
      await database.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
