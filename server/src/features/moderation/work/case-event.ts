import type { Insertable } from 'kysely';
import { staffRoles } from '#contract/staff-roles.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';

/** The event columns that identify the actor. */
export function eventActor({ accountId, name, role }: Actor) {
  const roles = [...staffRoles, 'member'] as const;
  return {
    actor_id: accountId,
    actor_role: roles.find((known) => known === role) ?? ('system' as const),
    actor_name: role === 'system' ? null : name,
  };
}

/** The service itself, when no person acts. */
export const system: Actor = { accountId: null, name: 'System', role: 'system' };

/** Adds an event to the timeline of a case. */
export async function insertCaseEvent(
  tx: Db,
  event: Pick<Insertable<Database['case_event']>, 'case_id' | 'at' | 'kind'> &
    Partial<Insertable<Database['case_event']>>,
  actor: Actor = system,
): Promise<void> {
  await tx
    .insertInto('case_event')
    .values({ to_value: null, reason: null, ...eventActor(actor), ...event })
    .execute();
}
