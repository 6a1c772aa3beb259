import { randomBytes } from 'node:crypto';
import { createPool } from '../../server/src/platform/db/pool.ts';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { load } from './load.ts';
import { commitTimes, loggedBytes } from './log.ts';
import { heading, remark, remarkTimes, reportAtLeast, reportTimes } from './report.ts';
import { serve, type Service } from './service.ts';
import { type Usage, usagePer } from './usage.ts';

const clients = 16;
const seconds = 15;
const refills = 300;
const warmUps = 100;

const remarkCpu = (what: string, { serverMs, databaseMs }: Usage) =>
  remark(`CPU of ${what}`, `${serverMs.toFixed(2)} ms server, ${databaseMs.toFixed(2)} ms database`);

/** A member with a session. */
interface Viewer {
  id: string;
  token: string;
}

/** Signed-in members with decks. */
async function viewersOf(service: Service, ids: string[]): Promise<Viewer[]> {
  const tokens = (await service.ask({ signIn: ids })) as string[];
  return ids.map((id, index) => ({ id, token: tokens[index] ?? '' }));
}

/** Compares a page of cards with all its checks to the same queries without HTTP, and times a refill. */
export async function benchDiscovery(data: BenchData): Promise<void> {
  heading('Discovery at a million members');
  const { asking: ids } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const service = await serve(data.large, 'ada@heartwood.test');
  // Deployments have one for jobs; a small one makes decks in the process that serves.
  const worker = await serve(data.large, 'ada@heartwood.test');
  try {
    const viewers = await viewersOf(service, ids);
    const cards = (viewer: Viewer) => ({ method: 'GET', path: '/api/v1/discovery?limit=20', token: viewer.token });
    // Request cards once for every member, so that everything has been read from the disk.
    await load(service, viewers.map(cards), { clients, once: true });
    const beforePages = await service.usage();
    const http = await load(service, viewers.map(cards), { clients, seconds });
    remarkCpu('a page', usagePer(http.times.length, beforePages, await service.usage()));
    reportTimes(`GET /discovery of 20 cards, ${clients} clients`, http.times, 25);
    const bare = (await service.ask({ replayCards: ids.slice(0, 500), clients, seconds })) as number;
    remark('GET /discovery', `${Math.round(http.rate)} requests/s`);
    remark('the same queries through the same pool, without HTTP', `${Math.round(bare)} a second`);
    reportAtLeast('GET /discovery against its queries alone', http.rate / bare, 0.25);

    // Each connection plans the statements of a refill once, as after a server start.
    await service.ask({ refill: ids.slice(refills, refills + warmUps) });
    const beforeRefills = await service.usage();
    const unserved = (await service.ask({ refill: ids.slice(0, refills) })) as number[];
    remarkCpu('a refill', usagePer(unserved.length, beforeRefills, await service.usage()));
    for (const [where, process] of [
      ['the same process', service],
      ['another process', worker],
    ] as const) {
      await process.ask({ refill: ids.slice(refills, refills + warmUps) });
      const serving = load(service, viewers.map(cards), { clients: 4, seconds: 45 });
      const made = (await process.ask({ refill: ids.slice(0, refills) })) as number[];
      const what = `a refill by ${where} while 4 clients are served`;
      reportTimes(
        what,
        made.sort((a, b) => a - b),
        100,
      );
      reportTimes('GET /discovery meanwhile', (await serving).times, 25);
    }
  } finally {
    await worker.stop();
    await service.stop();
  }
}

/** Times a like. */
export async function benchLikes(data: BenchData): Promise<void> {
  heading('Likes at a million members');
  const { liking: ids } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const service = await serve(data.large, 'ada@heartwood.test');
  const pool = createPool(data.large);
  try {
    const viewers = await viewersOf(service, ids);
    const pairs = (await service.ask({ pairsOf: viewers.map(({ id }) => id), each: 25 })) as [number, string][];
    // Each client is a different member who sends one like.
    const placeOf = new Map<number, number>();
    const turns = pairs.map((pair) => {
      const turn = placeOf.get(pair[0]) ?? 0;
      placeOf.set(pair[0], turn + 1);
      return { pair, turn };
    });
    const inTurns = turns.toSorted((one, other) => one.turn - other.turn).map(({ pair }) => pair);
    const likes = inTurns.map(([at, targetId]) => ({
      method: 'POST',
      path: `/api/v1/likes/${targetId}`,
      token: viewers[at]?.token ?? '',
      body: '{}',
      key: randomBytes(12).toString('hex'),
    }));
    const half = Math.floor(likes.length / 2);
    const before = await loggedBytes(pool);
    const one = await load(service, likes.slice(0, half), { clients: 1, once: true });
    reportTimes('a like, one after another', one.times, 20);
    const bytes = ((await loggedBytes(pool)) - before) / half;
    remarkTimes(`a commit alone, of ${Math.round(bytes / 1024)} KB like those`, await commitTimes(pool, bytes, 1));
    const many = await load(service, likes.slice(half), { clients: 4, once: true });
    reportTimes('a like, 4 clients', many.times, 20);
    remarkTimes('a commit alone, 4 clients', await commitTimes(pool, bytes, 4));
  } finally {
    await pool.end();
    await service.stop();
  }
}
