import { randomUUID } from 'node:crypto';
import { getCards } from '#contract/discovery.ts';
import { demoAccounts } from '../../demo/accounts.ts';
import { mustCall } from '../../server/test/proofs/http.ts';
import { draw, formOf } from '../../server/test/pictures.ts';
import { findMembers, matchNeighbours, rowsOf, signIn, unsentMails } from '../product.ts';
import { asSuperuser, type BenchData, openBenchData } from './data.ts';
import { type Call, load } from './load.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { administratorToken, serve, type Service, startHelper, usageOf, usagePer } from './service.ts';

const clients = 8;
const seconds = { warm: 2, measured: 4 };
/** The number of members who call, and how many of them make decisions, each about this many people. */
const members = 400;
const deciding = 100;
const decisionsEach = 20;

/** The most by which the CPU of a call may grow with ten times the members. */
const mostPerTenfold = 1.3;
const largestTables = 12;
/** How many photos are sent. The number is small, because decoding one takes a tenth of a second. */
const photosSent = 48;

/** The call that others are compared with. */
const bareRoute = 'a bare route, one row by primary key';

/** One line of the table. */
interface Question {
  name: string;
  calls: Call[];
  /** Whether each call can be sent only once, so that the number of calls ends the measurement. */
  once?: true;
  /** Whether the calls hash passwords, which happens in other threads; then only the main thread counts. */
  isHashing?: true;
}

/** CPU milliseconds of server and database per call, and the memory of the server afterwards. */
interface Costs {
  cpuMs: Map<string, number>;
  serverMegabytes: number;
}

/** Measures and prints what each call costs: CPU of server and database, bytes on the wire and of write-ahead log, throughput and times. */
export async function benchCosts({ url }: BenchData): Promise<Costs> {
  heading(`Cost of a request (${clients} clients that never pause)`);
  const cpuMs = new Map<string, number>();
  const viewers = await makeDecks(url);
  const columns = ['server ms', 'database', 'both', 'wire KB', 'log KB', 'a second', 'p50', 'p99'];
  process.stdout.write(`${''.padEnd(38)}${columns.map((column) => column.padStart(10)).join('')}\n`);
  const service = await serve(url);
  try {
    cpuMs.set(bareRoute, await measureBare(url, service));
    for (const question of await questionsFor(service, viewers))
      cpuMs.set(question.name, await measure(service, question));
    return { cpuMs, serverMegabytes: service.megabytes() };
  } finally {
    await service.stop();
  }
}

/** Members with full decks, which the first request creates. A separate process sends it, so that the measured process knows no one yet. */
async function makeDecks(url: string): Promise<string[]> {
  const service = await serve(url);
  const { db, origin } = service;
  try {
    const ids = await findMembers(db, members);
    // Earlier runs have decided about everyone in the decks.
    await db.query('delete from decision where viewer_id = any ($1::uuid[])', [ids]);
    await db.query('delete from deck where viewer_id = any ($1::uuid[])', [ids]);
    await db.query('delete from like_count');
    const viewers: string[] = [];
    for (const [at, { token }] of (await signIn(db, origin, ids)).entries()) {
      const { cards } = (await mustCall(origin, getCards, { token })).data;
      if (cards.length === decisionsEach) viewers.push(ids[at] ?? '');
    }
    return viewers;
  } finally {
    await service.stop();
  }
}

/** The same GET request of several people. */
const get = (name: string, people: { token: string; path: string }[]): Question => ({
  name: `GET ${name}`,
  calls: people.map(({ token, path }) => ({ method: 'GET', path: `/api/v1${path}`, token })),
});
const post = (path: string, body: object, more: Partial<Call> = {}): Call => ({
  ...{ method: 'POST', path: `/api/v1${path}`, body: JSON.stringify(body), key: randomUUID() },
  ...more,
});

