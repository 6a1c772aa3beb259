import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  appealByLink,
  openAppealLink,
  refundByLink,
  requestAppealLink,
  withdrawByLink,
} from '#contract/moderation/appeals.ts';
import { askForExportByLink, exportByLink } from '#contract/takeout.ts';
import { call, callForFile } from '../../../api/call.ts';

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

/** Withdraws a locked-out member from their contract. */
export const withdrawWith = async (token: string) => (await call(withdrawByLink, { body: { token } })).data.refund;

/** Mails the link to the owner of a locked account. */
export const useLinkRequest = () =>
  useMutation({ mutationFn: (email: string) => call(requestAppealLink, { body: { email } }) });

/** The archive that a mailed link downloads, with a code or passkey where the account has one. */
export const downloadLinkedArchive = (body: BodyInput<typeof exportByLink>) => callForFile(exportByLink, { body });
