import { msg } from '@lingui/core/runtime-macro';
import type { Proof } from '#contract/auth/factors.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { passkeyRegister } from '#contract/auth/passkeys.ts';
import type { Caller } from '#platform/session/caller.ts';
import { notFound, AppError } from '#platform/http/app-error.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import type { Db } from '#platform/db/db.ts';
import { presentBrand } from '#platform/service/brand.ts';
import type { Deps } from '../../../deps.ts';
import { lowerSessionsWithoutFactor } from '../factors/factors.ts';
import { judgeProof, type JudgedProof, requireProof } from '../password/proof.ts';
import { lockAccount } from '../accounts.ts';
import { demandWayIn } from '../identity/identities.ts';
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { passkeyNameMaxLength, passkeysMax } from '#contract/constants.ts';
import type { Attestation, CreationOptions } from '#contract/auth/webauthn.ts';
import { endSessions, deviceName, raiseSession } from '#platform/session/sessions.ts';
import { cancelEmailChanges, checkAddressIsSettled, warnEverywhere } from '../address/changes.ts';
import { fullName } from '#platform/session/own-user.ts';
import {
  userHandleOf,
  challengeIn,
  newPasskeyChallenge,
  passkeyTimeoutMs,
  relyingParty,
  takePasskeyChallenge,
} from './sign-in.ts';
import { checkProven } from '../policy.ts';

/** All passkeys of an account, the newest first. */
export function passkeysOf(db: Db, accountId: string) {
  return db.selectFrom('passkey').selectAll().where('account_id', '=', accountId).orderBy('created_at', 'desc');
}

/** The columns of a passkey as its owner sees it. */
const shown = [
  'id as _id',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'synced as isSynced',
] as const;

/** The caller's passkeys, the newest first. */
export async function listPasskeys(db: Db, caller: Caller) {
  return await passkeysOf(db, caller.accountId).clearSelect().select(shown).execute();
}

/** Renames one of the caller's passkeys; 404 for any other. */
export async function renamePasskey({ tx, caller }: CommandContext, { id, name }: { id: string; name: string }) {
  const row = await tx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .returning(shown)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/**
 * Removes one of the caller's passkeys and ends their other sessions, which it may have opened. 404 for any other
 * passkey, 409 for the last sign-in method or within a week of a change of address.
 */
export async function removePasskey(
  context: CommandContext,
  { id, proof }: { id: string; proof: JudgedProof },
): Promise<void> {
  const { tx, caller, now } = context;
  const account = await requireProof(context, proof);
  await checkAddressIsSettled(tx, account.id, now);
  const gone = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('account_id', '=', account.id)
    .returning('name')
    .executeTakeFirst();
  if (gone === undefined) throw notFound();
  await demandWayIn(context, account);
  await endSessions(tx, account.id, caller.sessionId);
  await lowerSessionsWithoutFactor(tx, account.id);
  await cancelEmailChanges(tx, account.id, now);
  await warnEverywhere(tx, account, { template: 'passkeyRemoved', data: { name: gone.name } }, now);
}

/** Accepted signature algorithms, the shortest signatures first. */
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];
const refused = () => new AppError('PASSKEY_REFUSED', msg`Couldn't create the passkey. Please try again.`);
const tooMany = () =>
  new AppError(
    'TOO_MANY_PASSKEYS',
    msg`You already have ${{ passkeysMax }} passkeys. Please remove one you don't use.`,
  );

/** Checks the proof for a new passkey. */
export async function prepareCreation(context: CallContext, proof: Proof): Promise<JudgedProof> {
  checkProven(context.caller);
  return await judgeProof(context, proof);
}

/**
 * The options that a browser needs to create a passkey, once the caller is confirmed; 422 if they already have twenty.
 */
export async function passkeyCreation(context: CommandContext, proof: JudgedProof): Promise<CreationOptions> {
  const { tx, deps, caller, now } = context;
  const { accountId, email } = caller;
  const account = await requireProof(context, proof);
  if (account.password_hash === null) await checkAddressIsSettled(tx, account.id, now);
  const known = await passkeysOf(tx, accountId).execute();
  if (known.length >= passkeysMax) throw tooMany();
  const displayName = fullName(caller.firstName, caller.lastName) ?? email;
  return {
    rp: { id: relyingParty(deps.config).rpId, name: presentBrand().name },
    user: { id: userHandleOf(accountId), name: email, displayName },
    challenge: await newPasskeyChallenge(tx, accountId, now),
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: passkeyTimeoutMs,
    attestation: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({
      id: credential_id.toString('base64url'),
      type: 'public-key' as const,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

type MadePasskey = NonNullable<Awaited<ReturnType<typeof readAttestation>>>;

/** Reads a new passkey that answers one of the caller's challenges, which is used up; 422 for anything else. */
export async function readPasskey(
  { deps, caller, now }: CallContext,
  { credential }: BodyOf<typeof passkeyRegister>,
): Promise<MadePasskey> {
  checkProven(caller);
  const challenge = challengeIn(credential.response);
  if (challenge === null || !(await takePasskeyChallenge(deps.db, challenge, caller.accountId, now))) throw refused();
  const made = await readAttestation(deps, credential, challenge);
  if (made === null) throw refused();
  return made;
}

/**
 * Stores a passkey of the caller, emails them, and gives this session new tokens. 422 if they have twenty, 409 for a
 * passkey that is already known.
 */
export async function keepPasskey(
  { tx, deps, caller, userAgent, now }: CommandContext,
  { made, name }: { made: MadePasskey; name?: string | undefined },
) {
  const { accountId } = caller;
  const account = await lockAccount(tx, accountId);
  if ((await passkeysOf(tx, accountId).execute()).length >= passkeysMax) throw tooMany();
  const row = await tx
    .insertInto('passkey')
    .values({
      ...made,
      account_id: accountId,
      name: name ?? deviceName(userAgent).slice(0, passkeyNameMaxLength),
      created_at: now,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(shown)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('CONFLICT', msg`This passkey is already registered.`);
  await cancelEmailChanges(tx, accountId, now);
  await warnEverywhere(tx, account, { template: 'passkeyAdded', data: { name: row.name } }, now);
  return { passkey: row, ...(await raiseSession(tx, deps.tokens, caller.sessionId, now)) };
}

/** The public key in a valid attestation, or null. */
async function readAttestation(deps: Deps, { id, rawId, type, response }: Attestation, challenge: string) {
  const { rpId, origin } = relyingParty(deps.config);
  const { clientDataJSON, attestationObject } = response;
  try {
    if (!isUncertified(attestationObject)) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (registrationInfo === undefined) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      synced: credentialBackedUp,
    };
  } catch {
    // The library throws for every kind of invalid input.
    return null;
  }
}

/**
 * Whether an attestation has no certificate. Certificates are never requested, and to verify one the library would call
 * a URL inside it, so they are refused.
 */
function isUncertified(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}
