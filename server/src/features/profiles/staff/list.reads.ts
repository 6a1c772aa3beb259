import { createHash } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { isUuid } from '#platform/db/uuid.ts';
import { withHidden, withInvolvement } from '#platform/session/access.ts';
import { invalid } from '#platform/http/app-error.ts';
import {
  countOf,
  type Found,
  listed,
  type LargeSearches,
  type ListRow,
  matchText,
  type Position,
  searched,
  someHits,
  type Wanted,
  type Window,
} from '../search/positions.reads.ts';
import { type RawBuilder, sql } from 'kysely';
import { defaultPageLimit, exactTotalMax } from '#contract/constants.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import { type listUsers, shortAnswerMax } from '#contract/profiles/staff.ts';
import { may } from '#contract/roles.ts';
import { readCounters } from '#platform/db/counters.ts';
import { type Db, plannedForValues } from '#platform/db/db.ts';
import type { Caller } from '#platform/session/caller.ts';
import { seesPrivate, type Viewer } from '../policy.ts';
import { listedByIds, type Reader } from '../reads.ts';
import { leavingDirectory, moreConditions, moreFiltersOf } from './filters.reads.ts';
import { noteListed, peopleShownTo } from './listed.ts';
import { toListedUser } from '../views.ts';

const moment = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const cursorSchema = z.tuple([z.string(), z.string(), z.string()]);

/** A short digest of a list's sort and filters, so that a cursor works only for its list. */
function listMark(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}

/** The cursor that continues a list after `position`. */
function writeCursor(mark: string, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([mark, key, id])).toString('base64url');
}

/** The position in a cursor. Throws 400 for a cursor of another list or an invalid one. `byTime`: the list is sorted by time. */
function readCursor(cursor: string, mark: string, byTime: boolean): Position {
  const [givenMark, key, id] = parsed(cursor);
  const isKey = byTime ? isMoment(key) : !key.includes('\0') && key.isWellFormed();
  if (givenMark !== mark || !isKey || !isUuid(id)) throw foreign();
  return { key, id };
}

const foreign = () => invalid('cursor', msg`This cursor belongs to another list`);

function parsed(cursor: string): [string, string, string] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw foreign();
  }
}

function isMoment(key: string): boolean {
  if (key === '-infinity') return true;
  if (!moment.test(key)) return false;
  const toMilliseconds = key.replace(/\d{3}Z$/, 'Z');
  const time = new Date(toMilliseconds);
  return !Number.isNaN(time.getTime()) && time.toISOString() === toMilliseconds;
}

type ListQuery = QueryOf<typeof listUsers>;
export type UserFilters = Omit<ListQuery, 'page' | 'limit' | 'cursor'>;
type Status = NonNullable<UserFilters['status']>;
type Type = NonNullable<UserFilters['type']>;

/** The filters with their defaults: everyone, newest first; a blank search counts as no search. */
function filtersOf(query: UserFilters) {
  return {
    term: query.search ?? '',
    status: query.status ?? 'all',
    type: query.type ?? 'all',
    sort: { key: query.sortBy ?? 'createdAt', order: query.sortOrder ?? 'desc' },
    more: moreFiltersOf(query),
  } as const;
}

/** The conditions on a row with these flags, besides being online. */
function conditionsOn(row: ListRow, status: Status, type: Type): RawBuilder<boolean>[] {
  const flag = (column: string) => sql.ref<boolean>(`${row}.${column}`);
  const not = (column: string) => sql<boolean>`not ${flag(column)}`;
  const byStatus: Record<Status, RawBuilder<boolean>[]> = {
    all: [],
    active: [flag('is_active')],
    inactive: [not('is_active')],
    online: [],
    verified: [flag('is_verified')],
  };
  const byType: Record<Type, RawBuilder<boolean>[]> = { all: [], vip: [flag('is_vip')], free: [not('is_vip')] };
  return [...byStatus[status], ...byType[type]];
}

