import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  type CaseFile,
  type StaffCase,
  caseIdsMax,
  claimCase,
  getCase,
  getCaseTimes,
  handleCase,
  renewClaim,
  decideCase,
  releaseHold,
  revokeSanction,
} from '#contract/moderation/cases.ts';
import {
  type CaseFilters,
  type CaseOrder,
  caseOrders,
  type CaseView,
  caseViews,
  openCaseViews,
  type SavedCaseView,
  changeCaseView,
  deleteCaseView,
  listCases,
  listCaseViews,
  saveCaseView,
} from '#contract/moderation/case-list.ts';
import { decidedFilterNames, decidedFilters, type DecidedFilters } from '#contract/moderation/decided-filters.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/reports.ts';
import { changeRule, listRules } from '#contract/moderation/decisions.ts';
import { may } from '#contract/roles.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { roleOf } from '../../../api/session/permission.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

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

/** The filters on decisions in an address; those that the server would refuse, as from an old link, are left out. */
function readDecidedFilters(params: URLSearchParams): DecidedFilters {
  const given = decidedFilterNames.flatMap((name) => {
    const { success, data } = decidedFilters[name].safeParse(params.get(name) ?? '');
    return success && data !== undefined ? [[name, data]] : [];
  });
  return Object.fromEntries(given) as DecidedFilters;
}

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
    const given = readDecidedFilters(params);
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

/** The address of a list, or of a case in a list. */
export function addressIn(list: CaseList | CaseView, id?: string): string {
  const { view, ...filters } = typeof list === 'string' ? { view: list } : list;
  const params = new URLSearchParams(view === 'open' ? {} : { view });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) params.set(name, String(value));
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
    queryKey: staffKeys.cases(ids === undefined ? query : { ids }),
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
export const savedListsQuery = queryOptions({
  queryKey: keys.savedLists,
  queryFn: async ({ signal }) => (await call(listCaseViews, { signal })).data.views,
  refetchInterval: savedEveryMs,
});

/** Saves a new list, or changes a saved one; returns its id. */
export function useSaveList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, of }: { body: BodyInput<typeof saveCaseView>; of: SavedCaseView | null }) => {
      const { data } = await (of === null
        ? call(saveCaseView, { body })
        : call(changeCaseView, { params: { id: of._id }, body: { ...body, version: of.version } }));
      return data.view._id;
    },
    onSettled: () => {
      for (const queryKey of [keys.savedLists, keys.allCases]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** Deletes a saved list. */
export function useDeleteList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteCaseView, { params: { id } }),
    onSettled: () => void client.invalidateQueries(savedListsQuery),
  });
}

/** How long recent answers and decisions took. */
export const caseTimesQuery = queryOptions({
  queryKey: staffKeys.caseTimes,
  queryFn: async ({ signal }) => (await call(getCaseTimes, { signal })).data,
  staleTime: 300_000,
});

/** One case with all its details. Opening it is recorded, so it is not loaded again without need. */
export function caseFileQuery(id: string) {
  return queryOptions({
    queryKey: keys.case(id),
    queryFn: async ({ signal }) => (await call(getCase, { params: { id }, signal })).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

function putCase(client: QueryClient, changed: StaffCase): void {
  client.setQueryData<CaseFile>(keys.case(changed._id), (file) => file && { ...file, case: changed });
}

/** Reloads everything that a change to a case affects. */
export function reloadCase(client: QueryClient, id: string): void {
  for (const queryKey of [keys.case(id), keys.allCases, keys.allReports, ['audit']])
    void client.invalidateQueries({ queryKey });
}

/** Claims a case for the viewer. */
export function useClaim(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(claimCase, { params: { id } }),
    onSuccess: ({ data }) => putCase(client, data.case),
    onSettled: () => reloadCase(client, id),
  });
}

/** Renews the claim on a case while its page is open. */
export function useHeartbeat(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(renewClaim, { params: { id } }),
    onSuccess: ({ data }) => putCase(client, data.case),
    onError: () => reloadCase(client, id),
  });
}

/** Releases, assigns, escalates, pauses, resumes or reopens a case. */
export function useCaseStep(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof handleCase>) => call(handleCase, { params: { id }, body }),
    onSuccess: ({ data }) => putCase(client, data.case),
    onSettled: () => reloadCase(client, id),
  });
}

/** The rules in their current version. */
export const rulesQuery = queryOptions({
  queryKey: staffKeys.rules,
  queryFn: async ({ signal }) => (await call(listRules, { signal })).data.rules,
});

/** Decides a case with reasons. */
export function useDecide(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof decideCase>) => call(decideCase, { params: { id }, body }),
    onSettled: () => reloadCase(client, id),
  });
}

/** Delivers what is held back, with a reason. */
export function useReleaseHold(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => call(releaseHold, { params: { id }, body: { reason } }),
    onSettled: () => reloadCase(client, id),
  });
}

/** Revokes a measure, with a reason. */
export function useRevoke(caseId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call(revokeSanction, { params: { id }, body: { reason } }),
    onSettled: () => reloadCase(client, caseId),
  });
}

/** Creates a new version of a rule. */
export function useChangeRule(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof changeRule>) => call(changeRule, { params: { id }, body }),
    onSettled: () => void client.invalidateQueries(rulesQuery),
  });
}
