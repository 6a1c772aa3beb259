import { msg } from '@lingui/core/runtime-macro';
import type { passkeyLogin } from '#contract/auth/passkeys.ts';
import type { Assertion, RequestOptions } from '#contract/auth/webauthn.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { lockJudged, noteArrival, requireWelcome, type FirstFactorAnswer } from '../session/sign-in.ts';
import { requireOwnWay } from '../house/people.ts';
import { challengedAccount, challengeExpired, openChallenge, takeChallenge } from '../session/challenges.ts';
import { hasPasskey, totpFactor } from '../factors/factors.ts';
import { accountById, mailboxOf, type AccountRow } from '../accounts.ts';
import { signDeviceIn, type ArrivalContext } from '../session/sessions.ts';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { passkeyChallengeMinutes } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Config } from '#platform/config/config.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { queueMail } from '#platform/notify/mail.ts';

const refused = () =>
  new AppError('INVALID_CREDENTIALS', msg`This passkey didn't work. Please try again, or sign in with your password.`);

/** The options that a browser needs to request any passkey of this site. */
export async function passkeyRequest({ tx, deps, now }: ArrivalContext): Promise<RequestOptions> {
  return {
    challenge: await newPasskeyChallenge(tx, null, now),
    timeout: passkeyTimeoutMs,
    rpId: relyingParty(deps.config).rpId,
    userVerification: 'required',
  };
}

/**
 * Checks a passkey that signs in, or that completes the sign-in of a challenge; the same 401 whatever is wrong with it, 400
 * for a challenge that has expired.
 */
export async function judgePasskey(
  { deps, now }: CallContext<unknown>,
  { credential, challenge }: BodyOf<typeof passkeyLogin>,
): Promise<Asserted> {
  const accountId = challenge === undefined ? undefined : await challengedAccount(deps.db, challenge, now);
  const asserted = await readAssertion(deps, credential, now);
  if (asserted !== null && (accountId === undefined || asserted.account.id === accountId)) return asserted;
  deps.metrics.loginFailures.inc();
  throw refused();
}

/**
 * Signs in with a verified passkey, which counts as both factors. A passkey whose counter went backwards may be a copy: it also needs a
 * code, after which its counter is trusted again. It is refused without two-step verification, and as the second factor after the house's
 * account (`challenge`).
 */
export async function signInWithPasskey(
  context: ArrivalContext,
  { asserted, challenge }: { asserted: Asserted; challenge?: string | undefined },
): Promise<FirstFactorAnswer> {
  const { tx, now } = context;
  const account = await lockJudged(tx, asserted.account);
  // The passkey may have been removed since it was verified.
  if (!(await hasPasskey(tx, account.id, asserted.id))) throw refused();
  await requireWelcome(context, account);
  const { staleCounter } = asserted;
  if (staleCounter !== null && challenge !== undefined) throw mayBeCopy();
  const house = challenge === undefined ? undefined : await takeChallenge(tx, challenge, now);
  if (challenge !== undefined && house === undefined) throw challengeExpired();
  if (house === undefined) await requireOwnWay(context, account);
  if (staleCounter === null) {
    const signedIn = await signDeviceIn(context, account, { secondFactor: true, house });
    noteArrival(context, account.id);
    return signedIn;
  }
  if ((await totpFactor(tx, account.id)) === undefined) throw mayBeCopy();
  const passkey = { id: asserted.id, counter: staleCounter };
  return { totpRequired: true, challenge: await openChallenge(tx, account.id, now, { passkey }) };
}

const mayBeCopy = () =>
  new AppError(
    'INVALID_CREDENTIALS',
    msg`This passkey may be a copy, so it no longer signs in. Please sign in another way, remove it in your settings, and create a new one.`,
  );

/** How long a browser waits for the user's confirmation. */
export const passkeyTimeoutMs = passkeyChallengeMinutes * 60_000;

/** The site that passkeys belong to: the public URL, whatever a request claims. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpId: hostname, origin };
}

/** Creates a challenge for a new passkey of an account, or for a sign-in (null). */
export async function newPasskeyChallenge(db: Db, accountId: string | null, now: Date): Promise<string> {
  const challenge = newToken();
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: hashToken(challenge),
      account_id: accountId,
      expires_at: secondsAfter(now, passkeyChallengeMinutes * 60),
    })
    .execute();
  return challenge;
}

