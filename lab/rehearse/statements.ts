import pg from 'pg';
import { type Cluster, passwords } from './cluster.ts';
import type { Machine } from './machine.ts';

/** What one statement has cost on a node. */
export interface Statement {
  text: string;
  calls: number;
  /** The time it ran, and that of planning it. */
  ms: number;
  planMs: number;
}

/** What statements cost during a measurement. */
export interface Worked {
  /** The share of the time of all statements that replicas took, 0…1. */
  onReplicas: number;
  /** The same with the time of planning them. */
  onReplicasPlanned: number;
  /** The time of all statements together, in milliseconds. */
  ms: number;
  /** Those of the primary and those of both replicas, the most expensive first. */
  primary: Statement[];
  replicas: Statement[];
}

/** Measures from now on what statements cost on each node; `stop` returns null if a database restarted, which forgets it. */
export async function watchStatements(cluster: Cluster): Promise<{ stop(): Promise<Worked | null> }> {
  const before = await Promise.all(cluster.nodes.map(({ machine }) => statementsOf(machine)));
  return {
    async stop() {
      const primary = cluster.nodes.indexOf(await cluster.primary());
      const after = await Promise.all(cluster.nodes.map(({ machine }) => statementsOf(machine)));
      const spent = after.map((now, node) => spentSince(before[node] ?? noStatements, now));
      if (spent.includes(null)) return null;
      const lists = spent.map((list) => list ?? []);
      const sumOf = (list: Statement[], of: (statement: Statement) => number) =>
        list.reduce((sum, statement) => sum + of(statement), 0);
      const shareOf = (of: (statement: Statement) => number) =>
        1 - sumOf(lists[primary] ?? [], of) / sumOf(lists.flat(), of);
      return {
        onReplicas: shareOf(({ ms }) => ms),
        onReplicasPlanned: shareOf(({ ms, planMs }) => ms + planMs),
        ms: sumOf(lists.flat(), ({ ms }) => ms),
        primary: dearestFirst(lists[primary] ?? []),
        replicas: dearestFirst(lists.filter((_, node) => node !== primary).flat()),
      };
    },
  };
}

type Known = Map<string, Statement>;
const noStatements: Known = new Map();

/** Everything a node has executed so far in the service's database, by the statement's id. */
async function statementsOf({ address }: Machine): Promise<Known> {
  const client = new pg.Client({ host: address, user: 'postgres', password: passwords.superuser });
  await client.connect();
  const { rows } = await client.query<Statement & { id: string }>(`
    select queryid as id, min(query) as text, sum(calls)::float8 as calls, sum(total_exec_time) as ms,
      sum(total_plan_time) as "planMs"
    from pg_stat_statements join pg_database on oid = dbid where datname = 'heartwood' group by queryid`);
  await client.end();
  return new Map(rows.map(({ id, ...statement }) => [id, statement]));
}

function spentSince(before: Known, after: Known): Statement[] | null {
  // A restarted node has forgotten its statements.
  if ([...before].some(([id, { calls }]) => (after.get(id)?.calls ?? calls) < calls)) return null;
  return [...after].map(([id, { text, ...now }]) => {
    const { calls, ms, planMs } = before.get(id) ?? nothing;
    return { text, calls: now.calls - calls, ms: now.ms - ms, planMs: now.planMs - planMs };
  });
}

const nothing = { calls: 0, ms: 0, planMs: 0 };

/** Adds up what has the same text on several nodes. */
function dearestFirst(statements: Statement[]): Statement[] {
  const byText = new Map<string, Statement>();
  for (const { text, calls, ms, planMs } of statements) {
    const known = byText.get(text) ?? nothing;
    byText.set(text, { text, calls: known.calls + calls, ms: known.ms + ms, planMs: known.planMs + planMs });
  }
  return [...byText.values()].filter(({ calls }) => calls > 0).toSorted((one, other) => other.ms - one.ms);
}
