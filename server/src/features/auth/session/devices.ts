import type { Proof } from '#contract/auth/factors.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { deviceText, endSessions } from '#platform/session/sessions.ts';
import { cancelEmailChanges } from '../address/changes.ts';
import { judgeFactor, requireFactor, type ShownFactor } from '../password/proof.ts';

/** The devices an account has signed in on, for its owner's export. */
export async function knownDevices(db: Db, accountId: string) {
  return await db
    .selectFrom('known_device')
    .select(['device', 'network', 'last_seen_at as lastSeenAt'])
    .where('account_id', '=', accountId)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** The caller's sessions, the most recently used first. */
export async function listSessions(db: Db, caller: Caller, now: Date) {
  const rows = await db
    .selectFrom('session')
    .select(['id as _id', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'device', 'network'])
    .where('account_id', '=', caller.accountId)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({ ...row, device: deviceText(row.device), current: row._id === caller.sessionId }));
}

/** Ends the caller's own session. A second sign-out at the same time also succeeds. */
export async function signOut({ tx, caller }: CommandContext): Promise<void> {
  await tx.deleteFrom('session').where('id', '=', caller.sessionId).execute();
}

type Shown = Pick<Proof, 'code' | 'passkey'> | null | undefined;

/**
 * Checks the factor for ending one of the caller's sessions; ending the current one needs none. 404 for any other id.
 */
export async function prepareEnding(
  context: CallContext,
  { sessionId, shown }: { sessionId: string; shown: Shown },
): Promise<ShownFactor> {
  const { deps, caller } = context;
  if (sessionId === caller.sessionId) return null;
  const known = await deps.db
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  // Checked before the proof, so that someone else's session gets the same answer everywhere.
  if (known === undefined) throw notFound();
  return await judgeFactor(context, caller.accountId, shown ?? {});
}

/** Ends one session of the caller; 404 for one that has just ended. */
export async function endSession(
  context: CommandContext,
  { sessionId, factor }: { sessionId: string; factor: ShownFactor },
): Promise<void> {
  const { tx, caller, now } = context;
  if (sessionId === caller.sessionId) return await signOut(context);
  await requireFactor(context, caller.accountId, factor);
  const asked = await tx.selectFrom('verification').select('id').where('session_id', '=', sessionId).execute();
  const ended = await tx
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('account_id', '=', caller.accountId)
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) throw notFound();
  // A change of address that this device requested is canceled, too.
  if (asked.length > 0) await cancelEmailChanges(tx, caller.accountId, now);
}

/**
 * Ends every other session of the caller and cancels a requested change of address; returns how many sessions ended.
 */
export async function endOtherSessions(context: CommandContext, factor: ShownFactor): Promise<number> {
  const { tx, caller, now } = context;
  await requireFactor(context, caller.accountId, factor);
  await cancelEmailChanges(tx, caller.accountId, now);
  return await endSessions(tx, caller.accountId, caller.sessionId);
}
