import * as z from 'zod/mini';
import { maxPage, staffLimitMax } from './constants.ts';
import { queryInteger, text } from './text.ts';

/** `page` from 1 and `limit`; the server refuses members a `limit` above 100. */
export const pageQuery = {
  page: z.optional(queryInteger(1, maxPage)),
  limit: z.optional(queryInteger(1, staffLimitMax)),
};

/** The same, or with `cursor` (a page's `nextCursor`) what follows that page, even if rows were added before it. */
export const cursorQuery = { ...pageQuery, cursor: z.optional(text(1, 200)) };

export const paginationSchema = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  pages: z.int(),
  /** False if counting stopped early; absent means exact. */
  totalIsExact: z.optional(z.boolean()),
  /** Continues the list after its last row; null at the end, absent if the list has no cursor or `page` was given. */
  nextCursor: z.optional(z.nullable(z.string())),
  hasNext: z.optional(z.boolean()),
  hasPrev: z.optional(z.boolean()),
});

export type Pagination = z.output<typeof paginationSchema>;

/** The pagination of one page: `total` rows in pages of `limit`. */
export function paginate(page: number, limit: number, total: number): Pagination {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}
