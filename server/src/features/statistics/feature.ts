import type { Feature } from '../../feature.ts';
import { job } from '#platform/jobs/job.ts';
import { foldStatistics, mountStatistics } from './statistics.ts';

export const feature: Feature = {
  routes: [mountStatistics],
  // Keeps the number of appended changes small even without a ticker.
  jobs: [job({ name: 'statistics.fold', cron: '* * * * *', run: ({ db }) => foldStatistics(db) })],
  tickers: ({ db }) => [{ name: 'statistics', everyMs: 3000, run: () => foldStatistics(db) }],
};
