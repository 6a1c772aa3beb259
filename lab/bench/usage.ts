import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { rowsOf } from '../people.ts';

/** What serving has cost; CPU in milliseconds. */
export interface Usage {
  /** Of the server process with all its threads, and of its main thread alone: without password hashes, which others compute. */
  serverMs: number;
  mainMs: number;
  /** Of the database's processes that serve clients. */
  databaseMs: number;
  /** Bytes of write-ahead log. */
  loggedBytes: number;
}

/**
 * CPU time of a thread, or of a process with one, so far, from Linux's scheduler (nanoseconds, where `/proc/<pid>/stat` counts in
 * hundredths of a second).
 */
export function onCpuMs(path: string | number): number {
  try {
    return Number(readFileSync(`/proc/${path}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** What a server process and its database have used so far. Processes that ended in between are missing, so keep connections open. */
export async function usageOf(pid: number, db: pg.Pool): Promise<Usage> {
  const rows = await rowsOf<{ pid: number; bytes: string }>(
    db,
    `select pid, pg_current_wal_insert_lsn() - '0/0' as bytes from pg_stat_activity
     where backend_type = 'walwriter' or (datname = current_database() and backend_type = 'client backend')`,
  );
  return {
    serverMs: readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + onCpuMs(`${pid}/task/${thread}`), 0),
    mainMs: onCpuMs(`${pid}/task/${pid}`),
    databaseMs: rows.reduce((sum, backend) => sum + onCpuMs(backend.pid), 0),
    loggedBytes: Number(rows[0]?.bytes ?? 0),
  };
}

/** `later` minus `earlier`, divided by `count`. */
export function usagePer(count: number, earlier: Usage, later: Usage): Usage {
  const of = (key: keyof Usage) => (later[key] - earlier[key]) / count;
  return {
    serverMs: of('serverMs'),
    mainMs: of('mainMs'),
    databaseMs: of('databaseMs'),
    loggedBytes: of('loggedBytes'),
  };
}

/** The memory a process has in RAM now, in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
