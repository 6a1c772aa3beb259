import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { readMessages } from '#contract/messages.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { settle } from '../../platform/notify/notify.ts';
import { lockConversation } from './conversation.ts';
import { settleMessages } from './unread.ts';
import type { Openness } from './views.ts';

/** A read mark that may have moved, and whether the other person may see it, because it shows when the reader was active. */
interface ReadMark extends Openness {
  seq: number;
  otherId: string;
  isNew: boolean;
}

/** Moves the caller's read mark forward, at most to the newest message. Throws 403 for staff, 404 if it isn't their match. */
export async function markRead(
  { tx, caller, now }: CommandContext,
  given: ParamsOf<typeof readMessages> & BodyOf<typeof readMessages>,
): Promise<ReadMark> {
  const { id } = given;
  const { isLow, ownRead, last_seq, otherId, sharesActivity } = await lockConversation(tx, caller, id);
  const seq = Math.max(ownRead, Math.min(given.seq, last_seq));
  if (seq === ownRead) return { seq, otherId, sharesActivity, isNew: false };
  await tx
    .updateTable('conversation')
    .set(isLow ? { low_read: seq } : { high_read: seq })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('message')
    .set({ read_at: now, is_read_hidden: sharesActivity ? null : true })
    .where('conversation_id', '=', id)
    .where('seq', '>', ownRead)
    .where('seq', '<=', seq)
    .where('sender_id', '=', otherId)
    .execute();
  await settle(tx, { accountId: caller.accountId, kind: 'match', subjectId: id }, now);
  await settleMessages(tx, caller.accountId, id, now);
  return { seq, otherId, sharesActivity, isNew: true };
}
