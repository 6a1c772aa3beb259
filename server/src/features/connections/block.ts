import { isUuid } from '../../platform/db/uuid.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { requireMember } from '../../platform/session/caller.ts';
import { hide } from './hide.ts';

/**
 * Hides someone and the caller from each other. Throws 400 for the caller's own id and 403 for staff. The answer doesn't reveal whether the
 * id exists.
 */
export async function block(context: CommandContext, { userId }: { userId: string }): Promise<void> {
  const { caller } = context;
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'You cannot block yourself');
  if (isUuid(userId)) await hide(context, { blockerId: caller.accountId, blockedId: userId, how: 'listed' });
}
