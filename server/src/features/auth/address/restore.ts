import { msg } from '@lingui/core/runtime-macro';
import type { Selectable } from 'kysely';
import { addressRestoreDays, restoreDelayHours } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { restoreEmail } from '#contract/auth/auth.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CallContext, CommandContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inTransaction, refusedConstraint, type Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { endSessions } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { accountByEmail, accountById, lockAccount, mailboxOf, accountToStop } from '../accounts.ts';
import { type CodeTry, countCode, requireCode } from '../factors/codes.ts';
import { deleteTotp, totpFactor } from '../factors/factors.ts';
import { ownAssertion } from '../passkeys/sign-in.ts';
import { hashPassword } from '../password/hashing.ts';
import { checkPasswordOf } from '../password/proof.ts';
import { checkPassword, passwordOwner, suitsStaff } from '../policy.ts';
import { endSecondSteps } from '../session/challenges.ts';
import type { ArrivalContext } from '../session/sessions.ts';
import { dropRestore, endRestores, warnEverywhere } from './changes.ts';

const linkIsOver = () => new AppError('INVALID_CODE', msg`This link is no longer valid.`);
/** 409 for an address that can't be put back, because another account uses it. */
export const addressIsTaken = () =>
  new AppError('EMAIL_TAKEN', msg`Another account uses this address now. Please contact our support.`);
const weekSeconds = addressRestoreDays * 86_400;

type Former = Selectable<Database['former_address']>;

/** The new password of the account, and the recent sign-in methods that are kept. */
interface Restored {
  passwordHash: string;
  suitsStaff: boolean;
  passkeyId?: string;
  keepsTotp?: boolean;
}

/**
 * The change that a link undoes, the new password, and the accepted proof: the password from before the change, a
 * passkey, or a code to check.
 */
interface JudgedRestore {
  former: Former;
  restored: Restored;
  shown: 'password' | { passkeyId: string } | CodeTry;
}

/**
 * Checks the proof for undoing a change of address. Accounts that had two-step verification or a passkey at the time of
 * the change must show one of them; others must show the password they had then. 403 without such a proof, which keeps
 * the link valid; 400 for an invalid link.
 */
export async function judgeRestore(
  context: CallContext<unknown>,
  body: BodyOf<typeof restoreEmail>,
): Promise<JudgedRestore> {
  const { deps, now } = context;
  const former = await formerOf(deps.db, hashToken(body.token), now);
  const account = await accountById(deps.db, former.account_id);
  const { hasFactor, passkeys } = await protectionAtChange(deps.db, former);
  const hasPasskey = passkeys.length > 0;
  const hasPassword = !hasFactor && !hasPasskey && former.password_hash !== null;
  const { newPassword } = body;
  const password = hasPassword ? body.password : undefined;
  const code = hasFactor ? body.code : undefined;
  const passkey = hasPasskey ? body.passkey : undefined;
  if (newPassword === undefined || (password ?? code ?? passkey) === undefined) {
    const proof = { purpose: 'restore' as const, hasPassword, hasFactor, hasPasskey };
    const text = msg`Confirm that this is your account, and choose a new password.`;
    throw new AppError('PROOF_REQUIRED', text, { data: { proof } });
  }
  checkPassword(newPassword, passwordOwner({ ...account, email: former.email }));
  const restored = { passwordHash: await hashPassword(newPassword), suitsStaff: suitsStaff(newPassword) };
  if (password !== undefined) {
    const guarded = { id: account.id, email: former.email };
    await checkPasswordOf(context, guarded, { hash: former.password_hash ?? '', given: password, place: 'undo' });
    return { former, restored, shown: 'password' };
  }
  if (passkey === undefined) return { former, restored, shown: await countCode(deps.db, account.id, code ?? '', now) };
  const passkeyId = await ownAssertion(deps, account.id, passkey, now);
  if (!passkeys.includes(passkeyId)) throw new AppError('PASSKEY_REFUSED', msg`This passkey is newer than the change.`);
  return { former, restored, shown: { passkeyId } };
}

/**
 * Undoes a change of address with the link mailed to the old one. With a second factor or passkey, the account gets its
 * old address back at once and the result is null. An old password may be known to an intruder, too, so every address
 * and device is warned and can stop the restore for 72 hours; the result is when it takes effect. 409 if another
 * account uses the old address by now, or a restore is already pending.
 */
export async function restoreAddress(
  context: ArrivalContext,
  { former, restored, shown }: JudgedRestore,
): Promise<Date | null> {
  const { tx, now } = context;
  if (shown === 'password') return await schedule(tx, former, restored, now);
  if ('passkeyId' in shown) {
    await undoChange(tx, former, { ...restored, ...shown }, now);
  } else {
    await requireCode(context, await lockAccount(tx, former.account_id), shown);
    await undoChange(tx, former, { ...restored, keepsTotp: true }, now);
  }
  return null;
}

/** The change that a link undoes; 400 if the link has expired or was used. */
async function formerOf(db: Db, restoreHash: Buffer, now: Date): Promise<Former> {
  const former = await db
    .selectFrom('former_address')
    .selectAll()
    .where('restore_hash', '=', restoreHash)
    .where('is_restorable', '=', true)
    .where('changed_at', '>', secondsAfter(now, -weekSeconds))
    .executeTakeFirst();
  if (former === undefined) throw linkIsOver();
  return former;
}

