import { plural, t } from '@lingui/core/macro';
import {
  IconAlertTriangle,
  IconBell,
  IconDownload,
  IconHeart,
  IconMessageReport,
  IconSearch,
  type TablerIcon,
} from '@tabler/icons-react';
import type { NotificationView } from '#contract/notifications.ts';
import { useNewestNotification } from './queries.ts';

interface Kind {
  text: (about: NotificationView) => string;
  /** The page that the notification links to. */
  path: (subjectId: string) => string;
  /** Shown if the notification is not about a person. */
  icon: TablerIcon;
  /** The notification is about the service and not about people, so it is shown in a quiet colour. */
  isQuiet: boolean;
}

const kinds: Record<NotificationView['kind'], Kind> = {
  like: { text: () => t`Someone likes you`, path: () => '/app/likes', icon: IconHeart, isQuiet: false },
  match: {
    text: ({ user }) => {
      const name = user === null ? null : (user.firstName ?? user.name);
      return name === null ? t`You have a new match` : t`You and ${name} are a match`;
    },
    path: (matchId) => `/app/messages/${matchId}`,
    icon: IconHeart,
    isQuiet: false,
  },
  report: {
    text: () => t`Update from our support team`,
    path: (reportId) => `/app/support/${reportId}`,
    icon: IconMessageReport,
    isQuiet: true,
  },
  date: {
    text: ({ user }) => {
      const name = user === null ? null : (user.firstName ?? user.name);
      return name === null ? t`News about your date` : t`News about your date with ${name}`;
    },
    path: (dateId) => `/app/check-in/${dateId}`,
    icon: IconHeart,
    isQuiet: false,
  },
  fit: {
    text: ({ people = 1 }) =>
      t`${plural({ people }, { one: '# new person fits what you look for', other: '# new people fit what you look for' })}`,
    path: () => '/app/discover',
    icon: IconSearch,
    isQuiet: false,
  },
  export: {
    text: () => t`Your data is ready to download`,
    path: () => '/app/settings/data',
    icon: IconDownload,
    isQuiet: true,
  },
  verification: {
    text: () => t`Update from our picture team`,
    path: () => '/app/verify',
    icon: IconBell,
    isQuiet: true,
  },
  warning: {
    text: ({ warning }) => {
      const name = warning?.firstName ?? null;
      if (warning?.isCorrection === true)
        return name === null
          ? t`We warned you about someone you wrote with. That was wrong, and we take it back.`
          : t`We warned you about ${name}. That was wrong, and we take it back.`;
      return name === null
        ? t`Someone you wrote with was banned and may have used a false identity. Never send money or codes.`
        : t`${name} was banned and may have used a false identity. Never send money or codes.`;
    },
    path: () => '/app/safety',
    icon: IconAlertTriangle,
    isQuiet: false,
  },
};

const unknown: Kind = {
  text: () => t`You have a new notification`,
  path: () => '/app/discover',
  icon: IconBell,
  isQuiet: true,
};

/** The appearance of a kind. A page opened before an update may not know a new kind. */
export const kindOf = (kind: string): Kind =>
  Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : unknown;

/** The text of a notification. */
export const notificationText = (about: NotificationView): string => kindOf(about.kind).text(about);

/** Announces each notification that arrives to screen readers, once. */
export function Arrival() {
  const arrived = useNewestNotification()?.arrived ?? null;
  return (
    <span aria-live="polite" className="visually-hidden">
      {arrived !== null && <span key={`${arrived._id} ${arrived.at}`}>{notificationText(arrived)}</span>}
    </span>
  );
}
