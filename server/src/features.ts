import { composeReactions } from './events.ts';
import type { Feature } from './feature.ts';
import { feature as auth } from './features/auth/feature.ts';
import { feature as compatibility } from './features/compatibility/feature.ts';
import { feature as connections } from './features/connections/feature.ts';
import { feature as dates } from './features/dates/feature.ts';
import { feature as discovery } from './features/discovery/feature.ts';
import { feature as insights } from './features/insights/feature.ts';
import { feature as media } from './features/media/feature.ts';
import { feature as messages } from './features/messages/feature.ts';
import { rooms as moderation } from './features/moderation/feature.ts';
import { feature as supervision } from './features/moderation/supervision.ts';
import { feature as notifications } from './features/notifications/feature.ts';
import { feature as operations } from './features/operations/feature.ts';
import { feature as profiles } from './features/profiles/feature.ts';
import { feature as queue } from './features/queue/feature.ts';
import { feature as selfies } from './features/selfies/feature.ts';
import { feature as service } from './features/service/feature.ts';
import { feature as statistics } from './features/statistics/feature.ts';
import { feature as subscriptions } from './features/subscriptions/feature.ts';
import { feature as takeout } from './features/takeout/feature.ts';
import type { MailTemplates } from '#platform/notify/mail.ts';

/** All features in order: a feature may use an earlier one through its `public.ts`, but never a later one. */
export const features: readonly Feature[] = [
  service,
  auth,
  subscriptions,
  compatibility,
  profiles,
  media,
  connections,
  messages,
  discovery,
  notifications,
  ...moderation,
  dates,
  supervision,
  selfies,
  queue,
  statistics,
  insights,
  takeout,
  operations,
];

/** Runs the reactions of all features to an event. */
export const emit = composeReactions(features.flatMap(({ reactions = [] }) => reactions));

/** Every email that the product sends. */
export const mailTemplates: MailTemplates = Object.assign({}, ...features.map(({ mails }) => mails)) as MailTemplates;
