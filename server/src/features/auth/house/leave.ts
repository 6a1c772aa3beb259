import type { CallContext } from '#platform/http/mount.ts';

/**
 * The URL at which the browser of a session opened with the house's account signs out there as well; null for other sessions and if the
 * provider has none. Never fails, because signing out here must not depend on the provider.
 */
export async function leavingOf({ deps, caller }: CallContext): Promise<{ leaveAt?: string }> {
  if (deps.house === null || caller.staffRole === null) return {};
  const session = await deps.db
    .selectFrom('session')
    .select('house_confirmed_at')
    .where('id', '=', caller.sessionId)
    .executeTakeFirst();
  if (session === undefined || session.house_confirmed_at === null) return {};
  const leaveAt = await deps.house.leave().catch(() => null);
  return leaveAt === null ? {} : { leaveAt };
}
