import { useInstallPrompt } from './install-prompt.ts';

const visitsEntry = 'device:visits';
const closedEntry = 'device:install-closed';
/** In this tab alone: that it has been counted. */
const countedEntry = 'visit-counted';
const visitsBeforeOffer = 2;
const restDays = 30;
const dayMs = 86_400_000;

/** Counts this visit, as far as it matters: a first one, or a later one. */
export function noteVisit(): void {
  if (sessionStorage.getItem(countedEntry) !== null) return;
  sessionStorage.setItem(countedEntry, 'yes');
  const visits = Number(localStorage.getItem(visitsEntry) ?? 0) + 1;
  localStorage.setItem(visitsEntry, String(Math.min(visits, visitsBeforeOffer)));
}

/** Whether the app may offer itself: from the second visit on, and not for a month after somebody has closed the offer. */
export function mayOffer(now = Date.now()): boolean {
  if (Number(localStorage.getItem(visitsEntry) ?? 0) < visitsBeforeOffer) return false;
  const closedAt = Number(localStorage.getItem(closedEntry) ?? -Infinity);
  return now - closedAt >= restDays * dayMs;
}

/** Somebody does not want the offer now. */
export function closeOffer(now = Date.now()): void {
  localStorage.setItem(closedEntry, String(now));
}

/** Asks by the browser's own question, which can be put once. */
export async function install(): Promise<void> {
  const { prompt } = useInstallPrompt.getState();
  useInstallPrompt.setState({ prompt: null });
  const answer = await prompt?.prompt().catch(() => null);
  if (answer?.outcome === 'dismissed') closeOffer();
}

type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { standalone?: boolean };

/** Whether this is Safari on an iPhone or iPad in a window of its own, where only its menu can install an app. */
export function installsByHand({ userAgent, maxTouchPoints, standalone }: Device): boolean {
  const isPhone = /iPhone|iPod|iPad/.test(userAgent);
  // An iPad says that it is a Mac, and no Mac has a touch screen.
  const isPad = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  const isOther = /CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo|FBAN|FBAV|Instagram/.test(userAgent);
  return (isPhone || isPad) && /Safari\//.test(userAgent) && !isOther && standalone !== true;
}
