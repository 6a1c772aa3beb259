import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
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
  };
}
