import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Assertion } from '#contract/auth/passkey.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { challengeIn, relyingParty, takePasskeyChallenge } from './passkey-challenges.ts';
import { accountById, mailboxOf } from '../queries.ts';

interface Asserted {
  id: string;
  accountId: string;
  name: string;
}

/**
 * Whose passkey signed an open challenge of ours, at our address and with its holder verified; null for anything else. One
 * whose counter went backwards was copied: it is refused, and its owner told.
 */
export async function readAssertion(deps: Deps, credential: Assertion, now: Date): Promise<Asserted | null> {
  const { db } = deps;
  const known = await db
    .selectFrom('passkey')
    .select(['id', 'account_id', 'public_key', 'name'])
    .where('credential_id', '=', Buffer.from(credential.id, 'base64url'))
    .executeTakeFirst();
  const challenge = challengeIn(credential.response);
  // Used up whatever comes of it, also by a passkey that is not known.
  if (challenge === null || !(await takePasskeyChallenge(db, challenge, null, now))) return null;
  if (known === undefined || !isOfItsOwner(credential, known.account_id)) return null;
  const counter = await verifiedCounter(deps, credential, challenge, known.public_key);
  if (counter === null) return null;
  const asserted = { id: known.id, accountId: known.account_id, name: known.name };
  if (await isForward(db, known.id, counter, now)) return asserted;
  await warnOfCopy(db, asserted, now);
  return null;
}

/** The counter of a good signature, else null. */
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
      // Counters are compared here below, and only of who can sign.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for each thing that is not as it should be.
    return null;
  }
}

/** An authenticator says for whom it keeps a passkey: for the account that made it. */
function isOfItsOwner({ response }: Assertion, accountId: string): boolean {
  const { userHandle } = response;
  return userHandle === undefined || userHandle === null || userHandle === userHandleOf(accountId);
}

/** What authenticators keep an account's passkeys under. */
export function userHandleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
}

async function isForward(db: Db, passkeyId: string, counter: number, now: Date): Promise<boolean> {
  const used = await db
    .updateTable('passkey')
    .set({ sign_count: counter, last_used_at: now })
    .where('id', '=', passkeyId)
    .where((eb) =>
      // Many authenticators do not count: they say 0 each time.
      counter === 0 ? eb('sign_count', '=', '0') : eb('sign_count', '<', String(counter)),
    )
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

async function warnOfCopy(db: Db, { accountId, name }: Asserted, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await accountById(tx, accountId);
    await queueMail(tx, { ...mailboxOf(account), template: 'passkeyCopied', data: { name } }, now);
  });
}

/** 422 unless this is an answer of one of the account's own passkeys. */
export async function ownAssertion(deps: Deps, accountId: string, credential: Assertion, now: Date): Promise<void> {
  const asserted = await readAssertion(deps, credential, now);
  if (asserted?.accountId !== accountId)
    throw new AppError('PASSKEY_REFUSED', 'This passkey is not one of yours, or did not work. Please try again.');
}
