import { sql } from 'kysely';
import type { AuditAction } from '#contract/moderation/audit.ts';
import type { Caller } from '../session/caller.ts';
import type { Db } from './db.ts';
import { fullName } from '../session/own-user.ts';

/** Who performs an action: a signed-in colleague, or a command on the server. */
export interface Actor {
  accountId: string | null;
  name: string;
  role: string;
}

/** A signed-in colleague as an actor. */
export function actorOf(caller: Caller): Actor {
  const role = caller.staffRole ?? 'member';
  return { accountId: caller.accountId, name: fullName(caller.firstName, caller.lastName) ?? role, role };
}

export interface AuditEntry {
  actor: Actor;
  action: AuditAction;
  target: {
    type:
      | 'user'
      | 'users'
      | 'audit'
      | 'report'
      | 'case'
      | 'cases'
      | 'notice'
      | 'rule'
      | 'template'
      | 'helpLine'
      | 'tag'
      | 'view'
      | 'jobs'
      | 'mail'
      | 'transparency'
      | 'service'
      | 'invitation';
    id: string | null;
  };
  reason?: string | undefined;
  changes?: Record<string, { from: unknown; to: unknown }> | undefined;
}

/** The acting colleague, the time, and the transaction. */
interface ActContext {
  tx: Db;
  caller: Caller;
  now: Date;
}

/** The values of an act, as changes from nothing; without empty ones. */
export function given(values: Record<string, unknown>): NonNullable<AuditEntry['changes']> {
  const set = Object.entries(values).filter(isSet);
  return Object.fromEntries(set.map(([name, to]) => [name, { from: null, to }]));
}

const isSet = ([, value]: [string, unknown]) => value !== undefined && value !== '';

/** Filters as one of the values of an act, nested because they may have the names of other values; undefined if none is set. */
export function givenFilters(filters: object): Record<string, unknown> | undefined {
  const set = Object.entries(filters).filter(isSet);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** Writes one audit entry in the transaction of the act it records; for actors other than the caller of a request, such as rules and jobs. */
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

/** Records in the audit trail what a member of staff does to something, in the transaction of the act. */
export async function audit(
  { tx, caller, now }: ActContext,
  target: AuditEntry['target'],
  action: AuditAction,
  details: Pick<AuditEntry, 'reason' | 'changes'> = {},
): Promise<void> {
  await writeAudit(tx, { actor: actorOf(caller), action, target, ...details }, now);
}

const noticedAt = [1, 10, 100, 1000, 10_000];

/**
 * Records that someone was denied access. Of repeated attempts within an hour, only the first, the tenth and so on are
 * recorded, each with its count.
 */
export async function writeDenied(
  tx: Db,
  actor: Actor,
  target: { type: 'user' | 'report' | 'case'; id: string },
  now: Date,
): Promise<void> {
  const isOver = sql`d.since <= ${now}::timestamptz - interval '1 hour'`;
  const { rows } = await sql<{ attempts: number }>`
    insert into denied_access as d (actor_id, target_id, since, attempts) values (${actor.accountId}, ${target.id}, ${now}, 1)
    on conflict (actor_id, target_id) do update set attempts = case when ${isOver} then 1 else d.attempts + 1 end,
      since = case when ${isOver} then excluded.since else d.since end
    returning attempts`.execute(tx);
  const attempts = rows[0]?.attempts ?? 1;
  if (!noticedAt.includes(attempts)) return;
  const changes = attempts === 1 ? {} : { changes: { attempts: { from: null, to: attempts } } };
  await writeAudit(tx, { actor, action: 'access.denied', target, ...changes }, now);
}
