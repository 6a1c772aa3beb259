import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import type { facebookSignIn, googleSignIn, joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CallContext, PreparationContext } from '#platform/http/mount.ts';
import type { Db } from '#platform/db/db.ts';
import type { FastifyRequest } from 'fastify';
import type { ShownIdentity } from './providers/provider.ts';
import { type FirstFactorAnswer, accountByPassword, lockJudged, passwordChanged } from '../session/sign-in.ts';
import { openClaim, type Claim, identitiesOf, lockClaim, ownerOf, useUp, readClaim, takeClaim } from './identities.ts';
import { answerTo, enter, link, type Outcome, makeMemberWith, type ClaimWithEmail, shownIdentity } from './arrival.ts';
import { requireOpenDoor } from '../join/join.ts';
import { proveAddress } from '../join/first-proof.ts';
import { checkToldAddresses, countToldAddress, noteTakenAddress } from '../join/taken-address.ts';
import { accountByEmail, isResetHeld, lockAccount, type AccountRow, isRefused } from '../accounts.ts';
import type { ArrivalContext } from '../session/sessions.ts';

/**
 * An identity that its provider confirmed. `keepCount` counts the request as one that revealed that an address is in
 * use.
 */
interface Presented {
  shown: ShownIdentity;
  acceptTerms: boolean;
  keepCount: () => void;
}

/**
 * Reads a presented identity from its provider, and counts the request until it is known whether it reveals that an
 * address is in use; 429 for too many such requests from a network.
 */
export async function presentIdentity(
  context: PreparationContext<unknown> & { request: FastifyRequest },
  body: BodyOf<typeof googleSignIn> | BodyOf<typeof facebookSignIn>,
): Promise<Presented> {
  const { deps, network } = context;
  const acceptTerms = body.acceptTerms === true;
  const shown = await shownIdentity(context, body, 'INVALID_CREDENTIALS');
  if ((await ownerOf(deps.db, shown)) !== undefined) return { shown, acceptTerms, keepCount: countsNothing };
  if (acceptTerms) {
    await checkToldAddresses(context);
    await deps.limits.spend('register', network);
  }
  return { shown, acceptTerms, keepCount: await countIfTelling(context, shown) };
}

const countsNothing = () => undefined;

/** Counts the request as `countToldAddress` does, unless the address is proven to be the person's own. */
const countIfTelling = async (
  context: PreparationContext<unknown>,
  { email, isEmailProven }: Claim,
): Promise<() => void> => (isEmailProven || email === null ? countsNothing : await countToldAddress(context));

/**
 * Signs in with a presented identity, or creates a member if the person is new and accepts the terms. If both the
 * provider and this service have verified the address, the identity is linked automatically. If only the provider has,
 * the account is transferred. Otherwise the account's password is required.
 */
export async function signInWithIdentity(
  context: ArrivalContext,
  { shown: { once, ...claim }, acceptTerms, keepCount }: Presented,
): Promise<FirstFactorAnswer> {
  if (!(await useUp(context.tx, once)))
    throw new AppError('INVALID_CREDENTIALS', msg`This sign-in was already used. Please start over.`);
  const outcome = await outcomeOf(context, claim, acceptTerms);
  if ('linkToken' in outcome) context.after(keepCount);
  return await answerTo(context, claim, outcome);
}

async function outcomeOf(context: ArrivalContext, claim: Claim, acceptTerms: boolean): Promise<Outcome> {
  const { tx, deps, now } = context;
  const { email } = claim;
  // The account is looked up before the identity, so that an account found by its address alone was not linked a moment
  // ago by a parallel request.
  const known = email === null ? undefined : await accountByEmail(tx, email);
  const owner = await lockOwner(tx, claim);
  if (owner !== undefined) return await enter(context, owner, 'signed in');
  if (known !== undefined) {
    const account = await lockAccount(tx, known.id);
    return claim.isEmailProven && account.email === email
      ? await byProvenAddress(context, account, claim)
      : { linkToken: await openLink(tx, claim, now) };
  }
  requireOpenDoor(deps);
  // Answered like an address in use, so that no one learns that it is blocked.
  if (email !== null && (await isRefused(tx, deps.addressKey, email, now)))
    return { linkToken: await openLink(tx, claim, now) };
  if (!acceptTerms || email === null) return { joinToken: await openClaim(tx, 'join', claim, now) };
  return await enter(context, await makeMemberWith(context, { ...claim, email }), 'joined');
}

/** Opens a handle with which the password of the account that has the address links the identity to it. */
async function openLink(tx: Db, claim: Claim, now: Date): Promise<string> {
  if (claim.email !== null) await noteTakenAddress(tx, claim.email);
  return await openClaim(tx, 'link', claim, now);
}

/**
 * Locks the account that an identity is linked to; undefined if there is none, or another request unlinked it before
 * the lock.
 */
