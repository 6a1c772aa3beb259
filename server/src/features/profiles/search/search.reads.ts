import { msg } from '@lingui/core/runtime-macro';
import { sql, type RawBuilder } from 'kysely';
import { defaultPageLimit } from '#contract/constants.ts';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import type { Pagination } from '#contract/paging.ts';
import type { searchUsers } from '#contract/profiles/profiles.ts';
import type { CompatibilityBand } from '#contract/compatibility.ts';
import { bandsShown } from '../../compatibility/public.ts';
import { latestBirthDate } from '#platform/process/clock.ts';
import { type Caller, requirePermission } from '#platform/session/caller.ts';
import { type Db, plannedForValues } from '#platform/db/db.ts';
import { seal, unseal } from '#platform/config/secrets.ts';
import { invalid } from '#platform/http/app-error.ts';
import type { Reads } from '#platform/db/replicas.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { countryFrom } from '../place/countries.ts';
import { boxAround, type Point, pointOf } from '../place/distance.ts';
import { foldedNames } from '../place/place.ts';
import {
  type KnownSize,
  type LargeSearches,
  listed,
  type ListSort,
  matchText,
  type Position,
  searched,
  shownAmong,
  type Wanted,
  type Window,
} from './positions.reads.ts';
import { listedUsers, listPage, paginateFound } from '../staff/list.reads.ts';
import { noteListed } from '../staff/listed.ts';
import { hiddenPatternOf } from '../hidden-words.ts';
import { requireSeen, hiddenFrom, type Reader, usersByIds } from '../reads.ts';
import { toPublicUser } from '../views.ts';

type SearchQuery = QueryOf<typeof searchUsers>;

interface SearchPage {
  users: AnswerInput<typeof searchUsers>['data']['users'];
  pagination: Pagination;
  searchParams: AnswerInput<typeof searchUsers>['data']['searchParams'];
}

/** The primary database decides who is shown; `read` is for data that may be two seconds old. */
interface Sources {
  db: Db;
  read: Reads['from'];
  views: PictureViews;
  large: LargeSearches;
  /** Seals cursors, because the sort time in them may be more exact than what members see. */
  cursorKey: string;
}

/** One page of a search: for staff among all users, for members among people who may be shown to them. */
export async function searchPage(sources: Sources, caller: Caller, query: SearchQuery, now: Date): Promise<SearchPage> {
  const { users, pagination } =
    caller.staffRole === null
      ? await membersFound(sources, caller, query, now)
      : await usersFound(sources, caller, query, now);
  const { page, pages } = pagination;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return {
    users,
    pagination: { hasNext: page < pages, hasPrev: page > 1 && pages > 0, ...pagination },
    searchParams: Object.fromEntries(given),
  };
}

/** The filters for members only. Ignoring one of them in a staff search would list everyone. */
const filtersOfMembers = [
  'gender',
  'minAge',
  'maxAge',
  'maxDistance',
  'city',
  'country',
  'interests',
  'onlineNow',
  'cursor',
] as const;

async function usersFound({ db, read, views, large }: Sources, caller: Caller, query: SearchQuery, now: Date) {
  requirePermission(caller, 'users.list');
  const filter = filtersOfMembers.find((name) => query[name] !== undefined);
  if (filter !== undefined) throw invalid(filter, msg`Staff search all users, by name or email address only`);
  const sortBy = query.sortBy === 'lastActive' ? 'lastActive' : 'createdAt';
  const { page, limit, search } = query;
  return await read(async (from) => {
    const reader = { db: from, caller, now, pictures: views };
    const { ids, pagination } = await listPage({ ...reader, notedIn: db }, { page, limit, search, sortBy }, large);
    const { nextCursor: _, ...numbered } = pagination;
    const shown = await noteListed({ db, caller, now }, ids);
    return { users: await listedUsers(reader, ids, shown), pagination: numbered };
  });
}

/** A place in the list: of two people, the one with the lower rank comes first. Only the order by fit has ranks. */
interface Place extends Position {
  rank: number;
}

/** A cursor works only for its member and search. */
const sealOf = (key: string, caller: Caller, query: SearchQuery) =>
  `${key} ${caller.accountId} ${query.sortBy ?? ''} ${markOf(caller, query)}`;

const writeCursor = (secret: string, { rank, key, id }: Place) =>
  seal(secret, JSON.stringify([rank, key, id])).toString('base64url');

function readCursor(secret: string, cursor: string): Place {
  try {
    const [rank, key, id] = JSON.parse(unseal(secret, Buffer.from(cursor, 'base64url'))) as [number, string, string];
    return { rank, key, id };
  } catch {
    throw invalid('cursor', msg`This cursor belongs to another list`);
  }
}

