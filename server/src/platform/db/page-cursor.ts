import { msg } from '@lingui/core/runtime-macro';
import { sql, type RawBuilder } from 'kysely';
import { defaultPageLimit } from '#contract/constants.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import { isStorableMoment } from '../process/clock.ts';
import { invalid } from '../http/app-error.ts';
import { isUuid } from './uuid.ts';

/** The last row of a page in a list ordered newest first, then by id. */
export interface PagePlace {
  at: Date;
  id: string;
}

/** The cursor for the page after this row. */
function cursorOf({ at, id }: PagePlace): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

/** The row that a cursor refers to, or null without a cursor; 400 for an invalid one. */
export function readCursor(cursor: string | undefined): PagePlace | null {
  if (cursor === undefined) return null;
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const moment = new Date(at);
  if (!isStorableMoment(moment) || !isUuid(id)) throw invalid('cursor', msg`Use the cursor of the previous page`);
  return { at: moment, id };
}

/**
 * The SQL condition `and …` for rows after a position; empty without one. `at` and `id` are the columns the list is
 * ordered by, newest first unless `isOldestFirst`.
 */
export function afterPlace(
  place: PagePlace | null,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  isOldestFirst = false,
): RawBuilder<unknown> {
  if (place === null) return sql``;
  return sql`and (${at}, ${id}) ${isOldestFirst ? sql`>` : sql`<`} (${place.at}::timestamptz, ${place.id}::uuid)`;
}

/**
 * The rows of one page out of `limit + 1` that were read, and the cursor of the next page, which is null on the last
 * one.
 */
export function cutPage<R>(
  rows: R[],
  limit: number,
  placeIn: (row: R) => PagePlace,
): { rows: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(placeIn(last)) : null };
}

/** The part of a list that a query requests: a page by number, or the rows after a cursor. */
export interface PageQuery {
  page?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The requested part of a list: by page number, or after a row. */
export interface PageWindow {
  limit: number;
  offset: number;
  after: PagePlace | null;
}

/** The part of a list that a query requests; 400 for an invalid cursor. */
export function windowOf({ page = 1, limit = defaultPageLimit, cursor }: PageQuery): PageWindow {
  const after = readCursor(cursor);
  return { limit, offset: after === null ? (page - 1) * limit : 0, after };
}

/** The pagination of a list, with the next cursor unless a page number was requested. */
export function paginationOf(query: PageQuery, total: number, nextCursor: string | null): Pagination {
  const pagination = paginate(query.page ?? 1, query.limit ?? defaultPageLimit, total);
  return query.page === undefined ? { ...pagination, nextCursor } : pagination;
}
