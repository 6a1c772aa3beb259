import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { login } from '#contract/auth/session.ts';
import { demoAccounts } from '../../demo/accounts.ts';
import { mustCall } from '../../server/test/proofs/http.ts';
import { createProduct } from '../../server/test/proofs/product.ts';
import { sessionIn } from '../../server/test/session-in.ts';
import { rowsOf } from '../product.ts';

/** The product, serving one database in a separate process. */
export interface Service {
  origin: string;
  db: pg.Pool;
  /** The resources used since the start. */
  usage(): Promise<Usage>;
  megabytes(): number;
  stop(): Promise<void>;
}

/** Starts the product on a database. */
export async function serve(url: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-bench-'));
  const product = await createProduct(folder, { DATABASE_URL: url });
  const db = new pg.Pool({ connectionString: url });
  await product.start();
  return {
    origin: product.origin,
    db,
    usage: () => usageOf(product.pid(), db),
    megabytes: () => residentMegabytes(product.pid()),
    async stop() {
      await db.end();
      await product.end('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

/** A token of the demo's administrator. */
export async function administratorToken({ origin }: Service): Promise<string> {
  const [{ email, password }] = demoAccounts;
  return sessionIn(await mustCall(origin, login, { body: { email, password } })).token;
}

/** Another server in a separate process, for comparison. */
interface HelperProcess {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts one of the servers in `helper.ts`. */
export async function startHelper(...parameters: ['bare', url: string] | ['echo']): Promise<HelperProcess> {
  const child = fork(join(import.meta.dirname, 'helper.ts'), parameters);
  const [origin] = (await once(child, 'message')) as [string];
  return {
    origin,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The resources used by serving; CPU in milliseconds. */
export interface Usage {
  /** CPU of the server process with all threads, and of its main thread alone, which computes no password hashes. */
  serverMs: number;
  mainMs: number;
  /** CPU of the database's processes that serve clients. */
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

/** The resources a server process and its database have used so far. Ended processes are missing, so keep connections open. */
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
function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
