import { type EmptyDeck, type FilterName, filterNames } from '#contract/discovery.ts';
import { sql } from 'kysely';
import { countRows, type Db } from '../../platform/db/db.ts';
import { fitsBut, meets, requirements, theirDecision } from './score/fit.ts';

/** How many of the nearest members are examined; filters exclude those farther away for the same reasons. */
const lookedAtMost = 10_000;
const countedMost = 500;

/**
 * Explains why a deck is empty: how many of the nearest ten thousand members each of the viewer's filters excludes on its own, most first,
 * and how many fitting members were already decided on. Both are counted up to 500. One query counts for all filters.
 */
export async function whyEmpty(
  db: Db,
  accountId: string,
  cells: number[],
  now: Date,
): Promise<Omit<EmptyDeck, 'isUsedUp'>> {
  const day = now.toISOString().slice(0, 10);
  const own = requirements(sql.ref('v'), sql.ref('t'), day);
  const met = sql.join(filterNames.map((name) => sql`coalesce(${own[name]}, false) as ${sql.ref(`meets_${name}`)}`));
  const failed = sql.join(
    filterNames.map((name) => sql`(not ${sql.ref(`meets_${name}`)})::int`),
    sql` + `,
  );
  const alone = sql.join(
    filterNames.map(
      (name) =>
        sql`least(count(*) filter (where not ${sql.ref(`meets_${name}`)}), ${countedMost}::int)::int as ${sql.ref(name)}`,
    ),
  );
  const { rows } = await sql<Record<FilterName, number>>`
    select ${alone} from (
      select ${met} from discovery_row v
        cross join lateral (
          select near.* from unnest(${cells}::int[]) with ordinality as c (cell, place)
            cross join lateral (select * from discovery_row r where r.cell = c.cell and r.visible limit ${lookedAtMost}) near
          limit ${lookedAtMost}
        ) t ${theirDecision}
      where v.account_id = ${accountId}::uuid and ${fitsBut({ viewerId: accountId, day })}
    ) looked where ${failed} = 1`.execute(db);
  const [counts] = rows;
  const perFilter = filterNames
    .map((filter) => ({ filter, removed: counts?.[filter] ?? 0 }))
    .filter(({ removed }) => removed > 0)
    .sort((one, other) => other.removed - one.removed);
  return { perFilter, decided: await countDecided(db, accountId, day) };
}

/** How many of the people the viewer decided on could be shown again. An ended match isn't only the viewer's decision. */
async function countDecided(db: Db, accountId: string, day: string): Promise<number> {
  const decided = sql`
    decision d join discovery_row v on v.account_id = d.viewer_id join discovery_row t on t.account_id = d.target_id
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and ${meets({ viewerId: accountId, day })}`;
  return await countRows(db, decided, countedMost);
}
