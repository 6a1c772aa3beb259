import type { Said, Shell } from './agreement.ts';
import { pushNotificationOf, openAt, ownPath, renewSubscription, showPushNotification } from './pushed.ts';
import { serverPaths, wayOf } from './routing.ts';
import { answerKept, answerPage, dropOthers, dropVisited, keepShell, type Means } from './shell.ts';
import { keepShared } from './shared-pictures.ts';

declare const self: ServiceWorkerGlobalScope;
/** Inserted by the build. */
declare const builtShell: Shell;

const shell = builtShell;
const means: Means = { caches, fetch: (input, init) => fetch(input, init) };
const { origin } = self.location;
/** How many sessions have ended since the worker started. */
let sessionEnds = 0;

/** Missing from the types, and from some browsers. */
interface Routed {
  addRoutes?: (rules: { condition: { urlPattern: { pathname: string } }; source: 'network' }[]) => Promise<void>;
}

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell(shell, means, self.navigator.languages));
  // Calls don't even need to wake this code.
  const rules = serverPaths.map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network' as const,
  }));
  const routing = (event as Routed).addRoutes?.(rules);
  if (routing !== undefined) event.waitUntil(routing);
});

self.addEventListener('activate', (event) => {
  const begin = async () => {
    await dropOthers(shell, means);
    // Earlier versions enabled it. When a preload fails, Firefox shows its own error page instead of the worker's answer.
    await self.registration.navigationPreload.disable();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const way = wayOf(request, origin, shell.files);
  if (way === 'kept') {
    const after = (work: Promise<unknown>) => event.waitUntil(work);
    event.respondWith(answerKept(request, shell, means, after, () => sessionEnds));
  }
  if (way === 'shared') event.respondWith(keepShared(request, means));
  if (way === 'page') event.respondWith(answerPage(fetch(request), means));
});

self.addEventListener('message', (event) => {
  const said = event.data as Said;
  if (said === 'take-over') event.waitUntil(self.skipWaiting());
  if (said === 'forget') {
    sessionEnds += 1;
    event.waitUntil(dropVisited(means));
  }
  if (said === 'entry') event.ports[0]?.postMessage(shell.entry);
});

self.addEventListener('push', (event) => {
  const notification = pushNotificationOf(event.data?.text() ?? '', origin, self.navigator.languages);
  const show = async () => {
    const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const seen = tabs.flatMap(({ url, visibilityState }) =>
      visibilityState === 'visible' ? (ownPath(url, origin) ?? []) : [],
    );
    const setAppBadge =
      'setAppBadge' in self.navigator ? (count: number) => self.navigator.setAppBadge(count) : undefined;
    await showPushNotification(notification, { registration: self.registration, seen, setAppBadge });
  };
  event.waitUntil(show());
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event, self.registration.pushManager));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data as { path: unknown };
  const open = async () => {
    const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    await openAt(ownPath(path, origin) ?? '/app/discover', origin, tabs, (at) => self.clients.openWindow(at));
  };
  event.waitUntil(open());
});
