import {
  appealByLink,
  openAppealLink,
  refundByLink,
  requestAppealLink,
  withdrawByLink,
} from '#contract/moderation/appeals.ts';
import { queryClient } from '../../../api/query-client.ts';
import { endpointQuery, useCommand } from '../../../api/endpoint-query.ts';
import { call } from '../../../api/call.ts';

/** The decision that a link in an email leads to, and what a member who is locked out may do with it. */
export const linkedStatementQuery = (token: string) =>
  endpointQuery(openAppealLink, { body: { token } }, { enabled: token !== '' });

/** Appeals with the token from a link in an email. */
export const useLinkedAppeal = (token: string) =>
  useCommand(appealByLink, (text: string) => ({ body: { token, text } }), {
    onSuccess: ({ notice }) =>
      queryClient.setQueryData(linkedStatementQuery(token).queryKey, (shown) => shown && { ...shown, notice }),
  });

/** Ends the premium of a locked-out member and refunds its unused days. */
export const useLinkedRefund = (token: string) =>
  useCommand(refundByLink, () => ({ body: { token } }), {
    onSuccess: ({ refund }) =>
      queryClient.setQueryData(
        linkedStatementQuery(token).queryKey,
        (shown) => shown && { ...shown, locked: shown.locked && { ...shown.locked, refund } },
      ),
  });

/** Withdraws a locked-out member from their contract. */
export const withdrawWith = async (token: string) => (await call(withdrawByLink, { body: { token } })).data.refund;

/** Mails the link to the owner of a locked account. */
export const useLinkRequest = () => useCommand(requestAppealLink, (email: string) => ({ body: { email } }));
