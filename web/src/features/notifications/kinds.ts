import { IconBell, IconDownload, IconHeart, IconMessageReport, type TablerIcon } from '@tabler/icons-react';
import type { NotificationView } from '#contract/notifications.ts';
import { t } from '../../ui/text/text.ts';

interface Kind {
  text: (user: NotificationView['user']) => string;
  /** The page that it leads to. */
  path: (subjectId: string) => string;
  /** Shown unless it is about a person. */
  icon: TablerIcon;
  /** About the service rather than people: drawn in a quiet colour. */
  isQuiet: boolean;
}

const kinds: Record<NotificationView['kind'], Kind> = {
  like: { text: () => t('Someone likes you'), path: () => '/app/likes', icon: IconHeart, isQuiet: false },
  match: {
    text: (user) => {
      const name = user === null ? null : (user.firstName ?? user.name);
      return name === null ? t('You have a new match') : t('You and {name} are a match', { name });
    },
    path: (matchId) => `/app/messages/${matchId}`,
    icon: IconHeart,
    isQuiet: false,
  },
  report: {
    text: () => t('Update from our support team'),
    path: (reportId) => `/app/support/${reportId}`,
    icon: IconMessageReport,
    isQuiet: true,
  },
  export: {
    text: () => t('Your data is ready to download'),
    path: () => '/app/settings/data',
    icon: IconDownload,
    isQuiet: true,
  },
};

const unknown: Kind = {
  text: () => t('You have a new notification'),
  path: () => '/app/discover',
  icon: IconBell,
  isQuiet: true,
};

/** How a kind is shown. A page that was opened before an update may not know it. */
export const kindOf = (kind: string): Kind =>
  Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : unknown;

/** The text of a notification. */
export const notificationText = ({ kind, user }: NotificationView): string => kindOf(kind).text(user);
