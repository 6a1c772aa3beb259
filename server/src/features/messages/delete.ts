import type { CommandContext } from '../../platform/http/mount.ts';
import { changeMessage, lockOwnMessage, type MessagePlace } from './own-message.ts';
import { settleMessages } from './unread.ts';
import type { Written } from './views.ts';

/**
 * Deletes the caller's message for both people. Its sequence number stays and the text is kept for reports. Throws 404 if it isn't theirs
 * or is already deleted.
 */
export async function deleteMessage({ tx, caller, now }: CommandContext, place: MessagePlace): Promise<Written> {
  const message = await lockOwnMessage(tx, caller, place);
  const deleted = await changeMessage(tx, message, { body: null, deleted_at: now }, now);
  await settleMessages(tx, deleted.otherId, deleted.row.conversation_id, now);
  return deleted;
}
