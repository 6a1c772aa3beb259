import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  appealNotice,
  fileNotice,
  forgetNoticeAuthor,
  getNoticeChallenge,
  type NoticeFields,
  openNoticeLink,
} from '#contract/moderation/outsider-notices.ts';
import { call } from '../../../api/call.ts';
import { solve } from './solve.ts';

/** Sends a notice, with a challenge that is solved first. */
export async function sendNotice(fields: NoticeFields): Promise<void> {
  const { data } = await call(getNoticeChallenge);
  const proof = { challenge: data.challenge, counter: await solve(data) };
  await call(fileNotice, { body: { ...fields, proof } });
}

/** The notices from the address that a link was mailed to. */
export const ownNoticesQuery = (token: string) =>
  queryOptions({
    queryKey: ['own-notices', token],
    queryFn: async ({ signal }) => (await call(openNoticeLink, { body: { token }, signal })).data.notices,
  });

/** Erases the name and the address of the author, which ends the link. */
export const useForgetAuthor = (token: string) =>
  useMutation({ mutationFn: () => call(forgetNoticeAuthor, { body: { token } }) });

/** Appeals the decision about one of these notices. */
export function useNoticeAppeal(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { noticeId: string; text: string }) => call(appealNotice, { body: { token, ...given } }),
    onSuccess: ({ data }) => client.setQueryData(ownNoticesQuery(token).queryKey, data.notices),
  });
}
