import { type Said, visitedPrefix } from '../../../worker/agreement.ts';
import { endPush } from '../push/push-end.ts';
import { onSessionChange, readSession } from './stored-session.ts';

/** The files of pages where somebody was: nothing of theirs is in them, but they tell where it was. */
async function dropVisited(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  // What is on its way into the caches at this moment only the worker knows.
  workers?.controller?.postMessage('forget' satisfies Said);
  const caches = window.caches as CacheStorage | undefined;
  if (caches === undefined) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(visitedPrefix)).map((name) => caches.delete(name)));
}

/** What a device was told while somebody was signed in. */
async function closeNotices(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const registration = await workers?.getRegistration();
  const notices = (await registration?.getNotifications()) ?? [];
  for (const notice of notices) notice.close();
}

/** Takes from this browser what a session leaves behind beside the entries of the page. */
export async function dropLeftBehind(): Promise<void> {
  await Promise.allSettled([endPush(), dropVisited(), closeNotices()]);
}

/** Does so whenever a session ends, here or in another tab, and now if there is none. Returns how to stop. */
export function watchSessionEnd(): () => void {
  const drop = ({ token }: { token: string | null }) => {
    if (token === null) void dropLeftBehind();
  };
  drop(readSession());
  return onSessionChange(drop);
}
