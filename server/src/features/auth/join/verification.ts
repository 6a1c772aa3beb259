import { msg } from '@lingui/core/runtime-macro';
import type { Selectable } from 'kysely';
import { verificationCodeMaxTries } from '#contract/constants.ts';
import type { verifyEmail as verifyEmailCall } from '#contract/auth/auth.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { refusedConstraint, type Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { AppError, unauthenticated } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { endSessions, requireSession } from '#platform/session/sessions.ts';
import { accountById, lockAccount, noteTrace, type AccountRow } from '../accounts.ts';
import { keepFormerAddress } from '../address/changes.ts';
import { totpFactor } from '../factors/factors.ts';
import { hashPassword } from '../password/hashing.ts';
import { checkPassword, passwordOwner, suitsStaff } from '../policy.ts';
import { accountByPassword, isWelcome, passwordChanged } from '../session/sign-in.ts';
import { signDeviceIn, type ArrivalContext, type SignedIn } from '../session/sessions.ts';
import { proveAddress } from './first-proof.ts';
import { codeHash } from './mailed-codes.ts';

type Proof = BodyOf<typeof verifyEmailCall>;
type Verification = Selectable<Database['verification']>;

/** What the request proves besides access to the mailbox. */
type Authority =
  | { by: 'session'; sessionId: string }
  | { by: 'password'; hash: string | null }
  | { by: 'joining' }
  | { by: 'new password'; hash: string; suitsStaff: boolean };

const refused = () =>
  new AppError('INVALID_CODE', msg`This code or link is wrong or no longer valid. Check it, or request a new one.`);

/** A valid link or code, and the proof that entitles the caller to use it. */
interface Judged {
  found: Verification;
  authority: Authority;
}

/**
 * Checks a link, a handle and code, or a code alone when signed in; 400 for anything else. Anyone who reads the mailbox
 * has the link and the code, so one of these is required as well: a session of the account (for a changed address: the
 * session that requested it), its password, the handle from joining, or, when joining, a new password, which removes
 * every other sign-in method. Otherwise 403 `PROOF_REQUIRED`, which changes nothing.
 */
export async function judgeVerification(context: CallContext<Caller | null>, proof: Proof): Promise<Judged> {
  const found = await findProof(context.deps.db, context.caller, proof, context.now);
  return { found, authority: await authorityOf(context, proof, found) };
}

/**
 * Verifies an address and ends all sessions but the caller's. Visitors who verify a new account are signed in. Staff,
 * deactivated accounts and accounts with two-step verification are not signed in, and neither is anyone who confirms a
 * changed address. 401 if the session or password is no longer valid.
 */
export async function verifyEmail(context: ArrivalContext, { found, authority }: Judged): Promise<Partial<SignedIn>> {
  const { tx, now } = context;
  const account = await lockAccount(tx, found.account_id);
  await useUp(tx, account, { found, authority }, now);
  await requireAuthority(tx, authority, account);
  const sessionId = authority.by === 'session' ? authority.sessionId : null;
  if (found.purpose === 'change') {
    await changeAddress(context, account, found, sessionId);
    return {};
  }
  const isJoiner = authority.by !== 'new password';
  await proveAddress(tx, account, isJoiner ? (sessionId === null ? 'password' : { sessionId }) : null, now);
  if (authority.by === 'new password')
    await tx
      .updateTable('account')
      .set({ password_hash: authority.hash, password_suits_staff: authority.suitsStaff })
      .where('id', '=', account.id)
      .execute();
  if (sessionId !== null || !isWelcome(account) || account.staff_role !== null) return {};
  // Access to the mailbox is not a second factor.
  if ((await totpFactor(tx, account.id)) !== undefined) return {};
  return await signDeviceIn(context, account, { isNew: true });
}

/** Changes an address; 409 if another account uses the new one. */
async function changeAddress(
  { tx, now }: ArrivalContext,
  account: AccountRow,
  found: Verification,
  sessionId: string | null,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ email: found.email, email_verified_at: now })
    .where('id', '=', account.id)
    .execute()
    .catch((error: unknown) => {
      if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', msg`User already exists`);
      throw error;
    });
  await noteTrace(tx, account.id, now);
  await endSessions(tx, account.id, sessionId ?? found.session_id);
  await keepFormerAddress(tx, account, now);
}

/**
 * Uses up every code and link of the account; 400 if this one was canceled, used or replaced while the password was
 * checked.
 */
