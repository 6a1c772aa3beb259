import type { Pagination } from '#contract/paging.ts';

const limit = 20;

/** What continues a list: nothing for its first page, else the cursor of the page before. */
interface PageParam {
  limit: number;
  cursor?: string;
}

/** The paging of a list that continues after its last row (`pagination.nextCursor`), for `infiniteQueryOptions`. */
export const pageQuery = {
  initialPageParam: { limit } as PageParam,
  getNextPageParam: ({ pagination: { nextCursor } }: { pagination: Pagination }): PageParam | null =>
    nextCursor ? { limit, cursor: nextCursor } : null,
};
