import { AppError } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { markAnswered, putDecision } from './decisions.ts';
import { matchOf } from './match.ts';
import { lockVisibleMember } from './pair.ts';

/** The caller passes on someone, who isn't notified; a like from that person counts as answered. Throws 409 for a match. */
export async function pass({ tx, caller, now }: CommandContext, { userId }: { userId: string }): Promise<void> {
  const { own, back } = await lockVisibleMember(tx, caller, userId);
  // Both people of a match like each other.
  if (own?.kind === 'like' && (await matchOf(tx, caller.accountId, userId)) !== null)
    throw new AppError('CONFLICT', 'This is a match; end it first');
  if (own?.kind === 'pass' || own?.kind === 'unmatch') return;
  await putDecision(tx, {
    viewer_id: caller.accountId,
    target_id: userId,
    kind: 'pass',
    decided_at: now,
    note: null,
    liked_picture: null,
    liked_prompt: null,
    is_pending: false,
  });
  if (back?.is_pending === true) await markAnswered(tx, userId, caller.accountId);
}
