import * as z from 'zod/mini';
import { memberLimitMax, messageMaxLength, messagePicturesMax } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { shownPartSchema } from '../connections.ts';
import { messageMediaIdSchema } from './message-media.ts';
import { messagePictureSchema, messageVoiceSchema } from './message-parts.ts';
import { idSchema, queryInteger, required, text, timeSchema, trimmedText } from '../text.ts';
import { publicUserSchema } from '../profiles/user.ts';

/** Warnings to the receiver about other contact channels, money, or a link from someone they hardly know. */
export const cautions = ['link', 'contact', 'money'] as const;
export type Caution = (typeof cautions)[number];

/** The sentences with which a member can end a match kindly. */
export const goodbyes = [
  "It was good talking with you. I don't think we're a match, and I wish you all the best.",
  "Thank you for writing to me. I don't feel a spark, and I hope you find someone great.",
  "I've enjoyed our chat. I'm going to leave it here. Take care!",
] as const;

/** The reactions to choose from. */
export const reactionEmojis = ['❤️', '😂', '😮', '😢', '👍', '🔥'] as const;
export type ReactionEmoji = (typeof reactionEmojis)[number];

/** The message that another one answers, as it is now. */
const quoteSchema = z.object({
  seq: z.int(),
  /** The sender's id. */
  from: z.string(),
  /** Null once the message is deleted or removed. */
  text: z.nullable(z.string()),
  /** What the message has besides its text. */
  kind: z.optional(z.enum(['picture', 'voice'])),
});

export type QuoteView = z.output<typeof quoteSchema>;

export const messageSchema = z.object({
  /** The sequence number in the conversation: from 1, without gaps, the same for both. */
  seq: z.int(),
  /** The id assigned by the sender's device; sending the same id again creates no second message. */
  clientId: z.string(),
  /** The sender's id. */
  from: z.string(),
  /** Null once the message is deleted. */
  text: z.nullable(z.string()),
  sentAt: timeSchema,
  editedAt: z.nullable(timeSchema),
  /** Only for the sender: a moderation decision removed the message, and no one else sees it. */
  isRemoved: z.optional(z.boolean()),
  /** When the receiver read it. Null for the sender if either of the two hides when they were last active. */
  readAt: z.nullable(timeSchema),
  /** Set for the receiver only. */
  caution: z.nullable(z.enum(cautions)),
  /** Its photos; absent if it has none. */
  pictures: z.optional(z.array(messagePictureSchema)),
  /** Its voice note; absent if it has none. */
  voice: z.optional(messageVoiceSchema),
  /** Not in lists of conversations. */
  replyTo: z.optional(quoteSchema),
  /** At most one from each person. Not in lists of conversations. */
  reactions: z.optional(z.array(z.object({ from: z.string(), emoji: z.enum(reactionEmojis) }))),
});

export type MessageView = z.output<typeof messageSchema>;

const matchParams = z.object({ id: idSchema });
/** A sequence number; unknown ones are treated as missing. */
const messageParams = z.object({ id: idSchema, seq: idSchema });
interface GivenParts {
  text: string;
  pictures?: string[] | undefined;
  voice?: string | undefined;
}
const hasContent = ({ text, pictures, voice }: GivenParts) =>
  text !== '' || pictures !== undefined || voice !== undefined;
const isOfOneKind = ({ pictures, voice }: GivenParts) => pictures === undefined || voice === undefined;

