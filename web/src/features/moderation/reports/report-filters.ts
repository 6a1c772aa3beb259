import { reportFilters } from '#contract/moderation/staff-reports.ts';
import { addressFilters } from '../../../ui/data/table/use-list-address.ts';

const filters = addressFilters(reportFilters);

export type ReportOrder = 'newest' | 'oldest' | 'priority' | 'overdue';

/** Everything that decides which reports are shown. */
export type ReportList = ReturnType<typeof filters.read> & { order: ReportOrder; page: number; limit: number };

/** `noFilters` are the filters of the unfiltered list; `isFiltered` says whether any filter is set. */
export const { none: noFilters, isFiltered } = filters;
/** The possible numbers of reports per page. */
export const pageSizes = [10, 25, 50, 100] as const;

/** The default list. */
export const firstList: ReportList = { ...noFilters, order: 'newest', page: 1, limit: 10 };

/** The query parameters for each order, in the address and for the server. */
const sorts: Record<ReportOrder, { sortBy?: 'createdAt' | 'priority' | 'dueAt'; sortOrder?: 'asc' | 'desc' }> = {
  newest: {},
  oldest: { sortBy: 'createdAt', sortOrder: 'asc' },
  priority: { sortBy: 'priority' },
  overdue: { sortBy: 'dueAt' },
};

function readOrder(params: URLSearchParams): ReportOrder {
  const sortBy = params.get('sortBy');
  if (sortBy === 'priority') return 'priority';
  if (sortBy === 'dueAt') return 'overdue';
  return params.get('sortOrder') === 'asc' ? 'oldest' : 'newest';
}

/** Reads the list from an address; unknown values are ignored. */
export function readList(params: URLSearchParams): ReportList {
  const page = Number(params.get('page'));
  const limit = Number(params.get('limit'));
  return {
    ...filters.read(params),
    order: readOrder(params),
    page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : firstList.page,
    limit: pageSizes.find((size) => size === limit) ?? firstList.limit,
  };
}

/** The query parameters for the server. */
export function asQuery({ order, search, ...list }: ReportList) {
  return { ...list, ...sorts[order], search: search.trim() };
}

/** The list as query parameters; default values are left out. */
export function asAddress(list: ReportList): URLSearchParams {
  const { page, limit, ...rest } = asQuery(list);
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== '') params.set(name, value);
  if (page !== firstList.page) params.set('page', String(page));
  if (limit !== firstList.limit) params.set('limit', String(limit));
  return params;
}

/** The address after a change to the list. Changed filters start at page 1. */
export function changedAddress(params: URLSearchParams, change: Partial<ReportList>): URLSearchParams {
  return asAddress({ ...readList(params), page: 1, ...change });
}
