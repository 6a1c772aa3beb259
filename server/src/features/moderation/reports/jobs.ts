import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { notify } from '../../../platform/notify/notify.ts';
import { lastStatusChange, lockReport, updateReport } from './report-row.ts';

const keptDays = 730;

/** Background work of reports: notices of outcomes, and deletion after two years. */
export function reportTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  return {
    'reports.notice': async (payload) => {
      const { reportId, eventId } = payload as { reportId: string; eventId: string };
      const now = clock.now();
      await inTransaction(db, async (tx) => {
        const report = await lockReport(tx, reportId, null);
        const change = await lastStatusChange(tx, reportId);
        // Undone or superseded: the next decision sends its own notice.
        if (report === undefined || change?.id !== eventId || change.undone_at !== null) return;
        await updateReport(tx, report.id, { unread_since: report.unread_since ?? now });
        if (report.reporter_id !== null)
          await notify(tx, { accountId: report.reporter_id, kind: 'report', subjectId: report.id }, now);
      });
    },
    'reports.cleanUp': async () => {
      // The bytes of frozen pictures are deleted, too, unless something else shows them.
      await sql`
        with old as (
          select id from report where status in ('resolved', 'closed', 'rejected')
            and updated_at <= ${secondsAfter(clock.now(), -keptDays * 86_400)} for update
        ), loose as (
          insert into media_discard (object_key, due_at)
          select distinct p.object_key, now() + interval '5 minutes' from evidence_picture p join old on old.id = p.report_id
          on conflict do nothing
        )
        delete from report using old where report.id = old.id`.execute(db);
    },
  };
}

export const reportSchedules: Schedule[] = [{ cron: '41 3 * * *', task: 'reports.cleanUp' }];
