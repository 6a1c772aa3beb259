import { Server } from 'socket.io';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createPool } from '../db/pool.ts';
import { createLog } from '../process/log.ts';
import { createPgAdapter, eventChannel } from './adapter.ts';
import { listenToDatabase } from './pg-notifications.ts';

const within = { timeout: 60_000, interval: 20 };
const url = process.env['TEST_DATABASE_URL'] ?? '';
const control = createPool(url, { max: 1 });
const running: { close(): Promise<void> }[] = [];
afterAll(() => control.end());
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

/** A process with its socket server, which records what other processes send to it. */
function startProcess() {
  const log = createLog('silent');
  const pool = createPool(url, { max: 2 });
  const pids = new Set<number>();
  pool.on('connect', (client) => pids.add((client as unknown as { processID: number }).processID));
  const { adapter, receive } = createPgAdapter(pool, log);
  let connects = 0;
  const missed = async () => void (connects += 1);
  const listener = listenToDatabase(pool, { channels: { [eventChannel]: receive }, missed }, log);
  const server = new Server({ adapter });
  const heard: string[] = [];
  server.on('said', (text: string) => heard.push(text));
  running.push({
    async close() {
      listener.stop();
      await pool.end();
    },
  });
  return {
    heard,
    say: (text: string) => server.serverSideEmit('said', text),
    breakConnections: () =>
      control.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [[...pids]]),
    connects: () => connects,
  };
}

/** Two processes that receive each other's events. */
async function startTwo() {
  const [one, other] = [startProcess(), startProcess()];
  await hearEachOther(one, other);
  return { one, other };
}

async function hearEachOther(...all: ReturnType<typeof startProcess>[]): Promise<void> {
  for (const sender of all)
    await expect
      .poll(() => {
        sender.say('Hello?');
        return all.filter((one) => one !== sender).every(({ heard }) => heard.length > 0);
      }, within)
      .toBe(true);
  await expect
    .poll(
      () => {
        const before = all.map(({ heard }) => heard.splice(0).length);
        return before.every((count) => count === 0);
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(true);
}

describe('the PostgreSQL socket adapter', () => {
  it('delivers events in order and at any length, and never to the sending process', async () => {
    const { one, other } = await startTwo();
    const texts = Array.from({ length: 60 }, (_, n) => `${n} "${'\u{1f98a}\n'.repeat(n % 4 === 0 ? 4000 : 1)}`);
    for (const text of texts) one.say(text);
    await expect.poll(() => other.heard, within).toEqual(texts);
    expect(one.heard).toEqual([]);
  });

  it('delivers each event once even when connections break repeatedly', async () => {
    const { one, other } = await startTwo();
    for (let n = 1; n <= 3; n += 1) {
      await expect.poll(() => one.connects() >= n && other.connects() >= n, within).toBe(true);
      for (const each of [one, other]) await each.breakConnections();
      await expect.poll(() => one.connects() > n && other.connects() > n, within).toBe(true);
      await hearEachOther(one, other);
    }
    const texts = Array.from({ length: 20 }, (_, n) => `Message ${n}`);
    for (const text of texts) one.say(text);
    await expect.poll(() => other.heard, within).toEqual(texts);
  });
});