async function membersFound(sources: Sources, caller: Caller, query: SearchQuery, now: Date) {
  const { db, read, views, large } = sources;
  const secret = sealOf(sources.cursorKey, caller, query);
  const after = query.cursor === undefined ? null : readCursor(secret, query.cursor);
  const page = query.page ?? 1;
  const limit = query.limit ?? defaultPageLimit;
  const term = query.search ?? '';
  const sort = sortFor(caller, query);
  const hidden = await hiddenFrom(db, caller.accountId);
  const hiddenPattern = await hiddenPatternOf(db, caller.accountId);
  const where = [
    sql<boolean>`d.is_shown`,
    sql<boolean>`d.account_id <> all (${[caller.accountId, ...hidden]}::uuid[])`,
    ...(sort.key === 'lastActive' ? [sql<boolean>`d.shows_activity`] : []),
    // Incognito members are hidden even from people they like: suddenly appearing in search would reveal the like.
    sql<boolean>`not d.is_incognito`,
    ...filtersOf(caller, query, now),
    ...(await placeFilters(db, query)),
  ];
  const hidesWords = hiddenPattern !== null;
  const part = { after, offset: after === null ? (page - 1) * limit : 0, limit: limit + 1 };
  const size = large(markOf(caller, query), now);
  const { found, isFresh } = await read(async (from) => {
    const wanted: Wanted = {
      sort,
      isOnline: query.onlineNow === true && caller.showLastActive,
      where: () => where,
      text: term === '' ? null : await matchText(from, 'first_name', term),
      ...(hidesWords && { isShown: (id) => sql<boolean>`not logic.has_hidden_word(${hiddenPattern}, ${id})` }),
    };
    const isByFit = query.sortBy === 'compatibility';
    return {
      found: isByFit
        ? await byBand({ db: from, caller, now }, wanted, part, size)
        : await inOrder(from, wanted, part, size),
      isFresh: from === db,
    };
  });
  const listedIds = found.places.slice(0, limit).map(({ id }) => id);
  const ids = isFresh ? listedIds : await stillShown(db, listedIds);
  await requireSeen(db, caller, ids, now);
  const rows = await usersByIds(db, ids);
  const pagination = paginateFound(page, limit, found.total);
  const last = found.places.length > limit ? found.places[limit - 1] : undefined;
  // The total includes people with hidden words, which are checked only for the people on the page, so it doesn't show which one is the
  // last.
  const hasNext = last !== undefined && (after !== null || page < pagination.pages);
  return {
    users: rows.map((row) => toPublicUser(row, caller, now, views)),
    pagination: {
      ...pagination,
      ...(hidesWords && { totalIsExact: false }),
      ...((hidesWords || after !== null) && { hasNext }),
      ...(query.page === undefined && { nextCursor: last === undefined ? null : writeCursor(secret, last) }),
    },
  };
}

/** Identifies searches with the same hits, except for the few people hidden from each member. */
function markOf(caller: Caller, { page: _, limit: _limit, cursor: _cursor, sortBy, ...filters }: SearchQuery) {
  const centre = filters.maxDistance === undefined ? null : pointOf(caller);
  return JSON.stringify(['member', sortFor(caller, { sortBy }), caller.showLastActive, centre, filters]);
}

