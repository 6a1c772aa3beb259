import type { SessionView } from '#contract/auth/auth.ts';
import type { Proof } from '#contract/auth/factors.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { cancelEmailChanges } from '../address/changes.ts';
import { withFactor } from '../password/proof.ts';

/** The devices an account has signed in on, for its owner. */
export async function knownDevices(db: Db, accountId: string) {
  return await db
    .selectFrom('known_device')
    .select(['device', 'network', 'last_seen_at as lastSeenAt'])
    .where('account_id', '=', accountId)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** The caller's sessions, the most recently used first. */
export async function listSessions(db: Db, caller: Caller, now: Date): Promise<SessionView[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    device: row.device,
    network: row.network,
    current: row.id === caller.sessionId,
  }));
}

/** Ends the caller's own session. A second sign-out at the same moment also succeeds. */
export async function signOut(db: Db, caller: Caller): Promise<void> {
  await db.deleteFrom('session').where('id', '=', caller.sessionId).execute();
}

/** Ends one session of the caller; 404 for any other id. The errors of `withFactor`; the caller's own session needs no proof. */
export async function endSession(
  deps: Deps,
  caller: Caller,
  sessionId: string,
  proof: Pick<Proof, 'code' | 'passkey'> | null | undefined,
  now: Date,
): Promise<void> {
  if (!isUuid(sessionId)) throw notFound();
  if (sessionId === caller.sessionId) return await signOut(deps.db, caller);
  const known = await deps.db
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  // Before the proof: what isn't the caller's gets the same answer everywhere.
  if (known === undefined) throw notFound();
  await withFactor(deps, caller.accountId, proof ?? {}, now, async (tx) => {
    const asked = await tx.selectFrom('verification').select('id').where('session_id', '=', sessionId).execute();
    const ended = await tx
      .deleteFrom('session')
      .where('id', '=', sessionId)
      .where('account_id', '=', caller.accountId)
      .returning('id')
      .executeTakeFirst();
    if (ended === undefined) throw notFound();
    // A change of address that this device asked for ends with it.
    if (asked.length > 0) await cancelEmailChanges(tx, caller.accountId, now);
  });
}

/** Ends every other session of the caller and cancels a requested change of address; returns how many ended. The errors of `withFactor`. */
export async function endOtherSessions(
  deps: Deps,
  caller: Caller,
  proof: Pick<Proof, 'code' | 'passkey'> | null | undefined,
  now: Date,
): Promise<number> {
  return await withFactor(deps, caller.accountId, proof ?? {}, now, async (tx) => {
    await cancelEmailChanges(tx, caller.accountId, now);
    return await endSessions(tx, caller.accountId, caller.sessionId);
  });
}
