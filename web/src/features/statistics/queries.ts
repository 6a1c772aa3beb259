import { useQuery } from '@tanstack/react-query';
import { getStatistics, recentUserSchema, type Statistics } from '#contract/statistics.ts';
import { endpointQuery } from '../../api/endpoint-query.ts';
import { completed } from '../../api/completed.ts';
import { emptyOf } from '../../api/empty.ts';

const nothing: Statistics = { ...emptyOf(getStatistics.response.shape.data, Number.NaN), growthPercent: 'N/A' };
const noUser = { ...emptyOf(recentUserSchema), email: '—' };

/** Fills in missing fields of the statistics: figures with NaN, which is shown as an em dash. */
function completeStatistics(given: Partial<Statistics>): Statistics {
  const statistics = completed<Statistics>(given, nothing);
  return {
    ...statistics,
    totals: completed(statistics.totals, nothing.totals),
    growth: statistics.growth.map((month) => completed(month, { month: '', users: 0, vip: 0 })),
    genders: statistics.genders.map((gender) =>
      completed<Statistics['genders'][number]>(gender, { gender: null, count: 0 }),
    ),
    ages: statistics.ages.map((age) => completed(age, { bucket: '—', count: 0 })),
    recentUsers: statistics.recentUsers.map((user) => completed(user, noUser)),
  };
}

/** The statistics of the service, reloaded every 30 seconds while they are shown. */
export const statisticsQuery = endpointQuery(
  getStatistics,
  {},
  { select: completeStatistics, refetchInterval: 30_000 },
);

/** The statistics, shared by all screens that show some of them. */
export function useStatistics() {
  return useQuery(statisticsQuery);
}
