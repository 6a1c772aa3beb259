import type { OwnReport } from '#contract/moderation/reports.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { settle } from '../../../platform/notify/notify.ts';
import { ownReport } from './reads.ts';
import { updateReport } from './report-row.ts';

/** Marks the caller's own report as read. Throws 404 for any other. */
export async function markRead({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<OwnReport> {
  const report = await ownReport(tx, caller, id);
  await updateReport(tx, id, { unread_since: null });
  await settle(tx, { accountId: caller.accountId, kind: 'report', subjectId: id }, now);
  return { ...report, isUnread: false };
}
