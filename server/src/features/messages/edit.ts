import { sql } from 'kysely';
import { firstMessagesWatched, messageEditMinutes } from '#contract/constants.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { cautionFor } from './caution.ts';
import { changeMessage, lockOwnMessage, type MessagePlace } from './own-message.ts';
import type { MessageRow, Written } from './views.ts';

/**
 * Edits the caller's message; the earlier text is kept for reports. Throws 404 if it isn't theirs or is deleted, and 422 five minutes after
 * it was sent or once a decision removed it.
 */
export async function edit(
  { tx, caller, now }: CommandContext,
  { text, ...place }: MessagePlace & { text: string },
): Promise<Written> {
  const message = await lockOwnMessage(tx, caller, place);
  const { row, body } = message;
  if (body === text) return { ...message, isChanged: false };
  if (row.removed_at !== null || now.getTime() - row.sent_at.getTime() > messageEditMinutes * 60_000)
    throw new AppError('TOO_LATE', `A message can be changed for ${messageEditMinutes} minutes`);
  // Only a sender's first messages are checked, because that is where scammers reveal themselves.
  const caution = (await isAmongFirst(tx, row)) ? cautionFor(text) : null;
  return await changeMessage(tx, message, { body: text, edited_at: now, caution }, now);
}

/** Whether a message is among its sender's first ones. It reads the conversation from its start, so it is used only for edits. */
async function isAmongFirst(tx: Db, { conversation_id, sender_id, seq }: MessageRow): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select count(*) < ${sql.lit(firstMessagesWatched)} as is from (
      select from (
        select sender_id from message where conversation_id = ${conversation_id}::uuid and seq < ${seq}::int order by seq offset 0
      ) earlier where sender_id = ${sender_id}::uuid limit ${sql.lit(firstMessagesWatched)}
    ) own`.execute(tx);
  return rows[0]?.is === true;
}
