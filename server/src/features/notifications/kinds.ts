import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { type FixedKind, type NotificationKind, quietKinds } from '#contract/notifications.ts';
import { isLiked } from '../connections/public.ts';

interface Kind {
  /** The page for one notification, or the list for several. */
  path: (subjectId: string | null) => string;
  mail: {
    subject: MessageDescriptor;
    heading: MessageDescriptor;
    button: MessageDescriptor;
    /** What happened, with the number of events or people. Names and message texts appear only in the app. */
    text: (count: number) => MessageDescriptor;
  };
}

/** The texts for each kind outside the app. A mail about several kinds lists them in this order, with the subject of the first. */
export const kinds: Record<NotificationKind, Kind> = {
  report: {
    path: (subjectId) => (subjectId === null ? '/app/support' : `/app/support/${subjectId}`),
    mail: {
      subject: msg`An update from our support team`,
      heading: msg`Our support team has an update for you`,
      button: msg`Open my reports`,
      text: (count) =>
        msg`${plural(
          { count },
          {
            one: 'There is a message or an update for you. Sign in to read it and reply.',
            other: 'There are {count} messages and updates for you. Sign in to read them and reply.',
          },
        )}`,
    },
  },
  date: {
    path: (subjectId) => (subjectId === null ? '/app/messages' : `/app/check-in/${subjectId}`),
    mail: {
      subject: msg`You have new notifications`,
      heading: msg`There is news about your date`,
      button: msg`See the news`,
      text: (count) =>
        msg`${plural(
          { count },
          { one: 'There is news about a date you are planning.', other: 'There is news about {count} of your dates.' },
        )}`,
    },
  },
  match: {
    path: () => '/app/matches',
    mail: {
      subject: msg`You have new notifications`,
      heading: msg`It's a match`,
      button: msg`See who it is`,
      text: (count) =>
        msg`${plural(
          { count },
          {
            one: "Someone you liked likes you too. It's a match: you can write to each other now.",
            other: 'You have {count} new matches. You can write to each of them now.',
          },
        )}`,
    },
  },
  message: {
    path: (subjectId) => (subjectId === null ? '/app/messages' : `/app/messages/${subjectId}`),
    mail: {
      subject: msg`You have new notifications`,
      heading: msg`You have a new message`,
      button: msg`Read and reply`,
      text: (count) =>
        msg`${plural(
          { count },
          { one: 'Someone you matched with wrote to you.', other: '{count} of your matches wrote to you.' },
        )}`,
    },
  },
  like: {
    path: () => '/app/likes',
    mail: {
      subject: msg`You have new notifications`,
      heading: msg`Someone likes you`,
      button: msg`See what's new`,
      text: () => msg`Someone likes you. Take a look at your suggestions: they may be among them.`,
    },
  },
  fit: {
    path: () => '/app/discover',
    mail: {
      subject: msg`You have new notifications`,
      heading: msg`There are new people`,
      button: msg`See who it is`,
      text: (count) =>
        msg`${plural(
          { count },
          { one: 'One new person fits what you look for.', other: '{count} new people fit what you look for.' },
        )}`,
    },
  },
};

/** The kinds in the order of `kinds`. */
export const kindsInOrder = Object.keys(kinds) as NotificationKind[];

/** A condition: notification `n` asks a member how their date went. */
const isCheckIn = sql`exists (select from date_check_in k
  where n.kind = 'date' and k.plan_id = n.subject_id and k.account_id = n.account_id and k.asked_at is not null)`;

/** Whether a notification `n` waits until the quiet hours end. A check-in doesn't, because its member may need help. */
export const isQuiet: RawBuilder<boolean> = sql<boolean>`n.kind = any (${[...quietKinds]}::text[]) and not ${isCheckIn}`;

/**
 * How long a notification of each kind may be shown, as a condition. `n` is the notification, `c` its conversation, `other` the visible
 * person in it, `w` its warning.
 */
const shownWhile: Record<NotificationKind | FixedKind, (accountId: string) => RawBuilder<unknown>> = {
  like: isLiked,
  match: () => sql`c.ended_at is null and other.account_id is not null`,
  message: () => sql`c.ended_at is null and other.account_id is not null`,
  // A check-in is shown even if the match has ended since.
  date: () => sql`exists (select from date_plan d where d.id = n.subject_id
    and (c.ended_at is null and other.account_id is not null or ${isCheckIn}))`,
  report: () => sql`exists (select from report r where r.id = n.subject_id and r.deleted_at is null)`,
  export: () => sql`exists (select from data_export e where e.id = n.subject_id)`,
  warning: () => sql`w.id is not null`,
  fit: () => sql`true`,
  verification: () => sql`exists (select from selfie_check s where s.id = n.subject_id)`,
};

/** The condition that a notification `n` of the account may still be shown; see `shownWhile`. */
export const mayBeShown = (accountId: string): RawBuilder<unknown> =>
  sql`case n.kind ${sql.join(
    Object.entries(shownWhile).map(([kind, condition]) => sql`when ${sql.lit(kind)} then ${condition(accountId)}`),
    sql` `,
  )} end`;
