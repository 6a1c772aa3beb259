import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listSessions } from '#contract/auth/auth.ts';
import { listBlocks, unblockUser } from '#contract/connections/blocks.ts';
import { getProfile, showLastActive } from '#contract/profiles/profiles.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { blocked, serveSettings } from '../../../test/fixtures/own-settings.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp, serveBasics } from '../../../test/render-app.tsx';

const region = (name: string) => within(screen.getByRole('region', { name }));

async function open() {
  const app = renderApp('/app/settings', ownUser());
  await screen.findByRole('checkbox', { name: 'Show others when I was last active' });
  await screen.findByText('Chrome on Linux');
  return app;
}

describe('the settings', () => {
  it('has its parts, and is linked from the menu', async () => {
    serveSettings();
    const { person } = renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    await person.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus();
    expect(document.title).toBe('Settings · Heartwood');
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Privacy',
      'Your plan',
      'Blocked people',
      'Sign-in and security',
      'Notifications',
      'Appearance',
      'Your data',
      'Delete account',
    ]);
  });

  it('shows what failed to load, and leaves the rest usable', async () => {
    serveSettings();
    serve(listBlocks, () => {
      throw new CutOff();
    });
    serve(listSessions, () => {
      throw new Refusal('UNAVAILABLE', 'Please try again in a moment');
    });
    const { person } = renderApp('/app/settings', ownUser());
    expect(await screen.findByText(/^Couldn't load the people you blocked: Network error/)).toBeVisible();
    expect(await screen.findByText("Couldn't load your devices: Please try again in a moment")).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Download my data' })).toBeVisible();
    serveSettings([blocked('bo', 'Bo')]);
    await person.click(region('Blocked people').getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Bo')).toBeVisible();
  });
});

describe('showing when the member was last active', () => {
  const box = () => screen.getByRole('checkbox', { name: 'Show others when I was last active' });

  it('is saved at once, and says that hiding is mutual', async () => {
    serveSettings();
    serve(showLastActive, ({ body }) => ({ data: { privacySettings: body } }));
    const { person } = await open();
    expect(box()).toBeChecked();
    expect(box()).toHaveAccessibleDescription(/both ways: if you hide it, you don't see it for others either/);
    await person.click(box());
    expect(box()).not.toBeChecked();
    await waitFor(() => expect(received(showLastActive).map(({ body }) => body)).toEqual([{ showLastActive: false }]));
    expect(await screen.findByText('Saved.')).toBeInTheDocument();
  });

  it('goes back and explains why when saving fails', async () => {
    serveSettings();
    serve(showLastActive, () => {
      throw new CutOff();
    });
    const { person } = await open();
    await person.click(box());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't change this: Network error/);
    expect(box()).toBeChecked();
  });

  it('can be loaded again after a failure', async () => {
    serveSettings();
    const { person } = renderApp('/faqs', ownUser());
    await screen.findByRole('heading', { level: 1 });
    serve(getProfile, () => {
      throw new CutOff();
    });
    await person.click(screen.getByRole('link', { name: 'Settings' }));
    expect(await screen.findByText(/^Couldn't load your settings: Network error/)).toBeVisible();
    serveBasics(ownUser({ settings: { showLastActive: false } }));
    await person.click(region('Privacy').getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(box()).not.toBeChecked());
  });
});

describe('blocked people', () => {
  it('are none at first, with a hint on how to block', async () => {
    serveSettings();
    await open();
    expect(await screen.findByText(/^You haven't blocked anyone\. You can block/)).toBeVisible();
  });

  it('are listed by name, or as a member without one', async () => {
    serveSettings([blocked('bo', 'نور الدين'), blocked('gone', null)]);
    await open();
    expect(screen.getByText('نور الدين')).toBeVisible();
    expect(screen.getByText('A member')).toBeVisible();
    expect(region('Blocked people').queryByText(/null|undefined/)).toBeNull();
  });

  it('are unblocked one by one, at once', async () => {
    serveSettings([blocked('bo', 'Bo'), blocked('cy', 'Cy')]);
    serve(unblockUser, () => ({ data: { blocked: false } }));
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Unblock Bo' }));
    expect(screen.queryByText('Bo')).toBeNull();
    expect(await screen.findByText('Bo is no longer blocked.')).toBeVisible();
    expect(received(unblockUser).map(({ params }) => params)).toEqual([{ userId: 'bo' }]);
    expect(screen.getByText('Cy')).toBeVisible();
  });

  it('stay when unblocking fails', async () => {
    serveSettings([blocked('bo', 'Bo')]);
    serve(unblockUser, () => {
      throw new CutOff();
    });
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Unblock Bo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This person is still blocked: Network error/);
    expect(screen.getByText('Bo')).toBeVisible();
  });

  it('are loaded twenty at a time', async () => {
    serveSettings(Array.from({ length: 23 }, (_, index) => blocked(`m${index}`, `Member ${index}`)));
    const { person } = await open();
    expect(region('Blocked people').getAllByRole('listitem')).toHaveLength(20);
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(region('Blocked people').getAllByRole('listitem')).toHaveLength(23));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});
