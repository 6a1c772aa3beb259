import { type MessageDescriptor, type Messages, setupI18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { apiBasePath, productName } from '#contract/constants.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { type Language, languageFor, languages } from '#contract/languages.ts';
import type { NotificationKind, renewPushSubscription, subscribePush } from '#contract/notifications.ts';
import { parseUrl } from '#contract/url.ts';

/** The only texts of notifications: names and messages are shown only in the app. */
const words: Record<NotificationKind, MessageDescriptor> = {
  message: msg`You have a new message`,
  match: msg`You have a new match`,
  like: msg`Someone likes you`,
  report: msg`An update from our support team`,
  date: msg`News about your date`,
  fit: msg({ message: '{people, plural, one {# new person fits} other {# new people fit}}' }),
};
const neutral = { kind: 'news', body: msg`You have a new notification`, path: '/app/discover' };
const catalogues = import.meta.glob<Messages>('../../locales/*/worker.po', { import: 'messages', eager: true });
const textsIn = (language: Language) => catalogues[`../../locales/${language}/worker.po`];

export interface PushNotification {
  title: string;
  options: {
    body: string;
    lang: string;
    tag: string;
    /** A notification that replaces another one makes a sound as well. */
    renotify: boolean;
    icon: string;
    badge: string;
    data: { path: string };
  };
  /** The number of unread conversations; null if it isn't known. */
  unread: number | null;
}

/** A path of ours below `/app/`, from an external address; null for any other. */
export function ownPath(address: unknown, origin: string): string | null {
  if (typeof address !== 'string') return null;
  const url = parseUrl(address, origin);
  return url?.origin === origin && url.pathname.startsWith('/app/') ? url.pathname + url.search : null;
}

type Fields = Partial<Record<'kind' | 'url' | 'language' | 'unread' | 'name' | 'icon' | 'people', unknown>>;

function fieldsOf(text: string): Fields {
  try {
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

/**
 * The notification for a pushed `{kind, url, language, unread, name, icon, people}` under the name and icon of the brand: our own text for
 * each kind, and a neutral one for anything else. A payload without a supported language is shown in that of the device, given by its
 * `tags`.
 */
export function pushNotificationOf(text: string, origin: string, tags: readonly string[]): PushNotification {
  const { kind, url, language, unread, name, icon, people } = fieldsOf(text);
  const lang = languages.find((one) => one === language) ?? languageFor(tags);
  const messages = { [lang]: textsIn(lang) ?? textsIn('en') ?? {} };
  const known = typeof kind === 'string' && Object.hasOwn(words, kind) ? (kind as NotificationKind) : null;
  const path = (known === null ? null : ownPath(url, origin)) ?? neutral.path;
  return {
    title: typeof name === 'string' ? name : productName,
    options: {
      body: setupI18n({ locale: lang, messages })._({
        ...(known === null ? neutral.body : words[known]),
        values: { people },
      }),
      lang,
      // Only the newest of each conversation or list is shown.
      tag: known === null ? neutral.kind : `${known} ${path}`,
      renotify: true,
      icon: typeof icon === 'string' && icon.startsWith('/brand/') ? icon : '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      data: { path },
    },
    unread: typeof unread === 'number' ? unread : null,
  };
}

/** The parts of the service worker that show notifications. */
export interface Screen {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>;
  /** The addresses of the tabs that the user sees. */
  seen: readonly string[];
  /** Missing from some browsers. */
  setAppBadge?: ((count: number) => Promise<void>) | undefined;
}

/**
 * Shows a notification and the number of unread conversations on the app's icon. A visible page needs no notification, but some browsers
 * end subscriptions that show none, so it is silent and closed at once.
 */
export async function showPushNotification(
  { title, options, unread }: PushNotification,
  screen: Screen,
): Promise<void> {
  const { registration, seen, setAppBadge } = screen;
  if (unread !== null) await setAppBadge?.(unread).catch(() => undefined);
  const isSeen = seen.includes(options.data.path);
  const manner = isSeen ? { renotify: false, silent: true } : {};
  await registration.showNotification(title, { ...options, ...manner });
  if (!isSeen) return;
  for (const shown of await registration.getNotifications({ tag: options.tag })) shown.close();
}

/** A subscription that the browser's push service has ended, and the one in its place, as far as the browser knows them. */
export interface SubscriptionChange {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/**
 * Sends the server the new address of this device, which is subscribed again if necessary. Does nothing if only the app can subscribe it,
 * when it is opened next.
 */
export async function renewSubscription(
  { oldSubscription, newSubscription }: SubscriptionChange,
  pushManager: Pick<PushManager, 'subscribe'>,
): Promise<void> {
  if (!oldSubscription) return;
  const subscription = newSubscription ?? (await pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = deviceOf(oldSubscription);
  const body: BodyInput<typeof renewPushSubscription> = {
    ...deviceOf(subscription),
    former: { endpoint, auth: keys.auth },
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${apiBasePath}/push-subscriptions`, { method: 'PUT', headers, body: JSON.stringify(body) });
}

function deviceOf(subscription: PushSubscription): BodyInput<typeof subscribePush> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh, auth } };
}

/** The parts of a tab that are used here. */
export interface Tab {
  url: string;
  focused: boolean;
  focus: () => Promise<unknown>;
  navigate: (path: string) => Promise<unknown>;
}

/** Shows a path in an open tab, preferably one that already shows it, or else in a new one. */
export async function openAt(
  path: string,
  origin: string,
  tabs: readonly Tab[],
  openWindow: (path: string) => Promise<unknown>,
): Promise<void> {
  const there = tabs.find(({ url }) => ownPath(url, origin) === path);
  const tab = there ?? tabs.find(({ focused }) => focused) ?? tabs[0];
  try {
    if (tab === undefined) throw new Error('No tab is open');
    await tab.focus();
    if (tab !== there) await tab.navigate(path);
  } catch {
    await openWindow(path);
  }
}
