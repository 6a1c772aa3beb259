import { queryOptions, useQuery } from '@tanstack/react-query';
import { getStatistics } from '#contract/statistics.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';

/** The statistics of the service, reloaded every 30 seconds while they are shown. */
export const statisticsQuery = queryOptions({
  queryKey: keys.statistics,
  queryFn: async ({ signal }) => (await call(getStatistics, { signal })).data,
  refetchInterval: 30_000,
});

/** The statistics, shared by all screens that show some of them. */
export function useStatistics() {
  return useQuery(statisticsQuery);
}
