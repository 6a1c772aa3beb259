import { AppError } from '../../../platform/http/app-error.ts';
import { refusedConstraint, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { afterFirstFactor, refuseUnlessWelcome, type FirstFactorAnswer } from '../factors/first-factor.ts';
import type { Claim } from './identity.claims.ts';
import { saveIdentity } from './identity.queries.ts';
import { providerNames } from './identity.shown.ts';
import { mailboxOf, type AccountRow } from '../queries.ts';
import type { Origin } from '../session/session-answer.ts';

/** Who signs in, from where and when. */
export interface Arrival {
  origin: Origin;
  now: Date;
}

type Way = 'signed in' | 'linked' | 'handed over' | 'joined';

/** What became of a shown identity. A refusal is told after the commit, since what was noted with it stays noted. */
export type Outcome =
  | { answer: FirstFactorAnswer; accountId: string; what: Way }
  | { unwelcome: AccountRow }
  | { linkToken: string }
  | { joinToken: string };

/** Links an identity to an account, and tells its owner. */
export async function link(
  tx: Db,
  account: AccountRow,
  claim: Claim,
  now: Date,
  template: 'identityLinked' | 'accountHandedOver' = 'identityLinked',
): Promise<void> {
  await saveIdentity(tx, account.id, claim, now);
  await queueMail(tx, { ...mailboxOf(account), template, data: { provider: providerNames[claim.provider] } }, now);
}

/** Opens a session, or asks for the second factor, unless staff, leaving or deactivated. */
export async function enter(
  tx: Db,
  deps: Deps,
  account: AccountRow,
  { origin, now }: Arrival,
  what: Way,
): Promise<Outcome> {
  if (account.staff_role !== null || !account.is_active || account.leaving_since !== null)
    return { unwelcome: account };
  const isNew = what === 'joined' || what === 'handed over';
  const answer = await afterFirstFactor(tx, deps, account, { origin, now, isNew });
  return { answer, accountId: account.id, what };
}

/** What the device is told of an outcome, in an answer or a refusal. */
export async function told(deps: Deps, claim: Claim, outcome: Outcome, now: Date): Promise<FirstFactorAnswer> {
  const { provider, firstName, email, isEmailProven } = claim;
  const name = providerNames[provider];
  if ('answer' in outcome) {
    const { answer, accountId, what } = outcome;
    deps.log.info({ accountId, provider, what }, 'identity accepted');
    if ('token' in answer) deps.activity.note(accountId, -Infinity);
    return answer;
  }
  if ('linkToken' in outcome) {
    const words = `There is an account with this address already. Enter its password once to link ${name} to it.`;
    throw new AppError('LINK_NEEDS_PASSWORD', words, { data: { linkToken: outcome.linkToken } });
  }
  if ('joinToken' in outcome) {
    const joining = { token: outcome.joinToken, firstName, email, isEmailProven };
    throw new AppError('JOIN_UNFINISHED', 'You are new here. Please accept the terms to join.', { data: { joining } });
  }
  if (outcome.unwelcome.staff_role === null) await refuseUnlessWelcome(deps.db, outcome.unwelcome, now);
  throw new AppError('FORBIDDEN', 'This account is not signed in to this way. Please use its password.');
}

const raced = ['identity_pkey', 'identity_account_key', 'account_email_key'];

/** Runs `work`, and once more for each time that another request for the same person was faster. */
export async function again<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === 0 || !raced.includes(refusedConstraint(error) ?? '')) throw error;
    return await again(work, tries - 1);
  }
}
