import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getStart, markStartSeen } from '#contract/moderation/start.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { live } from '../../../api/query-client.ts';

const everyMs = 60_000;

/** What is mine, due, waiting for me and changed. Deadlines pass by themselves, so it is also loaded again while it is shown. */
export const startQuery = queryOptions({
  ...live,
  queryKey: keys.start,
  queryFn: async ({ signal }) => (await call(getStart, { signal })).data,
  refetchInterval: everyMs,
});

/** Marks the changes that were shown as seen. */
export function useMarkSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => call(markStartSeen, { body: { until } }),
    onSettled: () => client.invalidateQueries(startQuery),
  });
}
