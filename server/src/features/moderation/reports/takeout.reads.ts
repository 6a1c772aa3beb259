import type { OwnReport } from '#contract/moderation/report.ts';
import type { Db } from '../../../platform/db/db.ts';
import { reportRows } from './reads.ts';
import { toOwnReport, type ReplyRow } from './views.ts';

/** Every report somebody filed, as they see it, with all that was said on it in public; newest first. */
export async function reportsFiledBy(db: Db, accountId: string): Promise<OwnReport[]> {
  const filed = await db
    .selectFrom('report')
    .select('id')
    .where('reporter_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const ids = filed.map(({ id }) => id);
  const replies: ReplyRow[] =
    ids.length === 0
      ? []
      : await db
          .selectFrom('report_reply')
          .selectAll()
          .where('report_id', 'in', ids)
          .where('is_internal', '=', false)
          .orderBy('seq')
          .execute();
  const byReport = Map.groupBy(replies, ({ report_id }) => report_id);
  return (await reportRows(db, ids)).map((row) => toOwnReport(row, byReport.get(row.id) ?? []));
}
