import * as z from 'zod/mini';
import { memberLimitMax, messageMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema, queryInteger, text, timeSchema, trimmedText } from './text.ts';
import { publicUserSchema } from './profiles/user.ts';

/** What a receiver is warned of: a way off the service, money, or a link from somebody they hardly know. */
export const cautions = ['link', 'contact', 'money'] as const;
export type Caution = (typeof cautions)[number];

export const messageSchema = z.object({
  /** The place in the conversation, from 1 on, without gaps, the same for both. */
  seq: z.int(),
  /** The name its sender's device gave it: sent again under it, it is the same message. */
  clientId: z.string(),
  /** The sender's id. */
  from: z.string(),
  /** Null once it was deleted. */
  text: z.nullable(z.string()),
  sentAt: timeSchema,
  editedAt: z.nullable(timeSchema),
  /** When the other one read it. */
  readAt: z.nullable(timeSchema),
  /** For its receiver alone. */
  caution: z.nullable(z.enum(cautions)),
});

export type MessageView = z.output<typeof messageSchema>;

const matchParams = z.object({ id: idSchema });
/** A place in a conversation; what is none is simply not there. */
const messageParams = z.object({ id: idSchema, seq: idSchema });
const messageText = trimmedText(1, messageMaxLength);

export const listMessages = endpoint({
  method: 'GET',
  path: '/matches/{id}/messages',
  summary:
    'Messages of a match in their order: the newest, those after a place in the conversation, or those before one.',
  access: 'completed',
  params: matchParams,
  query: z.object({
    after: z.optional(queryInteger(0, 2_147_483_647)),
    before: z.optional(queryInteger(1, 2_147_483_647)),
    limit: z.optional(queryInteger(1, memberLimitMax)),
  }),
  response: answer({
    data: z.object({
      messages: z.array(messageSchema),
      /** The newest place there is; 0 without any message. */
      lastSeq: z.int(),
      /** There are more in the direction that was asked for. */
      hasMore: z.boolean(),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/matches/{id}/messages',
  summary: 'Write to a match. Sent again under the same clientId it is the same message, at its place.',
  access: 'completed',
  status: 201,
  creates: true,
  params: matchParams,
  body: z.object({
    clientId: z.string().check(z.regex(/^[\w-]{8,64}$/, 'Use 8 to 64 letters, digits, - and _')),
    text: messageText,
  }),
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'FIRST_MESSAGES_USED_UP', 'CONFLICT'],
});

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/matches/{id}/messages/{seq}',
  summary: 'Put a message of mine in other words, within five minutes.',
  access: 'completed',
  params: messageParams,
  body: z.object({ text: messageText }),
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LATE'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/matches/{id}/messages/{seq}',
  summary: 'Delete a message of mine for both. Its place stays.',
  access: 'completed',
  params: messageParams,
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const readMessages = endpoint({
  method: 'POST',
  path: '/matches/{id}/read',
  summary: 'I have read up to this place. Going back changes nothing.',
  access: 'completed',
  params: matchParams,
  body: z.object({ seq: z.int().check(z.minimum(1)) }),
  response: answer({ data: z.object({ seq: z.int() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

const conversationSchema = z.object({
  /** The match's id. */
  _id: z.string(),
  user: publicUserSchema,
  matchedAt: timeSchema,
  lastMessage: z.nullable(messageSchema),
  /** Messages for me that I have not read, counted to 100. */
  unread: z.int(),
});

export type ConversationView = z.output<typeof conversationSchema>;

export const listConversations = endpoint({
  method: 'GET',
  path: '/conversations',
  summary: 'My matches by what was written last, each with its last message and how many are unread.',
  access: 'completed',
  query: z.object({
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, memberLimitMax)),
  }),
  response: answer({
    data: z.object({ conversations: z.array(conversationSchema), nextCursor: z.nullable(z.string()) }),
  }),
  errors: ['FORBIDDEN'],
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/conversations/{id}',
  summary: 'One of my matches, with its last message and how many are unread.',
  access: 'completed',
  params: matchParams,
  response: answer({ data: z.object({ conversation: conversationSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const countUnread = endpoint({
  method: 'GET',
  path: '/conversations/unread',
  summary: 'How many conversations hold something I have not read, counted to 100.',
  access: 'completed',
  response: answer({ data: z.object({ conversations: z.int() }) }),
  errors: ['FORBIDDEN'],
});
