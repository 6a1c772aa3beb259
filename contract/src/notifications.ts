import * as z from 'zod/mini';
import { memberLimitMax } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema, queryInteger, text, timeSchema } from './text.ts';
import { publicUserSchema } from './profiles/user.ts';

/** What somebody is told of: that they were written to, that two likes met, that they are liked, that their report has news. */
export const notificationKinds = ['message', 'match', 'like', 'report'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** When what nobody has looked at is mailed. */
export const mailTimes = ['now', 'daily', 'weekly', 'never'] as const;
export type MailTime = (typeof mailTimes)[number];

const choiceSchema = z.object({ mail: z.enum(mailTimes), push: z.boolean() });
export type NotificationChoice = z.output<typeof choiceSchema>;

const settingsSchema = z.object({
  message: choiceSchema,
  match: choiceSchema,
  like: choiceSchema,
  report: choiceSchema,
});
export type NotificationSettings = z.output<typeof settingsSchema>;

/** How it is for whoever has chosen nothing. */
export const usualNotifications: NotificationSettings = {
  message: { mail: 'daily', push: true },
  match: { mail: 'now', push: true },
  like: { mail: 'weekly', push: true },
  report: { mail: 'now', push: true },
};

/** Messages have a list of their own, and are not among these. */
const notificationSchema = z.object({
  _id: z.string(),
  kind: z.enum(['match', 'like', 'report']),
  at: timeSchema,
  isRead: z.boolean(),
  /** Where it leads: the match or the report; null for likes. */
  subjectId: z.nullable(z.string()),
  /** With whom, where it is a match. */
  user: z.nullable(publicUserSchema),
});

export type NotificationView = z.output<typeof notificationSchema>;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'What I was told of, newest first, and how much of it is unread, counted to 100.',
  access: 'signedIn',
  query: z.object({
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, memberLimitMax)),
  }),
  response: answer({
    data: z.object({
      notifications: z.array(notificationSchema),
      unread: z.int(),
      nextCursor: z.nullable(z.string()),
    }),
  }),
});

export const readNotifications = endpoint({
  method: 'POST',
  path: '/notifications/read',
  summary: 'I have seen these; of one kind; or, where nothing is named, all of them.',
  access: 'signedIn',
  body: z.object({
    ids: z.optional(z.array(idSchema).check(z.maxLength(memberLimitMax))),
    kind: z.optional(z.enum(notificationKinds)),
  }),
  response: answer({ data: z.object({ unread: z.int() }) }),
});

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/notifications/settings',
  summary: 'What I want to be told of by mail and on my devices.',
  access: 'signedIn',
  response: answer({ data: z.object({ settings: settingsSchema }) }),
});

export const putNotificationSettings = endpoint({
  method: 'PUT',
  path: '/notifications/settings',
  summary: 'Change what I want to be told of; a kind that is not named stays as it is.',
  access: 'signedIn',
  body: z.object({ settings: z.partial(settingsSchema) }),
  response: answer({ data: z.object({ settings: settingsSchema }) }),
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/notifications/unsubscribe',
  summary:
    'No more mails of the kinds that one mail was about: the address in its header, for whoever has the mail. Again changes nothing.',
  access: 'everyone',
  query: z.object({ token: text(1, 200) }),
  response: answer({ data: z.object({ kinds: z.array(z.enum(notificationKinds)) }) }),
  errors: ['NOT_FOUND'],
});

const base64url = (length: number, what: string) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}=?$`), what));

export const subscribePush = endpoint({
  method: 'POST',
  path: '/push-subscriptions',
  summary: 'Tell this device, at the address its browser gave; until this session ends. Again replaces it.',
  access: 'signedIn',
  status: 201,
  creates: true,
  body: z.object({
    endpoint: text(1, 1000),
    keys: z.object({
      p256dh: base64url(87, 'This is no public key of a browser'),
      auth: base64url(22, 'This is no secret of a browser'),
    }),
  }),
  response: answer({ data: z.object({ subscribed: z.boolean() }) }),
  errors: ['INVALID_INPUT'],
});

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/push-subscriptions',
  summary: 'Tell this device no more.',
  access: 'signedIn',
  response: answer({ data: z.object({ subscribed: z.boolean() }) }),
});
