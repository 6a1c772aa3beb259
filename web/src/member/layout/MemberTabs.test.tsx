import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cardOf, openDeck, serveDeck } from '../../../test/fixtures/deck.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
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

  it('is hidden where the header has room', async () => {
    renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('navigation', { name: 'Most used' })).toBeNull();
  });
});

describe("the members' menu", () => {
  it("contains everything, also links that don't fit in the header", async () => {
    const { person } = renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    await person.click(screen.getByRole('button', { name: 'Open menu' }));
    const links = within(screen.getByRole('dialog', { name: 'Menu' })).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Discover',
      'Likes',
      'Messages',
      'Profile',
      'Home',
      'FAQs',
      'Privacy',
      'Support',
      'Premium',
      'Settings',
    ]);
  });
});
