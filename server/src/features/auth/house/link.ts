import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { identityClaimMinutes } from '#contract/constants.ts';
import { hashToken, seal, unsealBytes } from '#platform/config/secrets.ts';
import { audit } from '#platform/db/audit.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { endSessions } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { lockAccount } from '../accounts.ts';
import { cancelEmailChanges, warnEverywhere } from '../address/changes.ts';
import { useUp } from '../identity/identities.ts';
import { endSecondSteps } from '../session/challenges.ts';
import { isFresh } from '../session/sessions.ts';
import { requireHouse, savePerson } from './people.ts';
import type { HousePerson } from './provider.ts';

const claimSchema = z.object({ issuer: z.string(), subject: z.string(), email: z.string(), until: z.number() });
const keyOf = ({ factorKey }: Pick<Deps, 'factorKey'>) => `${factorKey} house link`;

/** A token with which the owner of the staff account that has this person's address can link the two, within 15 minutes. */
export function sealLink(
  deps: Pick<Deps, 'factorKey'>,
  { issuer, subject, email }: Pick<HousePerson, 'issuer' | 'subject'> & { email: string },
  now: Date,
): string {
  const until = secondsAfter(now, identityClaimMinutes * 60).getTime();
  return seal(keyOf(deps), JSON.stringify({ issuer, subject, email, until })).toString('base64url');
}

function openLink(deps: Pick<Deps, 'factorKey'>, token: string, now: Date) {
  try {
    const claim = claimSchema.parse(JSON.parse(unsealBytes(keyOf(deps), Buffer.from(token, 'base64url')).toString()));
    if (claim.until > now.getTime()) return claim;
  } catch {
    // Whatever is wrong with it, it is not one of our tokens.
  }
  throw isOver();
}

const isOver = () => new AppError('INVALID_CODE', msg`This took too long. Please start over.`);

/**
 * Links the person of a token to the caller's staff account, and signs it out everywhere. From then on it signs in with the house's
 * account, whose groups determine its role. 403 for members, for an account with another address, and without a recent sign-in.
 */
export async function linkHouse({ tx, deps, caller, now }: CommandContext, linkToken: string): Promise<void> {
  const { name, issuer } = requireHouse(deps);
  const claim = openLink(deps, linkToken, now);
  const account = await lockAccount(tx, caller.accountId);
  if (account.staff_role === null || account.email !== claim.email || claim.issuer !== issuer)
    throw new AppError('FORBIDDEN', msg`This is not the staff account with that address.`);
  if (!(await isFresh(tx, caller.sessionId, now)))
    throw new AppError('PROOF_REQUIRED', msg`Please sign in again first, so that we know it is you.`);
  if (!(await useUp(tx, [{ hash: hashToken(linkToken), until: new Date(claim.until) }]))) throw isOver();
  await savePerson(tx, claim, account.id, now);
  await audit({ tx, caller, now }, { type: 'user', id: account.id }, 'staff.linked');
  await cancelEmailChanges(tx, account.id, now);
  await endSecondSteps(tx, account.id);
  await endSessions(tx, account.id);
  await warnEverywhere(tx, account, { template: 'houseLinked', data: { provider: name } }, now);
}
