import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The process that holds a lock. */
export interface LockHolder {
  pid: number;
  /** How the holder describes itself to people, for example its address. */
  name: string;
}

export interface ProcessLock {
  /** Null: this process holds the lock until `release` or until it exits. */
  heldBy: LockHolder | null;
  release(): void;
}

/** How long to wait: enough for a process that only asks for the holder, or for a killed process to end. */
const patienceMs = 300;
const sqliteBusy = 5;
/** Keeps references to the locks of this process, because garbage collection would release them. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock on `file`, which is respected by every process that opens the file, even in other containers. The kernel frees it when the
 * process ends for any reason, so a leftover file is no lock. Node can't lock files itself, but its SQLite does, on every system.
 */
export function takeLock(file: string, name: string): ProcessLock {
  mkdirSync(dirname(file), { recursive: true });
  const database = open(file, 'begin exclusive');
  if (database === null) return { heldBy: readHolder(file), release: () => undefined };
  writeFileSync(holderFile(file), JSON.stringify({ pid: process.pid, name } satisfies LockHolder));
  held.add(database);
  const release = () => {
    if (held.delete(database)) database.close();
  };
  return { heldBy: null, release };
}

/** The holder of the lock on `file`, or null. */
export function lockHolder(file: string): LockHolder | null {
  const database = open(file, 'begin; select count(*) from sqlite_schema');
  database?.close();
  return database === null ? readHolder(file) : null;
}

/** Opens `file` as an empty database and runs `statements`; null if another process holds its lock. */
function open(file: string, statements: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    database.exec(statements);
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null;
    throw error;
  }
}

const holderFile = (file: string) => `${file}.json`;

function readHolder(file: string): LockHolder {
  try {
    return JSON.parse(readFileSync(holderFile(file), 'utf8')) as LockHolder;
  } catch {
    // The holder has only just taken the lock and not yet described itself.
    return { pid: 0, name: 'starting' };
  }
}
