import { sql, type RawBuilder } from 'kysely';
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

/** The row of a cursor, null without one; 400 for an invalid cursor. */
export function readCursor(cursor: string | undefined): PagePlace | null {
  if (cursor === undefined) return null;
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const moment = new Date(at);
  if (!isStorableMoment(moment) || !isUuid(id)) throw invalid('cursor', 'Use the cursor of the previous page');
  return { at: moment, id };
}

/**
 * The SQL condition `and …` for rows after a position; empty without one. `at` and `id` are the columns the list is
 * ordered by.
 */
export function afterPlace(
  place: PagePlace | null,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return place === null ? sql`` : sql`and (${at}, ${id}) < (${place.at}::timestamptz, ${place.id}::uuid)`;
}

/** The rows of one page out of `limit + 1` that were read, and the cursor of the next page; null on the last one. */
export function cutPage<R>(
  rows: R[],
  limit: number,
  placeIn: (row: R) => PagePlace,
): { rows: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(placeIn(last)) : null };
}
