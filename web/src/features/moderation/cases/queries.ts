import { infiniteQueryOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import { acceptedFilters } from '#contract/filters.ts';
import { type StaffCase, caseIdsMax, claimCase, getCase, handleCase, renewClaim } from '#contract/moderation/cases.ts';
import {
  type CaseFilters,
  type CaseOrder,
  caseOrders,
  type CaseView,
  caseViews,
  openCaseViews,
  listCases,
  listCaseViews,
} from '#contract/moderation/case-list.ts';
import { decidedFilterNames, decidedFilters, type DecidedFilters } from '#contract/moderation/decided-filters.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/reports.ts';
import { may } from '#contract/roles.ts';
import { call } from '../../../api/call.ts';
import { endpointQuery, keyAt, refreshAfter, useCommand } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { roleOf } from '../../../api/session/permission.ts';
import { readSession } from '../../../api/session/stored-session.ts';

/**
 * The list that the queue shows: a standard list with filters and an order, or a saved list, which includes both. Lists
 * of closed cases have filters on their decisions.
 */
export interface CaseList extends Omit<CaseFilters, 'list' | 'order'>, DecidedFilters {
  view: CaseView | (string & {});
  order?: CaseOrder | undefined;
  /** The saved list that the filters were changed from. */
  from?: string | undefined;
}

const savedId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The standard list with this name; undefined for the id of a saved list. */
export const listNamed = (view: string): CaseView | undefined => caseViews.find((one) => one === view);
/** Whether a list has open cases, which can be filtered and sorted. */
export const isOpenList = (view: string): view is CaseFilters['list'] => openCaseViews.some((one) => one === view);

/** Whether a list has closed cases, which are searched by their decisions. */
export const isClosedList = (view: string) => listNamed(view) !== undefined && !isOpenList(view);
/** Whether any filter on decisions is set. */
export const hasDecidedFilter = (list: CaseList) => decidedFilterNames.some((name) => list[name] !== undefined);

/** Whether decisions of this decider may not be searched by appeal: those of a colleague, unless the viewer leads the team. */
export function isClosedToAppeals({ decider }: DecidedFilters): boolean {
  const { user } = readSession();
  return decider !== undefined && decider !== user?._id && !may(roleOf(user), 'cases.lead');
}

/** Reads the list from an address; values that are unknown, or that the server would refuse, are ignored. */
export function readList(params: URLSearchParams): CaseList {
  const view = params.get('view') ?? 'open';
  if (savedId.test(view)) return { view };
  if (isClosedList(view)) {
    const given = acceptedFilters(decidedFilters, (name) => params.get(name));
    if (!isClosedToAppeals(given)) return { view, ...given };
    return { view: 'decided', ...given, appealed: undefined, overturned: undefined };
  }
  if (!isOpenList(view)) return { view: 'open' };
  const several = <T extends string>(words: readonly T[], name: string) => {
    const found = words.filter((one) => params.get(name)?.split(',').includes(one));
    return found.length === 0 ? undefined : found;
  };
  return {
    view,
    priority: several(reportPriorities, 'priority'),
    type: several(reportTypes, 'type'),
    order: caseOrders.find((one) => one === params.get('order')),
    from: params.get('from') ?? undefined,
  };
}

/** The address of a list, or of a case in a list; filters that are not set are left out. */
export function addressIn(list: CaseList | CaseView, id?: string): string {
  const { view, ...filters } = typeof list === 'string' ? { view: list } : list;
  const params = new URLSearchParams(view === 'open' ? {} : { view });
  for (const [name, value] of Object.entries(filters)) {
    const text = String(value ?? '');
    if (text !== '') params.set(name, text);
  }
  return [id === undefined ? '/cases' : `/cases/${id}`, params.toString().replaceAll('%2C', ',')]
    .filter(Boolean)
    .join('?');
}

/**
 * Cases that were selected to be opened one by one. The walk is stored in the history entry, so it is not part of the
 * address.
 */
export interface Walk {
  /** The cases in the order of the list, with the colleague who was handling each of them when the walk started. */
  cases: readonly { id: string; holderId: string | null }[];
  /** The cases that have been opened so far. */
  seen: readonly string[];
}

const listEveryMs = 15_000;

/**
 * One list of cases page by page, or the cases of a walk. It is reloaded while it is shown, because the remaining time
 * changes by itself.
 */
export function casesQuery({ from: _, ...query }: CaseList, walk?: Walk) {
  const ids = walk?.cases.map(({ id }) => id);
  return infiniteQueryOptions({
    queryKey: [...keyAt<typeof listCases>(listCases.path, ids === undefined ? query : { ids }), 'pages'],
    queryFn: async ({ pageParam: cursor, signal }) => {
      if (ids === undefined) return (await call(listCases, { query: { ...query, cursor }, signal })).data;
      const start = Number(cursor ?? 0);
      const end = start + caseIdsMax;
      const { data } = await call(listCases, { query: { ids: ids.slice(start, end) }, signal });
      const cases = data.cases.toSorted((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id));
      return { ...data, cases, nextCursor: end < ids.length ? String(end) : null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Decisions don't change by themselves.
    refetchInterval: hasDecidedFilter(query) ? false : listEveryMs,
  });
}

const savedEveryMs = 60_000;

/** The saved lists of the viewer and the team, with their counts. */
export const savedListsQuery = endpointQuery(
  listCaseViews,
  {},
  { select: ({ views }) => views, refetchInterval: savedEveryMs },
);

/** One case with all its details. Opening it is recorded, so it is not loaded again without need. */
export const caseFileQuery = (id: string) =>
  endpointQuery(getCase, { params: { id } }, { staleTime: 60_000, refetchOnWindowFocus: false });

function putCase({ case: changed }: { case: StaffCase }): void {
  queryClient.setQueryData(caseFileQuery(changed._id).queryKey, (file) => file && { ...file, case: changed });
}

/** Reloads everything that a change to a case affects. */
export const reloadCase = (id: string) => void refreshAfter(handleCase, { id });

/** Claims a case for the viewer. */
export const useClaim = (id: string) => useCommand(claimCase, () => ({ params: { id } }), { onSuccess: putCase });

/** Renews the claim on a case while its page is open. */
export const useHeartbeat = (id: string) =>
  useCommand(renewClaim, () => ({ params: { id } }), { onSuccess: putCase, onError: () => reloadCase(id) });

/** Releases, assigns, escalates, pauses, resumes or reopens a case. */
export const useCaseStep = (id: string) =>
  useCommand(handleCase, (body: BodyInput<typeof handleCase>) => ({ params: { id }, body }), { onSuccess: putCase });
