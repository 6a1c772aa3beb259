import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { countUnread } from '#contract/messages/messages.ts';
import { listNotifications } from '#contract/notifications.ts';
import { CutOff, failWith, received } from '../../../test/fake-server.ts';
import { message, serveConversations } from '../../../test/fixtures/conversations.ts';
import { serveNotifications } from '../../../test/fixtures/notifications.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownReport, serveMyReports } from '../../../test/fixtures/own-reports.ts';
import { cardOf, openDeck, serveDeck } from '../../../test/fixtures/deck.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { beNarrow } from '../../../test/fixtures/staff/users.ts';

const tabs = () => screen.findByRole('navigation', { name: 'Most used' });

describe('the tab bar of narrow screens', () => {
  it('links to the main pages, and marks the current one', async () => {
    beNarrow();
    serveDeck([cardOf('Bo')]);
    const { person } = await openDeck();
    const bar = within(await tabs());
    expect(bar.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Discover', '/app/discover'],
      ['Likes', '/app/likes'],
      ['Messages', '/app/messages'],
      ['Profile', '/app/profile'],
    ]);
    expect(bar.getByRole('link', { current: 'page' })).toHaveTextContent('Discover');
    await person.click(bar.getByRole('link', { name: 'Likes' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/likes'));
    await waitFor(() => expect(bar.getByRole('link', { current: 'page' })).toHaveTextContent('Likes'));
  });

  it.each([
    ['visitors', '/faqs', undefined],
    ['staff', '/home', administrator()],
  ])('is hidden for %s', async (_, path, user) => {
    beNarrow();
    renderApp(path, user);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Most used' })).toBeNull();
  });

  it('is hidden when the header has room for the links', async () => {
    renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Most used' })).toBeNull();
  });
});

describe('the live updates', () => {
  it('request unread conversations only once the member has finished joining', async () => {
    serveNotifications([]);
    serveConversations({ Bo: [message(1)] });
    renderApp('/home', ownUser({ _id: 'newcomer', profileComplete: false }));
    await waitFor(() => expect(received(listNotifications)).not.toEqual([]));
    expect(await screen.findByRole('link', { name: 'Finish your profile' })).toBeVisible();
    expect(received(countUnread)).toEqual([]);
    act(() => noteOwnUser(ownUser({ _id: 'newcomer' })));
    await waitFor(() => expect(received(countUnread)).toHaveLength(1));
  });
});

describe('the frame of narrow screens', () => {
  const linksIn = (name: string) =>
    within(screen.getByRole('navigation', { name }))
      .getAllByRole('link')
      .map((link) => link.textContent);

  it('shows the public pages, the name and Logout on the home page, and keeps the tabs', async () => {
    beNarrow();
    renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    expect(linksIn('Main')).toEqual(['Home', 'FAQs', 'Privacy']);
    const header = within(screen.getByRole('banner'));
    expect(header.getByText('Ada Byron')).toBeVisible();
    expect(header.getByRole('button', { name: 'Logout' })).toBeVisible();
    expect(await tabs()).toBeVisible();
  });

  it('has no menu: the other places are cards on the profile', async () => {
    beNarrow();
    serveOwnProfile(ownUser());
    serveMyReports([ownReport({ isUnread: true })]);
    const { person } = renderApp('/app/profile', ownUser());
    await screen.findByRole('heading', { level: 1 });
    expect(within(screen.getByRole('banner')).queryByRole('button', { name: /menu|Logout/ })).toBeNull();
    const places = within(screen.getByRole('navigation', { name: 'More' }));
    expect(await places.findByRole('link', { name: /^Support\s*1 unread answer$/ })).toBeVisible();
    expect(linksIn('More').map((text) => text.replace(/\d.*/, ''))).toEqual([
      'Settings',
      'Premium',
      'Support',
      'People',
      'Safety',
    ]);
    const profile = within(await tabs()).getByRole('link', { name: /^Profile/ });
    expect(profile).toHaveAccessibleName(/1 unread answer$/);
    await person.click(places.getByRole('link', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(profile).toHaveAttribute('aria-current', 'true');
    await person.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/sign-in'));
  });
});

describe('refreshing a page', () => {
  const pull = (px: number, aside = 0) => {
    const touches = [0, px / 2, px].map((y) => [{ clientX: 100 + (aside * y) / px, clientY: 200 + y }]);
    fireEvent.touchStart(document.body, { touches: touches[0] });
    for (const one of touches.slice(1)) fireEvent.touchMove(document.body, { touches: one });
    fireEvent.touchEnd(document.body, { touches: [] });
  };
  const loads = () => received(getCards).length;

  async function openPulled() {
    serveDeck([cardOf('Bo')]);
    serveConversations({});
    serveNotifications([]);
    const app = await openDeck();
    await waitFor(() => expect(document.documentElement.dataset).toHaveProperty('pulled'));
    return app;
  }

  it('needs a long pull at the top, not a short one or a swipe', async () => {
    await openPulled();
    const before = loads();
    pull(60);
    pull(250, 300);
    pull(-250);
    expect(loads()).toBe(before);
    pull(250);
    await waitFor(() => expect(loads()).toBe(before + 1));
    expect(await screen.findByText('Up to date.')).toHaveAttribute('role', 'status');
  });

  it('also follows a tap on the current tab, and shows an error when it fails', async () => {
    beNarrow();
    const { person } = await openPulled();
    failWith(getCards, new CutOff());
    await person.click(within(await tabs()).getByRole('link', { name: 'Discover' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't refresh/);
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