export const listMessages = endpoint({
  method: 'GET',
  path: '/matches/{id}/messages',
  summary: 'List messages of a match in order: the newest, or those after or before a sequence number.',
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
      /** The newest sequence number; 0 if there are no messages. */
      lastSeq: z.int(),
      /** There are more messages in the requested direction. */
      hasMore: z.boolean(),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/matches/{id}/messages',
  summary: 'Send a message to a match. Sending the same clientId again returns the same message.',
  access: 'completed',
  writes: true,
  limit: 'message',
  status: 201,
  creates: true,
  params: matchParams,
  body: z
    .object({
      clientId: z.string().check(z.regex(/^[\w-]{8,64}$/, 'Use 8 to 64 letters, digits, - and _')),
      /** Empty only with media. */
      text: trimmedText(0, messageMaxLength),
      /** My uploads for this match that no message has yet, in order. */
      pictures: z.optional(z.array(messageMediaIdSchema).check(z.minLength(1), z.maxLength(messagePicturesMax))),
      /** The receiver can open each of the photos once. */
      isOnce: z.optional(z.boolean()),
      /** My voice note for this match that no message has yet. */
      voice: z.optional(messageMediaIdSchema),
      /** The number of the message that this one answers. */
      replyTo: z.optional(z.int().check(z.minimum(1))),
    })
    .check(
      z.refine(hasContent, { ...required, path: ['text'] }),
      z.refine(isOfOneKind, { error: 'Send photos and voice notes in messages of their own', path: ['voice'] }),
    ),
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'FIRST_MESSAGES_USED_UP',
    'PHOTO_VERIFICATION_REQUIRED',
    'AGE_ASSURANCE_REQUIRED',
    'CONFLICT',
    'MEDIA_GONE',
    'PART_OFF',
  ],
});

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/matches/{id}/messages/{seq}',
  summary: 'Edit my message within five minutes. The text of one with pictures or a recording may become empty.',
  access: 'completed',
  writes: true,
  limit: 'message',
  params: messageParams,
  body: z.object({ text: trimmedText(0, messageMaxLength) }),
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['INVALID_INPUT', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LATE'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/matches/{id}/messages/{seq}',
  summary: 'Delete my message for both. Its sequence number stays.',
  access: 'completed',
  writes: true,
  params: messageParams,
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const reactToMessage = endpoint({
  method: 'PUT',
  path: '/matches/{id}/messages/{seq}/reaction',
  summary: 'React to a message I received, in place of my earlier reaction.',
  access: 'completed',
  writes: true,
  limit: 'message',
  params: messageParams,
  body: z.object({ emoji: z.enum(reactionEmojis) }),
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/matches/{id}/messages/{seq}/reaction',
  summary: 'Remove my reaction to a message I received, if there is one.',
  access: 'completed',
  writes: true,
  limit: 'message',
  params: messageParams,
  response: answer({ data: z.object({ message: messageSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const readMessages = endpoint({
  method: 'POST',
  path: '/matches/{id}/read',
  summary: 'Mark messages as read up to this sequence number. Earlier numbers change nothing.',
  access: 'completed',
  writes: true,
  params: matchParams,
  body: z.object({ seq: z.int().check(z.minimum(1)) }),
  response: answer({ data: z.object({ seq: z.int() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const conversationSchema = z.object({
  /** The match's id. */
  _id: z.string(),
  user: publicUserSchema,
  matchedAt: timeSchema,
  lastMessage: z.nullable(messageSchema),
  /** My unread messages, counted up to 100. */
  unread: z.int(),
  /** The other person ended the match with a goodbye, which can still be read. Their profile is hidden. */
  isEnded: z.optional(z.boolean()),
  /** While I have snoozed the conversation: when it returns to my list. The other person never learns of it. */
  snoozedUntil: z.optional(timeSchema),
});

/** A like that led to the match and has a note or refers to a part of the profile. */
const openingLikeSchema = z.object({
  /** The id of the person who liked. */
  from: z.string(),
  likedAt: timeSchema,
  note: z.nullable(z.string()),
  /** The part of the other person's profile, as it is now; null if none was chosen or it was removed. */
  on: z.nullable(shownPartSchema),
});

export type OpeningLike = z.output<typeof openingLikeSchema>;

const openConversationSchema = z.extend(conversationSchema, {
  /** Whether to ask me now if we have met. */
  asksMeeting: z.boolean(),
  /** The likes that led to the match, oldest first; at most one from each person. */
  likes: z.array(openingLikeSchema),
});

export type ConversationView = z.output<typeof conversationSchema>;
export type OpenConversationView = z.output<typeof openConversationSchema>;

export const listConversations = endpoint({
  method: 'GET',
  path: '/conversations',
  summary:
    'List my conversations without the snoozed ones, or only those, most recent first, each with its last message and unread count.',
  access: 'completed',
  query: z.object({
    only: z.optional(z.enum(['snoozed'])),
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
  summary:
    'Get one of my conversations with its last message, its unread count, the likes that led to it and whether to ask if we met.',
  access: 'completed',
  params: matchParams,
  response: answer({ data: z.object({ conversation: openConversationSchema }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

/** The answers to whether two matched members have met. */
export const meetingAnswers = ['yes', 'not-yet', 'skip'] as const;
export type MeetingAnswer = (typeof meetingAnswers)[number];

export const answerMeeting = endpoint({
  method: 'PUT',
  path: '/matches/{id}/meeting',
  summary:
    'Say whether I have met a match: for conversations of at least a week in which both wrote. Only I can see my answer, in my data export. A later answer replaces it.',
  access: 'completed',
  writes: true,
  params: matchParams,
  body: z.object({
    met: z.enum(meetingAnswers),
    /** With `yes`: whether I would like to meet them again. */
    meetAgain: z.optional(z.boolean()),
  }),
  response: answer({ data: z.object({ asksMeeting: z.boolean() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

/** For how many days a conversation can be snoozed; 0 ends it. */
export const snoozeDays = [0, 1, 7, 30] as const;

export const snoozeConversation = endpoint({
  method: 'PUT',
  path: '/matches/{id}/snooze',
  summary:
    'Set a conversation aside for some days, or end that: it leaves my list, and its messages are neither counted nor notified. Writing in it ends it too.',
  access: 'completed',
  writes: true,
  params: matchParams,
  body: z.object({ days: z.literal(snoozeDays) }),
  response: answer({ data: z.object({ snoozedUntil: z.nullable(timeSchema) }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const countUnread = endpoint({
  method: 'GET',
  path: '/conversations/unread',
  summary: 'Count my unread conversations apart from snoozed ones, up to 100.',
  access: 'completed',
  response: answer({ data: z.object({ conversations: z.int() }) }),
  errors: ['FORBIDDEN'],
});

export const listWaiting = endpoint({
  method: 'GET',
  path: '/conversations/waiting',
  summary: 'List conversations whose last message has waited for my answer for a day, the newest first.',
  access: 'completed',
  response: answer({
    data: z.object({
      /** Counted up to 100. */
      count: z.int(),
      /** At most 20 of them. */
      conversations: z.array(conversationSchema),
    }),
  }),
  errors: ['FORBIDDEN'],
});

export const endKindly = endpoint({
  method: 'POST',
  path: '/matches/{id}/goodbye',
  summary:
    'Send a goodbye to a match who has written to me, and end the match for both. They can read the conversation for a week.',
  access: 'completed',
  writes: true,
  params: matchParams,
  body: z.object({ text: z.enum(goodbyes) }),
  response: answer({ data: z.object({ unmatched: z.boolean() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
