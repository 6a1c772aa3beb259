import { sql } from 'kysely';
import type { Db } from './db.ts';

/** The kept figures of some kinds, by `kind` and `key`, with the changes that are not folded in yet; absent is 0. */
export async function readCounters(db: Db, kinds: string[]): Promise<(kind: string, key: string) => number> {
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    select kind, key, sum(value) as value from (
      select kind, key, value from statistic where kind = any (${kinds})
      union all
      select kind, key, delta from statistic_delta where kind = any (${kinds})
    ) kept group by kind, key`.execute(db);
  const values = new Map(rows.map(({ kind, key, value }) => [`${kind} ${key}`, Number(value)]));
  return (kind, key) => values.get(`${kind} ${key}`) ?? 0;
}
