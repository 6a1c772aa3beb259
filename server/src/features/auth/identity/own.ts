import { msg } from '@lingui/core/runtime-macro';
import type * as z from 'zod/mini';
import { freshSignInMinutes } from '#contract/constants.ts';
import {
  identityProviders,
  type addIdentity as addIdentityCall,
  type IdentityProvider,
  type waysInSchema,
} from '#contract/auth/identities.ts';
import type { Proof } from '#contract/auth/factors.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { Caller } from '#platform/session/caller.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import type { Db } from '#platform/db/db.ts';
import type { ShownIdentity } from './providers/provider.ts';
import { freshSince } from '../session/sessions.ts';
import { link, shownIdentity } from './arrival.ts';
import { checkProven } from '../policy.ts';
import { demandWayIn, deleteIdentity, identitiesOf, ownerOf, useUp, providerNames } from './identities.ts';
import { cancelEmailChanges, checkAddressIsSettled, warnEverywhere } from '../address/changes.ts';
import { endSessions, renewSession, type TokenPair } from '#platform/session/sessions.ts';
import { judgeProof, type JudgedProof, requireProof } from '../password/proof.ts';
import { accountById, lockAccount } from '../accounts.ts';
import { endSecondSteps } from '../session/challenges.ts';

type WaysInput = z.input<typeof waysInSchema>;

/** Throws 403 for staff, who sign in only with their password and second factor. */
export function requireMember(caller: Caller): void {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', msg`Staff accounts sign in with a password`);
}

async function signInMethodsOfAccount(db: Db, accountId: string) {
  const { password_hash } = await accountById(db, accountId);
  return { identities: await identitiesOf(db, accountId), hasPassword: password_hash !== null };
}

/** The caller's sign-in methods other than passkeys. */
export async function signInMethods(db: Db, caller: Caller, now: Date): Promise<WaysInput> {
  const until = secondsAfter(await freshSince(db, caller.sessionId), freshSignInMinutes * 60);
  return {
    ...(await signInMethodsOfAccount(db, caller.accountId)),
    freshUntil: until > now ? until : null,
  };
}

const usedAlready = () => new AppError('IDENTITY_REFUSED', msg`This was already used. Please start over.`);

/** An identity that its provider confirmed, and the caller's own proof. */
interface Adding {
  shown: ShownIdentity;
  proof: JudgedProof;
}

/** Reads an identity from its provider and checks the caller's proof; 403 until the caller's address is verified. */
export async function prepareIdentity(
  context: CallContext & { request: FastifyRequest },
  body: BodyOf<typeof addIdentityCall>,
): Promise<Adding> {
  requireMember(context.caller);
  const shown = await shownIdentity(context, body, 'IDENTITY_REFUSED');
  checkProven(context.caller);
  return { shown, proof: await judgeProof(context, body) };
}

/** Links a presented identity to the caller's account; 409 if it is linked to another account. */
export async function addIdentity(context: CommandContext, { shown, proof }: Adding): Promise<WaysInput> {
  const { tx, caller, now } = context;
  const { once, ...claim } = shown;
  const account = await requireProof(context, proof);
  if (account.password_hash === null) await checkAddressIsSettled(tx, account.id, now);
  if (!(await useUp(tx, once))) throw usedAlready();
  const owner = await ownerOf(tx, claim);
  const name = providerNames[claim.provider];
  if (owner !== undefined && owner !== account.id)
    throw new AppError('IDENTITY_TAKEN', msg`This ${{ name }} account is linked to another account here.`);
  if (owner === undefined) {
    await link(context, account, claim);
    await cancelEmailChanges(tx, account.id, now);
  }
  return await signInMethods(tx, caller, now);
}

interface Unlinking {
  provider: IdentityProvider;
  proof: JudgedProof;
}

/** Checks the proof for removing an identity; 404 for an unknown provider. */
export async function prepareUnlinking(
  context: CallContext,
  { provider: named, proof }: { provider: string; proof: Proof },
): Promise<Unlinking> {
  requireMember(context.caller);
  const provider = identityProviders.find((one) => one === named);
  if (provider === undefined) throw notFound();
  return { provider, proof: await judgeProof(context, proof) };
}

/**
 * Unlinks an identity from the caller's account and ends their other sessions. 404 if it is not linked, 409 if it is
 * the last sign-in method.
 */
export async function removeIdentity(context: CommandContext, { provider, proof }: Unlinking): Promise<WaysInput> {
  const { tx, caller, now } = context;
  const account = await requireProof(context, proof);
  const linked = await identitiesOf(tx, account.id);
  if (!linked.some((identity) => identity.provider === provider)) throw notFound();
  await checkAddressIsSettled(tx, account.id, now);
  await deleteIdentity(tx, account.id, provider);
  // The identity may have opened them, and a sign-in with it may be waiting for a code.
  await endSessions(tx, account.id, caller.sessionId);
  await endSecondSteps(tx, account.id);
  await cancelEmailChanges(tx, account.id, now);
  await demandWayIn(context, account);
  const data = { provider: providerNames[provider] };
  await warnEverywhere(tx, account, { template: 'identityUnlinked', data }, now);
  return await signInMethods(tx, caller, now);
}

/** Confirms the caller's session with an identity linked to their account, as if they had just signed in. */
export async function confirmByIdentity(
  { tx, deps, caller, now }: CommandContext,
  { once, ...claim }: ShownIdentity,
): Promise<WaysInput & TokenPair> {
  if (!(await useUp(tx, once))) throw usedAlready();
  // Locked, so that no other request unlinks the identity in the meantime.
  await lockAccount(tx, caller.accountId);
  if ((await ownerOf(tx, claim)) !== caller.accountId) {
    const name = providerNames[claim.provider];
    throw new AppError('IDENTITY_REFUSED', msg`This is not the ${{ name }} account linked to your account.`);
  }
  const tokens = await renewSession(tx, caller.sessionId, { confirmed_at: now }, { tokens: deps.tokens, now });
  const until = secondsAfter(now, freshSignInMinutes * 60);
  const { identities, hasPassword } = await signInMethodsOfAccount(tx, caller.accountId);
  return { identities, hasPassword, freshUntil: until, ...tokens };
}
