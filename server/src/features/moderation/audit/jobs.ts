import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';

/** Deletes audit rows older than two years daily; the database refuses to delete younger ones. */
export function auditTasks({ db }: Deps): TaskList {
  return {
    'audit.cleanUp': async () => {
      await sql`delete from audit_event where at <= now() - interval '2 years'`.execute(db);
    },
  };
}

export const auditSchedules: Schedule[] = [{ cron: '53 3 * * *', task: 'audit.cleanUp' }];
