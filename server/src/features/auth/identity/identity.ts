import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { ShownIdentity } from './providers/provider.ts';
import type { FirstFactorAnswer } from '../factors/first-factor.ts';
import { handOver } from './hand-over.ts';
import { again, enter, link, told, type Arrival, type Outcome } from './identity.arrival.ts';
import { openClaim, type Claim } from './identity.claims.ts';
import { makeMemberWith } from './identity.member.ts';
import { identitiesOf, ownerOf, useUp } from './identity.queries.ts';
import { accountByEmail, lockAccount, type AccountRow } from '../queries.ts';
import { isRefused } from '../session/refused.queries.ts';

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
  await link(tx, account, claim, now, isUnproven ? 'accountHandedOver' : 'identityLinked');
  return await enter(tx, deps, account, arrival, isUnproven ? 'handed over' : 'linked');
}
