import { useInstallPrompt } from './install-prompt.ts';

const visitsEntry = 'device:visits';
const closedEntry = 'device:install-closed';
/** Set in this tab once the visit has been counted. */
const countedEntry = 'visit-counted';
const visitsBeforeOffer = 2;
const restDays = 30;
const dayMs = 86_400_000;

/** Counts this visit; it only matters whether it is the first one. */
export function noteVisit(): void {
  if (sessionStorage.getItem(countedEntry) !== null) return;
  sessionStorage.setItem(countedEntry, 'yes');
  const visits = Number(localStorage.getItem(visitsEntry) ?? 0) + 1;
  localStorage.setItem(visitsEntry, String(Math.min(visits, visitsBeforeOffer)));
}

/** Whether to offer installing: from the second visit on, and not for a month after the offer was closed. */
export function mayOffer(now = Date.now()): boolean {
  if (Number(localStorage.getItem(visitsEntry) ?? 0) < visitsBeforeOffer) return false;
  const closedAt = Number(localStorage.getItem(closedEntry) ?? -Infinity);
  return now - closedAt >= restDays * dayMs;
}

/** Hides the offer for a month. */
export function closeOffer(now = Date.now()): void {
  localStorage.setItem(closedEntry, String(now));
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
 * The browser's menu from which a member has to install the app; null where the browser offers it itself, has no way, or shows the
 * installed app: Safari on an iPhone or iPad has the Share menu, Firefox and Samsung Internet on Android their own.
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
