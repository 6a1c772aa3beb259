import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { acknowledgeWarning, listNotices } from '#contract/moderation/decisions.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';

/** The decisions about the member, newest first. */
export const noticesQuery = queryOptions({
  queryKey: keys.notices,
  queryFn: async ({ signal }) => (await call(listNotices, { signal })).data.notices,
});

/** Says that a warning was read. */
export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(acknowledgeWarning, { params: { id } }),
    onSuccess: ({ data }) => client.setQueryData(noticesQuery.queryKey, data.notices),
  });
}
