import { isUuid } from '../../platform/db/uuid.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { requireMember } from '../../platform/session/caller.ts';
import { hide } from './hide.ts';

/**
 * Hides someone and the caller from each other; throws 400 for the caller's own id, 403 for staff. The answer doesn't
 * reveal who exists.
 */
export async function block(context: CommandContext, { userId }: { userId: string }): Promise<void> {
  const { caller } = context;
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'You cannot block yourself');
  if (isUuid(userId)) await hide(context, { blockerId: caller.accountId, blockedId: userId, how: 'listed' });
}
