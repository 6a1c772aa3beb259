import type { Notice } from '#contract/moderation/decision.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { type Caller, isUuid } from '../../../platform/session/caller.ts';
import { noticesFor } from './decisions.reads.ts';

/** Notes that the caller has read the warnings of a decision about them; repeating it changes nothing. 404 for any other decision. */
export async function acknowledge(db: Db, caller: Caller, decisionId: string, now: Date): Promise<Notice[]> {
  if (!isUuid(decisionId)) throw notFound();
  return await inTransaction(db, async (tx) => {
    const warnings = await tx
      .selectFrom('sanction')
      .select(['id', 'acknowledged_at'])
      .where('decision_id', '=', decisionId)
      .where('account_id', '=', caller.accountId)
      .where('kind', '=', 'warn')
      .forUpdate()
      .execute();
    if (warnings.length === 0) throw notFound();
    const open = warnings.filter(({ acknowledged_at }) => acknowledged_at === null).map(({ id }) => id);
    if (open.length > 0)
      await tx.updateTable('sanction').set({ acknowledged_at: now }).where('id', 'in', open).execute();
    return await noticesFor(tx, caller.accountId, now);
  });
}
