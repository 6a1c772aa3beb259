import { type Said, unsentPrefix, visitedPrefix } from '../../../worker/agreement.ts';
import { deleteCaches, deviceStorage } from '../../browser-storage.ts';
import { onSessionChange, readSession } from './stored-session.ts';

/** The cached files of visited pages contain no personal data, but they reveal which pages the user has visited. */
async function dropVisited(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  // Only the service worker knows which files are being cached right now.
  workers?.controller?.postMessage('forget' satisfies Said);
  await deleteCaches((name) => name.startsWith(visitedPrefix));
}

/** Deletes the files of unsent messages whose messages are gone: of members who signed out, or were followed by another one. */
async function dropUnsent(): Promise<void> {
  const entries = deviceStorage.keys();
  await deleteCaches(
    (name) =>
      name.startsWith(unsentPrefix) &&
      !entries.some((entry) => entry.startsWith(`kept:${name.slice(unsentPrefix.length)}:outbox:`)),
  );
}

/** Closes the system's notifications that are over; without a condition, all that were shown during the session. Never fails. */
export async function closeNotifications(isOver: (notification: Notification) => boolean = () => true): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const registration = await workers?.getRegistration().catch(() => undefined);
  const notifications = (await registration?.getNotifications()) ?? [];
  for (const notification of notifications) if (isOver(notification)) notification.close();
}

/** Removes what a session leaves in this browser besides its storage entries. */
export async function dropLeftBehind(): Promise<void> {
  await Promise.allSettled([endPush(), dropVisited(), dropUnsent(), closeNotifications()]);
}

/**
 * Removes that data whenever a session ends in any tab, and at once if there is no session. Returns a function that
 * stops watching.
 */
export function watchSessionEnd(): () => void {
  const drop = ({ token }: { token: string | null }) => {
    if (token === null) void dropLeftBehind();
    else void dropUnsent().catch(() => undefined);
  };
  drop(readSession());
  return onSessionChange(drop);
}

/** Ends push notifications for this browser, even offline. Never fails. */
export async function endPush(): Promise<void> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const registration = await workers?.getRegistration();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
  } catch {
    // When the session ends, the server also deletes its data about this device.
  }
}