async function useUp(tx: Db, account: AccountRow, { found, authority }: Judged, now: Date): Promise<void> {
  const open = await tx.deleteFrom('verification').where('account_id', '=', account.id).returningAll().execute();
  const isOpen = open.some(({ id, expires_at }) => id === found.id && expires_at > now);
  if (!isOpen || (found.purpose === 'join' && found.email !== account.email)) throw refused();
  if (authority.by === 'joining' && !isHandleOfJoining(found, open)) throw refused();
}

/** Whether a handle is from joining. It proves the password set with it until someone requests another code. */
const isHandleOfJoining = (found: Verification, open: Pick<Verification, 'id'>[]) =>
  found.asked_by === 'join' && open.every(({ id }) => id === found.id);

/** Throws 401 if the session or password became invalid before the account was locked. */
async function requireAuthority(tx: Db, authority: Authority, account: AccountRow): Promise<void> {
  if (authority.by === 'session') await requireSession(tx, authority.sessionId);
  if (authority.by === 'password' && authority.hash !== account.password_hash) throw passwordChanged();
}

/** What entitles the holder of an emailed link or code to verify the address; 403 if nothing does. */
async function authorityOf(context: CallContext<Caller | null>, proof: Proof, found: Verification): Promise<Authority> {
  const { deps, caller } = context;
  const account = await accountById(deps.db, found.account_id);
  const isChange = found.purpose === 'change';
  const { password, newPassword } = { password: undefined, newPassword: undefined, ...proof };
  const isOwnSession = caller?.accountId === account.id;
  // Anyone who reads the new mailbox has the link, so a link needs the session that requested the change. A code is
  // typed where it was requested.
  if (isOwnSession && (!isChange || !('token' in proof) || caller.sessionId === found.session_id))
    return { by: 'session', sessionId: caller.sessionId };
  if (password !== undefined) {
    const owner = await accountByPassword(context, { email: account.email, password });
    if (owner?.id !== account.id) throw new AppError('WRONG_PASSWORD', msg`That is not the password of this account.`);
    return { by: 'password', hash: owner.password_hash };
  }
  if (!isChange && newPassword !== undefined) {
    checkPassword(newPassword, passwordOwner(account));
    return { by: 'new password', hash: await hashPassword(newPassword), suitsStaff: suitsStaff(newPassword) };
  }
  if (!isChange && 'verificationToken' in proof && isHandleOfJoining(found, await openOf(deps.db, account.id)))
    return { by: 'joining' };
  if ('verificationToken' in proof) await returnTry(deps.db, found.id);
  const known = { purpose: found.purpose, hasPassword: account.password_hash !== null };
  throw new AppError('PROOF_REQUIRED', msg`Please confirm that this is your account.`, {
    data: { proof: { ...known, hasFactor: false, hasPasskey: false } },
  });
}

async function openOf(db: Db, accountId: string): Promise<Verification[]> {
  return await db.selectFrom('verification').selectAll().where('account_id', '=', accountId).execute();
}

async function findProof(db: Db, caller: Caller | null, proof: Proof, now: Date): Promise<Verification> {
  if ('token' in proof) {
    const row = await db
      .selectFrom('verification')
      .selectAll()
      .where('token_hash', '=', hashToken(proof.token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (row === undefined) throw refused();
    return row;
  }
  if ('verificationToken' in proof) return await byHandle(db, proof.verificationToken, proof.code, now);
  if (caller === null) throw unauthenticated();
  return await byOwnCode(db, caller.accountId, proof.code, now);
}

/** The attempt is counted before the code is checked, so that a thousand parallel guesses still count as five. */
async function byHandle(db: Db, handle: string, code: string, now: Date): Promise<Verification> {
  const counted = await db
    .updateTable('verification')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('handle_hash', '=', hashToken(handle))
    .where('tries', '<', verificationCodeMaxTries)
    .where('code_expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (counted === undefined || !counted.code_hash.equals(codeHash(counted.handle_hash, code))) throw refused();
  return counted;
}

/** Undoes a counted attempt: a correct code whose holder still has to prove who they are is not a guess. */
async function returnTry(db: Db, id: string): Promise<void> {
  await db
    .updateTable('verification')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

/**
 * Signed-in callers may enter the code of any open email, and their attempts are counted separately, because anyone can
 * have codes sent to their address and guess them wrong.
 */
async function byOwnCode(db: Db, accountId: string, code: string, now: Date): Promise<Verification> {
  const counted = await db
    .updateTable('verification')
    .set((eb) => ({ owner_tries: eb('owner_tries', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('owner_tries', '<', verificationCodeMaxTries)
    .where('code_expires_at', '>', now)
    .returningAll()
    .execute();
  const found = counted.find(({ code_hash, handle_hash }) => code_hash.equals(codeHash(handle_hash, code)));
  if (found === undefined) throw refused();
  return found;
}
