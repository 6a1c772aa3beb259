import type { Notice } from '#contract/moderation/decisions.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { noticesFor } from './decisions.reads.ts';

/**
 * Records that the caller has read the warnings of a decision about them; repeating it changes nothing. Throws 404 for any other decision.
 */
export async function acknowledge(
  { tx, deps, caller, now }: CommandContext,
  { id }: { id: string },
): Promise<Notice[]> {
  if (!isUuid(id)) throw notFound();
  const warnings = await tx
    .selectFrom('sanction')
    .select(['id', 'acknowledged_at'])
    .where('decision_id', '=', id)
    .where('account_id', '=', caller.accountId)
    .where('kind', '=', 'warn')
    .forUpdate()
    .execute();
  if (warnings.length === 0) throw notFound();
  const open = warnings.filter(({ acknowledged_at }) => acknowledged_at === null).map((warning) => warning.id);
  if (open.length > 0) await tx.updateTable('sanction').set({ acknowledged_at: now }).where('id', 'in', open).execute();
  return await noticesFor(tx, { accountId: caller.accountId, addresses: deps.mediaAddresses, now });
}
