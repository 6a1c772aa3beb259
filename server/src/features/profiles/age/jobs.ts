import { sql } from 'kysely';
import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../../deps.ts';
import { updateWhere } from '../../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';

/** Ends checks that were begun and not finished in time. */
export function ageTasks({ db, clock }: Deps): TaskList {
  const ended = sql`state = case when state = 'declared' then 'expired' else state end, at = open_until, open_check = null,
    open_until = null`;
  return {
    'age.expire': () => updateWhere(db, 'age_check', ended, sql`open_until <= ${clock.now()}::timestamptz`),
  };
}

export const ageSchedules: Schedule[] = [{ cron: '*/10 * * * *', task: 'age.expire' }];