/** The factors that protected the account when its address was changed. */
async function protectionAtChange(db: Db, { account_id, changed_at }: Former) {
  const factor = await totpFactor(db, account_id);
  const passkeys = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', account_id)
    .where('created_at', '<=', changed_at)
    .execute();
  return { hasFactor: factor !== undefined && factor.since <= changed_at, passkeys: passkeys.map(({ id }) => id) };
}

/** Announces to every address and device that a change will be undone in 72 hours. */
async function schedule(tx: Db, former: Former, restored: Restored, now: Date): Promise<Date> {
  const account = await lockAccount(tx, former.account_id);
  // Setting a new password may have invalidated the link while the old password was checked.
  await formerOf(tx, former.restore_hash, now);
  if (account.address_restore_at !== null)
    throw new AppError('CONFLICT', msg`This is already under way. Our email says when it takes effect.`);
  if ((await accountByEmail(tx, former.email)) !== undefined) throw addressIsTaken();
  const stop = newToken();
  const at = secondsAfter(now, restoreDelayHours * 3600);
  await tx
    .insertInto('address_restore')
    .values({
      account_id: account.id,
      restore_hash: former.restore_hash,
      stop_hash: hashToken(stop),
      password_hash: restored.passwordHash,
      password_suits_staff: restored.suitsStaff,
    })
    .execute();
  await tx.updateTable('account').set({ address_restore_at: at }).where('id', '=', account.id).execute();
  await warnEverywhere(tx, account, { template: 'restoreBegun', data: { token: stop, at }, expiresAt: at }, now);
  return at;
}

/**
 * Stops a pending restore: with the emailed link (400 if it is no longer valid) or for the signed-in caller (401
 * without one). The link that started the restore is invalidated as well, so that no one has to stop it twice.
 */
export async function stopRestore(
  { tx, caller, now }: CommandContext<Caller | null>,
  { token }: { token?: string | undefined },
): Promise<void> {
  const account = await accountToStop(tx, 'address_restore', caller, token);
  if (account.address_restore_at === null) return;
  await endRestores(tx, account.id);
  await warnEverywhere(tx, account, { template: 'restoreStopped', data: {} }, now);
}

/** The job that undoes changes of address after their 72 hours, one account at a time. */
export async function endDueRestores({ db }: Deps, now: Date): Promise<void> {
  const due = await db.selectFrom('account').select('id').where('address_restore_at', '<=', now).execute();
  await eachInTurn(due, ({ id }) => inTransaction(db, (tx) => endDueRestore(tx, id, now)), {
    round: 'auth.restoreAddresses',
    keyOf: ({ id }) => id,
  });
}

async function endDueRestore(tx: Db, accountId: string, now: Date): Promise<void> {
  const account = await lockAccount(tx, accountId);
  if (account.address_restore_at === null || account.address_restore_at > now) return;
  const asked = await tx
    .selectFrom('address_restore')
    .innerJoin('former_address', 'former_address.restore_hash', 'address_restore.restore_hash')
    .selectAll('former_address')
    .select(['address_restore.password_hash as passwordHash', 'password_suits_staff as suitsStaff'])
    .where('address_restore.account_id', '=', accountId)
    .executeTakeFirst();
  const isTaken = asked !== undefined && (await accountByEmail(tx, asked.email)) !== undefined;
  if (asked === undefined || isTaken) return void (await dropRestore(tx, accountId));
  // A password never removes two-step verification; the owner has to report it as lost.
  await undoChange(tx, asked, { ...asked, keepsTotp: true }, now);
}

/**
 * Gives an account its previous address and the new password, and removes what an intruder may have added since a week
 * before the change.
 */
async function undoChange(tx: Db, former: Former, restored: Restored, now: Date): Promise<void> {
  const since = secondsAfter(former.changed_at, -weekSeconds);
  const account = await lockAccount(tx, former.account_id);
  // Later changes are undone as well, and this link is used up.
  await dropRestore(tx, account.id);
  const undone = await tx
    .deleteFrom('former_address')
    .where('account_id', '=', account.id)
    .where('changed_at', '>=', former.changed_at)
    .returning(['email', 'is_restorable'])
    .execute();
  if (!undone.some(({ email, is_restorable }) => is_restorable && email === former.email)) throw linkIsOver();
  await tx
    .updateTable('account')
    .set({
      email: former.email,
      email_verified_at: now,
      password_hash: restored.passwordHash,
      password_suits_staff: restored.suitsStaff,
    })
    .where('id', '=', account.id)
    .execute()
    .catch((error: unknown) => {
      throw refusedConstraint(error) === 'account_email_key' ? addressIsTaken() : error;
    });
  await endSessions(tx, account.id);
  await tx.deleteFrom('identity').where('account_id', '=', account.id).where('linked_at', '>', since).execute();
  let newPasskeys = tx.deleteFrom('passkey').where('account_id', '=', account.id).where('created_at', '>', since);
  if (restored.passkeyId !== undefined) newPasskeys = newPasskeys.where('id', '!=', restored.passkeyId);
  await newPasskeys.execute();
  const factor = await totpFactor(tx, account.id);
  if (factor !== undefined && factor.since > since && restored.keepsTotp !== true) await deleteTotp(tx, account.id);
  for (const table of ['verification', 'password_reset', 'restore_handle', 'known_device'] as const)
    await tx.deleteFrom(table).where('account_id', '=', account.id).execute();
  await endSecondSteps(tx, account.id);
  await queueMail(tx, { ...mailboxOf(account), template: 'emailRestored', data: {} }, now);
  await queueMail(tx, { to: former.email, accountId: account.id, template: 'emailRestored', data: {} }, now);
}
