import { create } from 'zustand';
import type { NotificationView } from '#contract/notifications.ts';
import type { Translate } from '../../ui/text/text.ts';

type Kind = NotificationView['kind'];

interface News {
  /** How much is unread, as last told by the server, which counts to 100; null until it is told. */
  unread: number | null;
  /** What came last since the app was opened. */
  arrived: NotificationView | null;
  /** When something of a kind came last since then. */
  arrivedAt: { [K in Kind]?: string };
}

const nothing: News = { unread: null, arrived: null, arrivedAt: {} };

/** What the member is told of, as far as every page shows it. */
export const useNews = create<News>()(() => nothing);

/** Shows how much is unread. */
export function showUnread(unread: number): void {
  useNews.setState({ unread });
}

/** Something has come just now. */
export function showArrival(arrived: NotificationView): void {
  const { arrivedAt } = useNews.getState();
  useNews.setState({ arrived, arrivedAt: { ...arrivedAt, [arrived.kind]: arrived.at } });
}

/** Nobody is told of anything. */
export function forgetNews(): void {
  useNews.setState(nothing);
}

/** When news of a kind came last since the app was opened; empty before: lists of it are read anew under another name. */
export function useArrival(kind: Kind): string {
  return useNews(({ arrivedAt }) => arrivedAt[kind] ?? '');
}

/** What a notification says. */
export function newsText({ kind, user }: NotificationView, t: Translate): string {
  if (kind === 'like') return t('Somebody likes you');
  if (kind === 'report') return t('News on your report');
  const name = user === null ? null : (user.firstName ?? user.name);
  return name === null ? t('You have a new match') : t('You and {name} are a match', { name });
}
