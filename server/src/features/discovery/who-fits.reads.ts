import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { Deps } from '../../deps.ts';
import { dayOf } from '#platform/process/clock.ts';
import { requiredBy } from '../compatibility/public.ts';
import { hasNoHiddenWord, pointOf } from '../profiles/public.ts';
import { columnsFor } from './count.reads.ts';
import { deckMakerOf } from './jobs.ts';
import { savedFiltersOf } from './saved-filters.ts';
import { fitsBut, theirDecision } from './score/fit.ts';

/** How many of the newest members of each cell are examined, nearest cells first, and how many in total. */
const examined = { perCell: 200, most: 5000 };
/** How many people are returned for each set of filters. */
const foundMost = 1000;

/**
 * A person who fits: a digest that distinguishes them from others and identifies them only together with their id, and when they joined.
 */
export interface Fitting {
  key: number;
  joinedAt: Date;
}

export interface WhoFits {
  /** Changes with the member's profile, preferences and saved filters. */
  lookedFor: string;
  /** The newest first. */
  found: Fitting[];
  /** Whether everyone near was examined, rather than only the newest. */
  isWhole: boolean;
}

/**
 * Who could now be a card of a member, by their preferences or by a saved filter with an alert. The number of examined people is limited.
 */
export async function peopleWhoFit(deps: Deps, accountId: string, now: Date): Promise<WhoFits> {
  const { db } = deps;
  const viewer = await db
    .selectFrom('discovery_row')
    .select(['latitude', 'longitude', 'is_vip', 'version', 'distance_required', 'max_km'])
    .where('account_id', '=', accountId)
    .where('gender', '>', 0)
    .executeTakeFirst();
  if (viewer === undefined) return { lookedFor: '', found: [], isWhole: false };
  const saved = (await savedFiltersOf(db, accountId)).filter(({ hasAlert }) => hasAlert === true);
  const own = viewer.distance_required ? viewer.max_km : null;
  const found = new Map<number, Fitting>();
  let isWhole = true;
  for (const preferences of [null, ...saved.map((filter) => filter.preferences)]) {
    const distance = preferences?.distance;
    const farthest = preferences === null ? own : distance?.required === true ? distance.maxKm : null;
    const cells = await deckMakerOf(deps).cells(db, pointOf(viewer), farthest);
    const columns = preferences === null ? {} : columnsFor(preferences, viewer.is_vip);
    const rows = await fittingIn(deps, accountId, { cells, columns, now });
    for (const { key, joinedAt } of rows) found.set(key, { key, joinedAt });
    isWhole &&= rows.length < foundMost && rows.every((row) => row.isWhole);
  }
  return {
    lookedFor: `${viewer.version} ${digestOf(saved)}`,
    found: [...found.values()].sort((one, other) => other.joinedAt.getTime() - one.joinedAt.getTime()),
    isWhole,
  };
}

const digestOf = (saved: SavedFilter[]) => hash('sha256', JSON.stringify(saved)).slice(0, 16);

interface Search {
  cells: number[];
  /** The columns of the member's row that differ. */
  columns: object;
  now: Date;
}

async function fittingIn({ db }: Deps, viewerId: string, { cells, columns, now }: Search) {
  const looking = { viewerId, day: dayOf(now) };
  const { rows } = await sql<Fitting & { isWhole: boolean }>`
    with near as materialized (
      select r.* from unnest(${cells}::int[]) with ordinality as c (cell, place)
        cross join lateral (
          select r.*, row_number() over (order by r.joined_at desc) as nth from discovery_row r
          where r.cell = c.cell and r.visible order by r.joined_at desc limit ${examined.perCell}
        ) r
      limit ${examined.most}),
    fitting as materialized (
      select t.account_id, t.joined_at from discovery_row saved
        cross join lateral jsonb_populate_record(saved, ${JSON.stringify(columns)}::jsonb) v
        cross join near t ${theirDecision}
      where saved.account_id = ${viewerId}::uuid and ${requiredBy(sql.ref('v'), sql.ref('t'), looking.day)} and ${fitsBut(looking)}
      order by t.joined_at desc limit ${foundMost})
    select hashtext(account_id::text) as key, joined_at as "joinedAt",
      (select count(*) < ${examined.most}::int and max(nth) < ${examined.perCell}::int from near) as "isWhole"
    from fitting where ${hasNoHiddenWord(viewerId, sql`account_id`)}
    order by joined_at desc`.execute(db);
  return rows;
}