async function lockOwner(tx: Db, claim: Claim): Promise<AccountRow | undefined> {
  const owner = await ownerOf(tx, claim);
  if (owner === undefined) return undefined;
  const account = await lockAccount(tx, owner);
  return (await ownerOf(tx, claim)) === owner ? account : undefined;
}

async function byProvenAddress(context: ArrivalContext, account: AccountRow, claim: Claim): Promise<Outcome> {
  const { tx, now } = context;
  if (account.staff_role !== null) return { unwelcome: account };
  if ((await ownerOf(tx, claim)) === account.id) return await enter(context, account, 'signed in');
  const isUnproven = account.email_verified_at === null;
  // The account's password shows its owner even then.
  if (isUnproven && isResetHeld(account, now)) return { linkToken: await openLink(tx, claim, now) };
  if (isUnproven) await proveAddress(tx, account, null, now);
  else if ((await identitiesOf(tx, account.id)).some(({ provider }) => provider === claim.provider))
    // Another identity of this provider is already linked, so the address may have a new owner.
    return { linkToken: await openLink(tx, claim, now) };
  await link(context, account, claim, isUnproven ? 'accountTransferred' : 'identityLinked');
  return await enter(context, account, isUnproven ? 'transferred' : 'linked');
}

interface Linking {
  claim: Claim;
  account: AccountRow;
}

/**
 * Checks the password of the account that has an identity's address, throttled like any sign-in; 403 for a wrong one.
 */
export async function judgeLinking(
  context: CallContext<unknown>,
  { linkToken, password }: BodyOf<typeof linkByPassword>,
): Promise<Linking> {
  const claim = await readClaim(context.deps.db, 'link', linkToken, context.now);
  const account = await accountByPassword(context, { email: claim.email ?? '', password });
  if (account === null) throw new AppError('WRONG_PASSWORD', msg`That is not the password of this account.`);
  return { claim, account };
}

/**
 * Signs in to the account whose password was right, and links the identity. If a code is still required, nothing is
 * linked: the member can link the identity in the settings later.
 */
export async function linkWithPassword(
  context: ArrivalContext,
  { linkToken, claim, account }: Linking & { linkToken: string },
): Promise<FirstFactorAnswer> {
  const { tx } = context;
  await takeClaim(tx, linkToken);
  const locked = await lockJudged(tx, account);
  if (locked.password_hash !== account.password_hash) throw passwordChanged();
  const entered = await enter(context, locked, 'linked');
  const isIn = 'answer' in entered && 'token' in entered.answer;
  if (isIn && (await ownerOf(tx, claim)) === undefined) await link(context, account, claim);
  return await answerTo(context, claim, entered);
}

/** The claim with the address that its owner typed. An address that the provider vouches for can't be replaced. */
function completed(claim: Claim, typed: string | undefined): ClaimWithEmail {
  const email = claim.isEmailProven ? claim.email : (typed ?? claim.email);
  if (email === null) throw invalid('email', msg`This is required`);
  return { ...claim, email };
}

interface Joining {
  claim: ClaimWithEmail;
  keepCount: () => void;
}

/** Reads the identity of a person who joins, and counts the request like `presentIdentity`. */
export async function prepareJoining(
  context: PreparationContext<unknown>,
  { joinToken, email }: BodyOf<typeof joinWithIdentity>,
): Promise<Joining> {
  const { deps, now } = context;
  await checkToldAddresses(context);
  const claim = completed(await readClaim(deps.db, 'join', joinToken, now), email);
  return { claim, keepCount: await countIfTelling(context, claim) };
}

/**
 * Creates a member from a presented identity once the terms are accepted; answers like a sign-in. 409 with a handle if
 * the address is in use or blocked: the account's password then links the identity to it. After a refusal the handle of
 * joining remains valid.
 */
export async function joinWith(
  context: ArrivalContext,
  { joinToken, claim, keepCount }: Joining & { joinToken: string },
): Promise<FirstFactorAnswer> {
  const { tx, now } = context;
  await lockClaim(tx, joinToken);
  const outcome = await joined(context, claim);
  if (outcome !== null && 'answer' in outcome) await takeClaim(tx, joinToken);
  if (outcome === null) context.after(keepCount);
  return await answerTo(context, claim, outcome ?? { linkToken: await openLink(tx, claim, now) });
}

/** The outcome of joining; null if the address is taken. */
async function joined(context: ArrivalContext, claim: ClaimWithEmail): Promise<Outcome | null> {
  const { tx, deps, now } = context;
  const isTaken =
    (await accountByEmail(tx, claim.email)) !== undefined || (await isRefused(tx, deps.addressKey, claim.email, now));
  const owner = await lockOwner(tx, claim);
  if (owner !== undefined) return await enter(context, owner, 'signed in');
  requireOpenDoor(deps);
  if (isTaken) return null;
  return await enter(context, await makeMemberWith(context, claim), 'joined');
}
