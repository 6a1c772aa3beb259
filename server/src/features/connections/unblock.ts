import { sql } from 'kysely';
import { isUuid } from '../../platform/db/uuid.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { requireMember } from '../../platform/session/caller.ts';

/** Removes the caller's block of someone. An unmatch keeps hiding the two. Throws 403 for staff. */
export async function unblock({ tx, caller }: CommandContext, { userId }: { userId: string }): Promise<void> {
  requireMember(caller);
  if (!isUuid(userId)) return;
  await sql`
    update block set is_listed = false
    where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and by_unmatch`.execute(tx);
  await sql`
    delete from block
    where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and not by_unmatch`.execute(tx);
}
