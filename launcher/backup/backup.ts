import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import { selfiePrefix, unfinishedMark } from '../../server/src/features/media/storage/storage.ts';
import { openClient, withClient } from '#platform/db/connection.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { embeddedPlace, findEmbeddedDatabase } from '../embedded-database/embedded-database.ts';
import { majorVersion } from '../embedded-database/cluster.ts';
import { openEmbedded, runningDatabase } from '../open-embedded.ts';
import { dumpDatabase } from './dump.ts';

/** The contents of a backup, stored in `manifest.json`. That file is written last, so a folder without it is not a backup. */
export interface Manifest {
  madeAt: string;
  /** The major version of PostgreSQL that can read the copied database; a newer one can read a dump as well. */
  postgres: string;
  /** The members and messages when the copy ended: a restored database has at least about as many. */
  counts: Record<string, number>;
  /** Whether the pictures are included; they aren't if they are in a bucket. */
  hasPictures: boolean;
  /** SHA-256 and size of every file, by its path within the backup. */
  files: Record<string, { sha256: string; bytes: number }>;
}

/** Files of the running process that are no data; PostgreSQL's manual excludes the same files from backups of this kind. */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label.*|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*)$|(^|\/)(pgsql_tmp|pg_internal\.init)/;
/** Contains the position in the write-ahead log; copied after everything else. */
const controlFile = 'global/pg_control';
/** Selfies are deleted once they are reviewed, so no copy may outlive them. */
const isSelfie = (path: string) => [selfiePrefix, unfinishedMark].some((start) => basename(path).startsWith(start));
const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The file of a backup that was made by `pg_dump`; others have copies of the embedded database's files. */
const dumpFile = 'database.dump';
/** The dump in a backup, as a path within it, or null. */
export const dumpIn = ({ files }: Manifest): string | null => (dumpFile in files ? dumpFile : null);

/**
 * Copies the embedded database of `dataDir`, or the one at `ownUrl`, which may be in use, and the pictures in `mediaDir` (null: they are in
 * a bucket) to a new folder in `target`; returns its path. A backup that fails half-way leaves a folder ending in `.partial` and changes
 * nothing else.
 */
export async function backUp(options: {
  dataDir: string;
  mediaDir: string | null;
  target: string;
  now: Date;
  log: FastifyBaseLogger;
  /** The owner's address of a database other than the embedded one. */
  ownUrl?: string | null;
  /** Whether to dump the embedded database, too, so that any PostgreSQL can read it. */
  isDump?: boolean;
  /** Whether to wait until the disk confirms each file; by default yes. */
  sync?: boolean;
}): Promise<string> {
  const { dataDir, mediaDir, now, log, ownUrl = null, isDump = ownUrl !== null, sync = true } = options;
  const name = `heartwood-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const folder = join(resolve(options.target), name);
  if (existsSync(folder)) throw new StartError(`${folder} exists already.`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const isStopped = ownUrl === null && runningDatabase(dataDir) === null;
  const started = isStopped ? await openEmbedded(dataDir, 'a backup', log) : null;
  try {
    const url = ownUrl ?? findEmbeddedDatabase(dataDir);
    const manifest: Manifest = {
      madeAt: now.toISOString(),
      postgres: majorVersion,
      counts: {},
      hasPictures: mediaDir !== null,
      files: {},
    };
    const copy = { to: partial, manifest, sync };
    if (isDump) await addDump(url, copy);
    else await copyDatabase(dataDir, copy);
    // Pictures are copied after the database, so that every picture in it exists, unless it was deleted in between.
    if (mediaDir !== null && existsSync(mediaDir)) await copyTree(mediaDir, 'media', copy, isSelfie);
    await writeFile(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: 0o600,
      flush: sync,
    });
    await note(url, 'lastBackup', now);
  } finally {
    await started?.close();
  }
  await rename(partial, folder);
  return folder;
}

/** Records in the database when a backup was made or tested, for the operations page. */
export async function note(url: string, what: 'lastBackup' | 'lastDrill', at: Date): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `insert into installation (name, value) values ($1, to_jsonb($2::text))
       on conflict (name) do update set value = excluded.value`,
      [what, at.toISOString()],
    ),
  );
}

/** A backup that is being written: its folder, its contents so far, and whether the disk has to confirm each file. */
interface Copy {
  to: string;
  manifest: Manifest;
  sync: boolean;
}

/** PostgreSQL's low-level backup: the files as they are, and the write-ahead log that makes them consistent. */
async function copyDatabase(dataDir: string, copy: Copy): Promise<void> {
  const { home } = embeddedPlace(dataDir);
  const cluster = join(home, 'data');
  const client = await openClient(findEmbeddedDatabase(dataDir, 'postgres'));
  try {
    // The slot keeps the log since the start of the backup; closing this connection releases it.
    await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
    const begin = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_backup_start('heartwood', true)) as file`,
    );
    await copyTree(cluster, 'database', copy, (path) => leftOut.test(path) || path === controlFile);
    await copyFile(join(cluster, controlFile), `database/${controlFile}`, copy);
    const before = await countRows(client);
    const end = await client.query<{ file: string; labelfile: string }>(
      `select pg_walfile_name(lsn) as file, labelfile from pg_backup_stop(false)`,
    );
    copy.manifest.counts = leastOf(before, await countRows(client));
    const { file: last = '', labelfile = '' } = end.rows[0] ?? {};
    const first = begin.rows[0]?.file ?? '';
    for (const wal of await readdir(join(cluster, 'pg_wal')))
      if (wal.endsWith('.history') || (/^[0-9A-F]{24}$/.test(wal) && first <= wal && wal <= last))
        await copyFile(join(cluster, 'pg_wal', wal), `database/pg_wal/${wal}`, copy);
    await save('database/backup_label', labelfile, copy);
    await save('password', await readFile(join(home, 'password'), 'utf8'), copy);
  } finally {
    await client.end();
  }
}

