import { sql } from 'kysely';
import { type Db, planHint } from './db.ts';

export interface Counter {
  kind: string;
  key: string;
  value: number;
}

/**
 * The stored counters of some kinds, including changes that are not yet merged; with `from`, only keys from there on.
 */
export async function countersOf(db: Db, kinds: string[], from = ''): Promise<Counter[]> {
  const asked = sql`(select kind from unnest(${kinds}::text[]) as kind ${planHint(kinds)}) asked`;
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    select kind, key, sum(value) as value from (
      select kind, key, value from ${asked} join statistic using (kind) where key >= ${from}
      union all
      select kind, key, delta from ${asked} join statistic_delta using (kind) where key >= ${from}
    ) kept group by kind, key`.execute(db);
  return rows.map(({ kind, key, value }) => ({ kind, key, value: Number(value) }));
}

/** Like `countersOf`, as a lookup by `kind` and `key`; 0 if absent. */
export async function readCounters(db: Db, kinds: string[]): Promise<(kind: string, key: string) => number> {
  const values = new Map((await countersOf(db, kinds)).map(({ kind, key, value }) => [`${kind} ${key}`, value]));
  return (kind, key) => values.get(`${kind} ${key}`) ?? 0;
}
