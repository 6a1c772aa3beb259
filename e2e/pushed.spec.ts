import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { eventually, serviceForTests } from './support/harness.ts';
import { workerAtWork } from './kept-entries.ts';
import { addressOf, people } from './support/visitor.ts';

const service = serviceForTests();

interface Registrations {
  registrations: { registrationId: string }[];
}

/** Counts the notifications that the service worker has shown as `done`. */
const countDone = `(() => {
  const show = registration.showNotification.bind(registration);
  self.done = 0;
  registration.showNotification = async (...notification) => {
    await show(...notification);
    self.done += 1;
  };
})()`;

/**
 * Sends payloads to the service worker of this page, as a push service would, and waits until it has shown a notification for each.
 * If notifications are listed meanwhile, Chromium drops those that it has not shown yet.
 */
async function pushTo(page: Page, payloads: string[]): Promise<void> {
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(countDone);
  const devtools = await page.context().newCDPSession(page);
  const known = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }: Registrations) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await known;
  for (const data of payloads)
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: service.url, registrationId, data });
  await eventually(() => worker?.evaluate('self.done')).toBe(payloads.length);
}

const read = `navigator.serviceWorker.getRegistration()
  .then((registration) => registration.getNotifications())
  .then((shown) => shown.map(({ title, body, tag, data }) => [title, body, tag, data.path]))`;
const shownOn = async (page: Page) => (await page.evaluate<string[][]>(read)).sort();

describe('a push notification', () => {
  it('is shown with a fixed text, replaces older ones of its conversation or list, and is removed at Logout', async () => {
    const { page, context } = await service.visitor({ as: people.ada, hasServiceWorker: true });
    await context.grantPermissions(['notifications']);
    await page.goto('/app/matches');
    await workerAtWork(page);
    await pushTo(page, [
      '{"kind":"message","url":"/app/messages/m1"}',
      '{"kind":"message","url":"/app/messages/m2","title":"Bo","body":"Meet me at six"}',
      '{"kind":"message","url":"/app/messages/m2"}',
      '{"kind":"match","url":"https://evil.example/app/matches"}',
      'nonsense',
    ]);
    await eventually(() => shownOn(page)).toEqual([
      ['Heartwood', 'You have a new match', 'match /app/discover', '/app/discover'],
      ['Heartwood', 'You have a new message', 'message /app/messages/m1', '/app/messages/m1'],
      ['Heartwood', 'You have a new message', 'message /app/messages/m2', '/app/messages/m2'],
      ['Heartwood', 'You have a new notification', 'news', '/app/discover'],
    ]);
    await page.getByRole('button', { name: 'Logout' }).click();
    await eventually(() => addressOf(page)).toBe('/app/sign-in');
    await eventually(() => shownOn(page)).toEqual([]);
  });
});
