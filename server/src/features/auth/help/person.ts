import { msg, plural } from '@lingui/core/runtime-macro';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { helpsPerDay } from '#contract/constants.ts';
import { outranks } from '#contract/roles.ts';
import { audit, type AuditEntry } from '#platform/db/audit.ts';
import { AppError, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { hoursOfDayLeft, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { type AccountRow, lockAccount, mailsSince } from '../accounts.ts';

/** The person that an act of the help desk is for, and its reason. */
export interface HelpRequest {
  id: string;
  reason: string;
}

/**
 * The person to help, locked. 404 if unknown; 403 if the caller may not act on them, and for colleagues who don't rank below the caller.
 */
export async function lockPersonToHelp({ tx, caller }: CommandContext, id: string): Promise<AccountRow> {
  await requireMayAct(tx, caller, 'user', id);
  const account = await lockAccount(tx, id);
  if (account.staff_role !== null && !outranks(caller.staffRole, account.staff_role))
    throw new AppError('FORBIDDEN', msg`Only someone who ranks above a colleague can help them to sign in.`);
  return account;
}

/** Records an act of the help desk in the audit trail. */
export async function noteHelp(
  context: CommandContext,
  { id, reason }: HelpRequest,
  action: AuditAction & `help.${string}`,
  changes?: AuditEntry['changes'],
): Promise<void> {
  await audit(context, { type: 'user', id }, action, { reason, changes });
}

/** 429 after this many emails of one kind to an account within a day. */
export async function limitHelp(
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  accountId: string,
  template: string,
): Promise<void> {
  if ((await mailsSince(tx, accountId, template, startOfDay(now))) >= helpsPerDay)
    throw tooMany(
      msg`This was done several times today. Please try again in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
      secondsOfDayLeft(now),
    );
}

/** 409 for an account that is deactivated or about to be deleted. */
export function requireUsable({ is_active, leaving_since }: AccountRow): void {
  if (!is_active) throw new AppError('CONFLICT', msg`This account is deactivated.`);
  if (leaving_since !== null) throw new AppError('CONFLICT', msg`This account is about to be deleted.`);
}
