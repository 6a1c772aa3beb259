/**
 * What an installation needs for a number of members, from measured costs: prints the table of docs/operating/sizing.md.
 * Change `habits`, `reserve` or `prices` to what you see, and run it again: node lab/sizing.ts
 */
import { habits } from './habits.ts';

type Action = keyof typeof habits.perDay;

/** What replicas can take, if there are any. */
const onReplicas: readonly Action[] = ['refill', 'search'];

/** Milliseconds of server and database CPU, from `npm run bench -- costs discovery messages pictures` with 1,000,000 members. */
const costs: Record<Action, readonly [server: number, database: number]> = {
  profile: [0.41, 0.06],
  refresh: [1.39, 0.55],
  page: [4.5, 3.9],
  refill: [35.3, 45.2],
  like: [2.22, 3.35],
  pass: [1.56, 1.43],
  matches: [0.43, 0.31],
  likesReceived: [0.35, 0.23],
  notifications: [0.49, 0.37],
  person: [0.77, 0.37],
  message: [0.7, 0.5],
  search: [3.19, 6.98],
  login: [130, 1.83],
  picture: [1500, 5],
};

/** Bytes with indexes, measured in the same database. */
const bytes = {
  member: 8800,
  decision: 303,
  message: 400,
  deck: 2700,
  /** Write-ahead log of an active member's day, without whole pages. */
  walPerDay: 90_000,
  picturesEach: 3,
  /** A picture in all its sizes. */
  picture: 450_000,
};

const reserve = {
  /** The busiest hour's share of a day, and how much busier its busiest minutes are. */
  busiestHour: 0.1,
  burst: 1.5,
  /** How busy processors may be then. */
  utilization: 0.5,
};

/** Resources of a process, which uses one processor for requests, and what each open socket adds. */
const process = { memoryGb: 0.5, socketKb: 60, connections: 22, directConnections: 15 };

/** US dollars a month: a processor with 4 GB, a GB more of memory, a GB of fast disk, of object storage, of traffic. Assumed. */
const prices = { processor: 25, memoryGb: 3, diskGb: 0.1, objectGb: 0.02, trafficGb: 0.05 };

const number = (value: number) => Math.ceil(value).toLocaleString('en');
const gb = (value: number) => (value < 1000 ? `${number(value)} GB` : `${(value / 1000).toFixed(1)} TB`);

/** A column of the table: what `members` need. */
function sizing(members: number): Record<string, string> {
  const active = members * habits.activeShare;
  const perSecond = (active * reserve.busiestHour * reserve.burst) / 3600;
  const actions = Object.entries(habits.perDay) as [Action, number][];
  const msPerDay = (part: 0 | 1) => actions.reduce((sum, [action, count]) => sum + count * costs[action][part], 0);
  const processors = (part: 0 | 1) => (perSecond * msPerDay(part)) / 1000 / reserve.utilization;
  const requests = perSecond * actions.reduce((sum, [, count]) => sum + count, 0);
  const processes = Math.max(2, Math.ceil(processors(0)));
  const databaseProcessors = Math.max(2, Math.ceil(processors(1)));
  const sockets = ((active * habits.minutesOnline) / 1440) * 24 * reserve.busiestHour;
  const appMemory = processes * process.memoryGb + (sockets * process.socketKb) / 1e6;
  const fixedGb = (members * bytes.member + active * bytes.deck) / 1e9;
  const decisions = habits.perDay.like + habits.perDay.pass;
  const yearGb = (active * 365 * (decisions * bytes.decision + habits.perDay.message * bytes.message)) / 1e9;
  const walGb = (active * bytes.walPerDay) / 1e9;
  const diskGb = (fixedGb + yearGb) * 1.3 + 20;
  // What active members use: all fixed rows, and an eighth of the year's.
  const databaseMemory = Math.max(4, fixedGb + yearGb / 8);
  const picturesGb = (members * bytes.picturesEach * bytes.picture) / 1e9;
  const machines = Math.max(2, Math.ceil(processes / 8));
  const dollars =
    (Math.max(machines * 2, processes) + 3 * databaseProcessors) * prices.processor +
    3 * Math.max(0, databaseMemory - 4 * databaseProcessors) * prices.memoryGb +
    3 * diskGb * prices.diskGb +
    picturesGb * prices.objectGb +
    (active * 30 * 8e6 * prices.trafficGb) / 1e9;
  return {
    'active members a day': number(active),
    'requests a second, busiest minutes': number(requests),
    'processes of the service': `${processes}`,
    'machines for them (2 to 8 processors each)': `${machines}`,
    'open sockets': number(sockets),
    'memory of the service': gb(appMemory),
    'connections of the service, through PgBouncer': `${number(processes * process.connections)}`,
    'connections past it': `${number(processes * process.directConnections)}`,
    "PgBouncer's connections to the primary": `${Math.max(20, databaseProcessors * 4)}`,
    "replicas' share of the database's work": `${((100 * onReplicas.reduce((sum, name) => sum + habits.perDay[name] * costs[name][1], 0)) / msPerDay(1)).toFixed(0)} %`,
    'processors of the primary': `${databaseProcessors}`,
    'memory of each database node': gb(databaseMemory),
    'disk of each node at the start and after a year': `${gb(fixedGb * 1.3 + 20)}, ${gb(diskGb)}`,
    'write-ahead log a day': gb(walGb),
    'pictures (object storage)': gb(picturesGb),
    'cost a month': `$${number(Math.ceil(dollars / 10) * 10)}`,
  };
}

const columns = [10_000, 100_000, 1_000_000, 10_000_000].map((members) => ({ members, rows: sizing(members) }));
const [first] = columns;
const lines = [
  ['members', ...columns.map(({ members }) => number(members))],
  ['---', ...columns.map(() => '---')],
  ...Object.keys(first?.rows ?? {}).map((name) => [name, ...columns.map(({ rows }) => rows[name] ?? '')]),
];
globalThis.process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
