import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { login } from '#contract/auth/session.ts';
import { projectRoot } from '../../../launcher/command.ts';
import { findEmbeddedDatabase } from '../../../launcher/embedded-database/embedded-database.ts';
import { sessionIn } from '../session-in.ts';
import { mustCall, send, stopwatch } from './http.ts';

const readyWithinMs = 180_000;
const pollMs = 20;
const administrator = { email: 'administrator@prove.test', password: 'a phrase for the one who proves' };

/** How a process ended, and how long after the signal. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  ms: number;
}

/** The product in a separate process, with a data folder and port that stay the same across restarts. */
export interface Product {
  origin: string;
  dataDir: string;
  /** The URL of its database: the embedded one, or the one that it was created with. */
  databaseUrl(role?: 'heartwood' | 'postgres'): string;
  /**
   * Starts the product with additional environment variables, from the folder of another release if given, and returns
   * the milliseconds until it was ready.
   */
  start(env?: Record<string, string>, release?: string): Promise<number>;
  pid(): number;
  /** Whether the last started process is still running. */
  isUp(): boolean;
  /** Sends a signal and returns how the process ended. */
  end(signal: NodeJS.Signals): Promise<End>;
  /** The processes of its embedded database. */
  database(): number[];
  /** Waits until it is ready and returns how long that took. */
  untilReady(): Promise<number>;
  /** Ends process and database in any state. */
  clear(): Promise<void>;
}

/** The file of a release that starts the service; releases up to 0.2.0 have another one. */
const mainOf = (release: string) =>
  ['launcher/serve.ts', 'server/src/main.ts'].map((file) => join(release, file)).find(existsSync) ?? '';

/** The command line of a command in a release, started the same way. */
export const commandOf = (release: string, name: string): string[] => {
  const operate = join(release, 'launcher/operate.ts');
  return existsSync(operate) ? [operate, name] : [join(release, `server/src/${name}.ts`)];
};

/** Creates a product below `folder`. `env` overrides the defaults: no demo data, no limits, warnings logged. */
export async function createProduct(folder: string, env: Record<string, string> = {}): Promise<Product> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = join(folder, 'data');
  const cluster = join(dataDir, 'postgres/data');
  const logFile = join(folder, 'product.log');
  mkdirSync(dataDir, { recursive: true });
  chmodSync(folder, 0o755);
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    SEED: 'none',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    // `npm start` and the units for systemd set it, too.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...env,
  };
  let child: ChildProcess | null = null;
  const running = (): ChildProcess => {
    if (child?.pid === undefined) throw new Error('the product was not started');
    return child;
  };
  const isUp = () => child !== null && child.exitCode === null && child.signalCode === null;
  const database = () => (existsSync(cluster) ? databaseProcesses(cluster) : []);

  async function end(signal: NodeJS.Signals): Promise<End> {
    const ms = stopwatch();
    const ended = once(running(), 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    running().kill(signal);
    const [code, by] = await ended;
    return { code, signal: by, ms: ms() };
  }

  async function untilReady(): Promise<number> {
    const ms = stopwatch();
    while (ms() < readyWithinMs) {
      if (!isUp()) throw new Error(`the product exited instead of becoming ready; see ${logFile}`);
      const answer = await send(origin, { method: 'GET', path: '/readyz', timeoutMs: 10_000 });
      if (answer.kind === 'answered' && answer.status === 200) return ms();
      await pause(pollMs);
    }
    throw new Error(`the product was not ready within ${readyWithinMs / 1000} s; its output is in ${logFile}`);
  }

  return {
    origin,
    dataDir,
    databaseUrl: (role) => env['DATABASE_URL'] ?? findEmbeddedDatabase(dataDir, role),
    async start(more = {}, release = projectRoot) {
      const log = openSync(logFile, 'a');
      child = spawn(process.execPath, ['--max-semi-space-size=16', mainOf(release)], {
        env: { ...environment, ...more },
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      return await untilReady();
    },
    pid: () => running().pid ?? 0,
    isUp,
    end,
    database,
    untilReady,
    async clear() {
      if (isUp()) await end('SIGKILL');
      while (database().length > 0) {
        signalAll(database(), 'SIGKILL');
        await pause(pollMs);
      }
    },
  };
}

/** An unused port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Creates an administrator with the command of a release; `env` names a database other than the embedded one. */
export async function makeAdministrator(
  { dataDir }: Pick<Product, 'dataDir'>,
  env: Record<string, string> = { DATABASE_URL: '' },
  release = projectRoot,
): Promise<void> {
  const command = [...commandOf(release, 'admin-create'), '--email', administrator.email];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: '', ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${administrator.password}\n`);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the administrator could not be created');
}

/** A token of the administrator, valid for 15 minutes. */
export async function administratorToken({ origin }: Pick<Product, 'origin'>): Promise<string> {
  return sessionIn(await mustCall(origin, login, { body: administrator })).token;
}

/** All processes of the PostgreSQL server whose cluster is in `folder`, which is their working directory. */
export function databaseProcesses(folder: string): number[] {
  const cluster = realpathSync(folder);
  const worksThere = (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(worksThere);
}

/** Sends `signal` to each process that still exists. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
