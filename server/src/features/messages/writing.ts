import { type Db, inBatches } from '../../platform/db/db.ts';
import {
  appendMessages,
  conversationsOf,
  openConversation,
  type AskedConversation,
  type NewMessage,
  type OwnConversation,
  type Place,
} from './queries.ts';

/** Appends one message. */
export interface Writing {
  conversation(asked: AskedConversation): Promise<OwnConversation | undefined>;
  append(message: NewMessage): Promise<Place | undefined>;
}

const together = { atOnce: 1, most: 100 };

/** Appends messages in batches: one statement for all that arrived meanwhile. It skips locked conversations, so no message waits for another. */
export function writingTogether(db: Db): Writing {
  const append = inBatches((messages: NewMessage[]) => appendMessages(db, messages, false), {
    ...together,
    keyOf: ({ conversation_id }) => conversation_id,
  });
  return {
    conversation: inBatches((asked: AskedConversation[]) => conversationsOf(db, asked), together),
    // Messages to locked conversations wait on their own.
    append: async (message) => (await append(message)) ?? (await appendAlone(db, message)),
  };
}

/** Appends within a transaction that locks the conversation. */
export function writingIn(tx: Db): Writing {
  return {
    conversation: ({ accountId, matchId }) => openConversation(tx, accountId, matchId, true),
    append: (message) => appendAlone(tx, message),
  };
}

async function appendAlone(db: Db, message: NewMessage): Promise<Place | undefined> {
  return (await appendMessages(db, [message], true))[0];
}
