import { type RawBuilder, sql } from 'kysely';
import { type Db, plannedForValues } from '#platform/db/db.ts';
import { exactTotalMax } from '#contract/constants.ts';
import { folded } from '#contract/folding.ts';
import { partsOf } from '#contract/search-term.ts';

/** The directory columns that are searched; each has a trigram index. */
type SearchedColumn = 'search_text' | 'name_sort' | 'first_name';

/**
 * The rows a list is read from: directory `d`, or a narrower table sorted by a column that the directory lacks, presence `r` or
 * online_member `o`.
 */
export type ListRow = 'd' | 'r' | 'o';

/** How to find the rows whose column contains a term. */
interface TextMatch {
  /** Uses the trigram index of the directory. */
  indexed: RawBuilder<boolean>;
  /** A sequential read of rows, which is faster if about every tenth row is a hit. Reads the column that was matched, or another one. */
  plain(row: ListRow, of?: SearchedColumn): RawBuilder<boolean>;
  /** Members online have the column too, so that counting them reads no other table. */
  isOfOnline: boolean;
  isCommon: boolean;
}

const sampledRows = { usually: 2000, address: 200 };
/** A whole address is never a common term, so the sample only has to find a word of it that few addresses contain. */
const wholeAddress = /^[^\s@]{3,}@[^\s@]+\.[^\s@]+$/;
const fewestToJudge = 200;
/** From this share of hits on, reading rows until there are enough is faster than collecting all hits from the index. */
const commonShare = 0.08;
const shortestIndexed = 3;
const wordsLookedAt = 6;

/** How many rows of a sample of about `size` contain each of these texts, and how many contain one of the spellings of each part. */
async function countInSample(
  db: Db,
  column: SearchedColumn,
  { texts, parts, size }: { texts: string[]; parts: string[][]; size: number },
): Promise<{ sampled: number; together: number; hits: number[] }> {
  const has = (text: string) => sql<boolean>`strpos(${sql.ref(column)} collate "C", ${text}) > 0`;
  const countIf = (condition: RawBuilder<boolean>) => sql`count(*) filter (where ${condition})::int`;
  const { rows } = await sql<{ sampled: number; together: number; hits: number[] }>`
    select count(*)::int as sampled, ${countIf(allOf(parts.map((part) => anyOf(part.map(has)))))} as together,
      array[${sql.join(texts.map((text) => countIf(has(text))))}]::int[] as hits
    from directory tablesample system (
      (select least(100, 100 * ${size}::int / greatest(reltuples, 1)) from pg_class where oid = 'directory'::regclass))
    ${column === 'first_name' ? sql`where is_shown` : sql``}`.execute(db);
  return rows[0] ?? { sampled: 0, together: 0, hits: [] };
}

/**
 * A match of all parts of `term` in any order, ignoring case, accents and punctuation between them. A sample of the table shows how common
 * the term is and which part has the rarest word. Only that part is looked up in the index, since each further common word would cost
 * another index scan. `hasAddresses`: the term is read as one that may be of an email address.
 */
export async function matchText(
  db: Db,
  column: SearchedColumn,
  term: string,
  hasAddresses = column === 'search_text',
): Promise<TextMatch> {
  const parts = foldedParts(term, hasAddresses);
  const lookups = lookupsOf(parts);
  const texts = [...new Set(lookups.flat())];
  const isAddress = parts.some((part) => part.every((spelling) => wholeAddress.test(spelling)));
  const size = isAddress ? sampledRows.address : sampledRows.usually;
  const { sampled, together, hits } = await countInSample(db, column, { texts, parts, size });
  const hitsOf = (words: string[]) => words.reduce((sum, word) => sum + (hits[texts.indexOf(word)] ?? 0), 0);
  const rarest = lookups.toSorted((a, b) => hitsOf(a) - hitsOf(b) || shortest(b) - shortest(a))[0];
  const isOfOnline = column !== 'first_name';
  // Compares byte by byte, because both sides are already folded.
  const plain = (row: ListRow, of = column) => {
    const searchedText = sql`${sql.ref(`${row === 'o' && isOfOnline ? 'o' : 'd'}.${of}`)} collate "C"`;
    return allOf(parts.map((part) => anyOf(part.map((text) => sql<boolean>`strpos(${searchedText}, ${text}) > 0`))));
  };
  const like = anyOf(
    (rarest ?? parts[0] ?? []).map(
      (text) => sql<boolean>`${plannedForValues} d.${sql.ref(column)} like ${`%${escaped(text)}%`}`,
    ),
  );
  return {
    indexed: sql<boolean>`(${like} and ${plain('d')})`,
    plain,
    isOfOnline,
    isCommon: sampled >= fewestToJudge && together >= sampled * commonShare,
  };
}