/** The reader of a list of users, their address, and the database that records the people that a search confirms. */
export interface Lister {
  db: Db;
  notedIn: Db;
  caller: Caller;
  now: Date;
}

const isAmong = (row: ListRow, ids: readonly string[]) =>
  sql<boolean>`${plannedForValues} ${sql.ref(`${row}.account_id`)} = any (${ids}::uuid[])`;

/**
 * The users found by a staff search. Only administrators search addresses, and only those that they see, because each hit confirms a part
 * of an address, even if only the number of hits is shown. A search with few hits therefore counts all of them like an answer that shows
 * them; one with more finds people with a masked address by name only.
 */
async function textFor({ db, notedIn, caller, now }: Lister, term: string, wanted: Wanted): Promise<Wanted['text']> {
  if (!may(caller.staffRole, 'users.seePrivate')) return await matchText(db, 'name_sort', term);
  const text = await matchText(db, 'search_text', term);
  const staff = await withInvolvement(db, caller);
  const masked = [...staff.involvedWith].filter((id) => !seesPrivate(staff, id));
  const either = (row: ListRow) => sql<boolean>`(not ${isAmong(row, masked)} or ${text.plain(row, 'name_sort')})`;
  const where = (row: ListRow) => [...wanted.where(row), either(row)];
  const hits = await someHits(db, { ...wanted, text, where }, shortAnswerMax + 1);
  if (hits.length <= shortAnswerMax) {
    const shown = await noteListed({ db: notedIn, caller, now }, hits);
    const seen = hits.filter((id) => shown.has(id) && !masked.includes(id));
    const isHit = (row: ListRow) =>
      sql<boolean>`(${isAmong(row, hits)} and (${isAmong(row, seen)} or ${text.plain(row, 'name_sort')}))`;
    return { indexed: isHit('d'), plain: isHit, isOfOnline: true, isCommon: false };
  }
  const named = await matchText(db, 'name_sort', term, true);
  const { directory = sql`directory` } = wanted;
  const { rows } = await sql<{ id: string }>`
    select d.account_id as id from ${directory} d
    where d.account_id in (${peopleShownTo(caller, now)}) and not ${isAmong('d', masked)} and ${text.plain('d')}`.execute(
    db,
  );
  const byAddress = rows.map(({ id }) => id);
  return {
    ...named,
    indexed: sql<boolean>`(${named.indexed} or ${isAmong('d', byAddress)})`,
    plain: (row) => sql<boolean>`(${named.plain(row)} or ${isAmong(row, byAddress)})`,
  };
}

/**
 * The users in a list for staff, and their order. Of people selected by `ids`, only those who match the other filters; the search text is
 * ignored, because it already found them.
 */
export async function wantedBy(lister: Lister, query: UserFilters, ids?: readonly string[]): Promise<Wanted> {
  const { term, status, type, sort, more } = filtersOf(query);
  const conditions = await moreConditions(lister.db, lister.caller, more, lister.now);
  const wanted: Wanted = {
    sort,
    isOnline: status === 'online',
    where: (row) => [
      ...conditionsOn(row, status, type),
      ...conditions,
      ...(ids === undefined ? [] : [isAmong(row, ids)]),
    ],
    readsDirectory: conditions.length > 0,
    ...(more.leaving !== undefined && { directory: leavingDirectory }),
    text: null,
  };
  return term === '' || ids !== undefined ? wanted : { ...wanted, text: await textFor(lister, term, wanted) };
}

/** The number of users matching a filter, from the maintained counters. */
async function keptTotal(db: Db, status: Status, type: Type): Promise<number> {
  const kept = await readCounters(db, ['total', 'totalVip']);
  const ofEveryone = (key: string) => kept('total', key);
  const ofVips = (key: string) => (key === 'users' ? kept('total', 'vip') : kept('totalVip', key));
  const counted = (of: (key: string) => number) => {
    if (status === 'all') return of('users');
    return status === 'inactive' ? of('users') - of('active') : of(status);
  };
  if (type === 'all') return counted(ofEveryone);
  return type === 'vip' ? counted(ofVips) : counted(ofEveryone) - counted(ofVips);
}

