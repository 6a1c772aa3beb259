import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
import { knownDevices } from './auth.devices.ts';
import { totpFactor } from './auth.factor.queries.ts';
import { identitiesOf } from './auth.identity.queries.ts';
import { listPasskeys } from './auth.passkeys.service.ts';
import { recoveryCodesLeft } from './auth.recovery-codes.ts';
import { listSessions } from './auth.sign-in.service.ts';

/** What is kept of somebody's account, for themselves: no hash, token or code. */
export async function accountData(db: Db, caller: Caller, now: Date) {
  const consents = await db
    .selectFrom('consent')
    .select(['kind', 'version', 'accepted_at as acceptedAt'])
    .where('account_id', '=', caller.accountId)
    .orderBy('accepted_at')
    .execute();
  return {
    id: caller.accountId,
    email: caller.email,
    emailVerifiedAt: caller.emailVerifiedAt,
    joinedAt: caller.createdAt,
    isVIP: caller.isVip,
    consents,
    sessions: await listSessions(db, caller, now),
    devices: await knownDevices(db, caller.accountId),
    secondFactor: await secondFactorData(db, caller),
    passkeys: await listPasskeys(db, caller),
    identities: await identitiesOf(db, caller.accountId),
  };
}

/** Since when there is a second factor, and how many recovery codes are left; null where there is none. */
async function secondFactorData(db: Db, { accountId, factorRemovalAt }: Caller) {
  const factor = await totpFactor(db, accountId);
  if (factor === undefined) return null;
  return { since: factor.since, recoveryCodesLeft: await recoveryCodesLeft(db, accountId), goesAt: factorRemovalAt };
}
