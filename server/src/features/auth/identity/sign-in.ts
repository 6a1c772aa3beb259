import { AppError, invalid } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { ShownIdentity } from './providers/provider.ts';
import { type FirstFactorAnswer, accountByPassword } from '../session/sign-in.ts';
import { handOver, openClaim, type Claim, identitiesOf, ownerOf, useUp, readClaim, takeClaim } from './identities.ts';
import {
  again,
  enter,
  link,
  told,
  type Arrival,
  type Outcome,
  makeMemberWith,
  type ClaimWithEmail,
} from './arrival.ts';
import { accountByEmail, lockAccount, type AccountRow, isRefused } from '../accounts.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { joinWithIdentity } from '#contract/auth/identities.ts';

/**
 * Signs in by a shown identity, or makes a member of who is new and accepts the terms. An address that both sides have proven
 * links by itself; one that only the provider has proven hands the account over; otherwise the account's password is asked for.
 */
export async function signInWithIdentity(
  deps: Deps,
  { once, ...claim }: ShownIdentity,
  acceptTerms: boolean,
  arrival: Arrival,
): Promise<FirstFactorAnswer> {
  const { network } = arrival.origin;
  if (acceptTerms && (await ownerOf(deps.db, claim)) === undefined) {
    await deps.limits.check('addressInUse', network);
    await deps.limits.spend('register', network);
  }
  const outcome = await again(() =>
    inTransaction(deps.db, async (tx) => {
      if (!(await useUp(tx, once)))
        throw new AppError('INVALID_CREDENTIALS', 'This sign-in was used already. Please begin again.');
      return await outcomeOf(tx, deps, claim, acceptTerms, arrival);
    }),
  );
  return await told(deps, claim, outcome, arrival.now);
}

async function outcomeOf(tx: Db, deps: Deps, claim: Claim, acceptTerms: boolean, arrival: Arrival): Promise<Outcome> {
  const { now } = arrival;
  const { email } = claim;
  // In this order: whoever is found by their address alone was not linked a moment ago by another request of theirs.
  const known = email === null ? undefined : await accountByEmail(tx, email);
  const owner = await ownerOf(tx, claim);
  if (owner !== undefined) return await enter(tx, deps, await lockAccount(tx, owner), arrival, 'signed in');
  if (known !== undefined) {
    const account = await lockAccount(tx, known.id);
    return claim.isEmailProven && account.email === email
      ? await byProvenAddress(tx, deps, account, claim, arrival)
      : { linkToken: await openClaim(tx, 'link', claim, now) };
  }
  // As if it were in use: nobody learns that an address is kept out.
  if (email !== null && (await isRefused(tx, deps.addressKey, email, now)))
    return { linkToken: await openClaim(tx, 'link', claim, now) };
  if (!acceptTerms || email === null) return { joinToken: await openClaim(tx, 'join', claim, now) };
  return await enter(tx, deps, await makeMemberWith(tx, { ...claim, email }, now), arrival, 'joined');
}

async function byProvenAddress(
  tx: Db,
  deps: Deps,
  account: AccountRow,
  claim: Claim,
  arrival: Arrival,
): Promise<Outcome> {
  const { now } = arrival;
  if (account.staff_role !== null) return { unwelcome: account };
  if ((await ownerOf(tx, claim)) === account.id) return await enter(tx, deps, account, arrival, 'signed in');
  const isUnproven = account.email_verified_at === null;
  if (isUnproven) await handOver(tx, account, now);
  else if ((await identitiesOf(tx, account.id)).some(({ provider }) => provider === claim.provider))
    // Somebody else's, or one's own under another name: an address may have changed hands.
    return { linkToken: await openClaim(tx, 'link', claim, now) };
  await link(tx, account, claim, now, isUnproven ? 'accountTransferred' : 'identityLinked');
  return await enter(tx, deps, account, arrival, isUnproven ? 'handed over' : 'linked');
}

/**
 * Signs in by the password of the account whose address an identity has, throttled as any sign-in, and links the two. Where a
 * second factor is still to come it is only signed in to: the identity is then linked in the settings.
 */
export async function linkWithPassword(
  deps: Deps,
  body: { linkToken: string; password: string },
  arrival: Arrival,
): Promise<FirstFactorAnswer> {
  const { now, origin } = arrival;
  const claim = await readClaim(deps.db, 'link', body.linkToken, now);
  const credentials = { email: claim.email ?? '', password: body.password };
  const account = await accountByPassword(deps, credentials, origin.network, now);
  if (account === null) throw new AppError('WRONG_PASSWORD', 'This is not the password of that account.');
  const outcome = await again(() =>
    inTransaction(deps.db, async (tx): Promise<Outcome> => {
      await takeClaim(tx, body.linkToken);
      const entered = await enter(tx, deps, await lockAccount(tx, account.id), arrival, 'linked');
      const isIn = 'answer' in entered && 'token' in entered.answer;
      if (isIn && (await ownerOf(tx, claim)) === undefined) await link(tx, account, claim, now);
      return entered;
    }),
  );
  return await told(deps, claim, outcome, now);
}

/** The claim as its owner completes it: an address that nobody vouches for can be another. */
function completed(claim: Claim, typed: string | undefined): ClaimWithEmail {
  const email = claim.isEmailProven ? claim.email : (typed ?? claim.email);
  if (email === null) throw invalid('email', 'This is required');
  return { ...claim, email };
}

/** Ends the transaction without an effect; what is to be told instead of an answer, null for an address that is taken. */
class Unfinished extends Error {
  readonly outcome: Outcome | null;

  constructor(outcome: Outcome | null) {
    super('unfinished');
    this.outcome = outcome;
  }
}

/**
 * Makes a member of who has shown an identity and accepts the terms now; answered as a login. 409 with a handle when the address
 * is in use or kept out: the account's password links the identity to it.
 */
export async function joinWith(
  deps: Deps,
  once: <T extends object>(work: (tx: Db) => Promise<T>) => Promise<T>,
  body: BodyOf<typeof joinWithIdentity>,
  arrival: Arrival,
): Promise<{ data: FirstFactorAnswer }> {
  const { now, origin } = arrival;
  await deps.limits.check('addressInUse', origin.network);
  const claim = completed(await readClaim(deps.db, 'join', body.joinToken, now), body.email);
  try {
    return await again(() =>
      once(async (tx) => {
        await takeClaim(tx, body.joinToken);
        const outcome = await joined(tx, deps, claim, arrival);
        if (outcome === null || !('answer' in outcome)) throw new Unfinished(outcome);
        return { message: 'Welcome.', data: await told(deps, claim, outcome, now) };
      }),
    );
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    if (error.outcome !== null) return { data: await told(deps, claim, error.outcome, now) };
    if (!claim.isEmailProven) await deps.limits.spend('addressInUse', origin.network);
    const linkToken = await inTransaction(deps.db, (tx) => openClaim(tx, 'link', claim, now));
    return { data: await told(deps, claim, { linkToken }, now) };
  }
}

async function joined(tx: Db, deps: Deps, claim: ClaimWithEmail, arrival: Arrival): Promise<Outcome | null> {
  const isTaken =
    (await accountByEmail(tx, claim.email)) !== undefined ||
    (await isRefused(tx, deps.addressKey, claim.email, arrival.now));
  const owner = await ownerOf(tx, claim);
  if (owner !== undefined) return await enter(tx, deps, await lockAccount(tx, owner), arrival, 'signed in');
  if (isTaken) return null;
  return await enter(tx, deps, await makeMemberWith(tx, claim, arrival.now), arrival, 'joined');
}
