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
  it('have their parts, and are reached from the menu', async () => {
    serveSettings();
    const { person } = renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    await person.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus();
    expect(document.title).toBe('Settings · Heartwood');
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Privacy',
      'Your plan',
      'People you blocked',
      'Sign-in and security',
      'Notifications',
      'Appearance',
      'Your data',
      'Leave Heartwood',
    ]);
  });

  it('say what could not be loaded, and leave the rest usable', async () => {
    serveSettings();
    serve(listBlocks, () => {
      throw new CutOff();
    });
    serve(listSessions, () => {
      throw new Refusal('UNAVAILABLE', 'Please try again in a moment');
    });
    const { person } = renderApp('/app/settings', ownUser());
    expect(await screen.findByText(/^The people you blocked could not be loaded: Network error/)).toBeVisible();
    expect(await screen.findByText('Error loading devices: Please try again in a moment')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Download my data' })).toBeVisible();
    serveSettings([blocked('bo', 'Bo')]);
    await person.click(region('People you blocked').getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Bo')).toBeVisible();
  });
});

describe('showing when one was last active', () => {
  const box = () => screen.getByRole('checkbox', { name: 'Show others when I was last active' });

  it('is kept at once, and says that hiding is mutual', async () => {
    serveSettings();
    serve(showLastActive, ({ body }) => ({ data: { privacySettings: body } }));
    const { person } = await open();
    expect(box()).toBeChecked();
    expect(box()).toHaveAccessibleDescription(/both ways: when you hide it, you do not see it of others/);
    await person.click(box());
    expect(box()).not.toBeChecked();
    await waitFor(() => expect(received(showLastActive).map(({ body }) => body)).toEqual([{ showLastActive: false }]));
    expect(await screen.findByText('Saved.')).toBeInTheDocument();
  });

  it('is back as it was, in words, when it fails', async () => {
    serveSettings();
    serve(showLastActive, () => {
      throw new CutOff();
    });
    const { person } = await open();
    await person.click(box());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This could not be changed: Network error/);
    expect(box()).toBeChecked();
  });

  it('can be asked for again when it could not be read', async () => {
    serveSettings();
    const { person } = renderApp('/faqs', ownUser());
    await screen.findByRole('heading', { level: 1 });
    serve(getProfile, () => {
      throw new CutOff();
    });
    await person.click(screen.getByRole('link', { name: 'Settings' }));
    expect(await screen.findByText(/^Your settings could not be loaded: Network error/)).toBeVisible();
    serveBasics(ownUser({ settings: { showLastActive: false } }));
    await person.click(region('Privacy').getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(box()).not.toBeChecked());
  });
});

describe('the people one blocked', () => {
  it('are nobody at first, with a word on how to', async () => {
    serveSettings();
    await open();
    expect(await screen.findByText(/^You have not blocked anybody\. You can block/)).toBeVisible();
  });

  it('are listed by name, and without one as a member', async () => {
    serveSettings([blocked('bo', 'نور الدين'), blocked('gone', null)]);
    await open();
    expect(screen.getByText('نور الدين')).toBeVisible();
    expect(screen.getByText('A member')).toBeVisible();
    expect(region('People you blocked').queryByText(/null|undefined/)).toBeNull();
  });

  it('are let go one by one, at once', async () => {
    serveSettings([blocked('bo', 'Bo'), blocked('cy', 'Cy')]);
    serve(unblockUser, () => ({ data: { blocked: false } }));
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Unblock Bo' }));
    expect(screen.queryByText('Bo')).toBeNull();
    expect(await screen.findByText('Bo is no longer blocked.')).toBeVisible();
    expect(received(unblockUser).map(({ params }) => params)).toEqual([{ userId: 'bo' }]);
    expect(screen.getByText('Cy')).toBeVisible();
  });

  it('stay when letting go fails', async () => {
    serveSettings([blocked('bo', 'Bo')]);
    serve(unblockUser, () => {
      throw new CutOff();
    });
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Unblock Bo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This person is still blocked: Network error/);
    expect(screen.getByText('Bo')).toBeVisible();
  });

  it('come twenty at a time', async () => {
    serveSettings(Array.from({ length: 23 }, (_, index) => blocked(`m${index}`, `Member ${index}`)));
    const { person } = await open();
    expect(region('People you blocked').getAllByRole('listitem')).toHaveLength(20);
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(region('People you blocked').getAllByRole('listitem')).toHaveLength(23));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});
