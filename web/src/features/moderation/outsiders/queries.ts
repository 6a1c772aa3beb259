import {
  appealNotice,
  fileNotice,
  getNoticeChallenge,
  type NoticeFields,
  openNoticeLink,
} from '#contract/moderation/outsider-notices.ts';
import { call } from '../../../api/call.ts';
import { endpointQuery, useCommand } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { solve } from './solve.ts';

/** Sends a notice, with a challenge that is solved first. */
export async function sendNotice(fields: NoticeFields): Promise<void> {
  const { data } = await call(getNoticeChallenge);
  const proof = { challenge: data.challenge, counter: await solve(data) };
  await call(fileNotice, { body: { ...fields, proof } });
}

/** The notices from the address that a link was mailed to. */
export const ownNoticesQuery = (token: string) => endpointQuery(openNoticeLink, { body: { token } });

/** Appeals the decision about one of these notices. */
export const useNoticeAppeal = (token: string) =>
  useCommand(appealNotice, (given: { noticeId: string; text: string }) => ({ body: { token, ...given } }), {
    onSuccess: (data) => queryClient.setQueryData(ownNoticesQuery(token).queryKey, data),
  });
