import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import type { FirstFactorAnswer } from '../factors/first-factor.ts';
import { again, enter, link, told, type Arrival, type Outcome } from './identity.arrival.ts';
import { readClaim, takeClaim } from './identity.claims.ts';
import { ownerOf } from './identity.queries.ts';
import { lockAccount } from '../queries.ts';
import { accountByPassword } from '../session/sign-in.ts';

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
