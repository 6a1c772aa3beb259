import { constants, existsSync, mkdtempSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { withClient } from '../../server/src/platform/db/connection.ts';
import { StartError } from '../../server/src/platform/process/lifecycle.ts';
import { countRows, listTree, type Manifest, severalAtOnce } from './backup.ts';
import { embeddedPlace, startEmbeddedDatabase } from '../embedded-database/embedded-database.ts';
import { majorVersion, sessionsToEnd, unfinishedRestore } from '../embedded-database/cluster.ts';
import { giveTo } from '../embedded-database/user.ts';
import { lockDataDir } from '../open-embedded.ts';

/** A file in the manifest that differs or is missing. */
const broken = (path: string) =>
  new StartError(`This backup is damaged: ${path} is not as it was copied. Nothing was changed.`);

/** Reads the manifest and compares every file with it. A `StartError` if this isn't a backup, is damaged, or is from another PostgreSQL version. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (text === null) throw new StartError(`${folder} is not a complete backup: it has no manifest.json.`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.postgres !== majorVersion)
    throw new StartError(
      `This backup is of PostgreSQL ${manifest.postgres}, and this release brings ${majorVersion}. Restore it with the release that made it.`,
    );
  await severalAtOnce(Object.entries(manifest.files), async ([path, { sha256 }]) => {
    if ((await digestOf(join(folder, path))) !== sha256) throw broken(path);
  });
  return manifest;
}

async function digestOf(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of file.createReadStream({ highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest('hex');
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
  if (mediaDir !== null && existsSync(join(from, 'media')))
    await copyFrom(join(from, 'media'), mediaDir, { sync, keep: true });
  return { movedTo, manifest };
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
  manifest: Manifest;
  counts: Record<string, number>;
  seconds: number;
}

/**
 * Restores a backup into a scratch folder, starts PostgreSQL on it, lets `verify` use the database, and removes the folder. A
 * `StartError` says what the backup lacks. The product's data is not touched.
 */
export async function drill(options: {
  from: string;
  log: FastifyBaseLogger;
  verify: (url: string, mediaDir: string | null) => Promise<void>;
}): Promise<Drill> {
  const began = performance.now();
  const scratch = mkdtempSync(join(tmpdir(), 'heartwood-drill-'));
  try {
    // PostgreSQL's own user must be able to enter it.
    await chmod(scratch, 0o755);
    const dataDir = join(scratch, 'data');
    const mediaDir = join(scratch, 'media');
    // The scratch folder doesn't have to survive a power failure.
    const into = { dataDir, mediaDir, replace: false, now: new Date(), sync: false };
    const { manifest } = await putBack({ from: options.from, ...into });
    const settings = { fsync: 'off' };
    const outsideRoot = join(scratch, 'outside');
    const database = await startEmbeddedDatabase({ dataDir, log: options.log, outsideRoot, settings });
    try {
      const counts = await withClient(database.url, countRows);
      for (const [what, count] of Object.entries(manifest.counts))
        // In a busy database, some rows are deleted or added between the copy and the count.
        if ((counts[what] ?? 0) < count - Math.floor(count / 100))
          throw new StartError(`The restored database has ${counts[what] ?? 0} ${what}, and there were ${count}.`);
      await options.verify(database.url, manifest.hasPictures ? mediaDir : null);
      return { manifest, counts, seconds: (performance.now() - began) / 1000 };
    } finally {
      await database.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
