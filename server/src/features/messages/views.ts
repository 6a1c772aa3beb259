import type { Selectable } from 'kysely';
import type { MessageView } from '#contract/messages.ts';
import type { Database } from '../../platform/db/schema.ts';

export type MessageRow = Selectable<Database['message']>;
export type ConversationRow = Selectable<Database['conversation']>;

const inWords = (moment: Date | null) => moment?.toISOString() ?? null;

/** A message as one of the two sees it; only the receiver sees its warning. */
export function toMessageView(row: MessageRow, viewerId: string): MessageView {
  return {
    seq: row.seq,
    clientId: row.client_id,
    from: row.sender_id,
    text: row.body,
    sentAt: row.sent_at.toISOString(),
    editedAt: row.deleted_at === null ? inWords(row.edited_at) : null,
    readAt: inWords(row.read_at),
    caution: row.sender_id === viewerId || row.body === null ? null : row.caution,
  };
}
