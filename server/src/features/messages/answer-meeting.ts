import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/messages.ts';
import { notFound } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { lockConversation } from './conversation.ts';
import { mayBeAsked } from './meetings.ts';

/**
 * Stores whether the caller met a match, replacing an earlier answer. Throws the same 404 for no match, an ended one, another member's, a
 * hidden person, and a match about which the caller isn't asked.
 */
export async function answerMeeting(
  { tx, caller, now }: CommandContext,
  { id, met, meetAgain }: ParamsOf<typeof calls.answerMeeting> & BodyOf<typeof calls.answerMeeting>,
): Promise<void> {
  const conversation = await lockConversation(tx, caller, id);
  if (!(await mayBeAsked(tx, caller.accountId, conversation, now))) throw notFound();
  const answer = { answer: met, meet_again: met === 'yes' ? (meetAgain ?? null) : null, answered_at: now };
  await tx
    .insertInto('meeting_answer')
    .values({ conversation_id: conversation.id, account_id: caller.accountId, first_answered_at: now, ...answer })
    .onConflict((known) => known.columns(['conversation_id', 'account_id']).doUpdateSet(answer))
    .execute();
}