async function addDump(url: string, { to, manifest }: Copy): Promise<void> {
  const file = join(to, dumpFile);
  const before = await withClient(url, countRows);
  manifest.postgres = await dumpDatabase(url, file);
  manifest.counts = leastOf(before, await withClient(url, countRows));
  manifest.files[dumpFile] = { sha256: (await digestOf(file)) ?? '', bytes: (await stat(file)).size };
}

/** Rows come and go while the database is copied. */
const leastOf = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(before).map(([what, count]) => [what, Math.min(count, after[what] ?? 0)]));

/** SHA-256 of a file, or null if there is none. */
export async function digestOf(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of file.createReadStream({ highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest('hex');
}

/** The row counts that show whether a restored database is complete. */
export async function countRows(client: Pick<pg.Client, 'query'>): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, string>>(
    `select (select count(*) from account) as accounts, (select count(*) from message) as messages,
       (select count(*) from match) as matches, (select count(*) from picture) as pictures`,
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]));
}

async function copyTree(
  from: string,
  prefix: string,
  copy: Copy,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<void> {
  const { folders, files } = await listTree(from, isLeftOut);
  for (const path of folders) await mkdir(join(copy.to, prefix, path), { recursive: true, mode: 0o700 });
  await severalAtOnce(files, (path) => copyFile(join(from, path), `${prefix}/${path}`, copy));
}

/** The folders (parents first) and files below `from`, as paths within it. */
export async function listTree(
  from: string,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(from.length + 1) }));
  const wanted = named.filter(({ path }) => !isLeftOut(path));
  return {
    folders: wanted.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path),
    files: wanted.filter(({ entry }) => entry.isFile()).map(({ path }) => path),
  };
}

const atOnce = 16;

/** Works on several items at once, because most of the time is spent waiting for the disk to confirm each file. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const each = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, each));
}

/** Copies one file and records its checksum; a file that was deleted in the meantime is left out. */
async function copyFile(from: string, path: string, { to, manifest, sync }: Copy): Promise<void> {
  const source = await open(from).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (source === null) return;
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const written = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of source.createReadStream({ highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      await written.write(chunk);
    }
    if (sync) await written.sync();
  } finally {
    await written.close();
  }
  manifest.files[path] = { sha256: hash.digest('hex'), bytes };
}

async function save(path: string, text: string, { to, manifest, sync }: Copy): Promise<void> {
  await writeFile(join(to, path), text, { mode: 0o600, flush: sync });
  manifest.files[path] = { sha256: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
}
