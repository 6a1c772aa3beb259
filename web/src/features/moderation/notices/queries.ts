import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { acknowledgeWarning, listNotices } from '#contract/moderation/decisions.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { getReportAppeal, submitAppeal, withdrawAppeal } from '#contract/moderation/appeals.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';

/** The decisions about the member, newest first. */
export const noticesQuery = queryOptions({
  queryKey: keys.notices,
  queryFn: async ({ signal }) => (await call(listNotices, { signal })).data.notices,
});

/** Confirms that the member has read a warning. */
export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(acknowledgeWarning, { params: { id } }),
    onSuccess: ({ data }) => client.setQueryData(noticesQuery.queryKey, data.notices),
  });
}

/** The right to appeal the newest decision on one of the member's reports. */
export const reportAppealQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.ownReport(id), 'appeal'],
    queryFn: async ({ signal }) => (await call(getReportAppeal, { params: { id }, signal })).data.right,
    staleTime: 0,
  });

/** Reloads notices and reports, which both contain the right to appeal. */
function reloadRights(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: keys.notices }),
    client.invalidateQueries({ queryKey: keys.ownReports.slice(0, 1) }),
  ]);
}

/** Appeals a decision about the member or about one of their reports. */
export function useAppeal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof submitAppeal>) => call(submitAppeal, { body }),
    onSuccess: () => reloadRights(client),
  });
}

/** Withdraws an appeal. */
export function useWithdraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(withdrawAppeal, { params: { id } }),
    onSuccess: () => reloadRights(client),
  });
}
