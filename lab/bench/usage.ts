import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** What serving has cost so far; differences of two are the cost in between. */
export interface Usage {
  /** CPU time of the server process with its decoders of pictures, and of the database's processes, in milliseconds. */
  serverMs: number;
  databaseMs: number;
  /** Of the server process, its main thread: without password hashes, which others compute. */
  mainMs: number;
  /** Statements sent to the database. */
  statements: number;
  /** Bytes allocated on the server's JavaScript heap, as its garbage collections noticed. */
  allocated: number;
}

/** `later` minus `earlier`, divided by `count`. */
export function usagePer(count: number, earlier: Usage, later: Usage): Usage {
  const of = (key: keyof Usage) => (later[key] - earlier[key]) / count;
  return {
    serverMs: of('serverMs'),
    mainMs: of('mainMs'),
    databaseMs: of('databaseMs'),
    statements: of('statements'),
    allocated: of('allocated'),
  };
}

/**
 * CPU time of the database's client processes and its WAL writer so far, in milliseconds, from Linux's scheduler (nanoseconds, where
 * `/proc/<pid>/stat` counts in hundredths of a second). Processes that ended in between are missing, so keep connections open.
 */
export async function databaseCpuMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'walwriter' or (datname = current_database() and backend_type = 'client backend')`,
  );
  return rows.reduce((sum, { pid }) => sum + onCpuMs(pid), 0);
}

/** CPU time of a process with one thread, in milliseconds. */
export function onCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** CPU time of the running processes that this one has started, in milliseconds. */
export function childrenCpuMs(): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return pids.reduce((sum, pid) => sum + threadsOf(pid).reduce((all, thread) => all + onCpuMs(thread), 0), 0);
}

function threadsOf(pid: string): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** Adds up what was allocated between garbage collections, from the lines of `--trace-gc`. */
export function countAllocations(): { read(text: string): void; bytes(): number } {
  let [bytes, after] = [0, 0];
  return {
    read(text) {
      for (const [, from, to] of text.matchAll(/(?:Scavenge|Mark-Compact).*? ([\d.]+) \([\d.]+\) -> ([\d.]+) \(/g)) {
        bytes += Math.max(0, Number(from) - after) * 1024 * 1024;
        after = Number(to);
      }
    },
    bytes: () => bytes,
  };
}

/** CPU milliseconds of the server's processes and of the database. */
export interface Spent {
  serverMs: number;
  databaseMs: number;
}

/** CPU of processes that share a database, for each of the `count` things that `work` does. */
export async function costOf(
  servers: { usage(): Promise<Spent> }[],
  count: number,
  work: () => Promise<unknown>,
): Promise<Spent> {
  const read = async (): Promise<Spent> => {
    const all: Spent[] = [];
    for (const server of servers) all.push(await server.usage());
    // Each of them names the whole database's.
    return { serverMs: all.reduce((sum, { serverMs }) => sum + serverMs, 0), databaseMs: all[0]?.databaseMs ?? 0 };
  };
  const before = await read();
  await work();
  const after = await read();
  return {
    serverMs: (after.serverMs - before.serverMs) / count,
    databaseMs: (after.databaseMs - before.databaseMs) / count,
  };
}
