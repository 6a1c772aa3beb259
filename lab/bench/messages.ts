import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createPool } from '../../server/src/platform/db/pool.ts';
import type { BenchData } from './data.ts';
import { p99 } from './measure.ts';
import { heading, remark, reportAtLeast, reportTimes } from './report.ts';
import { serve } from './service.ts';
import { costOf, type Spent } from './usage.ts';
import { carry, connectAll, membersFor, placeMatches, posting, type Say, twice, type Writer } from './writers.ts';

const sockets = 2000;
const askedRate = 200;
const heldMs = 100;
const rates = [
  200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000,
  12_000,
];
const seconds = { asked: 20, step: 6, cost: 10 };
/** Of the rates, the one at which CPU is compared: both sides keep up with it. */
const costRate = 300;

/**
 * Measures the delivery time of messages to 2,000 sockets and the throughput, compared to a bare echo server. Both run as two
 * processes, and both members of a pair are connected to different ones, so every message crosses processes.
 */
export async function benchMessages(data: BenchData): Promise<void> {
  heading(`Messages between ${sockets} sockets`);
  const pool = createPool(data.large);
  const ids = await membersFor(pool, sockets);
  const matchIds = await placeMatches(pool, ids);
  const services = await twice(() => serve(data.large, 'ada@heartwood.test'));
  let own: Found;
  try {
    const tokens = (await services[0].ask({ signIn: ids })) as string[];
    const writers = await connectAll(services, tokens, matchIds);
    const post = posting(services);
    await carry(writers, post, askedRate, 5);
    const asked = await carry(writers, post, askedRate, seconds.asked);
    reportTimes(`a message from sending to arriving, ${askedRate} a second`, asked.times, heldMs);
    remark('of which arrived', `${asked.times.length} of ${asked.sent}`);
    own = await found(services, writers, post);
    writers.forEach(({ socket }) => socket.disconnect());
  } finally {
    for (const service of services) await service.stop();
    await pool.query('delete from conversation where id = any ($1::uuid[])', [matchIds]);
    await pool.query('delete from match where id = any ($1::uuid[])', [matchIds]);
    await pool.end();
  }
  const echoes = await twice(() => startEcho(data.large));
  try {
    const writers = await connectAll(echoes, ids, matchIds);
    const bare = await found(echoes, writers, ({ socket, otherToken }, text) =>
      socket.emit('say', { to: otherToken, text: text.padEnd(300) }),
    );
    writers.forEach(({ socket }) => socket.disconnect());
    remark(`messages a second with p99 ≤ ${heldMs} ms`, `${own.highest}`);
    remark('the same of a bare echo over the same adapter', `${bare.highest}`);
    reportAtLeast('messages against a bare echo', own.highest / bare.highest, 0.4);
    remark(`CPU of a message, ${costRate} a second`, costText(own));
    remark('the same of a bare echo', costText(bare));
    remark('CPU of a bare echo against a message', (cpuOf(bare) / cpuOf(own)).toFixed(2));
  } finally {
    for (const echo of echoes) await echo.stop();
  }
}

/** What a server can do: the highest rate it keeps up with, and CPU milliseconds of both processes and of the database a message. */
interface Found extends Spent {
  highest: number;
}

const cpuOf = ({ serverMs, databaseMs }: Spent): number => serverMs + databaseMs;
const costText = (spent: Found): string =>
  `${cpuOf(spent).toFixed(2)} ms, of which ${spent.databaseMs.toFixed(2)} ms the database`;

async function found(servers: { usage(): Promise<Spent> }[], writers: Writer[], say: Say): Promise<Found> {
  const cost = await costOf(servers, costRate * seconds.cost, () => carry(writers, say, costRate, seconds.cost));
  return { ...cost, highest: await highestRate(writers, say) };
}

/** The highest rate at which all messages arrived, 99 % in time. Each rate is tried twice. */
async function highestRate(writers: Writer[], say: Say): Promise<number> {
  let highest = 0;
  for (const rate of rates) {
    let holds = false;
    for (let tries = 0; tries < 2 && !holds; tries += 1) {
      const { times, sent } = await carry(writers, say, rate, seconds.step);
      holds = times.length === sent && p99(times) <= heldMs;
    }
    if (!holds) return highest;
    highest = rate;
  }
  return highest;
}

async function startEcho(database: string) {
  const child = fork(resolve(import.meta.dirname, 'echo-server.ts'), ['--database', database]);
  const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
  return {
    baseUrl,
    async usage(): Promise<Spent> {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Spent];
      return usage;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
