import { rowsOf } from '../people.ts';
import { bareRoute, benchCosts, type Costs } from './costs.ts';
import { asSuperuser, type BenchData, openBenchData } from './data.ts';
import { heading, remark, reportAtMost } from './report.ts';

const mostPerTenfold = 1.3;
const largestTables = 12;

/**
 * Runs `costs` on databases of several sizes, smallest first, and reports how much each call's CPU, in multiples of the bare route's,
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

/** The CPU of a call as a multiple of the bare route's in the same run, so that a machine that slows down between runs doesn't count. */
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
