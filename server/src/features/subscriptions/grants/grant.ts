import { msg, plural } from '@lingui/core/runtime-macro';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { premiumGrantDays } from '#contract/roles.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { entitle, lockPayer } from '../subscriptions.ts';
import { daysLeft, startOf } from './policy.ts';
import { type GrantRow, grantRows, toGrant } from './reads.ts';

const daySeconds = 86_400;

/**
 * Gives a member premium for some days, and mails them; `present` is the current time for premium. 403 beyond what the caller's role may
 * give at once, 409 beyond what it may give one person within a year, and for staff, deactivated and leaving accounts.
 */
export async function grant(
  context: CommandContext,
  { id, days, reason, present }: { id: string; days: number; reason: string; present: Date },
) {
  const { tx, caller } = context;
  await requireMayAct(tx, caller, 'user', id);
  const most = caller.staffRole === null ? 0 : premiumGrantDays[caller.staffRole];
  if (days > most) throw new AppError('FORBIDDEN', msg`Your role can give ${{ most }} days at most.`);
  await lockPayer(tx, id);
  await requireUsableMember(context, id);
  const given = await grantRows(tx, id);
  const left = daysLeft(caller.staffRole, given, present);
  if (days > left)
    throw new AppError(
      'CONFLICT',
      msg`Within a year, your role can give this person ${plural({ left }, { one: '# more day', other: '# more days' })}.`,
    );
  const starts_at = startOf(given, present);
  const row = await tx
    .insertInto('premium_grant')
    .values({
      account_id: id,
      days,
      starts_at,
      ends_at: secondsAfter(starts_at, days * daySeconds),
      reason,
      granted_by_name: actorOf(caller).name,
      granted_at: present,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toGrant(
    await applyGrant(context, row, { action: 'premium.granted', template: 'premiumGranted', reason, present }),
  );
}

/** 409 for staff, and for accounts that are deactivated or about to be deleted. */
async function requireUsableMember({ tx }: CommandContext, id: string): Promise<void> {
  const account = await tx
    .selectFrom('account')
    .select(['staff_role', 'is_active', 'leaving_since'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (account.staff_role !== null)
    throw new AppError('CONFLICT', msg`Premium is for members; staff accounts have none.`);
  if (!account.is_active || account.leaving_since !== null)
    throw new AppError('CONFLICT', msg`This account is deactivated or about to be deleted.`);
}

interface GrantChange {
  action: AuditAction & `premium.${string}`;
  template: 'premiumGranted' | 'premiumGrantRevoked';
  reason: string;
  present: Date;
}

/**
 * The consequences of giving or ending a gift: the member's premium, an audit event and a mail. Returns the gift with its new times: it
 * begins after what the member pays for.
 */
export async function applyGrant(
  { tx, caller, now }: CommandContext,
  { id, account_id: accountId, days }: GrantRow,
  { action, template, reason, present }: GrantChange,
): Promise<GrantRow> {
  await entitle(tx, accountId, present);
  const row = await tx.selectFrom('premium_grant').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const data = {
    until: dayOf(row.ends_at),
    days: String(days),
    ...(row.starts_at > present && { from: dayOf(row.starts_at) }),
  };
  const [given, none] = [
    { from: null, to: days },
    { from: days, to: null },
  ];
  const changes = { days: action === 'premium.granted' ? given : none };
  await audit({ tx, caller, now }, { type: 'user', id: accountId }, action, { reason, changes });
  const account = tx.selectFrom('account').select('email').where('id', '=', accountId);
  const { email } = await account.executeTakeFirstOrThrow();
  await queueMail(tx, { to: email, accountId, template, data }, now);
  return row;
}
