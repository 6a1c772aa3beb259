import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cardOf, heard, onTop, openDeck, serveDeck, memberNamed } from '../../../test/fixtures/deck.ts';
import { serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { getUser } from '#contract/profiles/profiles.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';

const people = () => [
  cardOf('Bo', { compatibilityScore: 60, compatibilityBand: 'good' }),
  cardOf('Cy', { user: memberNamed('Cy', { pictures: [] }) }),
  cardOf('Di'),
];
const grid = () => screen.getByRole('list', { name: 'People' });
const shown = () =>
  within(grid())
    .getAllByRole('heading', { level: 2 })
    .map((title) => title.textContent);
const button = (name: string) => screen.getByRole('button', { name });

async function openGrid() {
  beWide();
  const app = renderApp('/app/discover?view=grid', ownUser());
  await screen.findByRole('list', { name: 'People' });
  return app;
}

describe('the grid', () => {
  it('can be chosen on wide screens and is kept in the address', async () => {
    beWide();
    serveDeck(people());
    const { person } = await openDeck();
    await person.click(button('Grid'));
    expect(await screen.findByRole('list', { name: 'People' })).toBeVisible();
    expect(currentAddress()).toBe('/app/discover?view=grid');
    await person.click(button('One at a time'));
    expect(onTop()).toBe('Bo, 34');
    expect(currentAddress()).toBe('/app/discover');
  });

  it('is not available on narrow screens', async () => {
    serveDeck(people());
    await openDeck('/app/discover?view=grid');
    expect(onTop()).toBe('Bo, 34');
    expect(screen.queryByRole('button', { name: 'One at a time' })).toBeNull();
  });

  it('opens a profile with the known data before the rest is loaded', async () => {
    serveDeck(people());
    const { person } = await openGrid();
    serve(getUser, () => new Promise(() => undefined));
    await person.click(screen.getByRole('link', { name: 'Bo, 34' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Bo, 34' })).toHaveFocus();
    expect(screen.getByRole('group', { name: 'Pictures of Bo' })).toBeVisible();
  });

  it('shows everyone with details and a link to their profile', async () => {
    serveDeck(people());
    await openGrid();
    expect(shown()).toEqual(['Bo, 34', 'Cy, 34', 'Di, 34']);
    expect(screen.getByRole('link', { name: 'Bo, 34' })).toHaveAttribute('href', '/app/members/bo');
    expect(screen.getByText('Good match')).toBeVisible();
    const [bo, cy] = within(grid()).getAllByRole('listitem');
    expect(cy).toHaveTextContent(/^C/);
    const image = bo?.querySelector('img');
    expect(image).toHaveAttribute('loading', 'lazy');
    if (image) fireEvent.error(image);
    await waitFor(() => expect(bo).toHaveTextContent(/^B/));
  });

  it('has buttons to decide, moves to the next person, and can undo', async () => {
    const known = serveDeck(people());
    const { person } = await openGrid();
    await person.click(button('Pass on Bo'));
    expect(shown()).toEqual(['Cy, 34', 'Di, 34']);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Cy, 34' })).toHaveFocus());
    await person.click(button('Like Di'));
    expect(shown()).toEqual(['Cy, 34']);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Cy, 34' })).toHaveFocus());
    await waitFor(() => expect(known.decided).toEqual(['bo', 'di']));
    expect(heard()).toEqual(['+di', '-bo']);
    await person.click(button('Undo'));
    expect(shown()).toEqual(['Di, 34', 'Cy, 34']);
  });

  it('has no single-key shortcuts', async () => {
    serveDeck(people());
    const { person } = await openGrid();
    await person.keyboard('{ArrowLeft}{ArrowRight}{Backspace}');
    expect(shown()).toHaveLength(3);
    expect(heard()).toEqual([]);
  });
});
