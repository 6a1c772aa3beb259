import type { Db } from '../../platform/db/db.ts';
import { notFound } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { lockConversation } from './conversation.ts';
import type { Message, MessageRow, Written } from './views.ts';

/** The id of a match and the sequence number of a message, as in the path of a request. */
export interface MessagePlace {
  id: string;
  seq: string;
}

/** A message that is not deleted. */
export interface OwnMessage extends Message {
  body: string;
}

/** The caller's own existing message, locked with its conversation; 403 for staff, 404 for any other message. */
export async function lockOwnMessage(tx: Db, caller: Caller, { id, seq }: MessagePlace): Promise<OwnMessage> {
  const { otherId, sharesActivity } = await lockConversation(tx, caller, id);
  if (!/^[1-9]\d{0,8}$/.test(seq)) throw notFound();
  const row = await tx
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', id)
    .where('seq', '=', Number(seq))
    .where('sender_id', '=', caller.accountId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || row.body === null) throw notFound();
  return { row, body: row.body, otherId, sharesActivity };
}

/** Changes a locked message; its earlier text is kept for reports. */
export async function changeMessage(
  tx: Db,
  { row, body, otherId, sharesActivity }: OwnMessage,
  changes: Partial<MessageRow>,
  now: Date,
): Promise<Written> {
  const { conversation_id, seq } = row;
  await tx.insertInto('message_trace').values({ conversation_id, seq, replaced_at: now, body }).execute();
  await tx
    .updateTable('message')
    .set(changes)
    .where('conversation_id', '=', conversation_id)
    .where('seq', '=', seq)
    .execute();
  return { row: { ...row, ...changes }, otherId, sharesActivity, isChanged: true };
}
