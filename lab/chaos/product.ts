import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { login } from '#contract/auth/session.ts';
import { findEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { mustCall, send } from './http.ts';
import { databaseProcesses, signalAll } from './processes.ts';
import { sessionIn } from '../../server/test/session-in.ts';

/** The files of the server that is started unless `start` is given others. */
const ownRelease = resolve(import.meta.dirname, '../..');
const readyWithinMs = 180_000;
const pollMs = 20;
const administrator = { email: 'administrator@prove.test', password: 'a phrase for the one who proves' };

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Measured from the signal or kill. */
  ms: number;
}

/** The product in a separate process, on a data folder and port that stay the same across restarts. */
export interface Product {
  origin: string;
  dataDir: string;
  /** The address of its embedded database. */
  databaseUrl(): string;
  /**
   * Starts it, with additional environment and from the folder of another release if given, and returns the milliseconds until it was ready.
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
  /** Everything it wrote to its log. */
  log(): string;
}

/** The file of a release that starts the service with its embedded database and demo data. */
const mainOf = (release: string) =>
  ['launcher/serve.ts', 'server/src/main.ts'].map((file) => join(release, file)).find(existsSync) ?? '';

/** A command of a release, with the same. */
export const commandOf = (release: string, name: string): string[] => {
  const operate = join(release, 'launcher/operate.ts');
  return existsSync(operate) ? [operate, name] : [join(release, `server/src/${name}.ts`)];
};

/** A product below `folder`; `env` differs from the defaults: no demo data, no limits, warnings logged. */
export async function createProduct(folder: string, env: Record<string, string> = {}): Promise<Product> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const dataDir = env['DATA_DIR'] ?? join(folder, 'data');
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
    ...env,
  };
  let child: ChildProcess | null = null;
  const running = (): ChildProcess => {
    if (child?.pid === undefined) throw new Error('the product was not started');
    return child;
  };
  const isUp = () => child !== null && child.exitCode === null && child.signalCode === null;

  async function untilReady(): Promise<number> {
    const started = performance.now();
    while (performance.now() - started < readyWithinMs) {
      if (!isUp()) throw new Error(`the product exited instead of becoming ready; see ${logFile}`);
      const answer = await send(origin, { method: 'GET', path: '/readyz', timeoutMs: 10_000 });
      if (answer.kind === 'answered' && answer.status === 200) return performance.now() - started;
      await pause(pollMs);
    }
    throw new Error(`the product was not ready within ${readyWithinMs / 1000} s; its output is in ${logFile}`);
  }

  return {
    origin,
    dataDir,
    databaseUrl: () => findEmbeddedDatabase(dataDir),
    async start(more = {}, release = ownRelease) {
      const log = openSync(logFile, 'a');
      child = spawn(process.execPath, [mainOf(release)], {
        env: { ...environment, ...more },
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      return await untilReady();
    },
    pid: () => running().pid ?? 0,
    isUp,
    async end(signal) {
      const process = running();
      const started = performance.now();
      const ended = once(process, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      process.kill(signal);
      const [code, by] = await ended;
      return { code, signal: by, ms: performance.now() - started };
    },
    database: () => (existsSync(cluster) ? databaseProcesses(cluster) : []),
    untilReady,
    async clear() {
      if (isUp()) {
        const ended = once(running(), 'exit');
        running().kill('SIGKILL');
        await ended;
      }
      while (existsSync(cluster) && databaseProcesses(cluster).length > 0) {
        signalAll(databaseProcesses(cluster), 'SIGKILL');
        await pause(pollMs);
      }
    },
    log: () => readFileSync(logFile, 'utf8'),
  };
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Creates an administrator with the product's command; `env` names a database other than the embedded one. */
export async function makeAdministrator(
  product: Pick<Product, 'dataDir'>,
  env: Record<string, string> = { DATABASE_URL: '' },
  release = ownRelease,
): Promise<void> {
  const command = [...commandOf(release, 'admin-create'), '--email', administrator.email];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, DATA_DIR: product.dataDir, NODE_ENV: '', ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${administrator.password}\n`);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the administrator could not be created');
}

/** A token of the administrator, valid for 15 minutes. */
export async function administratorToken(product: Pick<Product, 'origin'>): Promise<string> {
  return sessionIn(await mustCall(product.origin, login, { body: administrator })).token;
}
