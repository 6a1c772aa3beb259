import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { likeUser, passUser, undoDecision } from '#contract/connections.ts';
import { cardOf, heard, memberNamed, onTop, openDeck, serveDeck, serveProfile } from '../../../test/fixtures/deck.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';

const people = () => ['Bo', 'Cy', 'Di'].map((name) => cardOf(name));
const pass = () => screen.getByRole('button', { name: /^Pass on/ });
const like = () => screen.getByRole('button', { name: /^Like (?!picture|the)/ });
const undo = () => screen.getByRole('button', { name: 'Undo' });
const sentUndos = () => received(undoDecision).map(({ body }) => body);

describe('undoing the last decision', () => {
  it('shows the card again at once, and restores the like', async () => {
    const known = serveDeck(people(), { remainingLikes: 10 });
    const { person } = await openDeck();
    await person.click(like());
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    known.remainingLikes = 10;
    await person.click(undo());
    expect(onTop()).toBe('Bo, 34');
    await waitFor(() => expect(sentUndos()).toEqual([{ userId: 'bo' }]));
    await waitFor(() => expect(screen.getByText('10 likes left today')).toBeVisible());
    expect(known.decided).toEqual([]);
  });

  it("doesn't send an unsent decision", async () => {
    serveDeck(people());
    let release = () => {};
    serve(passUser, async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = await openDeck();
    await person.click(pass());
    await person.click(like());
    await person.click(undo());
    expect(onTop()).toBe('Cy, 34');
    release();
    await waitFor(() => expect(heard()).toEqual(['-bo']));
    expect(sentUndos()).toEqual([]);
  });

  it('waits for decisions being sent, and is sent after them', async () => {
    const known = serveDeck(people());
    let release = () => {};
    serve(passUser, async ({ params }) => {
      await new Promise<void>((resolve) => (release = resolve));
      known.decided.push(params.userId);
      return { data: { outcome: 'passed' as const } };
    });
    const { person } = await openDeck();
    await person.click(pass());
    await waitFor(() => expect(received(passUser)).toHaveLength(1));
    await person.click(undo());
    expect(onTop()).toBe('Bo, 34');
    expect(sentUndos()).toEqual([]);
    release();
    await waitFor(() => expect(sentUndos()).toEqual([{ userId: 'bo' }]));
    expect(known.decided).toEqual([]);
    expect(onTop()).toBe('Bo, 34');
  });

  it('works after a reload and puts the card on top', async () => {
    serveDeck(people(), { decided: ['bo', 'cy'] });
    const { person } = await openDeck();
    expect(onTop()).toBe('Di, 34');
    await person.click(undo());
    await waitFor(() => expect(onTop()).toBe('Cy, 34'));
    expect(sentUndos()).toEqual([{}]);
  });

  it('brings back a member who is no longer in the deck', async () => {
    const known = serveDeck([cardOf('Di')], { decided: ['bo'] });
    serveProfile(memberNamed('Bo'));
    const { person } = await openDeck();
    await person.click(undo());
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    expect(await screen.findByText('Great match')).toBeVisible();
    await person.click(pass());
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    expect(onTop()).toBe('Di, 34');
  });

  it('is refused a second time with a link to premium', async () => {
    const known = serveDeck(people());
    const { person } = await openDeck();
    await person.click(pass());
    await person.keyboard('{ArrowLeft}');
    await waitFor(() => expect(known.decided).toEqual(['bo', 'cy']));
    await person.click(undo());
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    failWith(undoDecision, new Refusal('PREMIUM_REQUIRED', 'Without premium, you can only undo your last decision'));
    await person.click(undo());
    expect(onTop()).toBe('Cy, 34');
    expect(await screen.findByRole('alert')).toHaveTextContent('Without premium, you can only undo your last decision');
    expect(screen.getByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
    expect(onTop()).toBe('Cy, 34');
  });

  it('goes back further with premium', async () => {
    const known = serveDeck(people(), { remainingLikes: null });
    const { person } = await openDeck();
    await person.click(pass());
    await person.click(like());
    await waitFor(() => expect(known.decided).toEqual(['bo', 'cy']));
    const answers: (() => void)[] = [];
    serve(undoDecision, async ({ body: { userId = '' } }) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { data: { userId, was: 'pass' as const, remainingLikes: null } };
    });
    await person.click(undo());
    await person.click(undo());
    expect(onTop()).toBe('Bo, 34');
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(sentUndos()).toEqual([{ userId: 'cy' }, { userId: 'bo' }]));
    expect(onTop()).toBe('Bo, 34');
  });

  it('shows a message when there is nothing to undo or it is too late', async () => {
    serveDeck(people(), { likers: ['bo'] });
    const { person } = await openDeck();
    await person.click(undo());
    expect(await screen.findByRole('alert')).toHaveTextContent("There's nothing to undo.");
    await person.click(like());
    await person.click(await screen.findByRole('button', { name: 'Keep looking' }));
    failWith(undoDecision, new Refusal('CONFLICT', 'This is already a match'));
    await person.click(undo());
    expect(await screen.findByRole('alert')).toHaveTextContent('This is already a match');
    expect(screen.getByRole('link', { name: 'See your matches' })).toHaveAttribute('href', '/app/matches');
    expect(onTop()).toBe('Cy, 34');
  });

  it('keeps the card away when it fails', async () => {
    const known = serveDeck(people());
    const { person } = await openDeck();
    await person.click(pass());
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    failWith(undoDecision, new RawAnswer(500, ''));
    await person.click(undo());
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't undo this. Please try again.");
    await waitFor(() => expect(onTop()).toBe('Cy, 34'));
  });

  it('allows a new like after undoing one whose response was lost', async () => {
    const known = serveDeck(people());
    const answers = new Map<string | null, { outcome: 'sent'; remainingLikes: number }>();
    let isCut = true;
    serve(likeUser, ({ params: { userId }, headers }) => {
      const key = headers.get('idempotency-key');
      const answer = answers.get(key) ?? { outcome: 'sent' as const, remainingLikes: 29 };
      if (!answers.has(key)) known.decided.push(userId);
      answers.set(key, answer);
      if (isCut) throw new CutOff();
      return { data: answer };
    });
    const { person } = await openDeck();
    await person.click(like());
    await screen.findByRole('alert');
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    isCut = false;
    await person.click(undo());
    await waitFor(() => expect(known.decided).toEqual([]));
    await person.click(like());
    await waitFor(() => expect(known.decided).toEqual(['bo']));
  });

  it("isn't sent for a like that couldn't be saved", async () => {
    serveDeck(people());
    let refuse = () => {};
    serve(likeUser, () => new Promise((_, reject) => (refuse = () => reject(new RawAnswer(400, '')))));
    const { person } = await openDeck();
    await person.click(like());
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
    await person.click(undo());
    expect(onTop()).toBe('Bo, 34');
    refuse();
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeNull());
    expect(sentUndos()).toEqual([]);
    expect(received(getCards).length).toBeGreaterThan(0);
    expect(onTop()).toBe('Bo, 34');
  });
});
