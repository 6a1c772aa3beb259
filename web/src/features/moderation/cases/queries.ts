import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import type { CaseFile, CaseView, StaffCase } from '#contract/moderation/case.ts';
import { claimCase, getCase, getCaseTimes, handleCase, listCases, renewClaim } from '#contract/moderation/cases.ts';
import { changeRule, decideCase, listRules, revokeSanction } from '#contract/moderation/decisions.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

const listEveryMs = 15_000;

/** One list of cases, on by cursor. Reloaded while it is shown, since time runs out by itself. */
export function casesQuery(view: CaseView) {
  return infiniteQueryOptions({
    queryKey: staffKeys.cases(view),
    queryFn: async ({ pageParam: cursor, signal }) => (await call(listCases, { query: { view, cursor }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: listEveryMs,
  });
}

/** How long answers and decisions took lately. */
export const caseTimesQuery = queryOptions({
  queryKey: staffKeys.caseTimes,
  queryFn: async ({ signal }) => (await call(getCaseTimes, { signal })).data,
  staleTime: 300_000,
});

/** One case with all that belongs to it. Reading it is on record, so it is not repeated without need. */
export function caseFileQuery(id: string) {
  return queryOptions({
    queryKey: staffKeys.case(id),
    queryFn: async ({ signal }) => (await call(getCase, { params: { id }, signal })).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

function putCase(client: QueryClient, changed: StaffCase): void {
  client.setQueryData<CaseFile>(staffKeys.case(changed._id), (file) => file && { ...file, case: changed });
}

/** Reloads everything that a changed case affects. */
export function reloadCase(client: QueryClient, id: string): void {
  for (const queryKey of [staffKeys.case(id), keys.allCases, keys.allReports, ['audit']])
    void client.invalidateQueries({ queryKey });
}

/** Takes a case in hand. */
export function useClaim(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(claimCase, { params: { id } }),
    onSuccess: ({ data }) => putCase(client, data.case),
    onSettled: () => reloadCase(client, id),
  });
}

/** Keeps a claim alive while its page is open. */
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

/** Takes a sanction back, with a reason. */
export function useRevoke(caseId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call(revokeSanction, { params: { id }, body: { reason } }),
    onSettled: () => reloadCase(client, caseId),
  });
}

/** Gives a rule a new version. */
export function useChangeRule(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof changeRule>) => call(changeRule, { params: { id }, body }),
    onSettled: () => void client.invalidateQueries(rulesQuery),
  });
}
