import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { messageAloneMax } from '#contract/moderation/bulk.ts';
import { audit } from '#platform/db/audit.ts';
import { AppError } from '#platform/http/app-error.ts';
import { settle } from '#platform/notify/notify.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { StaffContext } from '../work/case-row.ts';
import { updateReport } from '../reports/report-row.ts';
import { hasUnread } from './choose.ts';

/**
 * 409 if this many people, together with those the caller wrote to without an approval in the last 24 hours, exceed what one person may do
 * alone. Locks the caller's account, so that parallel messages are counted one after another.
 */
export async function requireFewReaders({ tx, caller, now }: StaffContext, count: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(total), 0)::int as total from bulk_act
    where made_by = ${caller.accountId} and kind = 'notice' and starts_at is null and started_at > ${secondsAfter(now, -86_400)}`.execute(
    tx,
  );
  if ((rows[0]?.total ?? 0) + count > messageAloneMax)
    throw new AppError(
      'APPROVAL_REQUIRED',
      msg`A second person approves messages to more than 100 people within 24 hours`,
    );
}

/** Deletes the message that an act sent to this person, and its notification. 409 once they have read it. */
export async function takeBack({ tx, caller, now }: StaffContext, of: string, id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id from bulk_act_item i join report r on r.id = i.report_id
    where i.act_id = ${of}::uuid and i.account_id = ${id}::uuid and ${hasUnread(sql`i.account_id`, of)} for update of r`.execute(
    tx,
  );
  const [report] = rows;
  if (report === undefined) throw new AppError('CONFLICT', msg`They have read it by now`);
  await updateReport(tx, report.id, { deleted_at: now });
  await settle(tx, { accountId: id, kind: 'report', subjectId: report.id }, now);
  await audit({ tx, caller, now }, { type: 'report', id: report.id }, 'report.deleted');
}
