import { premiumGrantDays } from '#contract/roles.ts';
import type { PremiumGrant } from '#contract/subscriptions/grants.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { requireMayActOn } from '../../../platform/session/parties.ts';
import { entitle, lockPayer } from '../subscriptions.ts';
import { toGrant } from './reads.ts';

/**
 * Ends a gift of premium now, and mails the member; `present` is the time by which premium ends. 404; 403 for one that the caller's role
 * could not have given; 409 for one that is over.
 */
export async function revokeGrant(
  { tx, caller, now }: CommandContext,
  { id, reason, present }: { id: string; reason: string; present: Date },
): Promise<PremiumGrant> {
  const found = isUuid(id)
    ? await tx.selectFrom('premium_grant').select(['account_id', 'days']).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (found === undefined) throw notFound();
  const accountId = found.account_id;
  await requireMayActOn(tx, caller, accountId);
  if (caller.staffRole === null || found.days > premiumGrantDays[caller.staffRole])
    throw new AppError('FORBIDDEN', 'This gift is longer than your role can give.');
  await lockPayer(tx, accountId);
  const row = await tx
    .updateTable('premium_grant')
    .set({ revoked_at: present })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', present)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('CONFLICT', 'This gift has already ended.');
  await entitle(tx, accountId, present);
  const until = row.ends_at.toISOString();
  const entry = {
    actor: actorOf(caller),
    action: 'premium.grantRevoked',
    target: { type: 'user', id: accountId },
  } as const;
  await writeAudit(tx, { ...entry, reason, changes: { until: { from: until, to: present.toISOString() } } }, now);
  const { email } = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const data = { until: until.slice(0, 10) };
  await queueMail(tx, { to: email, accountId, template: 'premiumGrantRevoked', data }, now);
  return toGrant(row);
}
