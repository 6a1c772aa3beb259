import type { BodyOf } from '#contract/endpoint.ts';
import type { joinWithIdentity } from '#contract/auth/identities.ts';
import { invalid } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { FirstFactorAnswer } from '../factors/first-factor.ts';
import { again, enter, told, type Arrival, type Outcome } from './identity.arrival.ts';
import { openClaim, readClaim, takeClaim, type Claim } from './identity.claims.ts';
import { makeMemberWith, type ClaimWithEmail } from './identity.member.ts';
import { ownerOf } from './identity.queries.ts';
import { accountByEmail, lockAccount } from '../queries.ts';
import { isRefused } from '../session/refused.queries.ts';

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
