import { randomBytes } from 'node:crypto';
import { demoAccounts } from '../../demo/accounts.ts';
import type { BenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { type Call, load, openLoop } from './load.ts';
import { median, p99 } from './measure.ts';
import { heading } from './report.ts';
import { serve, type Service } from './service.ts';
import { usagePer } from './usage.ts';

const clients = 8;
const seconds = { warm: 2, measured: 4, open: 4 };
/** The open loop sends at most this share of what the machine can serve, so that it measures answers and not a queue. */
const openShare = 0.6;
/** How many different members call. */
const members = 1000;

/** What other calls are compared with. */
export const bareRoute = 'a bare route, one row by primary key';

/** One line of the table. */
interface Question {
  name: string;
  calls: Call[];
  /** Calls that can be sent only once: that many are enough to measure. */
  once?: boolean;
  /** Sends each call once before measuring. */
  isVisited?: boolean;
  /** They hash passwords, in other threads: count the main thread only. */
  isHashing?: boolean;
  /** The rate of the open loop, in calls a second. */
  perSecond: number;
}

/** Prints what each call costs: CPU of server and database, bytes on the wire, allocations, statements, times and throughput. */
export async function benchCosts(data: BenchData): Promise<void> {
  await costsOf(data.large);
}

/** CPU milliseconds of server and database per call, and what the server has in memory afterwards. */
export interface Costs {
  cpuMs: Map<string, number>;
  serverBytes: number;
}

/** Measures and prints each call on this database. */
export async function costsOf(url: string): Promise<Costs> {
  const cpuMs = new Map<string, number>();
  heading(`Cost of a request (${clients} clients; times at a fixed rate)`);
  const { asking, liking } = await fillDecks(url, (line) => process.stdout.write(`${line}\n`));
  const member = await serve(url, 'ada@heartwood.test');
  try {
    printHead();
    cpuMs.set(bareRoute, await measure({ ...member, baseUrl: member.bareUrl }, bareQuestion(member)));
    for (const question of await memberQuestions(member, asking.slice(0, members), liking))
      cpuMs.set(question.name, await measure(member, question));
  } finally {
    await member.stop();
  }
  const staff = await serve(url, 'admin@heartwood.test');
  try {
    for (const question of staffQuestions(staff)) cpuMs.set(question.name, await measure(staff, question));
    return { cpuMs, serverBytes: await staff.memory() };
  } finally {
    await staff.stop();
  }
}

const bareQuestion = ({ token }: Service): Question => ({
  name: bareRoute,
  calls: [{ method: 'GET', path: '/bare', token }],
  perSecond: 500,
});

async function memberQuestions(service: Service, ids: string[], likingIds: string[]): Promise<Question[]> {
  const tokens = (await service.ask({ signIn: ids })) as string[];
  const each = (path: (id: string, at: number) => string): Call[] =>
    tokens.map((token, at) => ({ method: 'GET', path: `/api/v1${path(ids[at] ?? '', at)}`, token }));
  const liking = (await service.ask({ signIn: likingIds })) as string[];
  const pairs = (await service.ask({ pairsOf: likingIds, each: 20 })) as [number, string][];
  const decided = pairs.map(([at, target], index): Call => ({
    method: 'POST',
    path: `/api/v1/${index % 2 === 0 ? 'likes' : 'passes'}/${target}`,
    token: liking[at] ?? '',
    body: '{}',
    key: randomBytes(12).toString('hex'),
  }));
  const refreshing = (await service.ask({ refreshTokensOf: ids })) as string[];
  const refreshed = refreshing.map((refreshToken): Call => ({
    method: 'POST',
    path: '/api/v1/auth/refresh-token',
    body: JSON.stringify({ refreshToken }),
    key: randomBytes(12).toString('hex'),
  }));
  const [, , { email, password }] = demoAccounts;
  const login: Call = { method: 'POST', path: '/api/v1/auth/login', body: JSON.stringify({ email, password }) };
  const isLike = ({ path }: Call) => path.includes('/likes/');
  const cards = each(() => '/discovery?limit=20&pictures=once');
  return [
    // First of all, while the server has no one's card yet.
    { name: 'GET /discovery, 20 new people', calls: cards, once: true, perSecond: 50 },
    { name: 'GET /auth/profile', calls: each(() => '/auth/profile'), perSecond: 500 },
    { name: 'POST /auth/refresh-token', calls: refreshed, once: true, perSecond: 200 },
    { name: 'POST /auth/login, beyond the hash', calls: [login], isHashing: true, perSecond: 10 },
    { name: 'GET /discovery, 20 kept people', calls: cards, isVisited: true, perSecond: 500 },
    { name: 'GET /auth/user/{id}, own', calls: each((id) => `/auth/user/${id}`), perSecond: 300 },
    { name: 'GET /likes/received', calls: each(() => '/likes/received'), perSecond: 300 },
    { name: 'GET /matches', calls: each(() => '/matches'), perSecond: 300 },
    { name: 'GET /notifications', calls: each(() => '/notifications'), perSecond: 300 },
    {
      name: 'GET /auth/search-users, newest',
      calls: each(() => '/auth/search-users?sortBy=newest&limit=20'),
      perSecond: 100,
    },
    { name: 'POST /likes/{id}', calls: decided.filter(isLike), once: true, perSecond: 200 },
    { name: 'POST /passes/{id}', calls: decided.filter((call) => !isLike(call)), once: true, perSecond: 200 },
  ];
}

const staffQuestions = ({ token }: Service): Question[] => [
  staffQuestion('GET /admin/statistics', '/admin/statistics', token, 200),
  staffQuestion('GET /auth/users, 20', '/auth/users?limit=20', token, 100),
  staffQuestion('GET /auth/users, by exact e-mail', '/auth/users?search=ada@heartwood.test', token, 100),
  staffQuestion('GET /auth/users, 1,000', '/auth/users?limit=1000', token, 5),
];

function staffQuestion(name: string, path: string, token: string, perSecond: number): Question {
  return { name, calls: [{ method: 'GET', path: `/api/v1${path}`, token }], perSecond };
}

function printHead(): void {
  const columns = [
    'server ms',
    'database',
    'both',
    'wire KB',
    'heap KB',
    'queries',
    'a second',
    'at rate',
    'p50',
    'p99',
  ];
  process.stdout.write(`${''.padEnd(38)}${columns.map((column) => column.padStart(10)).join('')}\n`);
}

async function measure(
  service: Service,
  { name, calls, once = false, isVisited = false, isHashing = false, perSecond }: Question,
): Promise<number> {
  if (isVisited) await load(service, calls, { clients, once: true });
  const part = (index: number) =>
    once ? calls.slice((index * calls.length) / 4, ((index + 1) * calls.length) / 4) : calls;
  await load(service, part(0), { clients, seconds: seconds.warm, once });
  const before = await service.usage();
  const closed = await load(service, once ? [...part(1), ...part(2)] : calls, {
    clients,
    seconds: seconds.measured,
    once,
  });
  const cost = usagePer(closed.times.length, before, await service.usage());
  const sent = Math.max(1, Math.min(perSecond, Math.floor(closed.rate * openShare)));
  const forSeconds = once ? Math.floor(part(3).length / sent) : seconds.open;
  const open = forSeconds < 1 ? null : await openLoop(service, part(3), { perSecond: sent, seconds: forSeconds });
  const serverMs = isHashing ? cost.mainMs : cost.serverMs;
  const figures = [
    serverMs.toFixed(2),
    cost.databaseMs.toFixed(2),
    (serverMs + cost.databaseMs).toFixed(2),
    (closed.bytes / 1024).toFixed(1),
    (cost.allocated / 1024).toFixed(0),
    cost.statements.toFixed(1),
    closed.rate.toFixed(0),
    open === null ? '' : `${sent}`,
    open === null ? '' : median(open.times).toFixed(1),
    open === null ? '' : p99(open.times).toFixed(1),
  ];
  process.stdout.write(`${name.padEnd(38)}${figures.map((figure) => figure.padStart(10)).join('')}\n`);
  return serverMs + cost.databaseMs;
}
