import { sql, type RawBuilder } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { Db } from '../../platform/db.ts';
import type { TextMatch } from './profiles.text-match.ts';

export type ListKey = 'createdAt' | 'lastActive' | 'name';
export interface ListSort {
  key: ListKey;
  order: 'asc' | 'desc';
}

/** Which rows of the directory are wanted, and in which order. */
export interface Wanted {
  sort: ListSort;
  /** Conditions on a row of `directory d`. */
  where: RawBuilder<boolean>[];
  /** The same where they can be read beside the times of activity, from `presence r`: one walk along its index. */
  whereActive?: RawBuilder<boolean>[];
  text: TextMatch | null;
}

/** Where a row stands in its order; the key as text, exact to the microsecond. */
export interface Position {
  key: string;
  id: string;
}

/** The part of the wanted rows to fetch. */
export interface Window {
  after: Position | null;
  offset: number;
  limit: number;
}

/** Found rows in order; `total` null where it was not counted, more than 10,000 where counting stopped. */
export interface Found {
  positions: Position[];
  total: number | null;
}

/** By name, hits lie together: then sorting all of them beats walking past everyone who comes before. */
const sortableHits = { createdAt: exactTotalMax + 1, lastActive: exactTotalMax + 1, name: 100_001 };

const keyOf = (key: ListKey) =>
  key === 'createdAt' ? sql`d.created_at` : key === 'lastActive' ? sql`r.last_active_at` : sql`d.name_sort`;

const asText = (key: ListKey, value: RawBuilder<unknown>) =>
  key === 'name'
    ? value
    : sql`case when ${value} = '-infinity' then '-infinity'
        else to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;

function inOrder({ order }: ListSort, key: RawBuilder<unknown>, id: RawBuilder<unknown>) {
  return order === 'asc' ? sql`order by ${key}, ${id}` : sql`order by ${key} desc, ${id} desc`;
}

function beyond({ key, order }: ListSort, column: RawBuilder<unknown>, id: RawBuilder<unknown>, { after }: Window) {
  if (after === null) return sql<boolean>`true`;
  const value = key === 'name' ? sql`${after.key}::text` : sql`${after.key}::timestamptz`;
  return order === 'asc'
    ? sql<boolean>`(${column}, ${id}) > (${value}, ${after.id}::uuid)`
    : sql<boolean>`(${column}, ${id}) < (${value}, ${after.id}::uuid)`;
}

const all = (conditions: RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Walks along the index of the order, filtering as it goes: the way for all lists that are not rare. */
async function walk(db: Db, { sort, where, whereActive, text }: Wanted, window: Window): Promise<Position[]> {
  const alongPresence = sort.key === 'lastActive';
  const [key, id] = [keyOf(sort.key), alongPresence ? sql`r.account_id` : sql`d.account_id`];
  const conditions = [
    beyond(sort, key, id, window),
    ...(alongPresence ? (whereActive ?? where) : where),
    ...(text === null ? [] : [text.plain]),
  ];
  const { rows } = await sql<Position>`
    select ${asText(sort.key, key)} as key, ${id} as id
    from ${alongPresence ? sql`presence r join directory d on d.account_id = r.account_id` : sql`directory d`}
    where ${all(conditions)}
    ${inOrder(sort, key, id)} limit ${window.limit} offset ${window.offset}`.execute(db);
  return rows;
}

/** Collects all hits first, then sorts: the way for what is rare. Null positions: too many hits to collect. */
async function collect(
  db: Db,
  { sort, where, text }: Wanted,
  window: Window,
): Promise<{ total: number; positions: Position[] | null }> {
  const most = sortableHits[sort.key];
  const [key, id] = [sql`key`, sql`id`];
  const { rows } = await sql<{ total: number; key: string | null; id: string | null }>`
    with hits as materialized (
      select ${keyOf(sort.key)} as key, d.account_id as id
      from directory d ${sort.key === 'lastActive' ? sql`join presence r on r.account_id = d.account_id` : sql``}
      where ${all([...where, ...(text === null ? [] : [text.indexed])])}
      limit ${most}
    ), counted as (select count(*)::int as total from hits)
    select counted.total, found.key, found.id
    from counted left join lateral (
      select ${asText(sort.key, key)} as key, id from hits
      where counted.total < ${most} and ${beyond(sort, key, id, window)}
      ${inOrder(sort, key, id)} limit ${window.limit} offset ${window.offset}
    ) found on true`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total >= most) return { total, positions: null };
  return { total, positions: rows.flatMap(({ key, id }) => (key === null || id === null ? [] : [{ key, id }])) };
}

async function countHits(db: Db, { where, text }: Wanted): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from directory d where ${all([...where, ...(text === null ? [] : [text.plain])])} limit ${exactTotalMax + 1}
    ) hits`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The rows of a list without counting them: `total` is null. */
export async function listed(db: Db, wanted: Wanted, window: Window): Promise<Found> {
  if (wanted.text === null || wanted.text.isCommon) return { positions: await walk(db, wanted, window), total: null };
  const { positions } = await collect(db, wanted, window);
  return { positions: positions ?? (await walk(db, wanted, window)), total: null };
}

/** The rows of a search and how many there are, counted to 10,001 at most. */
export async function searched(db: Db, wanted: Wanted, window: Window): Promise<Found> {
  if (wanted.text?.isCommon === true) {
    const [positions, total] = await Promise.all([walk(db, wanted, window), countHits(db, wanted)]);
    return { positions, total };
  }
  const { total, positions } = await collect(db, wanted, window);
  return { positions: positions ?? (await walk(db, wanted, window)), total };
}