const anyOf = (conditions: RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;
const allOf = (conditions: RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` and `)})`;

/**
 * The parts of a term, each with its spellings, one of which the searched text must contain. Without a word long enough for the index, as
 * in most Chinese and Japanese names, the only part is the whole term, in both orders if it consists of two words.
 */
function foldedParts(term: string, hasAddresses: boolean): string[][] {
  const spelled = partsOf(term, hasAddresses).map(({ toFold, ascii }) => [...toFold.map(folded), ...ascii]);
  const parts = spelled.map((part) => part.filter((text) => text !== '')).filter(({ length }) => length > 0);
  if (parts.length === 0) return [[folded(term.trim())]];
  if (parts.length === 1 || lookupsOf(parts).length > 0) return parts;
  const words = parts.flatMap((part) => part.slice(0, 1));
  return [words.length === 2 ? [words.join(' '), words.toReversed().join(' ')] : [words.join(' ')]];
}

/** The words that can be looked up in the index without missing a hit: a word of each spelling of one part. */
function lookupsOf(parts: string[][]): string[][] {
  const lookups = parts.flatMap((part) => {
    const words = part.map(wordsOf);
    if (words.length === 1) return (words[0] ?? []).map((word) => [word]);
    const longest = words.flatMap((ofSpelling) => ofSpelling.slice(0, 1));
    return longest.length === part.length ? [longest] : [];
  });
  return lookups.toSorted((a, b) => shortest(b) - shortest(a)).slice(0, wordsLookedAt);
}

const shortest = (words: string[]) => Math.min(...words.map((word) => word.length));

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The words that the trigram index can find, the longest first: letters and digits, at least three. */
function wordsOf(term: string): string[] {
  const words = term.split(/[^\p{L}\p{N}]+/u).filter((word) => [...word].length >= shortestIndexed);
  return words.sort((a, b) => b.length - a.length);
}

type ListKey = 'createdAt' | 'lastActive' | 'name';
export interface ListSort {
  key: ListKey;
  order: 'asc' | 'desc';
}

/** Which rows of the directory are requested, and in which order. */
export interface Wanted {
  sort: ListSort;
  /** Whether only members who are online are requested. */
  isOnline: boolean;
  /** Further conditions, on the list's row if it has the columns, so that one index scan is enough, or else on `directory d`. */
  where(row: ListRow): RawBuilder<boolean>[];
  text: TextMatch | null;
  /** The conditions use the directory, even if the list's row has the columns. */
  readsDirectory?: boolean;
  /** A table with the directory's columns that is read instead of it. */
  directory?: RawBuilder<unknown>;
  /**
   * A costly condition on a person's id. It is evaluated in list order, for no more people than the page needs, and counts leave it out.
   */
  isShown?: (id: RawBuilder<unknown>) => RawBuilder<boolean>;
}

/** The position of a row in its order; the key as text, exact to the microsecond. */
export interface Position {
  key: string;
  id: string;
}

/** The part of the requested rows to fetch. */
export interface Window {
  after: Position | null;
  offset: number;
  limit: number;
}

/** The row that has the list's order and an index for it. */
function rowOf({ sort, isOnline }: Pick<Wanted, 'sort' | 'isOnline'>): ListRow {
  if (sort.key === 'lastActive') return 'r';
  return isOnline ? 'o' : 'd';
}

const columns = { createdAt: 'created_at', lastActive: 'last_active_at', name: 'name_sort' };
const columnOf = (key: ListKey, row: ListRow) => sql.ref(`${row}.${columns[key]}`);

/** The tables of a row. The join with the directory leaves out accounts that are being deleted. */
function tablesOf(row: ListRow, { directory = sql`directory` }: Pick<Wanted, 'directory'>): RawBuilder<unknown> {
  if (row === 'd') return sql`${directory} d`;
  return row === 'r'
    ? sql`presence r join ${directory} d on d.account_id = r.account_id`
    : sql`online_member o join ${directory} d on d.account_id = o.account_id`;
}

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

function orderBy({ order }: ListSort, key: RawBuilder<unknown>, id: RawBuilder<unknown>) {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${key} ${direction}, ${id} ${direction}`;
}

