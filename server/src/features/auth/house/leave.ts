import type { CallContext } from '#platform/http/mount.ts';
import { knownIn } from './confirm.ts';

/**
 * The URL at which the browser of a session opened with the house's account signs out there as well; null for other sessions and if the
 * provider has none. Never fails, because signing out here must not depend on the provider.
 */
export async function leavingOf({ deps, caller }: CallContext): Promise<{ leaveAt?: string }> {
  if (deps.house === null || caller.staffRole === null) return {};
  const running = await deps.db
    .selectFrom('session as s')
    .innerJoin('house_person as p', 'p.account_id', 's.account_id')
    .select(['s.account_id', 's.house_grant', 'p.issuer', 'p.subject'])
    .where('s.id', '=', caller.sessionId)
    .where('s.house_confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (running === undefined) return {};
  const leaveAt = await deps.house.leave(knownIn(deps, running)).catch(() => null);
  return leaveAt === null ? {} : { leaveAt };
}
