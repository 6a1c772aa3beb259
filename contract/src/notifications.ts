import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { memberLimitMax } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema, queryInteger, text, timeSchema, zoneSchema } from './text.ts';
import { personSchema } from './profiles/user.ts';
import { said } from './said.ts';

/** Append new kinds at the end, because links in sent emails refer to positions. */
const chosenAndListed = ['match', 'like', 'report', 'date', 'fit'] as const;

/** Kinds of notifications that members can turn off: a message, a match, a like, an update of a report, a planned date, new people who fit. */
export const notificationKinds = ['message', ...chosenAndListed] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What the link in an email can turn off: kinds of notifications, and the Monday email for staff. */
export const mailKinds = [...notificationKinds, 'insights'] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * Kinds that can't be turned off: a finished data export, the review of selfies, and a warning about someone banned for fraud. Their emails
 * are sent separately, and they send no push.
 */
export type FixedKind = 'export' | 'verification' | 'warning';

/** The kinds in the list of notifications. Messages have their own list. */
export const listedKinds = [...chosenAndListed, 'export', 'verification', 'warning'] as const;

/** When unread notifications are emailed. */
export const mailTimes = ['now', 'daily', 'weekly', 'never'] as const;
export type MailTime = (typeof mailTimes)[number];

const choiceSchema = z.object({ mail: z.enum(mailTimes), push: z.boolean() });
export type NotificationChoice = z.output<typeof choiceSchema>;

const settingsSchema = z.object({
  message: choiceSchema,
  match: choiceSchema,
  like: choiceSchema,
  report: choiceSchema,
  date: choiceSchema,
  /** New people who fit my preferences and the saved filters with an alert: at most once a day, even with `now`. */
  fit: choiceSchema,
});
export type NotificationSettings = z.output<typeof settingsSchema>;

/** The default settings. */
export const usualNotifications: NotificationSettings = {
  message: { mail: 'daily', push: true },
  match: { mail: 'now', push: true },
  like: { mail: 'weekly', push: true },
  report: { mail: 'now', push: true },
  date: { mail: 'now', push: true },
  fit: { mail: 'never', push: false },
};

/** Kinds that wait until the end of the quiet hours, except for check-ins after dates; all others are sent at any time. */
export const quietKinds: readonly string[] = ['message', 'match', 'like', 'date', 'fit'] satisfies NotificationKind[];

const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, said(msg`Use a time like 22:00`)));
const quietHoursSchema = z
  .object({
    from: timeOfDay,
    to: timeOfDay,
    /** The time zone of the device that chose them, such as `Europe/Vienna`. */
    zone: zoneSchema,
  })
  .check(z.refine(({ from, to }) => from !== to, said(msg`Choose two different times`)));
export type QuietHours = z.output<typeof quietHoursSchema>;

export const notificationSchema = z.object({
  _id: z.string(),
  kind: z.enum(listedKinds),
  at: timeSchema,
  isRead: z.boolean(),
  /** The id of its subject, for the page it opens; null if that page needs none. */
  subjectId: z.nullable(z.string()),
  /** The other person, if it is about a match. */
  user: z.nullable(personSchema),
  /** The first name of the person in a warning, as I knew it; null if unknown. A correction revokes the warning. */
  warning: z.optional(z.object({ firstName: z.nullable(z.string()), isCorrection: z.boolean() })),
  /** How many new people fit. */
  people: z.optional(z.int()),
});

export type NotificationView = z.output<typeof notificationSchema>;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  summary: 'List my notifications, newest first, with the number of unread ones, counted up to 100.',
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
  summary: 'Mark notifications as read: these, those of one kind, or all.',
  access: 'signedIn',
  writes: true,
  body: z.object({
    ids: z.optional(z.array(idSchema).check(z.maxLength(memberLimitMax))),
    kind: z.optional(z.enum(['message', ...listedKinds])),
  }),
  response: answer({ data: z.object({ unread: z.int() }) }),
});

const settingsAnswer = answer({
  data: z.object({
    settings: settingsSchema,
    /** When I get no pushes and emails about messages, matches and likes; they wait until the end. Null if not chosen. */
    quiet: z.optional(z.nullable(quietHoursSchema)),
  }),
});

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/notifications/settings',
  summary: 'Get my notification settings for mail and push.',
  access: 'signedIn',
  response: settingsAnswer,
});

export const putNotificationSettings = endpoint({
  method: 'PUT',
  path: '/notifications/settings',
  summary: "Change my notification settings; what isn't named stays as it is. Null ends the quiet hours.",
  access: 'signedIn',
  writes: true,
  body: z.object({
    settings: z.optional(z.partial(settingsSchema)),
    quiet: z.optional(z.nullable(quietHoursSchema)),
  }),
  response: settingsAnswer,
  stale: ['/notifications/settings'],
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/notifications/unsubscribe',
  summary:
    'Unsubscribe from the kinds of email that an email was of, with the signed URL in its header. Repeating changes nothing.',
  access: 'everyone',
  writes: true,
  query: z.object({ token: text(1, 200) }),
  response: answer({ data: z.object({ kinds: z.array(z.enum(mailKinds)) }) }),
  errors: ['NOT_FOUND'],
});

const base64url = (length: number, what: string) =>
  z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}=?$`), what));

const browserSecret = base64url(22, "Not a browser's secret");
const subscriptionFields = {
  endpoint: text(1, 1000),
  keys: z.object({ p256dh: base64url(87, "Not a browser's public key"), auth: browserSecret }),
};

export const subscribePush = endpoint({
  method: 'POST',
  path: '/push-subscriptions',
  summary: 'Subscribe this device to push notifications until this session ends. Calling again replaces it.',
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  body: z.object(subscriptionFields),
  response: answer({ data: z.object({ subscribed: z.boolean() }) }),
  errors: ['INVALID_INPUT'],
});

export const renewPushSubscription = endpoint({
  method: 'PUT',
  path: '/push-subscriptions',
  summary:
    'Replace the subscription of a device after its push service has changed it. The former secret stands for the session, which a service worker does not have.',
  access: 'everyone',
  writes: true,
  body: z.object({ ...subscriptionFields, former: z.object({ endpoint: text(1, 1000), auth: browserSecret }) }),
  response: answer({ data: z.object({ subscribed: z.boolean() }) }),
  errors: ['INVALID_INPUT', 'NOT_FOUND'],
});

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/push-subscriptions',
  summary: 'Unsubscribe this device.',
  access: 'signedIn',
  writes: true,
  response: answer({ data: z.object({ subscribed: z.boolean() }) }),
});
