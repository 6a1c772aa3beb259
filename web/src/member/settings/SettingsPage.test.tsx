import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listSessions } from '#contract/auth/auth.ts';
import { listBlocks, unblockUser } from '#contract/connections.ts';
import { putPreferences } from '#contract/discovery.ts';
import { showLastActive } from '#contract/profiles/profiles.ts';
import { useInstallPrompt } from '../../features/installation/installing.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { blocked, serveSettings } from '../../../test/fixtures/own-settings.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const region = (name: string) => within(screen.getByRole('region', { name }));

async function openPrivacy() {
  const app = renderApp('/app/settings/privacy', ownUser());
  await screen.findByRole('checkbox', { name: 'Show others when I was last active' });
  return app;
}

async function openBlocked() {
  const app = renderApp('/app/settings/blocked', ownUser());
  await screen.findByRole('region', { name: 'Blocked people' });
  return app;
}

describe('the account page', () => {
  it('never moves the delete button when content appears later', async () => {
    serveSettings();
    renderApp('/app/settings/account', ownUser());
    const deletion = await screen.findByRole('region', { name: 'Delete account' });
    expect(screen.getByRole('group', { name: 'Color scheme' })).toBeVisible();
    // Browsers fire this event at any time.
    act(() => void window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => undefined })));
    const installing = await screen.findByRole('region', { name: 'Heartwood as an app' });
    expect(deletion.compareDocumentPosition(installing)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    act(() => useInstallPrompt.setState({ prompt: null }));
  });
});

describe('the settings page', () => {
  it('lists its parts and is linked from the menu', async () => {
    serveSettings();
    const { person } = renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    await person.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus();
    expect(document.title).toBe('Settings · Heartwood');
    const list = within(screen.getByRole('navigation', { name: 'Settings' }));
    const pages = list.getAllByRole('link').map((link) => link.getAttribute('href')?.replace('/app/settings/', ''));
    expect(pages).toEqual([
      'account',
      'security',
      'privacy',
      'notifications',
      'plan',
      'blocked',
      'data',
      'file',
      'help',
    ]);
    await person.click(list.getByRole('link', { name: /^Privacy/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Privacy' })).toHaveFocus();
    expect(currentAddress()).toBe('/app/settings/privacy');
    await person.click(within(screen.getByRole('main')).getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus();
  });

  it('keeps the list next to the parts on wide screens', async () => {
    beWide();
    serveSettings();
    const { person } = renderApp('/app/settings', ownUser());
    expect(await screen.findByRole('region', { name: 'Appearance' })).toBeVisible();
    const list = within(screen.getByRole('navigation', { name: 'Settings' }));
    expect(list.getByRole('link', { current: 'page' })).toHaveTextContent('Account');
    await person.click(list.getByRole('link', { name: /^Help/ }));
    expect(await screen.findByRole('region', { name: 'Help' })).toBeVisible();
    expect(list.getByRole('link', { current: 'page' })).toHaveTextContent('Help');
  });

  it.each([
    ['/app/settings/nothing', '/app/settings'],
    ['/app/settings#notifications', '/app/settings/notifications'],
  ])('redirects %s to %s', async (asked, reached) => {
    serveSettings();
    renderApp(asked, ownUser());
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(currentAddress()).toBe(reached));
  });

  it('shows what failed to load and leaves the rest usable', async () => {
    serveSettings();
    failWith(listBlocks, new CutOff());
    failWith(listSessions, new Refusal('UNAVAILABLE', 'Please try again in a moment'));
    const { unmount } = renderApp('/app/settings/security', ownUser());
    expect(await screen.findByText("Couldn't load your devices: Please try again in a moment")).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Change password...' })).toBeVisible();
    unmount();
    const { person } = renderApp('/app/settings/blocked', ownUser());
    expect(await screen.findByText(/^Couldn't load the people you blocked: Network error/)).toBeVisible();
    serveSettings([blocked('bo', 'Bo')]);
    await person.click(region('Blocked people').getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Bo')).toBeVisible();
  });
});

describe('the setting that shows when the member was last active', () => {
  const box = () => screen.getByRole('checkbox', { name: 'Show others when I was last active' });

  it('is saved immediately and explains that hiding is mutual', async () => {
    serveSettings();
    serve(showLastActive, ({ body }) => ({ data: { privacySettings: body } }));
    const { person } = await openPrivacy();
    expect(box()).toBeChecked();
    expect(box()).toHaveAccessibleDescription(/both ways: if you hide it, you don't see it for others either/);
    await person.click(box());
    expect(box()).not.toBeChecked();
    await waitFor(() => expect(received(showLastActive).map(({ body }) => body)).toEqual([{ showLastActive: false }]));
    expect(await screen.findByText('Saved.')).toBeInTheDocument();
  });

  it('reverts and explains why when saving fails', async () => {
    serveSettings();
    failWith(showLastActive, new CutOff());
    const { person } = await openPrivacy();
    await person.click(box());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't change this: Network error/);
    expect(box()).toBeChecked();
  });
});

describe('pausing the profile', () => {
  const pause = () => screen.findByRole('switch', { name: 'Pause my profile' });

  it('is saved immediately, explains the effect, and can be ended', async () => {
    serveSettings();
    const { person } = await openPrivacy();
    expect(await pause()).not.toBeChecked();
    expect(await pause()).toHaveAccessibleDescription("New people can't find you. Your matches can still message you.");
    await person.click(await pause());
    expect(await screen.findByText('Your profile is paused.')).toBeInTheDocument();
    expect(await pause()).toBeChecked();
    await person.click(await pause());
    expect(await screen.findByText('Your profile is visible again.')).toBeInTheDocument();
    expect(await pause()).not.toBeChecked();
    expect(received(putPreferences).map(({ body }) => body)).toEqual([{ isPaused: true }, { isPaused: false }]);
  });
});

describe('blocked people', () => {
  it('are replaced by a hint on how to block when there are none', async () => {
    serveSettings();
    await openBlocked();
    expect(await screen.findByText(/^You haven't blocked anyone\. You can block/)).toBeVisible();
  });

  it('are listed by name, or as "A member" without one', async () => {
    serveSettings([blocked('bo', 'نور الدين'), blocked('gone', null)]);
    await openBlocked();
    expect(await screen.findByText('نور الدين')).toBeVisible();
    expect(screen.getByText('A member')).toBeVisible();
    expect(region('Blocked people').queryByText(/null|undefined/)).toBeNull();
  });

  it('can each be unblocked', async () => {
    serveSettings([blocked('bo', 'Bo'), blocked('cy', 'Cy')]);
    serve(unblockUser, () => ({ data: { blocked: false } }));
    const { person } = await openBlocked();
    await person.click(await screen.findByRole('button', { name: 'Unblock Bo' }));
    expect(screen.queryByText('Bo')).toBeNull();
    expect(await screen.findByText('Bo is no longer blocked.')).toBeVisible();
    expect(received(unblockUser).map(({ params }) => params)).toEqual([{ userId: 'bo' }]);
    expect(screen.getByText('Cy')).toBeVisible();
  });

  it('stay when unblocking fails', async () => {
    serveSettings([blocked('bo', 'Bo')]);
    failWith(unblockUser, new CutOff());
    const { person } = await openBlocked();
    await person.click(await screen.findByRole('button', { name: 'Unblock Bo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This person is still blocked: Network error/);
    expect(screen.getByText('Bo')).toBeVisible();
  });
});
