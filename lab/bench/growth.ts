import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { demoAccounts } from '../../demo/accounts.ts';
import { residentMegabytes } from '../chaos/processes.ts';
import { bareRoute, type Costs, costsOf } from './costs.ts';
import { type BenchData, openBenchData } from './data.ts';
import { fillDecks } from './discovery-data.ts';
import { type Call, load } from './load.ts';
import { loggedBytes } from './log.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { serve, type Service } from './service.ts';
import { placeMatches } from './writers.ts';

const mostPerTenfold = 1.3;
const largestTables = 12;
const actions = 100;
const decisionsAtOnce = 500_000;
/** Each round of decisions is about members so much further apart. */
const membersApart = 13;
/** One decision in this many has become dead when the table is vacuumed. */
const deadEvery = 20;

/**
 * Runs `costs` on databases of several sizes, smallest first, and reports how much each call's CPU, in multiples of the bare route's,
 * grows with ten times the members; then for each size the tables, write-ahead log per action and memory. `decisions`: fills up the
 * largest one to that many decisions, which stay in it, and times vacuuming them.
 */
export async function benchGrowth(
  sizes: number[],
  decisions: number | undefined,
  say: (line: string) => void,
): Promise<void> {
  const found: { members: number; costs: Costs }[] = [];
  for (const members of sizes.toSorted((one, other) => one - other)) {
    const data = await openBenchData(members, say);
    try {
      found.push({ members, costs: await costsOf(data.large) });
      await reportSize(data, members);
      if (decisions !== undefined && members === Math.max(...sizes)) await reportVacuum(data.large, decisions);
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
    remark(`memory of the server, ${members} members`, `${(costs.serverBytes / 1024 / 1024).toFixed(0)} MB`);
}

/** The CPU of a call as a multiple of the bare route's in the same run, so that a machine that slows down between runs doesn't count. */
const inBareRoutes = ({ cpuMs }: Costs, call: string): number =>
  (cpuMs.get(call) ?? Number.NaN) / (cpuMs.get(bareRoute) ?? Number.NaN);

async function reportSize(data: BenchData, members: number): Promise<void> {
  const client = new pg.Client({ connectionString: data.large });
  await client.connect();
  try {
    heading(`Tables with ${members.toLocaleString('en')} members, in MB`);
    const { rows } = await client.query<{ name: string; table: number; indexes: number; rows: number }>(
      `select relname as name, pg_table_size(oid) / 1048576.0 as table, pg_indexes_size(oid) / 1048576.0 as indexes, reltuples as rows
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit $1`,
      [largestTables],
    );
    for (const { name, table, indexes, rows: count } of rows)
      remark(name, `${Number(table).toFixed(1)} and ${Number(indexes).toFixed(1)} of indexes, ${count} rows`);
    await reportLog(data, client);
  } finally {
    await client.end();
  }
}

/** Write-ahead log per action, with whole pages after a checkpoint and what jobs and tickers write meanwhile. */
async function reportLog(data: BenchData, client: pg.Client): Promise<void> {
  heading('Write-ahead log per action');
  const { asking, liking } = await fillDecks(data.large, () => undefined);
  const service = await serve(data.large, 'ada@heartwood.test');
  try {
    for (const [what, calls] of Object.entries(await callsOf(service, client, [...asking, ...liking]))) {
      if (calls.length === 0) throw new Error(`nothing to measure ${what} with: all of the decks is decided`);
      const before = await loggedBytes(client);
      await load(service, calls, { clients: 1, once: true });
      remark(
        what,
        `${(((await loggedBytes(client)) - before) / calls.length / 1024).toFixed(1)} KB (${calls.length} of them)`,
      );
    }
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    const most = Math.max(...rows.map(({ pid }) => residentMegabytes(pid)));
    remark('largest process of the database', `${most.toFixed(0)} MB, with what it used of the shared memory`);
  } finally {
    await service.stop();
  }
}

async function callsOf(service: Service, client: pg.Client, viewers: string[]): Promise<Record<string, Call[]>> {
  const tokens = (await service.ask({ signIn: viewers })) as string[];
  const pairs = (await service.ask({ pairsOf: viewers, each: 20 })) as [number, string][];
  const chosen = pairs.slice(0, 2 * actions);
  const decide = (kind: string, from: number) =>
    chosen.slice(from, from + actions).map(([at, target]) => call('POST', `/${kind}/${target}`, tokens[at] ?? '', {}));
  const pool = { query: client.query.bind(client) } as Parameters<typeof placeMatches>[0];
  const matched = viewers.slice(0, 2 * Math.floor(Math.min(viewers.length, 2 * actions) / 2));
  const matchIds = await placeMatches(pool, matched);
  const [, { email, password }] = demoAccounts;
  return {
    'a like': decide('likes', 0),
    'a pass': decide('passes', actions),
    'a message of 120 characters': matchIds.map((id, at) =>
      call('POST', `/matches/${id}/messages`, tokens[2 * at] ?? '', { clientId: randomUUID(), text: 'x'.repeat(120) }),
    ),
    'a sign-in': Array.from({ length: 20 }, () => call('POST', '/auth/login', undefined, { email, password })),
    'a profile edit': tokens
      .slice(0, actions)
      .map((token, at) => call('PUT', '/auth/edit-profile', token, { bio: `I like long walks, ${at} so far.` })),
  };
}

const call = (method: string, path: string, token: string | undefined, body: object): Call => ({
  method,
  path: `/api/v1${path}`,
  body: JSON.stringify(body),
  ...(method === 'POST' && token !== undefined && { key: randomUUID() }),
  ...(token !== undefined && { token }),
});

async function reportVacuum(url: string, wanted: number): Promise<void> {
  heading(`Vacuuming ${wanted.toLocaleString('en')} decisions, one in ${deadEvery} of them changed`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query<{ before: number; members: number }>(
      `select (select count(*) from decision)::int as before, (select count(*) from directory where is_shown)::int as members`,
    );
    const { before, members } = rows[0] ?? { before: 0, members: 0 };
    for (let have = before, apart = membersApart; have < wanted; apart += membersApart) {
      if (apart >= members) throw new Error(`So few members can't decide ${wanted} times`);
      const { rowCount } = await client.query(
        `insert into decision (viewer_id, target_id, kind, decided_at)
         select viewer, target, 'pass', now() - interval '90 days' * random()
         from (select account_id as viewer, lead(account_id, $1) over (order by account_id) as target from directory where is_shown) pairs
         where target is not null limit $2 on conflict do nothing`,
        [apart, Math.min(decisionsAtOnce, wanted - have)],
      );
      have += rowCount ?? 0;
    }
    await client.query(
      `update decision set decided_at = decided_at + interval '1 second' where abs(hashtext(viewer_id::text || target_id)) % ${deadEvery} = 0`,
    );
    const started = performance.now();
    await client.query('vacuum (analyze) decision');
    remark('vacuum (analyze) decision', `${((performance.now() - started) / 1000).toFixed(1)} s`);
  } finally {
    await client.end();
  }
}
