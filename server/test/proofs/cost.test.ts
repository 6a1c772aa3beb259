import { existsSync, readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { cardsIn } from '../cards.ts';
import type { TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';

/**
 * The CPU time of a request as a multiple of a bare Fastify route and of that route's one statement by primary key.
 * Multiples from the same run do not depend on the machine; docs/performance.md describes how they were measured. Raise
 * a value only for a reason; lower it when a change saves a fifth.
 */
const stored = {
  // Measured while other tests run and share the caches; alone, the cost is a third lower. Each request reads its caller's row, and a page
  // is built from objects.
  '/auth/profile': { server: 3.5, database: 3.4 },
  '/discovery?limit=20&pictures=once': { server: 11, database: 14 },
};
const toleranceFactor = 1.25;
const rounds = 9;
const requests = { warm: 150, round: 25 };
/** Other processes can slow down a whole measurement, but a change that costs more shows in every one. */
const triesMost = 3;
const people = 30;

const test = startAppForTests();
let viewer: TestMember;
let bare: FastifyInstance;
beforeAll(async () => {
  const { meet } = cardsIn(() => test);
  viewer = await meet({ gender: 'woman', seeking: ['man'] });
  for (let met = 0; met < people; met += 1) await meet({ gender: 'man', seeking: ['woman'], bio: 'a'.repeat(200) });
  bare = Fastify();
  bare.get('/bare', async () => {
    const text = 'select * from profile where account_id = $1';
    return (await test.pool.query<object>({ name: 'bare', text, values: [viewer.id] })).rows[0];
  });
});
afterAll(async () => {
  await bare.close();
});

interface Cost {
  server: number;
  database: number;
}

/** The CPU milliseconds that this thread and all processes serving its database have used so far. */
async function spent(): Promise<Cost> {
  const { rows } = await test.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const { user, system } = process.threadCpuUsage();
  const paths = rows.map(({ pid }) => `/proc/${pid}/schedstat`).filter((path) => existsSync(path));
  const nanoseconds = paths.map((path) => Number(readFileSync(path, 'utf8').split(' ')[0]));
  return { server: (user + system) / 1000, database: nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6 };
}

async function costOf(app: FastifyInstance, url: string, count: number): Promise<Cost> {
  const headers = { authorization: `Bearer ${viewer.token}`, 'accept-encoding': 'gzip, br' };
  const before = await spent();
  for (let sent = 0; sent < count; sent += 1) {
    const { statusCode } = await app.inject({ url, headers });
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  }
  const after = await spent();
  return { server: after.server - before.server, database: after.database - before.database };
}

const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** The median of several rounds, each of which measures both one after the other. */
async function ratiosOf(url: string): Promise<Cost> {
  const [server, database]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const one = await costOf(bare, '/bare', requests.round * 2);
    const other = await costOf(test.app, url, requests.round);
    server.push((other.server / one.server) * 2);
    if (one.database > 0) database.push((other.database / one.database) * 2);
  }
  return { server: median(server), database: median(database) };
}

describe('the CPU time of a request', () => {
  it.each(Object.entries(stored))('stays within 125 % of the recorded value: GET %s', async (path, most) => {
    const url = apiBasePath + path;
    await costOf(bare, '/bare', requests.warm);
    await costOf(test.app, url, requests.warm);
    const found: Cost[] = [];
    const isKept = () =>
      found.some(
        ({ server, database }) =>
          server <= most.server * toleranceFactor && database <= most.database * toleranceFactor,
      );
    while (found.length < triesMost && !isKept()) found.push(await ratiosOf(url));
    expect(isKept(), `measured ${JSON.stringify(found)}, stored ${JSON.stringify(most)}`).toBe(true);
  });
});
