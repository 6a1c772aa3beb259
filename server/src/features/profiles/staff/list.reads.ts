import { createHash } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { isUuid } from '../../../platform/db/uuid.ts';
import { withInvolvement } from '../../../platform/session/parties.ts';
import { invalid } from '../../../platform/http/app-error.ts';
import {
  countOf,
  type Found,
  listed,
  type LargeSearches,
  type ListRow,
  matchText,
  type Position,
  searched,
  type Wanted,
  type Window,
} from '../search/positions.reads.ts';
import { type RawBuilder, sql } from 'kysely';
import { defaultPageLimit, exactTotalMax } from '#contract/constants.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import { type listUsers, shortAnswerMax } from '#contract/profiles/staff.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { may } from '#contract/roles.ts';
import { readCounters } from '../../../platform/db/counters.ts';
import type { Db } from '../../../platform/db/db.ts';
import { seesPrivate, type Viewer } from '../policy.ts';
import { listedByIds, type Reader } from '../reads.ts';
import { leavingDirectory, moreConditions, moreFiltersOf } from './filters.reads.ts';
import { foundByAddress } from './listed.ts';
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

/** How a staff search finds people, and which of the rows it may. */
interface StaffSearch {
  text: Wanted['text'];
  where: Wanted['where'];
}

/** Only administrators search addresses, and only those that they see: people whose address they see masked are found by name. */
async function searchFor(db: Db, viewer: Viewer, term: string, now: Date): Promise<StaffSearch> {
  const everyone = () => [];
  if (term === '') return { text: null, where: everyone };
  if (!may(viewer.staffRole, 'users.seePrivate'))
    return { text: await matchText(db, 'name_sort', term), where: everyone };
  const text = await matchText(db, 'search_text', term);
  const staff = await withInvolvement(db, viewer);
  const masked = [...staff.involvedWith].filter((id) => !seesPrivate(staff, id));
  const isFound = await foundByAddress(db, viewer, now);
  if (masked.length === 0 && isFound === null) return { text, where: everyone };
  return {
    text,
    where: (row) => {
      const id = sql.ref<string>(`${row}.account_id`);
      const byAddress = sql`${id} <> all (${masked}::uuid[])${isFound === null ? sql`` : sql` and ${isFound(id)}`}`;
      return [sql`((${byAddress}) or ${text.plain(row, 'name_sort')})`];
    },
  };
}

/** The users that a list for staff has, and their order. */
export async function wantedBy(db: Db, viewer: Viewer, query: UserFilters, now: Date): Promise<Wanted> {
  const { term, status, type, sort, more } = filtersOf(query);
  const conditions = await moreConditions(db, viewer, more, now);
  const { text, where } = await searchFor(db, viewer, term, now);
  return {
    sort,
    isOnline: status === 'online',
    where: (row) => [...conditionsOn(row, status, type), ...conditions, ...where(row)],
    readsDirectory: conditions.length > 0,
    ...(more.leaving !== undefined && { directory: leavingDirectory }),
    text,
  };
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

/**
 * The ids of one page of all users for staff, by number or continued from a cursor, and the people that it tells of: also those on other
 * pages of a search with few hits, whose number alone confirms a part of their addresses.
 */
export async function listPage(
  { db, caller, now }: Pick<Reader, 'db' | 'caller' | 'now'>,
  query: ListQuery,
  large: LargeSearches,
): Promise<{ ids: string[]; people: string[]; pagination: Pagination }> {
  const page = query.page ?? 1;
  const limit = query.limit ?? defaultPageLimit;
  const window = windowOf(caller, query, page, limit);
  const wanted = await wantedBy(db, caller, query, now);
  const ahead = { ...window, limit: limit + 1 };
  const isCounted = wanted.text === null && !wanted.readsDirectory && Object.keys(moreFiltersOf(query)).length === 0;
  const { positions, total } = isCounted
    ? await listedAndCounted(db, wanted, ahead, query)
    : await searched(db, wanted, ahead, large(markOf(caller, query), now));
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  const continues = positions.length > limit && last !== undefined;
  const isHint = wanted.text !== null && shown.length < total && total <= shortAnswerMax;
  const hits = isHint ? await listed(db, wanted, { after: null, offset: 0, limit: shortAnswerMax }) : shown;
  return {
    ids: shown.map(({ id }) => id),
    people: hits.map(({ id }) => id),
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
): Promise<ListedUser[]> {
  const rows = await listedByIds(db, ids);
  const staff = { ...(await withInvolvement(db, caller)), shownAddresses };
  return rows.map((row) =>
    toListedUser(row, staff, now, pictures.forStaff(caller.accountId, row.id, row.pictures, now)),
  );
}

/** The `count` newest users as staff see them, newest first. */
export async function newestUsers(reader: Reader, count: number): Promise<ListedUser[]> {
  const { db, caller, now } = reader;
  const wanted = await wantedBy(db, caller, {}, now);
  const positions = await listed(db, wanted, { after: null, offset: 0, limit: count });
  const ids = positions.map(({ id }) => id);
  return await listedUsers(reader, ids, new Set(ids));
}

/** The ids of all users that the filters fit, in the order of the list, at most this many. */
export async function idsListed(
  { db, caller, now }: Pick<Reader, 'db' | 'caller' | 'now'>,
  filters: UserFilters,
  most: number,
): Promise<string[]> {
  const wanted = await wantedBy(db, caller, filters, now);
  const positions = await listed(db, wanted, { after: null, offset: 0, limit: most });
  return positions.map(({ id }) => id);
}

/** How many users the filters fit, counted up to `most`. */
export async function countListed(
  { db, caller, now }: Pick<Reader, 'db' | 'caller' | 'now'>,
  filters: UserFilters,
  most?: number,
): Promise<number> {
  return await countOf(db, await wantedBy(db, caller, filters, now), most);
}
