import { type MessageDescriptor, type Messages, setupI18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Language, languageFor, languages } from '#contract/languages.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { parseUrl } from '#contract/url.ts';

const title = 'Heartwood';
/** The only texts of notifications: names and messages are shown only in the app. */
const words: Record<NotificationKind, MessageDescriptor> = {
  message: msg`You have a new message`,
  match: msg`You have a new match`,
  like: msg`Someone likes you`,
  report: msg`An update from our support team`,
  date: msg`News about your date`,
};
const neutral = { kind: 'news', body: msg`You have a new notification`, path: '/app/discover' };
const catalogues = import.meta.glob<Messages>('../../locales/*/worker.po', { import: 'messages', eager: true });
const textsIn = (language: Language) => catalogues[`../../locales/${language}/worker.po`];

export interface Notice {
  title: string;
  options: { body: string; lang: string; tag: string; icon: string; badge: string; data: { path: string } };
}

/** A path of ours below `/app/`, from an external address; null for any other. */
export function ownPath(address: unknown, origin: string): string | null {
  if (typeof address !== 'string') return null;
  const url = parseUrl(address, origin);
  return url?.origin === origin && url.pathname.startsWith('/app/') ? url.pathname + url.search : null;
}

function fieldsOf(text: string): { kind?: unknown; url?: unknown; language?: unknown } {
  try {
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

/**
 * What to show for a pushed `{kind, url, language}`: our own text for each kind, and the neutral one for anything else. A
 * payload without a language of ours is shown in that of the device, given by its `tags`.
 */
export function noticeOf(text: string, origin: string, tags: readonly string[]): Notice {
  const { kind, url, language } = fieldsOf(text);
  const lang = languages.find((one) => one === language) ?? languageFor(tags);
  const messages = { [lang]: textsIn(lang) ?? textsIn('en') ?? {} };
  const known = typeof kind === 'string' && Object.hasOwn(words, kind) ? (kind as NotificationKind) : null;
  return {
    title,
    options: {
      body: setupI18n({ locale: lang, messages })._(known === null ? neutral.body : words[known]),
      lang,
      // Only the newest of each kind is shown.
      tag: known ?? neutral.kind,
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      data: { path: (known === null ? null : ownPath(url, origin)) ?? neutral.path },
    },
  };
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
