import { sql, type RawBuilder } from 'kysely';
import type { TextMatch } from '../search/text-match.ts';

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

const columnOf = (key: ListKey) =>
  key === 'createdAt' ? sql`d.created_at` : key === 'lastActive' ? sql`r.last_active_at` : sql`d.name_sort`;

const asText = (key: ListKey, value: RawBuilder<unknown>) =>
  key === 'name'
    ? value
    : sql`case when ${value} = '-infinity' then '-infinity'
        else to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;

function beyond({ key, order }: ListSort, column: RawBuilder<unknown>, id: RawBuilder<unknown>, { after }: Window) {
  if (after === null) return sql<boolean>`true`;
  const value = key === 'name' ? sql`${after.key}::text` : sql`${after.key}::timestamptz`;
  return order === 'asc'
    ? sql<boolean>`(${column}, ${id}) > (${value}, ${after.id}::uuid)`
    : sql<boolean>`(${column}, ${id}) < (${value}, ${after.id}::uuid)`;
}

function inOrder({ order }: ListSort, key: RawBuilder<unknown>, id: RawBuilder<unknown>, { limit, offset }: Window) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${key} ${direction}, ${id} ${direction} limit ${limit} offset ${offset}`;
}

const all = (conditions: RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Positions by a walk along the index of the order, filtering on the way: for all lists that are not rare. */
export function walkQuery({ sort, where, whereActive, text }: Wanted, window: Window): RawBuilder<Position> {
  const alongPresence = sort.key === 'lastActive';
  const [key, id] = [columnOf(sort.key), alongPresence ? sql`r.account_id` : sql`d.account_id`];
  const conditions = [
    beyond(sort, key, id, window),
    ...(alongPresence ? (whereActive ?? where) : where),
    ...(text === null ? [] : [text.plain]),
  ];
  return sql`
    select ${asText(sort.key, key)} as key, ${id} as id
    from ${alongPresence ? sql`presence r join directory d on d.account_id = r.account_id` : sql`directory d`}
    where ${all(conditions)} ${inOrder(sort, key, id, window)}`;
}

/** All hits in no order, or `most` of them: for what is rare. Times of activity are looked up when there is something to sort. */
export function hitsQuery({ sort, where, text }: Wanted, most: number | null): RawBuilder<unknown> {
  return sql`
    select ${sort.key === 'lastActive' ? sql`null` : columnOf(sort.key)} as key, d.account_id as id from directory d
    where ${all([...where, ...(text === null ? [] : [text.indexed])])}
    ${most === null ? sql`` : sql`limit ${most}`}`;
}

/** Positions out of collected `hits`, if `worthwhile`: a condition that names no row, so that without it none is looked at. */
export function sortedHitsQuery(
  sort: ListSort,
  window: Window,
  worthwhile: RawBuilder<boolean> = sql`true`,
): RawBuilder<Position> {
  const alongPresence = sort.key === 'lastActive';
  const [key, id] = [alongPresence ? columnOf(sort.key) : sql`hits.key`, sql`hits.id`];
  return sql`
    select ${asText(sort.key, key)} as key, ${id} as id
    from hits ${alongPresence ? sql`join presence r on r.account_id = hits.id` : sql``}
    where ${worthwhile} and ${beyond(sort, key, id, window)}
    ${inOrder(sort, key, id, window)}`;
}

/** The wanted positions in their order, the way that suits them. */
export function positionsQuery(wanted: Wanted, window: Window): RawBuilder<Position> {
  if (wanted.text === null || wanted.text.isCommon) return walkQuery(wanted, window);
  return sql`with hits as materialized (${hitsQuery(wanted, null)}) ${sortedHitsQuery(wanted.sort, window)}`;
}

/** How many rows are wanted, counted row after row to `most`. */
export function countQuery({ where, text }: Wanted, most: number): RawBuilder<{ total: number }> {
  return sql`
    select count(*)::int as total from (
      select from directory d where ${all([...where, ...(text === null ? [] : [text.plain])])} limit ${most}
    ) counted`;
}
