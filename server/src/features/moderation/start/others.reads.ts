import { startCountMost, type StartRow } from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { pendingPictures } from '../../media/public.ts';
import { recentApprovals } from '../../profiles/public.ts';
import { partOf, rowOf, type StartPart, type StartReader } from './rows.ts';

/** The pictures that wait for review, in one row that opens their queue. */
export async function picturesPart({ db, viewer }: StartReader): Promise<StartPart> {
  if (!may(viewer.staffRole, 'pictures.review')) return partOf([]);
  const { count, since } = await pendingPictures(db, viewer, startCountMost);
  if (since === null) return partOf([]);
  return partOf([rowOf({ opens: 'pictures', _id: null, what: 'pictures', count, at: since.toISOString() })], 'pictures');
}

/** The exports that colleagues ask the viewer to approve, and those of the viewer that can be downloaded. */
export async function approvalsPart({ db, viewer, now }: StartReader): Promise<StartPart> {
  if (!may(viewer.staffRole, 'users.export')) return partOf([]);
  const approvals = await recentApprovals({ tx: db, caller: viewer, now });
  const rows = approvals.flatMap(({ _id, can, requestedBy, requestedAt, rows: count }): StartRow[] => {
    const shared = { opens: 'approvals' as const, _id, count, at: requestedAt };
    if (can.decide) return [rowOf({ ...shared, what: 'approval', by: requestedBy.name })];
    return can.use ? [rowOf({ ...shared, what: 'download' })] : [];
  });
  return partOf(rows, 'approvals');
}

/** The acts of the viewer on many people that are running. */
export async function runningActs({ db, viewer }: StartReader): Promise<StartPart> {
  const acts = await db
    .selectFrom('bulk_act')
    .select(['id', 'total', 'started_at'])
    .where('made_by', '=', viewer.accountId)
    .where('state', '=', 'running')
    .orderBy('started_at')
    .limit(startCountMost)
    .execute();
  return partOf(
    acts.map(({ id, total, started_at }) =>
      rowOf({ opens: 'bulkAct', _id: id, what: 'running', count: total, at: started_at.toISOString() }),
    ),
  );
}
