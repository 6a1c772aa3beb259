import * as z from 'zod/mini';
import { maxPage, staffLimitMax } from './constants.ts';
import { queryInteger, text } from './text.ts';

/** The directions in which lists are sorted. */
export const sortOrders = ['asc', 'desc'] as const;

/** `page` counts from 1. The server refuses a `limit` above 100 from members. */
export const pageQuery = {
  page: z.optional(queryInteger(1, maxPage)),
  limit: z.optional(queryInteger(1, staffLimitMax)),
};

/**
 * Like `pageQuery`, or with the `nextCursor` of a page as `cursor` for the rows that follow it, even if rows were added
 * before it.
 */
export const cursorQuery = { ...pageQuery, cursor: z.optional(text(1, 200)) };

export const paginationSchema = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  pages: z.int(),
  /** False if counting stopped early, or if people hidden by hidden words were counted; absent means exact. */
  totalIsExact: z.optional(z.boolean()),
  /** Continues the list after its last row; null at the end, absent if the list has no cursor or `page` was given. */
  nextCursor: z.optional(z.nullable(z.string())),
  hasNext: z.optional(z.boolean()),
  hasPrev: z.optional(z.boolean()),
});

export type Pagination = z.output<typeof paginationSchema>;

/** The pagination data for one page of `limit` rows out of `total`. */
export function paginate(page: number, limit: number, total: number): Pagination {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}
