import { AppError, invalid } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { ShownIdentity } from './providers/provider.ts';
import { type FirstFactorAnswer, accountByPassword, lockJudged, passwordChanged } from '../session/sign-in.ts';
import { openClaim, type Claim, identitiesOf, ownerOf, useUp, readClaim, takeClaim } from './identities.ts';
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
import { proveAddress } from '../join/first-proof.ts';
import { noteTakenAddress } from '../join/taken-address.ts';
import { accountByEmail, lockAccount, type AccountRow, isRefused } from '../accounts.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { joinWithIdentity } from '#contract/auth/identities.ts';

/**
 * Signs in with a presented identity, or creates a member when the person is new and accepts the terms. When both sides have
 * verified the address, the identity is linked automatically; when only the provider has, the account is transferred;
 * otherwise the account's password is required.
 */
export async function signInWithIdentity(
  deps: Deps,
  { once, ...claim }: ShownIdentity,
  acceptTerms: boolean,
  arrival: Arrival,
): Promise<FirstFactorAnswer> {
  const { network } = arrival.origin;
  const decide = () =>
    again(() =>
      inTransaction(deps.db, async (tx) => {
        if (!(await useUp(tx, once)))
          throw new AppError('INVALID_CREDENTIALS', 'This sign-in was already used. Please start over.');
        return await outcomeOf(tx, deps, claim, acceptTerms, arrival);
      }),
    );
  if ((await ownerOf(deps.db, claim)) !== undefined) return await told(deps, claim, await decide(), arrival.now);
  if (acceptTerms) {
    await deps.limits.check('addressInUse', network);
    await deps.limits.spend('register', network);
  }
  const outcome = await countingToldAddress(deps, claim, network, async (keep) => {
    const decided = await decide();
    if ('linkToken' in decided) keep();
    return decided;
  });
  return await told(deps, claim, outcome, arrival.now);
}

/** Runs `work` and counts it for the network if it tells that an address is in use, unless the address is the person's own. */
async function countingToldAddress<T>(
  { limits }: Deps,
  { email, isEmailProven }: Claim,
  network: string,
  work: (keep: () => void) => Promise<T>,
): Promise<T> {
  return isEmailProven || email === null
    ? await work(() => undefined)
    : await limits.reserve('addressInUse', network, work);
}

async function outcomeOf(tx: Db, deps: Deps, claim: Claim, acceptTerms: boolean, arrival: Arrival): Promise<Outcome> {
  const { now } = arrival;
  const { email } = claim;
  // In this order: an account found by its address alone was not linked a moment ago by a parallel request.
  const known = email === null ? undefined : await accountByEmail(tx, email);
  const owner = await lockOwner(tx, claim);
  if (owner !== undefined) return await enter(tx, deps, owner, arrival, 'signed in');
  if (known !== undefined) {
    const account = await lockAccount(tx, known.id);
    return claim.isEmailProven && account.email === email
      ? await byProvenAddress(tx, deps, account, claim, arrival)
      : { linkToken: await openLink(tx, claim, now) };
  }
  // Answered like an address in use, so that no one learns that it is blocked.
  if (email !== null && (await isRefused(tx, deps.addressKey, email, now)))
    return { linkToken: await openLink(tx, claim, now) };
  if (!acceptTerms || email === null) return { joinToken: await openClaim(tx, 'join', claim, now) };
  return await enter(tx, deps, await makeMemberWith(tx, { ...claim, email }, now), arrival, 'joined');
}

/** The handle with which the password of the account that has the address links the identity to it. */
async function openLink(tx: Db, claim: Claim, now: Date): Promise<string> {
  if (claim.email !== null) await noteTakenAddress(tx, claim.email);
  return await openClaim(tx, 'link', claim, now);
}

/** The account that an identity is linked to, locked; undefined also if another request unlinked it before the lock. */
async function lockOwner(tx: Db, claim: Claim): Promise<AccountRow | undefined> {
  const owner = await ownerOf(tx, claim);
  if (owner === undefined) return undefined;
  const account = await lockAccount(tx, owner);
  return (await ownerOf(tx, claim)) === owner ? account : undefined;
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
  if (isUnproven) await proveAddress(tx, account, null, now);
  else if ((await identitiesOf(tx, account.id)).some(({ provider }) => provider === claim.provider))
    // Another identity of this provider is linked: the address may have changed owners.
    return { linkToken: await openLink(tx, claim, now) };
  await link(tx, account, claim, now, isUnproven ? 'accountTransferred' : 'identityLinked');
  return await enter(tx, deps, account, arrival, isUnproven ? 'handed over' : 'linked');
}

/**
 * Signs in with the password of the account that has the identity's address, throttled like any sign-in, and links the two.
 * When a code still has to follow, nothing is linked: the identity can then be linked in the settings.
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
  if (account === null) throw new AppError('WRONG_PASSWORD', 'That is not the password of this account.');
  const outcome = await again(() =>
    inTransaction(deps.db, async (tx): Promise<Outcome> => {
      await takeClaim(tx, body.linkToken);
      const locked = await lockJudged(tx, account);
      if (locked.password_hash !== account.password_hash) throw passwordChanged();
      const entered = await enter(tx, deps, locked, arrival, 'linked');
      const isIn = 'answer' in entered && 'token' in entered.answer;
      if (isIn && (await ownerOf(tx, claim)) === undefined) await link(tx, account, claim, now);
      return entered;
    }),
  );
  return await told(deps, claim, outcome, now);
}

/** The claim with the address its owner typed. An address the provider vouches for can't be replaced. */
function completed(claim: Claim, typed: string | undefined): ClaimWithEmail {
  const email = claim.isEmailProven ? claim.email : (typed ?? claim.email);
  if (email === null) throw invalid('email', 'This is required');
  return { ...claim, email };
}

/** Rolls the transaction back. Carries the outcome to answer instead, or null for an address that is taken. */
class Unfinished extends Error {
  readonly outcome: Outcome | null;

  constructor(outcome: Outcome | null) {
    super('unfinished');
    this.outcome = outcome;
  }
}

/**
 * Creates a member from a presented identity once the terms are accepted; answers like a login. 409 with a handle when the
 * address is in use or blocked: the account's password then links the identity to it.
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
  const create = () =>
    again(() =>
      once(async (tx) => {
        await takeClaim(tx, body.joinToken);
        const outcome = await joined(tx, deps, claim, arrival);
        if (outcome === null || !('answer' in outcome)) throw new Unfinished(outcome);
        return { message: 'Welcome.', data: await told(deps, claim, outcome, now) };
      }),
    );
  return await countingToldAddress(deps, claim, origin.network, async (keep) => {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      if (error.outcome !== null) return { data: await told(deps, claim, error.outcome, now) };
      keep();
      const linkToken = await inTransaction(deps.db, (tx) => openLink(tx, claim, now));
      return { data: await told(deps, claim, { linkToken }, now) };
    }
  });
}

async function joined(tx: Db, deps: Deps, claim: ClaimWithEmail, arrival: Arrival): Promise<Outcome | null> {
  const isTaken =
    (await accountByEmail(tx, claim.email)) !== undefined ||
    (await isRefused(tx, deps.addressKey, claim.email, arrival.now));
  const owner = await lockOwner(tx, claim);
  if (owner !== undefined) return await enter(tx, deps, owner, arrival, 'signed in');
  if (isTaken) return null;
  return await enter(tx, deps, await makeMemberWith(tx, claim, arrival.now), arrival, 'joined');
}