async function questionsFor(service: Service, ids: string[]): Promise<Question[]> {
  const sessions = await signIn(service.db, service.origin, ids);
  // Waits for emails about new devices before anything is measured.
  await unsentMails(service.db);
  const members = (path: string) => sessions.map(({ token }) => ({ token, path }));
  const decks = await rowsOf<{ id: string; targets: string[] }>(
    service.db,
    'select viewer_id as id, targets[1:$2] as targets from deck where viewer_id = any ($1::uuid[])',
    [ids.slice(0, deciding), decisionsEach],
  );
  const decide = (kind: 'likes' | 'passes', first: 0 | 1): Question => ({
    name: `POST /${kind}/{id}`,
    calls: decks.flatMap(({ id, targets }) => {
      const token = sessions[ids.indexOf(id)]?.token;
      return targets.filter((_, at) => at % 2 === first).map((target) => post(`/${kind}/${target}`, {}, { token }));
    }),
    once: true,
  });
  const talk = await conversations(service, ids.slice(deciding), sessions.slice(deciding));
  const refreshed = sessions.map(({ refreshToken }) => post('/auth/refresh-token', { refreshToken }));
  const [, , { email, password }] = demoAccounts;
  const { key: _, ...login } = post('/auth/login', { email, password });
  const cards = members('/discovery?limit=20&pictures=once');
  const token = await administratorToken(service);
  return [
    // Comes first, while the server has no cards in memory yet.
    { ...get('/discovery, 20 new people', cards), once: true },
    get('/discovery, 20 kept people', cards),
    ...['/auth/profile', '/likes/received', '/matches', '/notifications'].map((path) => get(path, members(path))),
    get(
      '/auth/user/{id}, own',
      sessions.map((session, at) => ({ token: session.token, path: `/auth/user/${ids[at]}` })),
    ),
    get('/auth/search-users, newest', members('/auth/search-users?sortBy=newest&limit=20')),
    ...talk,
    decide('likes', 0),
    decide('passes', 1),
    { name: 'POST /auth/login, beyond the hash', calls: [login], isHashing: true },
    { name: 'POST /auth/refresh-token', calls: refreshed, once: true },
    get('/admin/statistics', [{ token, path: '/admin/statistics' }]),
    get('/auth/users, 20', [{ token, path: '/auth/users?limit=20' }]),
    get('/auth/users, by exact e-mail', [{ token, path: '/auth/users?search=ada@heartwood.test' }]),
    get('/auth/users, by a part of names', [{ token, path: '/auth/users?search=anna' }]),
    get('/auth/users, 1,000', [{ token, path: '/auth/users?limit=1000' }]),
    get('/admin/cases', [{ token, path: '/admin/cases' }]),
    get(
      '/admin/cases/{id}',
      (await openCases(service)).map((id) => ({ token, path: `/admin/cases/${id}` })),
    ),
    get('/admin/insights/series', [{ token, path: `/admin/insights/series?${lastMonth()}` }]),
    get('/reports/reports', [{ token, path: '/reports/reports?limit=20' }]),
  ];
}

/** The query for the growth of the last 28 days. */
function lastMonth(): string {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `from=${day(28)}&to=${day(1)}&by=day&compare=previous`;
}

/** The ids of some open cases. */
async function openCases({ db }: Service): Promise<string[]> {
  const text = `select id from moderation_case where stage <> 'decided' order by opened_at limit 20`;
  return (await rowsOf<{ id: string }>(db, text)).map(({ id }) => id);
}

/** Messages between members who are matched for it, and photos in these conversations once both have written. */
async function conversations(
  { db }: Service,
  ids: string[],
  sessions: readonly { token: string }[],
): Promise<Question[]> {
  const matchIds = await matchNeighbours(db, ids);
  const people = sessions.slice(0, 2 * matchIds.length).map(({ token }, at) => ({
    token,
    path: `/matches/${matchIds[Math.floor(at / 2)]}`,
  }));
  const messages = people.flatMap(({ token, path }) =>
    [1, 2, 3].map((number) =>
      post(`${path}/messages`, { clientId: randomUUID(), text: `Hello ${number}`.padEnd(120, '.') }, { token }),
    ),
  );
  const { payload, headers } = await formOf({ bytes: await draw({ width: 3000, height: 4000 }) });
  const photos = people.slice(0, photosSent).map(({ token, path }) => ({
    ...{ method: 'POST', path: `/api/v1${path}/media?kind=picture`, token, key: randomUUID() },
    ...{ body: payload, type: headers['content-type'] },
  }));
  return [
    { name: 'POST /matches/{id}/messages', calls: messages, once: true },
    { name: 'POST /matches/{id}/media, photo', calls: photos, once: true },
  ];
}

