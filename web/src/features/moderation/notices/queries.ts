import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { acknowledgeWarning, listNotices } from '#contract/moderation/decisions.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  appealByLink,
  getReportAppeal,
  openAppealLink,
  refundByLink,
  requestAppealLink,
  submitAppeal,
  withdrawAppeal,
} from '#contract/moderation/appeals.ts';
import { askForExportByLink, exportByLink } from '#contract/takeout.ts';
import { call, callForFile } from '../../../api/call.ts';
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

/** The decision that a link in an email leads to, and what a member who is locked out may do with it. */
export const linkedNoticeQuery = (token: string) =>
  queryOptions({
    queryKey: ['appeal-link', token],
    queryFn: async ({ signal }) => (await call(openAppealLink, { body: { token }, signal })).data,
    enabled: token !== '',
  });

/** Appeals with the token from a link in an email. */
export function useLinkedAppeal(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => call(appealByLink, { body: { token, text } }),
    onSuccess: ({ data: { notice } }) =>
      client.setQueryData(linkedNoticeQuery(token).queryKey, (shown) => shown && { ...shown, notice }),
  });
}

/** Has the data of a locked-out member prepared; the link to it is mailed. */
export const useLinkedExport = (token: string) =>
  useMutation({ mutationFn: () => call(askForExportByLink, { body: { token } }) });

/** Ends the premium of a locked-out member and pays back its unused days. */
export function useLinkedRefund(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(refundByLink, { body: { token } }),
    onSuccess: ({ data: { refund } }) =>
      client.setQueryData(
        linkedNoticeQuery(token).queryKey,
        (shown) => shown && { ...shown, locked: shown.locked && { ...shown.locked, refund } },
      ),
  });
}

/** Mails the link to the owner of a locked account. */
export const useLinkRequest = () =>
  useMutation({ mutationFn: (email: string) => call(requestAppealLink, { body: { email } }) });

/** The archive that a mailed link downloads, with a code or passkey where the account has one. */
export const downloadLinkedArchive = (body: BodyInput<typeof exportByLink>) => callForFile(exportByLink, { body });
