import { subscribePush, unsubscribePush } from '#contract/notifications.ts';
import { call } from '../call.ts';
import { queryClient } from '../query-client.ts';
import { configQuery } from '../service-config.ts';
import { keep, readKept } from '../session/kept.ts';
import { endPush } from '../session/left-behind.ts';
import { tabStorage } from '../../browser-storage.ts';

/**
 * Whether this browser receives push notifications: on, off, blocked in its settings, or impossible because the
 * connection is insecure, the app is not on the home screen (iPhone and iPad), or the browser does not support them.
 */
export type PushState = 'on' | 'off' | 'blocked' | 'insecure' | 'homeScreen' | 'unable';

/** Stored while push notifications are turned on in this browser, until they are turned off or the session ends. */
const entry = 'push';
/** Whether this tab has sent the browser's push address to the server. */
const sentEntry = 'push-told';
/** How long to wait for the service worker. */
const readyWithinMs = 10_000;

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

function obstacle(): PushState | null {
  if (!window.isSecureContext) return 'insecure';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return null;
  return isApple() ? 'homeScreen' : 'unable';
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Returns whether this browser receives push notifications now. */
export async function pushState(): Promise<PushState> {
  const missing = obstacle();
  if (missing !== null) return missing;
  if (Notification.permission === 'denied') return 'blocked';
  const isOn = Notification.permission === 'granted' && readKept(entry) !== null;
  return isOn && (await currentSubscription()) !== null ? 'on' : 'off';
}

async function sendSubscription(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  await call(subscribePush, { body: { endpoint, keys: { p256dh, auth } } });
  tabStorage.write(sentEntry, 'yes');
}

/** Waits for the service worker, which may not be registered yet when the page has just been opened. */
function readyWorker(): Promise<ServiceWorkerRegistration> {
  const registering = navigator.serviceWorker.register('/sw.js');
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('There is no service worker')), readyWithinMs);
  });
  return Promise.race([registering.then(() => navigator.serviceWorker.ready), tooLate]);
}

async function subscribeWith(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await readyWorker();
  // A subscription for a different service key has to be removed first.
  await (await pushManager.getSubscription())?.unsubscribe();
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/**
 * Asks for permission if that has not been done yet, and turns push notifications on. Returns the new state. Throws if
 * the browser or the server refuses.
 */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return await pushState();
  const subscription = await subscribeWith(publicKey);
  try {
    await sendSubscription(subscription);
  } catch (error) {
    await endPush();
    throw error;
  }
  keep(entry, 'on');
  return 'on';
}

/** Turns push notifications off for this browser. Throws if the server cannot be reached. */
export async function turnPushOff(): Promise<void> {
  await call(unsubscribePush);
  await endPush();
  keep(entry, '');
}

/** Subscribes this browser again after its push service has ended the subscription. */
async function subscribeAgain(): Promise<PushSubscription> {
  const { pushPublicKey } = await queryClient.fetchQuery(configQuery);
  return await subscribeWith(pushPublicKey);
}

/**
 * Sends this browser's push address to the server again, once per tab, so that it is known to a new session too. Never
 * fails.
 */
export async function renewPush(): Promise<void> {
  if (readKept(entry) === null || tabStorage.read(sentEntry) !== null) return;
  try {
    if (obstacle() !== null || Notification.permission !== 'granted') return;
    await sendSubscription((await currentSubscription()) ?? (await subscribeAgain()));
  } catch {
    // The next tab tries again.
  }
}
