import { create } from 'zustand';
import { deviceStorage, tabStorage } from '../../browser-storage.ts';

/** The event with which a browser announces that it can install the app; so far only Chromium sends it. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's install prompt, kept until the user wants it; null if there is none. */
export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>()(() => ({ prompt: null }));

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  useInstallPrompt.setState({ prompt: event as InstallPrompt });
});

const visitsEntry = 'device:visits';
const closedEntry = 'device:install-closed';
/** Set in this tab once the visit has been counted. */
const countedEntry = 'visit-counted';
const visitsBeforeOffer = 2;
const restDays = 30;
const dayMs = 86_400_000;

/** Counts this visit. Only whether it is the first one matters. */
export function noteVisit(): void {
  if (tabStorage.read(countedEntry) !== null) return;
  tabStorage.write(countedEntry, 'yes');
  const visits = Number(deviceStorage.read(visitsEntry) ?? 0) + 1;
  deviceStorage.write(visitsEntry, String(Math.min(visits, visitsBeforeOffer)));
}

/** Whether to offer installing the app: from the second visit on, but not for a month after the offer was closed. */
export function mayOffer(now = Date.now()): boolean {
  if (Number(deviceStorage.read(visitsEntry) ?? 0) < visitsBeforeOffer) return false;
  const closedAt = Number(deviceStorage.read(closedEntry) ?? -Infinity);
  return now - closedAt >= restDays * dayMs;
}

/** Hides the offer for a month. */
export function closeOffer(now = Date.now()): void {
  deviceStorage.write(closedEntry, String(now));
}

/** Shows the browser's install prompt, which works only once. */
export async function install(): Promise<void> {
  const { prompt } = useInstallPrompt.getState();
  useInstallPrompt.setState({ prompt: null });
  const answer = await prompt?.prompt().catch(() => null);
  if (answer?.outcome === 'dismissed') closeOffer();
}

type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { standalone?: boolean };

/**
 * The browser menu from which the app has to be installed: the Share menu in Safari on an iPhone or iPad, or Firefox's
 * and Samsung Internet's own menu on Android. Null if the browser offers it by itself, can't install it, or is showing
 * the installed app.
 */
export function installMenu({ userAgent, maxTouchPoints, standalone }: Device): 'share' | 'browser' | null {
  if (standalone === true) return null;
  if (/Android/.test(userAgent)) return /Firefox\/|SamsungBrowser\//.test(userAgent) ? 'browser' : null;
  const isPhone = /iPhone|iPod|iPad/.test(userAgent);
  // An iPad identifies as a Mac, but no Mac has a touch screen.
  const isPad = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  const isOtherBrowser = /CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo|FBAN|FBAV|Instagram/.test(userAgent);
  return (isPhone || isPad) && /Safari\//.test(userAgent) && !isOtherBrowser ? 'share' : null;
}
