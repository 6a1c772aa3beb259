import { msg } from '@lingui/core/runtime-macro';
import { premiumGrantDays } from '#contract/roles.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { lockPayer } from '../subscriptions.ts';
import { applyGrant } from './grant.ts';
import { toGrant } from './reads.ts';

/**
 * Ends a gift of premium now, moves later ones forward, and mails the member; `present` is the current time for premium. 404; 403 for one
 * that the caller's role could not have given; 409 for one that is over.
 */
export async function revokeGrant(
  context: CommandContext,
  { id, reason, present }: { id: string; reason: string; present: Date },
) {
  const { tx, caller } = context;
  const found = await tx
    .selectFrom('premium_grant')
    .select(['account_id', 'days'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) throw notFound();
  await requireMayAct(tx, caller, 'user', found.account_id);
  if (caller.staffRole === null || found.days > premiumGrantDays[caller.staffRole])
    throw new AppError('FORBIDDEN', msg`This gift is longer than your role can give.`);
  await lockPayer(tx, found.account_id);
  const row = await tx
    .updateTable('premium_grant')
    .set({ revoked_at: present })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', present)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('CONFLICT', msg`This gift has already ended.`);
  const change = { action: 'premium.grantRevoked', template: 'premiumGrantRevoked', reason, present } as const;
  return toGrant(await applyGrant(context, row, change));
}
