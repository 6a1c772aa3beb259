import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import pg from 'pg';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { type Call, openLoop } from './load.ts';
import { p99, type Times } from './measure.ts';
import { heading, remark, reportAtLeast, reportAtMost } from './report.ts';
import { serve, type Service } from './service.ts';

const connections = 8;
const seconds = 5;
const rounds = 3;

/** Compares a route with session check, one joined query and contract to a route without any of them. */
export async function benchProfile(data: BenchData): Promise<void> {
  heading('My own profile');
  const service = await serve(data.large, 'ada@heartwood.test');
  const rate = async (url: string) => {
    const headers = { authorization: `Bearer ${service.token}` };
    const result = await autocannon({ url, connections, duration: seconds, headers });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed`);
    return result.requests.average;
  };
  const [profile, bare]: [number[], number[]] = [[], []];
  await rate(`${service.baseUrl}/api/v1/auth/profile`);
  for (let round = 0; round < rounds; round++) {
    bare.push(await rate(`${service.bareUrl}/bare`));
    profile.push(await rate(`${service.baseUrl}/api/v1/auth/profile`));
  }
  await service.stop();
  const middle = (rates: number[]) => [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
  remark('a bare route with one select by primary key', `${Math.round(middle(bare))} requests/s`);
  remark('GET /auth/profile, signed in', `${Math.round(middle(profile))} requests/s`);
  reportAtLeast('GET /auth/profile against the bare route', middle(profile) / middle(bare), 0.75);
}

const stormPerSecond = 200;
const askedPerSecond = 10;
const stormRounds = 4;
const stormSeconds = 6;
/** Random noise of a p99, which is the slowest of a few hundred requests here. */
const mostTimes = 1.5;
const paths = ['/discovery?limit=20&pictures=once', '/likes/received', '/matches', '/notifications'];

/**
 * Checks that members who all come back at once, as after a restart, make no one else wait: each second 200 refresh their tokens, read
 * their profile and come online, while other members ask for their pages.
 */
export async function benchStorm(data: BenchData): Promise<void> {
  heading(`Pages of others while ${stormPerSecond} members come back each second`);
  const { asking } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const returning = await absentMembers(data.large, stormPerSecond * stormSeconds * stormRounds);
  const service = await serve(data.large, 'ada@heartwood.test');
  try {
    const tokens = (await service.ask({ signIn: asking.slice(0, 200) })) as string[];
    const quiet = new Map<string, Times>(paths.map((path) => [path, []]));
    const stormy = new Map<string, Times>(paths.map((path) => [path, []]));
    await pages(service, tokens, new Map(paths.map((path) => [path, []])));
    for (let round = 0; round < stormRounds; round += 1) {
      const size = stormPerSecond * stormSeconds;
      const storm = await stormOf(service, returning.slice(round * size, (round + 1) * size));
      await pages(service, tokens, quiet);
      await Promise.all([storm(), pages(service, tokens, stormy)]);
    }
    for (const path of paths) {
      const [before, during] = [quiet, stormy].map((times) => p99((times.get(path) ?? []).toSorted((a, b) => a - b)));
      remark(`GET ${path}: p99 without and with`, `${before?.toFixed(1)} and ${during?.toFixed(1)} ms`);
      reportAtMost(`GET ${path}: with against without`, (during ?? 0) / (before ?? 1), mostTimes, ' ×');
    }
  } finally {
    await service.stop();
  }
}

async function absentMembers(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `select a.id from account a join presence p on p.account_id = a.id
     where a.is_active and a.staff_role is null and a.leaving_since is null and not p.online order by md5(a.id::text) limit $1`,
    [count],
  );
  await client.end();
  return rows.map(({ id }) => id);
}

async function pages(service: Service, tokens: string[], times: Map<string, Times>): Promise<void> {
  const rate = { perSecond: askedPerSecond, seconds: stormSeconds };
  await Promise.all(
    paths.map(async (path) => {
      const calls = tokens.map((token): Call => ({ method: 'GET', path: `/api/v1${path}`, token }));
      times.get(path)?.push(...(await openLoop(service, calls, rate)).times);
    }),
  );
}

/** Opens the sessions of these members; what it returns lets them come back with these. */
async function stormOf(service: Service, ids: string[]): Promise<() => Promise<unknown>> {
  const refreshed = ((await service.ask({ refreshTokensOf: ids })) as string[]).map((refreshToken): Call => ({
    method: 'POST',
    path: '/api/v1/auth/refresh-token',
    body: JSON.stringify({ refreshToken }),
    key: randomBytes(12).toString('hex'),
  }));
  const tokens = (await service.ask({ signIn: ids })) as string[];
  const read = tokens.map((token): Call => ({ method: 'GET', path: '/api/v1/auth/profile', token }));
  const rate = { perSecond: stormPerSecond, seconds: stormSeconds };
  return () => Promise.all([openLoop(service, refreshed, rate), openLoop(service, read, rate)]);
}
