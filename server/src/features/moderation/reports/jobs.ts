import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { secondsAfter } from '#platform/process/clock.ts';
import { inTransaction } from '#platform/db/db.ts';
import { job } from '#platform/jobs/job.ts';
import { writeWhere } from '#platform/jobs/due-rows.ts';
import { notify } from '#platform/notify/notify.ts';
import { forgetJob, isFree } from '#platform/people/forget.ts';
import { lastStatusChange, lockReport, updateReport } from './report-row.ts';
import type { Deps } from '../../../deps.ts';
import type { Reactions } from '../../../events.ts';
import { writeAboutEdit } from './write-first.ts';

const keptDays = 730;

const untold = sql`select report_id::text as key,
    jsonb_build_object('reportId', report_id, 'eventId', id::text) as payload, notice_due_since as since
  from report_event where notice_due_since is not null`;

/** The background work of reports: notifications about outcomes, and deletion after two years. */
export const reportJobs = [
  job({
    name: 'reports.notice',
    payload: z.object({ reportId: z.string(), eventId: z.string() }),
    sweep: { owed: () => untold },
    async run({ db, clock }, { reportId, eventId }) {
      const now = clock.now();
      await inTransaction(db, async (tx) => {
        const report = await lockReport(tx, reportId, null);
        await tx.updateTable('report_event').set({ notice_due_since: null }).where('id', '=', eventId).execute();
        const change = await lastStatusChange(tx, reportId);
        // The outcome was undone or replaced: the next decision sends its own notification.
        if (report === undefined || change?.id !== eventId || change.undone_at !== null) return;
        await updateReport(tx, report.id, { unread_since: report.unread_since ?? now });
        if (report.reporter_id !== null)
          await notify(tx, { accountId: report.reporter_id, kind: 'report', subjectId: report.id }, now);
      });
    },
  }),
  forgetJob('reports.cleanUp', '41 3 * * *', deleteReports),
];

const deletedAtOnce = 500;

/**
 * Deletes closed reports and unanswered messages of the team that have not changed for two years, and the bytes of their frozen pictures
 * unless they are used elsewhere.
 */
async function deleteReports({ db, clock }: Deps): Promise<void> {
  const isDue = sql`(status in ('resolved', 'closed', 'rejected') or source = 'staff_message' and not is_listed)
    and updated_at <= ${secondsAfter(clock.now(), -keptDays * 86_400)} and ${isFree('report')}`;
  const write = (which: RawBuilder<unknown>) => sql`
    with old as (select id from report where ${which}),
    loose as (
      insert into media_discard (object_key, due_at)
      select distinct p.object_key, now() + interval '5 minutes' from evidence_picture p join old on old.id = p.report_id
      on conflict do nothing
    )
    delete from report using old where report.id = old.id`;
  await writeWhere(db, { table: 'report', isDue, most: deletedAtOnce, write });
}

export const reportReactions: Reactions = {
  profileEdited: (tx, { accountId, fields, by, now }) => writeAboutEdit({ tx, caller: by, now }, accountId, fields),
  async renamed(tx, { accountId }) {
    await sql`update report r
      set search_text = logic.report_search_text(r.id, r.description, r.reporter_id, r.reported_id)
      where r.reporter_id = ${accountId}::uuid or r.reported_id = ${accountId}::uuid`.execute(tx);
  },
  // A random value replaces each person, so that reports about the same person still belong together but no longer name anyone.
  async accountsEnding(tx, { accountIds }) {
    await sql`
      with gone as materialized (select id, gen_random_uuid() as alias from unnest(${accountIds}::uuid[]) as id)
      update report r set
        reporter_id = case when reporter.id is null then r.reporter_id end,
        reporter_alias = coalesce(reporter.alias, r.reporter_alias),
        reported_id = case when reported.id is null then r.reported_id end,
        reported_alias = coalesce(reported.alias, r.reported_alias),
        named_id = case when reported.id is null then r.named_id end,
        named_name = case when reported.id is null then r.named_name end,
        search_text = folded(r.description || E'\n' || r.id::text)
      from report own
        left join gone reporter on reporter.id = own.reporter_id
        left join gone reported on reported.id = own.reported_id
      where own.id = r.id
        and (own.reporter_id = any (${accountIds}::uuid[]) or own.reported_id = any (${accountIds}::uuid[]))`.execute(
      tx,
    );
  },
};
