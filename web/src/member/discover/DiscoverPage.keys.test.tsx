import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { likeUser, passUser, undoDecision } from '#contract/connections.ts';
import { cardOf, onTop, openDeck, serveDeck, memberNamed, topCard } from '../../../test/fixtures/deck.ts';
import { received } from '../../../test/fake-server.ts';
import { picture } from '../../../test/fixtures/pictures.ts';

const people = () => ['Bo', 'Cy', 'Di'].map((name) => cardOf(name));
const statusMessage = () => screen.getByText(/^You (like|passed)/);

describe('the keys of the deck', () => {
  it('pass with Left and like with Right, and announce the next person', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    await person.keyboard('{ArrowLeft}');
    expect(onTop()).toBe('Cy, 34');
    expect(statusMessage()).toHaveTextContent('You passed on Bo. Next: Cy, 34');
    expect(statusMessage()).toHaveAttribute('role', 'status');
    await person.keyboard('{ArrowRight}');
    expect(onTop()).toBe('Di, 34');
    expect(statusMessage()).toHaveTextContent('You like Cy. Next: Di, 34');
    await waitFor(() => expect(received(likeUser).map(({ params }) => params.userId)).toEqual(['cy']));
    expect(received(passUser).map(({ params }) => params.userId)).toEqual(['bo']);
  });

  it('leave Up and Down to the browser for scrolling the profile', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    expect(await screen.findByText('I am Bo.')).toBeVisible();
    const keysLeft: string[] = [];
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented) keysLeft.push(event.key);
    };
    window.addEventListener('keydown', listen);
    await person.keyboard('{ArrowDown}{ArrowUp}');
    window.removeEventListener('keydown', listen);
    expect(keysLeft).toEqual(['ArrowDown', 'ArrowUp']);
    expect(onTop()).toBe('Bo, 34');
  });

  it('scroll to the next picture or answer with Space, and to the top after the last', async () => {
    const pictures = ['one', 'two'].map((word) => picture(word));
    const prompts = [{ prompt: 'ask-me' as const, answer: 'bread' }];
    serveDeck([cardOf('Bo', { user: memberNamed('Bo', { pictures, prompts }) })]);
    const { person } = await openDeck();
    await screen.findByText('bread');
    const scrolledTo = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(undefined);
    const below = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 5000, 10, 10));
    await person.keyboard(' ');
    expect(scrolledTo.mock.contexts.at(-1)).toHaveTextContent('bread');
    below.mockReturnValue(new DOMRect(0, -5000, 10, 10));
    await person.keyboard(' ');
    expect(scrolledTo.mock.contexts.at(-1)).toBe(topCard());
    scrolledTo.mockRestore();
    below.mockRestore();
  });

  it('leave Space to the button that has the focus', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    screen.getByRole('button', { name: 'Pass on Bo' }).focus();
    await person.keyboard(' ');
    expect(onTop()).toBe('Cy, 34');
    expect(screen.getByRole('button', { name: 'Pass on Cy' })).toHaveFocus();
  });

  it('keep the focus on the deck when the focused control disappears with its card', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    screen.getByRole('button', { name: 'Like picture 1 of Bo' }).focus();
    await person.keyboard('{ArrowLeft}');
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Like picture 1 of Bo' })).toBeNull());
    expect(document.body).not.toHaveFocus();
    expect(document.activeElement).toContainElement(topCard());
    await person.keyboard('{ArrowRight}');
    expect(onTop()).toBe('Di, 34');
  });

  it('undo the last decision with Backspace', async () => {
    const known = serveDeck(people());
    const { person } = await openDeck();
    await person.keyboard('{ArrowLeft}');
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    await person.keyboard('{Backspace}');
    expect(onTop()).toBe('Bo, 34');
    await waitFor(() => expect(received(undoDecision).map(({ body }) => body)).toEqual([{ userId: 'bo' }]));
  });

  it('decide once for a key that is held down', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    await person.keyboard('{ArrowRight>3/}');
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
  });

  it('are ignored while typing and behind a dialog', async () => {
    serveDeck(people());
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Like picture 1 of Bo' }));
    const note = await screen.findByLabelText('Add a comment (optional)');
    await person.type(note, 'hi{ArrowLeft}{ArrowRight}{Backspace} {ArrowUp}');
    expect(note).toHaveValue('h ');
    await person.click(screen.getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    await person.keyboard('{ArrowLeft}');
    expect(onTop()).toBe('Bo, 34');
  });
});
