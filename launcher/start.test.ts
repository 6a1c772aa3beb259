import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrateDatabase } from '../server/src/open-database.ts';
import { createLog } from '#platform/process/log.ts';
import { openEmbedded } from './open-embedded.ts';

const startScript = resolve(import.meta.dirname, 'run.mjs');
const patience = { timeout: 60_000, interval: 50 };
let prepared: string;
let folder: string;
let port: number;
let products: Product[];

interface Product {
  child: ChildProcess;
  /** Its output so far, and the part on standard error. */
  printed(): string;
  complaints(): string;
  ended: Promise<{ code: number | null }>;
}

/** A data folder that the tests copy: making one takes longer than copying it. */
beforeAll(async () => {
  prepared = newFolder();
  const database = await openEmbedded(join(prepared, '.data'), 'a test', createLog('silent'), { fsync: 'off' });
  await migrateDatabase(database);
  await database.close();
});

afterAll(() => rmSync(prepared, { recursive: true }));

beforeEach(async () => {
  folder = newFolder();
  execFileSync('cp', ['-a', join(prepared, '.data'), folder]);
  port = await freePort();
  products = [];
});

afterEach(async () => {
  for (const { child, ended } of products) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A folder that the database's system user can reach. */
function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'heart wood '));
  chmodSync(path, 0o755);
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

function launch(env: Record<string, string> = {}): Product {
  const own = {
    PORT: String(port),
    DATA_DIR: join(folder, '.data'),
    SEED: 'none',
    LOG_LEVEL: 'fatal',
    RATE_LIMITS: 'off',
  };
  const child = spawn(process.execPath, [startScript, 'launcher/start.ts'], {
    env: { ...process.env, ...own, ...env },
  });
  let [text, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaints += part));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null }));
  const product = { child, ended, printed: () => text, complaints: () => complaints };
  products.push(product);
  return product;
}

async function launchReady(env: Record<string, string> = {}): Promise<Product> {
  const product = launch(env);
  const words = () => product.printed() + product.complaints();
  await vi.waitFor(() => expect(words()).toContain(`Heartwood is ready: http://localhost:${port}`), patience);
  return product;
}

const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;

async function register(email: string): Promise<number> {
  const body = { email, password: 'a long enough phrase', firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
}

describe('npm start', () => {
  test('refuses a second start on the same folder with one sentence and leaves the first running', async () => {
    await launchReady();
    const second = launch({ PORT: String(await freePort()) });
    expect(await second.ended).toEqual({ code: 1 });
    expect(second.complaints()).toMatch(
      /^Heartwood cannot start\. Heartwood already runs on .*\.data \(process \d+, http:\/\/localhost:\d+\).*\n$/,
    );
    expect(await readiness()).toBe(200);
  });

  test('keeps everything it acknowledged across kill -9, and its compiled code', async () => {
    // The first start creates the folder.
    rmSync(join(folder, '.data'), { recursive: true });
    const compiled = join(folder, 'compiled');
    const first = await launchReady({ NODE_COMPILE_CACHE: compiled });
    expect(await register('ida@example.test')).toBe(201);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(100);
    await launchReady({ NODE_COMPILE_CACHE: compiled });
    expect(await readiness()).toBe(200);
    expect(await register('ida@example.test')).toBe(409);
  });

  test('keeps the server up when its database is killed, and answers again once it is back', async () => {
    const { child } = await launchReady();
    const postmaster = () => readFileSync(join(folder, '.data/postgres/data/postmaster.pid'), 'utf8').split('\n')[0];
    const killed = postmaster();
    process.kill(Number(killed), 'SIGKILL');
    await vi.waitFor(() => expect(postmaster()).not.toBe(killed), patience);
    await vi.waitFor(async () => expect(await readiness()).toBe(200), patience);
    expect(await register('ida@example.test')).toBe(201);
    expect(child.exitCode).toBeNull();
  });

  test('answers the request in progress on stop, closes its connection and idle ones, and exits with 0', async () => {
    const { child, ended } = await launchReady();
    const idle = await request('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(idle.received()).toContain('200 OK'), patience);
    const busy = await request(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    );
    child.kill('SIGTERM');
    await once(idle.socket, 'close');
    expect(busy.received()).toBe('');
    busy.socket.write('}');
    await once(busy.socket, 'close');
    expect(busy.received()).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
    expect(await ended).toEqual({ code: 0 });
  });

  test('also stops its database when it is stopped during the start', async () => {
    const { child, ended } = launch();
    const pidFile = join(folder, '.data/postgres/data/postmaster.pid');
    await vi.waitFor(() => expect(readFileSync(pidFile, 'utf8')).toMatch(/^\d+\n/), { ...patience, interval: 2 });
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0 });
    await vi.waitFor(() => expect(() => process.kill(postmaster, 0)).toThrow('ESRCH'), patience);
  });

  test('exits when its database cannot be restarted', async () => {
    const { child, ended } = await launchReady();
    const home = join(folder, '.data/postgres');
    const postmaster = Number(readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
    renameSync(home, join(folder, 'lost'));
    process.kill(postmaster, 'SIGKILL');
    await vi.waitFor(async () => expect(await readiness()).toBe(503), patience);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0 });
  });

  async function request(text: string): Promise<{ socket: Socket; received(): string }> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => (received += part));
    socket.write(text);
    return { socket, received: () => received };
  }

  test('prints in one sentence why it cannot start and exits with 1', async () => {
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const cases: [Record<string, string>, RegExp][] = [
      [{}, new RegExp(`^Heartwood cannot start\\. Port ${port} on 127\\.0\\.0\\.1 is already in use\\. .*\\n$`)],
      [{ PORT: '0' }, /^Heartwood cannot start\. PORT must be a whole number from 1 to 65535, but is "0"\.\n$/],
      [
        { DATA_DIR: '/dev/null/data' },
        /^Heartwood cannot start\. The data folder \/dev\/null\/data cannot be written to .*\n$/,
      ],
      [
        { DATABASE_URL: `postgres://a:secret@127.0.0.1:${await freePort()}/b` },
        /^Heartwood cannot start\. No database answers at 127\.0\.0\.1:\d+, the address in DATABASE_URL\.\n$/,
      ],
    ];
    const launched = cases.map(([env]) => launch(env));
    for (const [index, product] of launched.entries()) {
      expect(await product.ended).toEqual({ code: 1 });
      expect(product.complaints()).toMatch(cases[index]?.[1] ?? '');
    }
    taken.close();
  });

  test.each([
    ['exception', 'throw new Error("out of the blue")'],
    ['rejection', 'Promise.reject(new Error("out of the blue"))'],
  ])('logs an unhandled %s, answers open requests and exits with 1', async (_, failing) => {
    const preloaded = `data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(failing)}})`;
    const product = await launchReady({ NODE_OPTIONS: `--import=${preloaded}`, LOG_LEVEL: 'error' });
    const busy = await request(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    );
    product.child.kill('SIGUSR2');
    await vi.waitFor(() => expect(product.printed() + product.complaints()).toContain('an unexpected error'), patience);
    busy.socket.write('}');
    await once(busy.socket, 'close');
    expect(busy.received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await product.ended).toEqual({ code: 1 });
  });
});
