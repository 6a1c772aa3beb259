import type { AuditAction } from '#contract/moderation/audit.ts';
import type { Caller } from '../session/caller.ts';
import type { Db } from './db.ts';
import { fullName } from '../session/own-user.ts';

/** Who performs an action: a signed-in member of staff, or a command on the server. */
export interface Actor {
  accountId: string | null;
  name: string;
  role: string;
}

/** A signed-in member of staff as an actor. */
export function actorOf(caller: Caller): Actor {
  const role = caller.staffRole ?? 'member';
  return { accountId: caller.accountId, name: fullName(caller.firstName, caller.lastName) ?? role, role };
}

export interface AuditEntry {
  actor: Actor;
  action: AuditAction;
  target: { type: 'user' | 'users' | 'audit' | 'report' | 'case' | 'rule' | 'jobs'; id: string | null };
  reason?: string;
  changes?: Record<string, { from: unknown; to: unknown }>;
}

/** Writes one audit row, inside the transaction of the action it records. */
export async function writeAudit(tx: Db, entry: AuditEntry, now: Date): Promise<void> {
  await tx
    .insertInto('audit_event')
    .values({
      at: now,
      actor_id: entry.actor.accountId,
      actor_name: entry.actor.name,
      actor_role: entry.actor.role,
      action: entry.action,
      target_type: entry.target.type,
      target_id: entry.target.id,
      reason: entry.reason ?? null,
      changes: entry.changes === undefined ? null : JSON.stringify(entry.changes),
    })
    .execute();
}
