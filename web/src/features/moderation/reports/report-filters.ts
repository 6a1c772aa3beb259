import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router';
import {
  reportPriorities,
  type ReportPriority,
  type ReportStatus,
  reportStatuses,
  type ReportType,
  reportTypes,
} from '#contract/moderation/report.ts';

export type ReportOrder = 'newest' | 'oldest' | 'priority' | 'overdue';

/** What narrows the list; '' is nothing. */
export interface ReportFilters {
  search: string;
  status: ReportStatus | '';
  problem_type: ReportType | '';
  priority: ReportPriority | '';
}

/** Everything that decides which reports are shown. */
export interface ReportList extends ReportFilters {
  order: ReportOrder;
  page: number;
  limit: number;
}

export const noFilters: ReportFilters = { search: '', status: '', problem_type: '', priority: '' };
export const pageSizes = [10, 25, 50, 100] as const;

/** The default list. */
export const firstList: ReportList = { ...noFilters, order: 'newest', page: 1, limit: 10 };

/** An order as address and server name it. */
const sorts: Record<ReportOrder, { sortBy?: 'createdAt' | 'priority' | 'dueAt'; sortOrder?: 'asc' | 'desc' }> = {
  newest: {},
  oldest: { sortBy: 'createdAt', sortOrder: 'asc' },
  priority: { sortBy: 'priority' },
  overdue: { sortBy: 'dueAt' },
};

function oneOf<T>(allowed: readonly T[], value: unknown): T | '' {
  return allowed.find((word) => word === value) ?? '';
}

function readOrder(params: URLSearchParams): ReportOrder {
  const sortBy = params.get('sortBy');
  if (sortBy === 'priority') return 'priority';
  if (sortBy === 'dueAt') return 'overdue';
  return params.get('sortOrder') === 'asc' ? 'oldest' : 'newest';
}

/** The list an address asks for; whatever is not one of ours counts as none. */
export function readList(params: URLSearchParams): ReportList {
  const page = Number(params.get('page'));
  const limit = Number(params.get('limit'));
  return {
    search: params.get('search') ?? '',
    status: oneOf(reportStatuses, params.get('status')),
    problem_type: oneOf(reportTypes, params.get('problem_type')),
    priority: oneOf(reportPriorities, params.get('priority')),
    order: readOrder(params),
    page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : firstList.page,
    limit: pageSizes.find((size) => size === limit) ?? firstList.limit,
  };
}

/** What the server is asked with. */
export function asQuery({ order, search, ...list }: ReportList) {
  return { ...list, ...sorts[order], search: search.trim() };
}

/** The list as the address holds it; what is as by default is left out. */
export function asAddress(list: ReportList): URLSearchParams {
  const { page, limit, ...rest } = asQuery(list);
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== '') params.set(name, value);
  if (page !== firstList.page) params.set('page', String(page));
  if (limit !== firstList.limit) params.set('limit', String(limit));
  return params;
}

/** True when the list is narrowed at all. */
export function isFiltered({ search, status, problem_type, priority }: ReportFilters): boolean {
  return [search.trim(), status, problem_type, priority].some((value) => value !== '');
}

const typingPauseMs = 300;

/** What the list adds to a place in the history that it wrote itself. */
interface OwnState {
  /** The search was typed: further typing stays in the same history entry and is not overwritten. */
  isTyped?: boolean;
}

/** The list as the address holds it, and the search as it is typed. */
export function useReportAddress() {
  const [params, setParams] = useSearchParams();
  const location = useLocation();
  const navigation = useNavigationType();
  const isTyped = (location.state as OwnState | null)?.isTyped === true;

  const address = asAddress(readList(params)).toString();
  const list = useMemo(() => readList(new URLSearchParams(address)), [address]);
  const [typed, setTyped] = useState(list.search);
  const [seen, setSeen] = useState(list);
  if (list !== seen) {
    setSeen(list);
    if (navigation === NavigationType.Pop || !isTyped) setTyped(list.search);
  }

  /** Writes a change to the address, as a history entry unless it replaces; other filters start at page 1. */
  function write(change: Partial<ReportList>, { replace = false, isTyping = false } = {}) {
    const next = asAddress({ ...list, page: 1, ...change });
    if (next.toString() === address) return;
    setParams(next, { replace, state: isTyping ? ({ isTyped: true } satisfies OwnState) : null });
  }

  const search = useEffectEvent(() => write({ search: typed.trim() }, { replace: isTyped, isTyping: true }));
  const isUnasked = typed.trim() !== list.search.trim();
  useEffect(() => {
    if (!isUnasked) return;
    const timer = setTimeout(() => search(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [isUnasked, typed]);

  return {
    list,
    typed,
    setTyped,
    write,
    /** Filters other than the search: what is typed meanwhile goes along. */
    choose: (change: Partial<ReportList>) => write({ search: typed.trim(), ...change }),
    clear: () => {
      setTyped('');
      write(noFilters);
    },
  };
}
