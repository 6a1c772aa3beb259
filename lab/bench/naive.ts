import pg from 'pg';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { median } from './measure.ts';
import { naiveQueries, type Statement } from './naive-queries.ts';
import { heading, remark, reportAtLeast } from './report.ts';
import { serve, type Service } from './service.ts';
import { onCpuMs } from './usage.ts';

const viewers = 8;
const deepPage = 500;
const terms = ['ada@heartwood.test', 'quetzalcoatl', 'nightbus', 'garcía'];
/** How often each set of statements runs; with a million members, obvious ones take up to half a minute. */
const rounds = { warm: 1, timed: 3 };

/** One question with several examples, each as the statements of both designs. */
interface Comparison {
  what: string;
  least: number;
  examples: { ours: Statement[]; naive: Statement[] }[];
}

/**
 * Compares the database's CPU time of what the service runs for a call, recorded from the call itself and with its session check, to the
 * obvious design, on one connection with a warm cache, by turns.
 */
export async function benchNaive(data: BenchData): Promise<void> {
  heading('Against the obvious design: CPU time of the database, medians');
  const { asking } = await fillDecks(data.large, (line) => process.stdout.write(`${line}\n`));
  const service = await serve(data.large, 'admin@heartwood.test');
  const client = new pg.Client({ connectionString: data.large });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    for (const comparison of await comparisons(service, asking.slice(0, viewers))) await compare(client, comparison);
    await reportDecks(service, asking.slice(0, viewers));
  } finally {
    await client.end();
    await service.stop();
  }
}

async function comparisons(service: Service, ids: string[]): Promise<Comparison[]> {
  const tokens = (await service.ask({ signIn: ids })) as string[];
  const recorded = async (path: string, token = service.token) =>
    (await service.ask({ statementsOf: `/api/v1${path}`, token })) as Statement[];
  const cards: Comparison['examples'] = [];
  // The process has served none of these people yet, so it reads them all.
  for (const [at, id] of ids.entries())
    cards.push({
      ours: await recorded('/discovery?limit=20&pictures=once', tokens[at]),
      naive: naiveQueries.cards(id),
    });
  const search: Comparison['examples'] = [];
  for (const term of terms)
    search.push({
      ours: await recorded(`/auth/users?limit=20&search=${encodeURIComponent(term)}`),
      naive: naiveQueries.search(term),
    });
  const { cursor } = (await service.ask({ cursorAfter: deepPage, token: service.token })) as { cursor: string };
  return [
    { what: 'a page of 20 cards', least: 10, examples: cards },
    {
      what: 'the figures of the dashboard',
      least: 5,
      examples: [{ ours: await recorded('/admin/statistics'), naive: naiveQueries.figures() }],
    },
    {
      what: `page ${deepPage} of all users, by number`,
      least: 5,
      examples: [{ ours: await recorded(`/auth/users?limit=20&page=${deepPage}`), naive: naiveQueries.page(deepPage) }],
    },
    {
      what: `the page after it, by cursor`,
      least: 5,
      examples: [
        { ours: await recorded(`/auth/users?limit=20&cursor=${cursor}`), naive: naiveQueries.page(deepPage + 1) },
      ],
    },
    { what: 'a search in names and addresses', least: 5, examples: search },
  ];
}

async function compare(client: pg.Client, { what, least, examples }: Comparison): Promise<void> {
  const times: { ours: number[]; naive: number[] } = { ours: [], naive: [] };
  for (let round = 0; round < rounds.warm + rounds.timed; round += 1)
    for (const example of examples)
      for (const design of ['naive', 'ours'] as const) {
        // The service prepares what it can, so the obvious statements are prepared as well.
        const statements =
          design === 'ours' ? example.ours : example.naive.map((one, at) => ({ ...one, name: `${what} ${at}` }));
        const took = await cpuOf(client, statements);
        if (round >= rounds.warm) times[design].push(took);
      }
  const [ours, naive] = [times.ours, times.naive].map((taken) => median(taken.sort((one, other) => one - other)));
  remark(what, `${(naive ?? 0).toFixed(2)} ms the obvious way, ${(ours ?? 0).toFixed(2)} ms ours`);
  reportAtLeast(`${what}: times less`, (naive ?? 0) / (ours ?? 1), least);
}

/** CPU milliseconds of this connection's process for the statements. */
async function cpuOf(client: pg.Client, statements: Statement[]): Promise<number> {
  const { processID } = client as unknown as { processID: number };
  const before = onCpuMs(processID);
  for (const statement of statements) await client.query(statement);
  return onCpuMs(processID) - before;
}

/** What a page of cards does not include: every third one also needs a new deck, which a job makes. */
async function reportDecks(service: Service, ids: string[]): Promise<void> {
  await service.ask({ refill: ids });
  const before = await service.usage();
  await service.ask({ refill: ids });
  const { databaseMs } = await service.usage();
  const each = (databaseMs - before.databaseMs) / ids.length;
  remark('a deck of 60 cards, made in advance by a job', `${each.toFixed(1)} ms, a third of it for each page`);
}
