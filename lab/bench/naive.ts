import type pg from 'pg';
import { getCards } from '#contract/discovery.ts';
import { listUsers } from '#contract/profiles/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { call, type Outcome } from '../../server/test/proofs/http.ts';
import { findMembers, signIn } from '../people.ts';
import { asSuperuser, type BenchData } from './data.ts';
import { naiveQueries, type Statement } from './naive-queries.ts';
import { heading, quantile, remark, reportAtLeast } from './report.ts';
import { administratorToken, serve, type Service } from './service.ts';
import { onCpuMs } from './usage.ts';

const viewers = 20;
const deepPage = 500;
const terms = ['ada@heartwood.test', 'quetzalcoatl', 'nightbus', 'garcía'];
/** How often each call is sent; with a million members, the obvious statements take up to half a minute. */
const rounds = { ours: 50, naive: 3 };

/** One question: calls of the product, and the statements that come to mind first for each. */
interface Comparison {
  what: string;
  least: number;
  ours: (() => Promise<Outcome>)[];
  naive: Statement[][];
}

/** Compares the database's CPU time of the product's calls, with their session checks, to the obvious design, with a warm cache. */
export async function benchNaive({ url, superuserUrl }: BenchData): Promise<void> {
  heading('Against the obvious design: CPU time of the database');
  const service = await serve(url);
  try {
    const all = await comparisons(service);
    await asSuperuser(superuserUrl, async (client) => {
      for (const comparison of all) await compare(service, client, comparison);
    });
  } finally {
    await service.stop();
  }
}

async function comparisons(service: Service): Promise<Comparison[]> {
  const { origin, db } = service;
  const ids = await findMembers(db, viewers);
  const sessions = await signIn(db, origin, ids);
  const token = await administratorToken(service);
  const users = (query: Record<string, string>) => () =>
    call(origin, listUsers, { token, query: { limit: '20', ...query } });
  return [
    {
      what: 'a page of 20 cards',
      least: 10,
      ours: sessions.map(
        (session) => () => call(origin, getCards, { token: session.token, query: { pictures: 'once' } }),
      ),
      naive: ids.map((id) => naiveQueries.cards(id)),
    },
    {
      what: 'the figures of the dashboard',
      least: 5,
      ours: [() => call(origin, getStatistics, { token })],
      naive: [naiveQueries.figures()],
    },
    {
      what: `page ${deepPage} of all users, by number`,
      least: 5,
      ours: [users({ page: String(deepPage) })],
      naive: [naiveQueries.page(deepPage)],
    },
    {
      what: 'a search in names and addresses',
      least: 5,
      ours: terms.map((search) => users({ search })),
      naive: terms.map((term) => naiveQueries.search(term)),
    },
  ];
}

async function compare(service: Service, client: pg.Client, { what, least, ours, naive }: Comparison): Promise<void> {
  // The first calls make decks and compile code.
  for (const ask of ours) await ask();
  const before = await service.usage();
  for (let round = 0; round < rounds.ours; round += 1)
    for (const ask of ours) {
      const outcome = await ask();
      if (outcome.kind !== 'answered' || outcome.status !== 200) throw new Error(`${what} was not answered`);
    }
  const oursMs = ((await service.usage()).databaseMs - before.databaseMs) / (rounds.ours * ours.length);
  const times: number[] = [];
  for (let round = 0; round <= rounds.naive; round += 1)
    for (const statements of naive) {
      const took = await cpuOf(client, statements);
      if (round > 0) times.push(took);
    }
  const naiveMs = quantile(times, 0.5);
  remark(what, `${naiveMs.toFixed(2)} ms the obvious way, ${oursMs.toFixed(2)} ms ours`);
  reportAtLeast(`${what}: times less`, naiveMs / oursMs, least);
}

/** CPU milliseconds of this connection's process for the statements. */
async function cpuOf(client: pg.Client, statements: Statement[]): Promise<number> {
  const { processID } = client as unknown as { processID: number };
  const before = onCpuMs(processID);
  for (const statement of statements) await client.query(statement);
  return onCpuMs(processID) - before;
}