/** Those of these people who may still be shown, because the search may not know yet who has just left or been suspended. */
async function stillShown(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from directory where account_id = any (${ids}::uuid[]) and is_shown and not is_incognito`.execute(
    db,
  );
  const shown = new Set(rows.map(({ account_id }) => account_id));
  return ids.filter((id) => shown.has(id));
}

interface Part extends Pick<Window, 'offset' | 'limit'> {
  after: Place | null;
}

/** The people of one page and the first of the next one. */
interface FoundPlaces {
  places: Place[];
  total: number;
}

async function inOrder(db: Db, wanted: Wanted, part: Part, size: KnownSize): Promise<FoundPlaces> {
  const { positions, total } = await searched(db, wanted, part, size);
  return { places: positions.map((position) => ({ ...position, rank: 0 })), total };
}

/** How many of the newest hits are sorted by how well their answers fit; the others follow. */
const fitSortedMost = 500;
const ranks: Record<CompatibilityBand, number> = { high: 0, good: 1, low: 2 };
/** The rank of the people after them. */
const unsorted = 3;

function isAfter(one: Place, place: Place): boolean {
  if (one.rank !== place.rank) return one.rank > place.rank;
  return one.key === place.key ? one.id < place.id : one.key < place.key;
}

/** Sorts the best fit first, then the newest. It uses only the band, and doesn't distinguish a low band from none. */
async function byBand(
  { db, caller, now }: Pick<Reader, 'db' | 'caller' | 'now'>,
  wanted: Wanted,
  { after, offset, limit }: Part,
  size: KnownSize,
): Promise<FoundPlaces> {
  const first = { after: null, offset: 0, limit: fitSortedMost };
  const { isShown: _, ...unconditional } = wanted;
  const { positions, total } = await searched(db, unconditional, first, size);
  const newest = positions.map(({ id }) => id);
  const bands = await bandsShown(db, caller.accountId, newest, now);
  const rank = (id: string) => ranks[bands.get(id) ?? 'low'];
  const ranked = positions.map((position) => ({ ...position, rank: rank(position.id) }));
  const sorted = ranked
    .filter((one) => after === null || isAfter(one, after))
    .toSorted((one, other) => one.rank - other.rank);
  const byId = new Map(sorted.map((one) => [one.id, one]));
  const shownIn = async (window: Pick<Window, 'offset' | 'limit'>) => {
    if (wanted.isShown === undefined) return sorted.slice(window.offset, window.offset + window.limit);
    const ids = await shownAmong(db, [...byId.keys()], wanted, window);
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
  const places = await shownIn({ offset, limit });
  if (places.length === limit || newest.length < fitSortedMost) return { places, total };
  const before = await shownIn({ offset: 0, limit: fitSortedMost });
  const rest = await listed(db, wanted, {
    after: after?.rank === unsorted ? after : (positions.at(-1) ?? null),
    offset: Math.max(0, offset - before.length),
    limit: limit - places.length,
  });
  return { places: [...places, ...rest.map((position) => ({ ...position, rank: unsorted }))], total };
}

/**
 * The order of a search: newest first by default, and within one compatibility band. Sorting by activity lists only people who show theirs.
 * Viewers who hide their own activity get the newest first, because hiding is mutual and an order reveals as much as a time.
 */
function sortFor(caller: Caller, { sortBy }: SearchQuery): ListSort {
  return { key: sortBy === 'lastActive' && caller.showLastActive ? 'lastActive' : 'createdAt', order: 'desc' };
}

function filtersOf(caller: Caller, query: SearchQuery, now: Date): RawBuilder<boolean>[] {
  const { gender, minAge, maxAge, maxDistance, interests, onlineNow } = query;
  if (minAge !== undefined && maxAge !== undefined && minAge > maxAge)
    throw invalid('maxAge', msg`The minimum can't be above the maximum`);
  const filters: RawBuilder<boolean>[] = [];
  if (gender !== undefined) filters.push(sql`d.gender = ${gender}`);
  if (interests !== undefined) filters.push(sql`d.interests && ${interests}::text[]`);
  if (minAge !== undefined) filters.push(sql`d.birth_date <= ${latestBirthDate(minAge, now)}::date`);
  if (maxAge !== undefined) filters.push(sql`d.birth_date > ${latestBirthDate(maxAge + 1, now)}::date`);
  if (onlineNow === true) filters.push(caller.showLastActive ? sql`d.shows_activity` : sql`false`);
  if (maxDistance !== undefined) filters.push(within(pointOf(caller), maxDistance));
  // Only some cities, interests and ages have many members.
  return filters.map((filter) => sql<boolean>`${plannedForValues} ${filter}`);
}

/** Members of a city and a country, in whatever spelling or language these are given. */
async function placeFilters(db: Db, { city, country }: SearchQuery): Promise<RawBuilder<boolean>[]> {
  const filters: RawBuilder<boolean>[] = [];
  if (city !== undefined) filters.push(sql`${plannedForValues} d.city = any (${await foldedNames(db, city)}::text[])`);
  if (country !== undefined) filters.push(sql`${plannedForValues} d.country = folded(${countryFrom(country)})`);
  return filters;
}

/** Members whose cell centre is within `km` of the caller's; none while the caller has no place. */
function within(centre: Point | null, km: number): RawBuilder<boolean> {
  if (centre === null) return sql`false`;
  const { south, north, west, east } = boxAround(centre, km);
  return sql`(d.latitude between ${south} and ${north} and d.longitude between ${west} and ${east}
    and 12742 * asin(sqrt(least(1, sin(radians(d.latitude - ${centre.latitude}) / 2) ^ 2
      + cos(radians(${centre.latitude}::float8)) * cos(radians(d.latitude)) * sin(radians(d.longitude - ${centre.longitude}) / 2) ^ 2
    ))) <= ${km})`;
}
