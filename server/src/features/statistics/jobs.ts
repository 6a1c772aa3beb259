import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule, Ticker } from '../../platform/jobs/jobs.ts';

/** Folds the changes appended since the last fold into the counters. */
export async function foldStatistics(db: Db): Promise<void> {
  await sql`select logic.statistic_fold()`.execute(db);
}

/** Keeps the number of appended changes small even without a ticker. */
export function statisticsTasks(deps: Deps): TaskList {
  return { 'statistics.fold': () => foldStatistics(deps.db) };
}

export const statisticsTickers = ({ db }: Deps): Ticker[] => [
  { name: 'statistics', everyMs: 3000, run: () => foldStatistics(db) },
];

export const statisticsSchedules: Schedule[] = [{ cron: '* * * * *', task: 'statistics.fold' }];
