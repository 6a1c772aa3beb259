import { msg } from '@lingui/core/runtime-macro';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import type { Deps } from '../../../deps.ts';
import { providerNames, type Claim, saveIdentity } from './identities.ts';
import { AppError, committed, notFound } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import { ProviderUnavailable, reasonOf, RefusedToken, type ShownIdentity } from './providers/provider.ts';
import { warnEverywhere } from '../address/changes.ts';
import { Raced } from '#platform/db/db.ts';
import {
  afterFirstFactor,
  isWelcome,
  noteArrival,
  requireWelcome,
  type FirstFactorAnswer,
} from '../session/sign-in.ts';
import { type AccountRow, accountById } from '../accounts.ts';
import type { ArrivalContext } from '../session/sessions.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { ownNameOrNone } from '#platform/service/team-names.ts';
import { insertMember } from '../join/join.ts';
import { openVerification } from '../join/mailed-codes.ts';

/** The provider's token that a caller presents. */
export type Shown =
  | { tokenId: string }
  | { authorizationCode: string; codeVerifier: string; redirectUri: string }
  | { accessToken: string; userID?: string | undefined };

const retryAfterSeconds = 30;

/** Runs `ask`, which calls a provider. Throws `refusal` for what it refuses; 503 if it is unavailable, because then nothing is known. */
export async function fromProvider<T>(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  { id, name }: { id: string; name: string },
  refusal: ErrorCode,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RefusedToken) {
      log.info({ provider: id, reason: error.message }, 'an identity was refused');
      throw new AppError(refusal, msg`${{ name }} didn't confirm that it's you. Please try again.`);
    }
    if (!(error instanceof ProviderUnavailable)) throw error;
    metrics.providerErrors.inc({ provider: id });
    log.warn(
      { err: error.cause ?? error, provider: id, asked: error.message, reason: reasonOf(error) },
      'an identity provider did not answer',
    );
    const text = msg`${{ name }} can't be reached right now. Please try again in a moment, or sign in another way.`;
    throw new AppError('UNAVAILABLE', text, { retryAfterSeconds });
  }
}

/**
 * Reads the identity that a caller presents. Throws `refusal` for an invalid token, 404 if this provider is not
 * configured, and the errors of `fromProvider`.
 */
export async function shownIdentity(
  { deps, request, now }: CallContext<unknown> & { request: FastifyRequest },
  shown: Shown,
  refusal: ErrorCode,
): Promise<ShownIdentity> {
  const { identities, config } = deps;
  const id = 'accessToken' in shown ? 'facebook' : 'google';
  return await fromProvider(deps, { id, name: providerNames[id] }, refusal, async () => {
    if ('accessToken' in shown) {
      if (identities.facebook === null) throw notFound();
      return await identities.facebook.read(shown.accessToken, shown.userID, now);
    }
    const { google, nonces } = identities;
    if (google === null) throw notFound();
    const nonce = nonces.read(request.headers.cookie, now);
    if ('tokenId' in shown) return await google.read(shown.tokenId, nonce, now);
    // The code came through a browser, so it must belong to a nonce and a page of this service.
    if (nonce === null || URL.parse(shown.redirectUri)?.origin !== new URL(config.publicUrl).origin)
      throw new RefusedToken('browser');
    return await google.read(await google.exchange(shown), nonce, now);
  });
}

type Way = 'signed in' | 'linked' | 'transferred' | 'joined';

/** The outcome of a presented identity. */
export type Outcome =
  | { answer: FirstFactorAnswer; accountId: string; what: Way }
  | { unwelcome: AccountRow }
  | { linkToken: string }
  | { joinToken: string };

/** Opens a session or requests a code, unless the account belongs to staff, is leaving or is deactivated. */
export async function link(
  { tx, now }: Pick<ArrivalContext, 'tx' | 'now'>,
  account: AccountRow,
  claim: Claim,
  template: 'identityLinked' | 'accountTransferred' = 'identityLinked',
): Promise<void> {
  await saveIdentity(tx, account.id, claim, now);
  await warnEverywhere(tx, account, { template, data: { provider: providerNames[claim.provider] } }, now);
}

/** Opens a session or requests a code, unless the account belongs to staff, is leaving or deactivated. */
export async function enter(context: ArrivalContext, account: AccountRow, what: Way): Promise<Outcome> {
  if (account.staff_role !== null || !isWelcome(account)) return { unwelcome: account };
  const isNew = what === 'joined' || what === 'transferred';
  const answer = await afterFirstFactor(context, account, { isNew });
  return { answer, accountId: account.id, what };
}

/** The answer to an outcome. Refusals are committed, so that what was recorded with them is kept. */
export async function answerTo(context: ArrivalContext, claim: Claim, outcome: Outcome): Promise<FirstFactorAnswer> {
  const { provider, firstName, email, isEmailProven } = claim;
  const name = providerNames[provider];
  if ('answer' in outcome) {
    const { answer, accountId, what } = outcome;
    context.after(() => context.deps.log.info({ accountId, provider, what }, 'identity accepted'));
    if ('token' in answer) noteArrival(context, accountId);
    return answer;
  }
  if ('linkToken' in outcome) {
    const text = msg`There is already an account with this address. Enter its password once to link ${{ name }} to it.`;
    throw committed(new AppError('LINK_NEEDS_PASSWORD', text, { data: { linkToken: outcome.linkToken } }));
  }
  if ('joinToken' in outcome) {
    const joining = { token: outcome.joinToken, firstName, email, isEmailProven };
    const text = msg`Please accept the terms to create your account.`;
    throw committed(new AppError('JOIN_UNFINISHED', text, { data: { joining } }));
  }
  if (outcome.unwelcome.staff_role === null) await requireWelcome(context, outcome.unwelcome);
  throw committed(new AppError('FORBIDDEN', msg`This account can't use this sign-in method. Please use its password.`));
}

/** An identity with an address, which can become an account. */
export type ClaimWithEmail = Claim & { email: string };

/**
 * Creates a member without a password from an identity, after consent; emails a code unless the provider vouches for
 * the address. Throws `Raced` if another request has just used the address.
 */
export async function makeMemberWith(
  context: Pick<ArrivalContext, 'tx' | 'deps' | 'now'>,
  claim: ClaimWithEmail,
): Promise<AccountRow> {
  const { tx, now } = context;
  const { email, isEmailProven, firstName, lastName } = claim;
  const id = await insertMember(context, {
    email,
    passwordHash: null,
    passwordSuitsStaff: false,
    emailVerifiedAt: isEmailProven ? now : null,
    firstName: ownNameOrNone(firstName),
    lastName: ownNameOrNone(lastName),
    birthDate: null,
    gender: null,
  });
  if (id === null) throw new Raced('the address is in use');
  await saveIdentity(tx, id, claim, now);
  if (!isEmailProven) {
    const handleHash = hashToken(newToken());
    await openVerification(tx, { id }, { email, purpose: 'join', askedBy: 'join', handleHash }, now);
  }
  return await accountById(tx, id);
}
