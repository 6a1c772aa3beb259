import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { passUser } from '#contract/connections.ts';
import { cardOf, onTop, openDeck, serveDeck } from '../../../test/fixtures/deck.ts';
import { CutOff, received, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const many = (count: number) => Array.from({ length: count }, (_, at) => cardOf(`P${at}`));
const asked = () => received(getCards).length;

/** Passes on this many people, one after the other. */
async function passOn(person: Awaited<ReturnType<typeof openDeck>>['person'], count: number) {
  for (let at = 0; at < count; at += 1) await person.keyboard('{ArrowLeft}');
}

describe('a deck that runs low', () => {
  it('loads more cards when five are left, without interruption', async () => {
    serveDeck(many(24));
    const { person } = await openDeck();
    await passOn(person, 14);
    expect(asked()).toBe(1);
    await passOn(person, 1);
    await waitFor(() => expect(asked()).toBe(2));
    await passOn(person, 8);
    expect(onTop()).toBe('P23, 34');
  });

  it('shows no one twice, even before the server has received the last decisions', async () => {
    const known = serveDeck(many(9));
    const held: (() => void)[] = [];
    serve(passUser, async ({ params }) => {
      await new Promise<void>((resolve) => held.push(resolve));
      known.decided.push(params.userId);
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = await openDeck();
    const seen: (string | null)[] = [];
    for (let at = 0; at < 9; at += 1) {
      seen.push(onTop());
      await passOn(person, 1);
    }
    expect(new Set(seen).size).toBe(9);
    expect(onTop()).toBeNull();
    expect(screen.queryByText('No one is left for now')).toBeNull();
    for (let at = 0; at < 9; at += 1) {
      await waitFor(() => expect(held.length).toBeGreaterThan(at));
      held[at]?.();
    }
    expect(await screen.findByRole('heading', { name: 'No one is left for now' })).toBeVisible();
  });

  it('retries after the next decision when loading fails, and shows an error only when no one is left', async () => {
    const known = serveDeck(many(6));
    const { person } = await openDeck();
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    serve(getCards, () => {
      throw new CutOff();
    });
    await passOn(person, 5);
    expect(onTop()).toBe('P5, 34');
    expect(screen.queryByRole('alert')).toBeNull();
    await passOn(person, 1);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load people/);
    serveDeck([...known.cards, cardOf('New')], { decided: known.decided });
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(onTop()).toBe('New, 34'));
  });

  it('shows a member again if the server returns them after answering all decisions', async () => {
    const known = serveDeck(many(3));
    const { person } = await openDeck();
    await passOn(person, 1);
    await waitFor(() => expect(known.decided).toEqual(['p0']));
    // The decision was undone in another tab.
    known.decided = [];
    await passOn(person, 2);
    await waitFor(() => expect(onTop()).toBe('P0, 34'));
  });

  it('is reloaded on the next visit, without members whose decision is still being sent', async () => {
    const known = serveDeck(many(3));
    let release = () => {};
    serve(passUser, async ({ params }) => {
      await new Promise<void>((resolve) => (release = resolve));
      known.decided.push(params.userId);
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = renderApp('/app/discover', ownUser());
    await waitFor(() => expect(onTop()).toBe('P0, 34'));
    await passOn(person, 1);
    await person.click(screen.getByRole('link', { name: 'Likes' }));
    await screen.findByRole('heading', { level: 1, name: 'Likes' });
    await person.click(screen.getByRole('link', { name: 'Discover' }));
    await waitFor(() => expect(onTop()).toBe('P1, 34'));
    release();
    await waitFor(() => expect(known.decided).toEqual(['p0']));
  });
});
