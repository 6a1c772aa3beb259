import { premiumGrantDays } from '#contract/roles.ts';
import type { PremiumGrant } from '#contract/subscriptions/grants.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { requireMayActOn } from '../../../platform/session/parties.ts';
import { entitle, lockPayer } from '../subscriptions.ts';
import { daysLeft, startOf } from './policy.ts';
import { type GrantRow, grantRows, toGrant } from './reads.ts';

const daySeconds = 86_400;

const toGiven = (row: GrantRow) => ({
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  grantedAt: row.granted_at,
  revokedAt: row.revoked_at,
});

/**
 * Gives a member premium for some days, and mails them; `present` is the time by which premium ends. 403 beyond what the caller's role may
 * give at once, 409 beyond what it may give a person within a year, and for staff, deactivated and leaving accounts.
 */
export async function grant(
  { tx, caller, now }: CommandContext,
  { id, days, reason, present }: { id: string; days: number; reason: string; present: Date },
): Promise<PremiumGrant> {
  await requireMayActOn(tx, caller, id);
  const most = caller.staffRole === null ? 0 : premiumGrantDays[caller.staffRole];
  if (days > most) throw new AppError('FORBIDDEN', `Your role can give ${most} days at most.`);
  await lockPayer(tx, id);
  const email = await addressOfMember({ tx }, id);
  const given = (await grantRows(tx, id)).map(toGiven);
  const left = daysLeft(caller.staffRole, given, present);
  if (days > left) throw new AppError('CONFLICT', `Within a year, your role can give this person ${left} more days.`);
  const startsAt = startOf(given, present);
  const row = await tx
    .insertInto('premium_grant')
    .values({
      account_id: id,
      days,
      starts_at: startsAt,
      ends_at: secondsAfter(startsAt, days * daySeconds),
      reason,
      granted_by_name: actorOf(caller).name,
      granted_at: present,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await entitle(tx, id, present);
  const until = row.ends_at.toISOString();
  const changes = { days: { from: null, to: days }, until: { from: null, to: until } };
  const entry = { actor: actorOf(caller), action: 'premium.granted', target: { type: 'user', id } } as const;
  await writeAudit(tx, { ...entry, reason, changes }, now);
  await queueMail(
    tx,
    { to: email, accountId: id, template: 'premiumGranted', data: { until: until.slice(0, 10) } },
    now,
  );
  return toGrant(row);
}

/** The address of a member whose account is in use; 409 for others. */
async function addressOfMember({ tx }: Pick<CommandContext, 'tx'>, id: string): Promise<string> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'staff_role', 'is_active', 'leaving_since'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (account.staff_role !== null) throw new AppError('CONFLICT', 'Premium is for members; staff accounts have none.');
  if (!account.is_active || account.leaving_since !== null)
    throw new AppError('CONFLICT', 'This account is deactivated or about to be deleted.');
  return account.email;
}