/** Whether a challenge is open and was issued for this account. It is used up either way. */
export async function takePasskeyChallenge(
  db: Db,
  challenge: string,
  accountId: string | null,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', hashToken(challenge))
    .returning(['account_id', 'expires_at'])
    .executeTakeFirst();
  return taken !== undefined && taken.account_id === accountId && taken.expires_at > now;
}

/** The challenge that an authenticator answered; null if the answer did not come from our own page. */
export function challengeIn({ clientDataJSON }: { clientDataJSON: string }): string | null {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON) as {
      challenge?: unknown;
      crossOrigin?: unknown;
    };
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

/** A passkey that signed an open challenge of this service. */
export interface Asserted {
  id: string;
  account: Pick<AccountRow, 'id' | 'staff_role'>;
  name: string;
  /** The reported counter if it went backwards; null for a passkey that can be trusted. */
  staleCounter: number | null;
}

/**
 * The passkey, with its owner, that signed an open challenge for this site and verified its user; null for anything
 * else. If its counter went backwards, the owner is emailed: it was copied, or its device was restored from a backup.
 */
async function readAssertion(deps: Deps, credential: Assertion, now: Date): Promise<Asserted | null> {
  const { db } = deps;
  const known = await db
    .selectFrom('passkey')
    .innerJoin('account', 'account.id', 'passkey.account_id')
    .select(['passkey.id', 'account_id', 'account.staff_role', 'public_key', 'name'])
    .where('credential_id', '=', Buffer.from(credential.id, 'base64url'))
    .executeTakeFirst();
  const challenge = challengeIn(credential.response);
  // An unknown passkey uses up the challenge as well.
  if (challenge === null || !(await takePasskeyChallenge(db, challenge, null, now))) return null;
  if (known === undefined || !isOfItsOwner(credential, known.account_id)) return null;
  const counter = await verifiedCounter(deps, credential, challenge, known.public_key);
  if (counter === null) return null;
  const { id, account_id, staff_role, name } = known;
  const isTrusted = await isForward(db, known.id, counter, now);
  const asserted = {
    id,
    account: { id: account_id, staff_role },
    name,
    staleCounter: isTrusted ? null : counter,
  };
  if (!isTrusted) await warnOfCopy(db, asserted, now);
  return asserted;
}

/** The counter of a valid signature, or null. */
async function verifiedCounter(
  { config }: Pick<Deps, 'config'>,
  { id, rawId, type, response }: Assertion,
  challenge: string,
  publicKey: Buffer,
): Promise<number | null> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { rpId, origin } = relyingParty(config);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // Counters are compared below, and only if the signature is valid.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for every kind of invalid input.
    return null;
  }
}

/** Whether the user handle that an authenticator reports, if any, is the account that created the passkey. */
function isOfItsOwner({ response }: Assertion, accountId: string): boolean {
  const { userHandle } = response;
  return userHandle === undefined || userHandle === null || userHandle === userHandleOf(accountId);
}

/** The user handle under which authenticators store an account's passkeys. */
export function userHandleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
}

async function isForward(db: Db, passkeyId: string, counter: number, now: Date): Promise<boolean> {
  const used = await db
    .updateTable('passkey')
    .set({ sign_count: counter, last_used_at: now })
    .where('id', '=', passkeyId)
    .where((eb) =>
      // Many authenticators have no counter and always report 0.
      counter === 0 ? eb('sign_count', '=', '0') : eb('sign_count', '<', String(counter)),
    )
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

async function warnOfCopy(db: Db, { account: { id }, name }: Asserted, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await accountById(tx, id);
    await queueMail(tx, { ...mailboxOf(account), template: 'passkeyCopied', data: { name } }, now);
  });
}

/** The 422 error for a passkey that does not or no longer belongs to the account. */
export const passkeyRefused = (): AppError =>
  new AppError('PASSKEY_REFUSED', msg`This passkey is not one of yours or didn't work. Please try again.`);

/** The id of the account's passkey that signed this response; 422 for any other. */
export async function ownAssertion(deps: Deps, accountId: string, credential: Assertion, now: Date): Promise<string> {
  const asserted = await readAssertion(deps, credential, now);
  if (asserted?.account.id !== accountId || asserted.staleCounter !== null) throw passkeyRefused();
  return asserted.id;
}
