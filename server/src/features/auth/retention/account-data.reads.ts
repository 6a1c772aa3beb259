import { sql } from 'kysely';
import type { Caller } from '#platform/session/caller.ts';
import type { Db } from '#platform/db/db.ts';
import { knownDevices, listSessions } from '../session/devices.ts';
import { totpFactor } from '../factors/factors.ts';
import { identitiesOf } from '../identity/identities.ts';
import { listPasskeys } from '../passkeys/passkeys.ts';
import { recoveryCodesLeft } from '../factors/codes.ts';

/** The stored data of an account for its owner's data export: no hash, token or code. */
export async function accountData(db: Db, caller: Caller, now: Date) {
  const consents = await db
    .selectFrom('consent')
    .select(['kind', 'version', 'accepted_at as acceptedAt'])
    .where('account_id', '=', caller.accountId)
    .orderBy('accepted_at')
    .orderBy(sql`version collate "C"`)
    .execute();
  return {
    id: caller.accountId,
    email: caller.email,
    language: caller.language,
    emailVerifiedAt: caller.emailVerifiedAt,
    addressRestoreAt: caller.addressRestoreAt,
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

/** Since when two-step verification is on, and how many recovery codes are left; null if it is off. */
async function secondFactorData(db: Db, { accountId, factorRemovalAt }: Caller) {
  const factor = await totpFactor(db, accountId);
  if (factor === undefined) return null;
  return { since: factor.since, recoveryCodesLeft: await recoveryCodesLeft(db, accountId), goesAt: factorRemovalAt };
}