async function measureBare(url: string, { db }: Service): Promise<number> {
  const bare = await startHelper('bare', url);
  const usage = () => usageOf(bare.pid, db);
  try {
    return await measure(
      { origin: bare.origin, usage },
      { name: bareRoute, calls: [{ method: 'GET', path: '/bare' }] },
    );
  } finally {
    await bare.stop();
  }
}

/** Measures and prints one line and returns the CPU milliseconds of a call. */
async function measure(
  { origin, usage }: Pick<Service, 'origin' | 'usage'>,
  { name, calls, once, isHashing }: Question,
): Promise<number> {
  const part = (from: number, to: number) =>
    once ? calls.slice((from * calls.length) / 3, (to * calls.length) / 3) : calls;
  const lasting = (forSeconds: number) => (once ? {} : { seconds: forSeconds });
  await load(origin, part(0, 1), { clients, ...lasting(seconds.warm) });
  const before = await usage();
  const closed = await load(origin, part(1, 3), { clients, ...lasting(seconds.measured) });
  const cost = usagePer(closed.count, before, await usage());
  const serverMs = isHashing ? cost.mainMs : cost.serverMs;
  const figures = [
    ...[serverMs.toFixed(2), cost.databaseMs.toFixed(2), (serverMs + cost.databaseMs).toFixed(2)],
    ...[(closed.bytes / 1024).toFixed(1), (cost.loggedBytes / 1024).toFixed(1), closed.rate.toFixed(0)],
    ...[closed.p50.toFixed(1), closed.p99.toFixed(1)],
  ];
  process.stdout.write(`${name.padEnd(38)}${figures.map((figure) => figure.padStart(10)).join('')}\n`);
  return serverMs + cost.databaseMs;
}

/**
 * Runs `costs` on databases of several sizes, smallest first. Reports how much the CPU of each call (as a multiple of the bare route's)
 * grows with ten times the members, and for each size the largest tables and the memory of the server.
 */
export async function benchGrowth(sizes: number[]): Promise<void> {
  const found: { members: number; costs: Costs }[] = [];
  for (const members of sizes.toSorted((one, other) => one - other)) {
    const data = await openBenchData(members);
    try {
      found.push({ members, costs: await benchCosts(data) });
      await reportTables(data, members);
    } finally {
      await data.close();
    }
  }
  heading('Growth of CPU as a multiple of a bare route, with ten times the members');
  for (const [at, { members, costs }] of found.slice(1).entries()) {
    const before = found[at];
    if (before === undefined) continue;
    for (const call of costs.cpuMs.keys()) {
      const growth = inBareRoutes(costs, call) / inBareRoutes(before.costs, call);
      const perTenfold = growth ** (1 / Math.log10(members / before.members));
      reportAtMost(`${call}, from ${before.members} to ${members}`, perTenfold, mostPerTenfold, ' ×');
    }
  }
  for (const { members, costs } of found)
    remark(`memory of the server, ${members} members`, `${costs.serverMegabytes.toFixed(0)} MB`);
}

/** The CPU of a call as a multiple of the bare route's in the same run, so that changes of the machine between runs don't count. */
const inBareRoutes = ({ cpuMs }: Costs, call: string): number =>
  (cpuMs.get(call) ?? Number.NaN) / (cpuMs.get(bareRoute) ?? Number.NaN);

async function reportTables({ superuserUrl }: BenchData, members: number): Promise<void> {
  heading(`Tables with ${members.toLocaleString('en')} members, in MB`);
  const rows = await asSuperuser(superuserUrl, (client) =>
    rowsOf<{ name: string; table: string; indexes: string; rows: number }>(
      client,
      `select relname as name, round(pg_table_size(oid) / 1048576.0, 1) as table,
         round(pg_indexes_size(oid) / 1048576.0, 1) as indexes, reltuples as rows
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit $1`,
      [largestTables],
    ),
  );
  for (const { name, table, indexes, rows: count } of rows)
    remark(name, `${table} and ${indexes} of indexes, ${count} rows`);
}
