import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { putNotificationSettings, subscribePush, unsubscribePush } from '#contract/notifications.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveNotificationSettings } from '../../../test/fixtures/notifications.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { servePush } from '../../../test/fixtures/push.ts';
import { renderApp, serviceConfig } from '../../../test/render-app.tsx';

const part = () => within(screen.getByRole('region', { name: 'Notifications' }));
const mail = (kind: string) => screen.findByRole<HTMLSelectElement>('combobox', { name: `${kind} By email` });
const device = (kind: string) => screen.findByRole('switch', { name: `${kind} On my devices` });
const sent = () => received(putNotificationSettings).map(({ body }) => body.settings);

async function open() {
  const app = renderApp('/app/settings/notifications', ownUser());
  await mail('Messages');
  return app;
}

describe('notification settings', () => {
  beforeEach(() => serveSettings());

  it('show when each kind is emailed and whether devices are notified', async () => {
    serveNotificationSettings({ like: { mail: 'never', push: false } });
    await open();
    const shown = await Promise.all(
      ['Messages', 'Matches', 'Likes', 'Updates on my reports'].map(async (kind) => [
        (await mail(kind)).selectedOptions[0]?.textContent,
        ((await device(kind)) as HTMLInputElement).checked,
      ]),
    );
    expect(shown).toEqual([
      ['Daily', true],
      ['At once', true],
      ['Never', false],
      ['At once', true],
    ]);
    expect([...(await mail('Likes')).options].map(({ text }) => text)).toEqual(['At once', 'Daily', 'Weekly', 'Never']);
    const alert = await mail('New people who fit');
    expect([alert.value, ...[...alert.options].map(({ text }) => text)]).toEqual(['never', 'Daily', 'Weekly', 'Never']);
    expect(part().getByText(/^These keep your account safe/)).toBeVisible();
  });

  it('are saved immediately, one after the other', async () => {
    const { person } = await open();
    await person.selectOptions(await mail('Messages'), 'Weekly');
    await person.click(await device('Messages'));
    await person.click(await device('Likes'));
    expect(await mail('Messages')).toHaveValue('weekly');
    expect(await device('Messages')).not.toBeChecked();
    await waitFor(() =>
      expect(sent()).toEqual([
        { message: { mail: 'weekly', push: true } },
        { message: { mail: 'weekly', push: false } },
        { like: { mail: 'weekly', push: false } },
      ]),
    );
    expect(await part().findByText('Saved.')).toBeInTheDocument();
  });

  it('revert with the reason when saving fails', async () => {
    failWith(putNotificationSettings, new CutOff());
    const { person } = await open();
    await person.selectOptions(await mail('Matches'), 'Never');
    expect(await part().findByRole('alert')).toHaveTextContent(/^Couldn't save this: Network error/);
    expect(await mail('Matches')).toHaveValue('now');
    serveNotificationSettings();
    await person.selectOptions(await mail('Matches'), 'Daily');
    await waitFor(() => expect(part().queryByRole('alert')).toBeNull());
    expect(await mail('Matches')).toHaveValue('daily');
  });

  it('show staff which emails are always sent', async () => {
    renderApp('/app/settings/notifications', administrator());
    expect(await screen.findByText('Your account: codes, new addresses and passwords.')).toBeVisible();
    expect(part().queryByRole('combobox')).toBeNull();
    expect(part().queryByText('On this device')).toBeNull();
  });
});

describe('notifications on this device', () => {
  const turnOn = () => part().findByRole('button', { name: 'Turn on for this device' });
  const turnOff = () => part().findByRole('button', { name: 'Turn off for this device' });

  beforeEach(() => {
    serveSettings();
    serve(subscribePush, () => ({ data: { subscribed: true } }));
    serve(unsubscribePush, () => ({ data: { subscribed: false } }));
  });
  afterEach(() => vi.unstubAllGlobals());

  it('are turned on once the user allows them, and off on request', async () => {
    const push = servePush();
    const { person } = await open();
    expect(push.permission).toBe('default');
    await person.click(await turnOn());
    expect(await turnOff()).toHaveFocus();
    expect(push).toMatchObject({ permission: 'granted', askedWith: [serviceConfig().pushPublicKey] });
    expect(received(subscribePush)[0]?.body).toEqual({
      endpoint: 'https://push.example/1',
      keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
    });
    expect(part().getByText(/^This device gets the notifications you chose above/)).toBeVisible();
    await person.click(await turnOff());
    await turnOn();
    expect(push.endpoint).toBeNull();
    expect(received(unsubscribePush)).toHaveLength(1);
  });

  it('stay off with an explanation when the user does not allow them', async () => {
    servePush({ answer: 'denied' });
    const { person } = await open();
    await person.click(await turnOn());
    expect(await part().findByText(/^Your browser blocks notifications from Heartwood\. Allow them/)).toBeVisible();
    expect(part().queryByRole('button', { name: /device$/ })).toBeNull();
    expect(received(subscribePush)).toEqual([]);
  });

  it("stay off when the browser's prompt is dismissed", async () => {
    servePush({ answer: 'default' });
    const { person } = await open();
    await person.click(await turnOn());
    expect(await part().findByText(/so notifications stay off\.$/)).toBeVisible();
    expect(await turnOn()).toBeVisible();
  });

  it('become available when the browser allows them again', async () => {
    const push = servePush({ permission: 'denied' });
    await open();
    await part().findByText(/^Your browser blocks/);
    push.permission = 'default';
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(await turnOn()).toBeVisible();
  });

  it.each([
    ['the vendor gives no address', { isRefused: true }, /^Couldn't turn this on: Your browser refused\./],
    ['the server refuses it', {}, /^Couldn't turn this on: We can't send notifications to this address/],
  ])('stay off when %s', async (_, changes, words) => {
    const push = servePush(changes);
    failWith(subscribePush, new Refusal('INVALID_INPUT', "We can't send notifications to this address"));
    const { person } = await open();
    await person.click(await turnOn());
    expect(await part().findByRole('alert')).toHaveTextContent(words);
    expect(await turnOn()).toBeVisible();
    expect(push.endpoint).toBeNull();
  });

  it('stay on when turning them off fails', async () => {
    servePush();
    const { person } = await open();
    await person.click(await turnOn());
    failWith(unsubscribePush, new CutOff());
    await person.click(await turnOff());
    expect(await part().findByRole('alert')).toHaveTextContent(/^Couldn't turn this off: Network error/);
    expect(await turnOff()).toBeVisible();
  });

  it('show why they are not available', async () => {
    vi.stubGlobal('isSecureContext', true);
    await open();
    expect(await part().findByText(/^Notifications aren't supported in this browser/)).toBeVisible();
    expect(part().queryByRole('button', { name: /device$/ })).toBeNull();
  });

  it.each([
    ['a changed address', 'https://push.example/new', 'https://push.example/new'],
    ['another address after the push service has ended theirs', null, 'https://push.example/2'],
  ])('register %s with the server in a new tab if this user turned them on', async (_, endpoint, sent) => {
    const push = servePush();
    const { person, unmount } = await open();
    await person.click(await turnOn());
    await turnOff();
    unmount();
    renderApp('/faqs', ownUser());
    await screen.findByRole('button', { name: 'Notifications' });
    expect(received(subscribePush)).toHaveLength(1);
    sessionStorage.clear();
    push.endpoint = endpoint;
    renderApp('/faqs', ownUser());
    await waitFor(() =>
      expect(received(subscribePush).map(({ body }) => body.endpoint)).toEqual(['https://push.example/1', sent]),
    );
  });

  it('are not registered if another user turned them on', async () => {
    servePush({ permission: 'granted', endpoint: 'https://push.example/of-another' });
    renderApp('/app/settings/notifications', ownUser());
    await screen.findByRole('region', { name: 'Notifications' });
    expect(await turnOn()).toBeVisible();
    expect(received(subscribePush)).toEqual([]);
  });
});
