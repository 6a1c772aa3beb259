import type { Db } from '../../platform/db/db.ts';
import { inBatches } from '../../platform/db/batches.ts';
import {
  appendMessages,
  conversationsOf,
  openConversation,
  type AskedConversation,
  type NewMessage,
  type OwnConversation,
  type Place,
} from './queries.ts';

/** How a message comes to its place. */
export interface Writing {
  conversation(asked: AskedConversation): Promise<OwnConversation | undefined>;
  append(message: NewMessage): Promise<Place | undefined>;
}

const together = { atOnce: 1, most: 100 };

/** Writes in one statement a message, or one for all that came meanwhile; which waits for nobody, so that none waits for another. */
export function writingTogether(db: Db): Writing {
  const append = inBatches((messages: NewMessage[]) => appendMessages(db, messages, false), {
    ...together,
    keyOf: ({ conversation_id }) => conversation_id,
  });
  return {
    conversation: inBatches((asked: AskedConversation[]) => conversationsOf(db, asked), together),
    // What was held by somebody else waits by itself.
    append: async (message) => (await append(message)) ?? (await appendAlone(db, message)),
  };
}

/** Writes in a transaction, which holds the conversation from when it is read. */
export function writingIn(tx: Db): Writing {
  return {
    conversation: ({ accountId, matchId }) => openConversation(tx, accountId, matchId, true),
    append: (message) => appendAlone(tx, message),
  };
}

async function appendAlone(db: Db, message: NewMessage): Promise<Place | undefined> {
  return (await appendMessages(db, [message], true))[0];
}