/** The pagination of a search, whose total is exact up to 10,000. */
export function paginateFound(page: number, limit: number, total: number): Pagination {
  if (total <= exactTotalMax) return paginate(page, limit, total);
  return { ...paginate(page, limit, exactTotalMax), totalIsExact: false };
}

const markOf = (viewer: Viewer, query: UserFilters) =>
  listMark([may(viewer.staffRole, 'users.seePrivate'), filtersOf(query)]);

function windowOf(viewer: Viewer, query: ListQuery, page: number, limit: number): Window {
  if (query.cursor === undefined) return { after: null, offset: (page - 1) * limit, limit };
  const byTime = filtersOf(query).sort.key !== 'name';
  return { after: readCursor(query.cursor, markOf(viewer, query), byTime), offset: 0, limit };
}

async function listedAndCounted(db: Db, wanted: Wanted, window: Window, query: ListQuery): Promise<Found> {
  const { status, type } = filtersOf(query);
  const [positions, total] = await Promise.all([listed(db, wanted, window), keptTotal(db, status, type)]);
  return { positions, total };
}

/** The ids of one page of all users for staff, by number or continued from a cursor. */
export async function listPage(
  lister: Lister,
  query: ListQuery,
  large: LargeSearches,
): Promise<{ ids: string[]; pagination: Pagination }> {
  const { db, caller, now } = lister;
  const page = query.page ?? 1;
  const limit = query.limit ?? defaultPageLimit;
  const window = windowOf(caller, query, page, limit);
  const wanted = await wantedBy(lister, query);
  const ahead = { ...window, limit: limit + 1 };
  const isCounted = wanted.text === null && !wanted.readsDirectory && Object.keys(moreFiltersOf(query)).length === 0;
  const { positions, total } = isCounted
    ? await listedAndCounted(db, wanted, ahead, query)
    : await searched(db, wanted, ahead, large(markOf(caller, query), now));
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  const continues = positions.length > limit && last !== undefined;
  return {
    ids: shown.map(({ id }) => id),
    pagination: {
      ...(isCounted ? paginate(page, limit, total) : paginateFound(page, limit, total)),
      nextCursor: continues ? writeCursor(markOf(caller, query), last) : null,
    },
  };
}

/** The users with these ids as staff see them, with what the viewer may do with each, and the addresses of those in `shownAddresses`. */
export async function listedUsers(
  { db, caller, now, pictures }: Reader,
  ids: string[],
  shownAddresses: ReadonlySet<string>,
) {
  const rows = await listedByIds(db, ids);
  const staff = { ...(await withInvolvement(db, caller)), shownAddresses };
  return rows.map((row) =>
    toListedUser(row, staff, now, pictures.forStaff(caller.accountId, row.id, row.pictures, now)),
  );
}

/** The `count` newest users as staff see them, newest first. */
export async function newestUsers(reader: Reader, count: number) {
  const { db, now } = reader;
  const caller = await withHidden(db, reader.caller, 'account', 'person');
  const wanted = await wantedBy({ db, notedIn: db, caller, now }, {});
  const positions = await listed(db, wanted, { after: null, offset: 0, limit: count });
  const ids = positions.map(({ id }) => id);
  return await listedUsers({ ...reader, caller }, ids, new Set(ids));
}

/** The ids of all users who match the filters, in the order of the list, at most this many; of those with these `ids`, if given. */
export async function idsListed(
  lister: Lister,
  filters: UserFilters,
  most: number,
  ids?: readonly string[],
): Promise<string[]> {
  const wanted = await wantedBy(lister, filters, ids);
  const positions = await listed(lister.db, wanted, { after: null, offset: 0, limit: most });
  return positions.map(({ id }) => id);
}

/** How many users match the filters, counted up to `most`. */
export async function countListed(lister: Lister, filters: UserFilters, most?: number): Promise<number> {
  return await countOf(lister.db, await wantedBy(lister, filters), most);
}