/** The rows of the window among these sorted ones. PostgreSQL evaluates no condition before a subquery with an offset is sorted. */
const windowOf = (
  sorted: RawBuilder<unknown>,
  { isShown }: Pick<Wanted, 'isShown'>,
  { limit, offset }: Pick<Window, 'limit' | 'offset'>,
) =>
  isShown === undefined
    ? sql<Position>`${sorted} limit ${limit} offset ${offset}`
    : sql<Position>`select * from (${sorted} offset 0) sorted where ${isShown(sql`sorted.id`)} limit ${limit} offset ${offset}`;

/** The window of these ids that are shown. */
export async function shownAmong(
  db: Db,
  ids: readonly string[],
  wanted: Pick<Wanted, 'isShown'>,
  window: Pick<Window, 'limit' | 'offset'>,
): Promise<string[]> {
  const sorted = sql`select id from unnest(${ids}::uuid[]) with ordinality as given (id, at) order by at`;
  const { rows } = await windowOf(sorted, wanted, window).execute(db);
  return rows.map(({ id }) => id);
}

const all = (conditions: RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** Positions from an index scan in list order that filters as it goes; for all lists except rare hits. */
function walkQuery(wanted: Wanted, window: Window): RawBuilder<Position> {
  const { sort, isOnline, where, text } = wanted;
  const row = rowOf(wanted);
  const [key, id] = [columnOf(sort.key, row), sql.ref(`${row}.account_id`)];
  const conditions = [
    beyond(sort, key, id, window),
    ...(isOnline && row === 'r' ? [sql<boolean>`r.online`] : []),
    ...where(row),
    ...(text === null ? [] : [text.plain(row)]),
  ];
  const sorted = sql`
    select ${asText(sort.key, key)} as key, ${id} as id
    from ${tablesOf(row, wanted)} where ${all(conditions)} ${orderBy(sort, key, id)}`;
  return windowOf(sorted, wanted, window);
}

/**
 * All hits without an order, or up to `most` of them; for rare hits. The sort column is read only if there is something to sort, so that
 * indexes alone can answer.
 */
function hitsQuery(wanted: Wanted, most: number | null): RawBuilder<unknown> {
  const { isOnline, where, text } = wanted;
  const row = isOnline ? 'o' : 'd';
  return sql`
    select d.account_id as id from ${tablesOf(row, wanted)}
    where ${all([...where(row), ...(text === null ? [] : [text.indexed, ...(isOnline ? [text.plain(row)] : [])])])}
    ${most === null ? sql`` : sql`limit ${most}`}`;
}

/** Positions from collected `hits`, if `worthwhile`. That condition refers to no row, so that no row is read when it is false. */
function sortedHitsQuery(
  wanted: Wanted,
  window: Window,
  worthwhile: RawBuilder<boolean> = sql`true`,
): RawBuilder<Position> {
  const { sort, directory = sql`directory` } = wanted;
  const row = sort.key === 'lastActive' ? 'r' : 'd';
  const [key, id] = [columnOf(sort.key, row), sql`hits.id`];
  const sorted = sql`
    select ${asText(sort.key, key)} as key, ${id} as id
    from hits join ${row === 'r' ? sql`presence r` : sql`${directory} d`} on ${sql.ref(`${row}.account_id`)} = hits.id
    where ${worthwhile} and ${beyond(sort, key, id, window)}
    ${orderBy(sort, key, id)}`;
  return windowOf(sorted, wanted, window);
}

/** The requested positions in order, found in the faster way. */
export function positionsQuery(wanted: Wanted, window: Window): RawBuilder<Position> {
  if (wanted.text === null || wanted.text.isCommon) return walkQuery(wanted, window);
  return sql`with hits as materialized (${hitsQuery(wanted, null)}) ${sortedHitsQuery(wanted, window)}`;
}

/** The number of requested rows, counted up to `most`. */
function countQuery(wanted: Wanted, most: number): RawBuilder<{ total: number }> {
  const { isOnline, where, text } = wanted;
  const row = isOnline ? 'o' : 'd';
  const tables =
    isOnline && text?.isOfOnline === true && wanted.readsDirectory !== true
      ? sql`online_member o`
      : tablesOf(row, wanted);
  return sql`
    select count(*)::int as total from (
      select from ${tables} where ${all([...where(row), ...(text === null ? [] : [text.plain(row)])])} limit ${most}
    ) counted`;
}

/** The rows found, in order; a `total` of more than 10,000 is where counting stopped. */
export interface Found {
  positions: Position[];
  total: number;
}

const countedMost = exactTotalMax + 1;
/**
 * From this number of hits on, scanning in order is faster than sorting. Hits sorted by name are next to each other, so a scan first passes
 * everyone before them; activity times have to be looked up for each hit.
 */
const sortedMost = { createdAt: countedMost, lastActive: 3000, name: 100_001 };

/** The rows of a list in their order, without counting them. */
export async function listed(db: Db, wanted: Wanted, window: Window): Promise<Position[]> {
  const { rows } = await positionsQuery(wanted, window).execute(db);
  return rows;
}

const largeForMs = 60_000;
const largeMost = 10_000;

/** What is known about the number of hits of one search. */
export interface KnownSize {
  /** Whether it had more than 10,000 hits within the last minute. */
  isLarge: boolean;
  noteLarge(): void;
}

/** Returns what is known about a search. Searches with the same `key` have the same hits. */
export type LargeSearches = (key: string, now: Date) => KnownSize;

/** Remembers searches with more than 10,000 hits for a minute, since counting that far takes longer than reading a page. */
export function createLargeSearches(): LargeSearches {
  let until = new Map<string, number>();
  return (key, now) => ({
    isLarge: (until.get(key) ?? 0) > now.getTime(),
    noteLarge: () => {
      if (until.size >= largeMost) until = new Map();
      until.set(key, now.getTime() + largeForMs);
    },
  });
}

/** The rows of a search and their number, counted up to 10,001. */
export async function searched(db: Db, wanted: Wanted, window: Window, known: KnownSize): Promise<Found> {
  const walk = async () => (await walkQuery(wanted, window).execute(db)).rows;
  if (known.isLarge) return { positions: await walk(), total: countedMost };
  const { positions, total } =
    wanted.text?.isCommon === true
      ? { positions: null, total: countOf(db, wanted) }
      : await collect(db, wanted, window);
  const [walked, counted] = await Promise.all([positions ?? walk(), total]);
  if (positions === null && counted >= countedMost) known.noteLarge();
  return { positions: walked, total: counted };
}

/** The ids of up to `most` requested rows, whichever are found first. */
export async function someHits(db: Db, wanted: Wanted, most: number): Promise<string[]> {
  const isCommon = wanted.text?.isCommon === true;
  const query = isCommon ? walkQuery(wanted, { after: null, offset: 0, limit: most }) : hitsQuery(wanted, most);
  const { rows } = await sql<{ id: string }>`${query}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many rows are requested, counted up to `most`. */
export async function countOf(db: Db, wanted: Wanted, most = countedMost): Promise<number> {
  const { rows } = await countQuery(wanted, most).execute(db);
  return rows[0]?.total ?? 0;
}

/** Collects and counts the hits, then sorts them. Null positions mean that there are too many to collect. */
async function collect(
  db: Db,
  wanted: Wanted,
  window: Window,
): Promise<{ positions: Position[] | null; total: number }> {
  const fewEnough = sortedMost[wanted.sort.key];
  const most = Math.max(countedMost, fewEnough);
  const worthwhile = sql<boolean>`(select total from counted) < ${fewEnough}`;
  const { rows } = await sql<{ total: number; key: string | null; id: string | null }>`
    with hits as materialized (${hitsQuery(wanted, most)}), counted as (select count(*)::int as total from hits)
    select counted.total, found.key, found.id
    from counted left join (${sortedHitsQuery(wanted, window, worthwhile)}) found on true`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total >= fewEnough) return { positions: null, total };
  return { positions: rows.flatMap(({ key, id }) => (key === null || id === null ? [] : [{ key, id }])), total };
}
