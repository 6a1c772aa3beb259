import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { likeUser, passUser } from '#contract/connections.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { ownMessage } from '../../../test/fixtures/conversations.ts';
import { cardOf, heard, onTop, openDeck, serveDeck, memberNamed } from '../../../test/fixtures/deck.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { clearSession } from '../../api/session/stored-session.ts';
import { readDecisions, useNotices } from '../../features/connections/decisions.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { picture, pictureId } from '../../../test/fixtures/pictures.ts';
import { currentAddress, currentState, goBack } from '../../../test/render-app.tsx';
import { passTime, simulateTime } from '../../../test/time.ts';

const names = ['Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo', 'Kai', 'Lou', 'Max'];
const people = (count = 3) => names.slice(0, count).map((name) => cardOf(name));
const pass = () => screen.getByRole('button', { name: /^Pass on/ });
const like = () => screen.getByRole('button', { name: /^Like (?!picture|the)/ });

/** Makes the server hold back its answers to decisions until the test releases them. */
function holdAnswers(likers: readonly string[] = []) {
  const waiting: { userId: string; answer: () => void }[] = [];
  const hold = (userId: string) => new Promise<void>((answer) => waiting.push({ userId, answer }));
  serve(likeUser, async ({ params: { userId } }) => {
    await hold(userId);
    if (!likers.includes(userId)) return { data: { outcome: 'sent' as const, remainingLikes: 9 } };
    return { data: { outcome: 'matched' as const, matchId: `match-${userId}`, remainingLikes: 9 } };
  });
  serve(passUser, async ({ params: { userId } }) => {
    await hold(userId);
    return { data: { outcome: 'passed' as const } };
  });
  return { waiting, answerNext: () => waiting.shift()?.answer() };
}

describe('a decision', () => {
  it('has no effect while another part of the page is rendering', async () => {
    serveDeck(people(), { likers: ['di'] });
    const errors = vi.spyOn(console, 'error');
    const { person } = await openDeck();
    await person.click(pass());
    await person.keyboard('{ArrowLeft}');
    await person.click(like());
    await person.click(await screen.findByRole('button', { name: 'Keep looking' }));
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();
  });

  it('is shown before the server answers, and sent with its own idempotency key', async () => {
    serveDeck(people());
    const server = holdAnswers();
    const { person } = await openDeck();
    await person.click(pass());
    expect(onTop()).toBe('Cy, 34');
    await person.click(like());
    expect(onTop()).toBe('Di, 34');
    await waitFor(() => expect(server.waiting).toHaveLength(1));
    server.answerNext();
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
    const keys = [...received(passUser), ...received(likeUser)].map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
    expect(keys).not.toContain(null);
    server.answerNext();
    await waitFor(() => expect(screen.getByText('9 likes left today')).toBeVisible());
  });

  it('keeps its place in the order when ten are made before the server answers', async () => {
    serveDeck(people(12));
    const server = holdAnswers();
    const { person } = await openDeck();
    const ten = names.slice(0, 10).map((name, at) => ({ name, key: at % 2 === 0 ? 'ArrowLeft' : 'ArrowRight' }));
    for (const { name, key } of ten) {
      expect(onTop()).toBe(`${name}, 34`);
      await person.keyboard(`{${key}}`);
    }
    expect(onTop()).toBe('Lou, 34');
    for (const { name } of ten) {
      await waitFor(() => expect(server.waiting.map(({ userId }) => userId)).toEqual([name.toLowerCase()]));
      server.answerNext();
    }
    expect(onTop()).toBe('Lou, 34');
  });

  it('is sent immediately and only once when the page is hidden', async () => {
    serveDeck(people());
    const server = holdAnswers();
    const { person } = await openDeck();
    await person.click(pass());
    await person.click(like());
    await waitFor(() => expect(server.waiting).toHaveLength(1));
    const view = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(server.waiting).toHaveLength(2));
    view.mockRestore();
    fireEvent(window, new Event('pagehide'));
    for (const _ of names.slice(0, 2)) server.answerNext();
    expect(await screen.findByText('9 likes left today')).toBeVisible();
    expect(heard()).toEqual(['+cy', '-bo']);
  });

  it('is discarded when the session ends', async () => {
    serveDeck(people(), { likers: ['bo'] });
    const { person } = await openDeck();
    await person.click(like());
    await screen.findByRole('dialog', { name: 'You and Bo like each other' });
    expect(readDecisions()).toHaveLength(1);
    act(() => clearSession('expired'));
    expect(readDecisions()).toEqual([]);
    expect(useNotices.getState().matches).toEqual([]);
  });

  it('counts a double or triple tap once, and the next tap once the next card is shown', async () => {
    simulateTime();
    serveDeck(people());
    const { person } = await openDeck();
    await person.tripleClick(pass());
    expect(onTop()).toBe('Cy, 34');
    await passTime(320);
    await person.click(pass());
    expect(onTop()).toBe('Di, 34');
    await waitFor(() => expect(received(passUser)).toHaveLength(2));
  });

  it("is undone with an error when it can't be saved", async () => {
    serveDeck(people());
    failWith(passUser, new RawAnswer(500, ''));
    const { person } = await openDeck();
    await person.click(pass());
    expect(onTop()).toBe('Cy, 34');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't save your decision\. Please try again\.$/);
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    serveDeck(people());
    await person.click(pass());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(onTop()).toBe('Cy, 34');
  });

  it("is undone when the server doesn't answer, without stopping later ones", async () => {
    const known = serveDeck(people());
    let cutOff = () => {};
    const bothPressed = new Promise<void>((resolve) => {
      cutOff = resolve;
    });
    serve(likeUser, async () => {
      await bothPressed;
      throw new CutOff();
    });
    const { person } = await openDeck();
    await person.click(like());
    await person.click(screen.getByRole('button', { name: 'Pass on Cy' }));
    cutOff();
    await waitFor(() => expect(onTop()).toBe('Bo, 34'));
    expect(screen.getByRole('alert')).toHaveTextContent(/^Couldn't save your decision/);
    await waitFor(() => expect(known.decided).toEqual(['cy']));
  });

  it('shows no error if the member has been deleted', async () => {
    const known = serveDeck(people());
    serve(likeUser, ({ params }) => {
      known.cards = known.cards.filter(({ user }) => user._id !== params.userId);
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    const { person } = await openDeck();
    await person.click(like());
    await person.click(pass());
    await waitFor(() => expect(heard()).toEqual(['+bo', '-cy']));
    expect(onTop()).toBe('Di, 34');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the count of daily likes', () => {
  const left = () => screen.queryByText(/left today$/)?.textContent ?? null;

  it('appears when ten are left', async () => {
    serveDeck(people(), { remainingLikes: 11 });
    const { person } = await openDeck();
    expect(left()).toBeNull();
    await person.click(like());
    expect(left()).toBe('10 likes left today');
    await person.click(pass());
    expect(left()).toBe('10 likes left today');
  });

  it('is hidden with premium', async () => {
    serveDeck(people(), { remainingLikes: null });
    const { person } = await openDeck();
    await person.click(like());
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
    expect(left()).toBeNull();
  });

  it('offers premium when none are left, and the card comes back', async () => {
    serveDeck(people(), { remainingLikes: 1 });
    const { person } = await openDeck();
    await person.click(like());
    expect(left()).toBe('0 likes left today');
    await person.keyboard('{ArrowRight}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Those were your 30 likes for today. You get more tomorrow.',
    );
    expect(onTop()).toBe('Cy, 34');
    expect(left()).toBe('0 likes left today');
    expect(screen.getByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });
});

describe('a note with a like', () => {
  const bo = memberNamed('Bo', {
    pictures: [picture('one'), picture('two')],
    prompts: [{ prompt: 'ask-me', answer: 'my {bread}' }],
  });

  it('refers to the first picture when its heart was pressed', async () => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')]);
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Like picture 1 of Bo' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Like Bo' }));
    const note = dialog.getByLabelText('Add a comment (optional)');
    await person.type(note, '  Where is that? ');
    expect(note).toHaveAccessibleDescription('126 characters left.');
    await person.click(dialog.getByRole('button', { name: 'Send like' }));
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
    expect(received(likeUser)[0]?.body).toEqual({
      note: 'Where is that?',
      on: { kind: 'picture', publicId: pictureId('one') },
    });
  });

  it('closes on Back, stays on the deck and keeps the text until canceled', async () => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')]);
    const { person } = await openDeck();
    const open = async () => {
      await person.click(screen.getByRole('button', { name: 'Like picture 1 of Bo' }));
      return await screen.findByLabelText('Add a comment (optional)');
    };
    const isClosed = async () => await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.type(await open(), 'Where is that?');
    await goBack();
    await isClosed();
    expect([currentAddress(), onTop()]).toEqual(['/app/discover', 'Bo, 34']);
    expect(await open()).toHaveValue('Where is that?');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    await isClosed();
    expect(await open()).toHaveValue('');
    await person.keyboard('{Escape}');
    await isClosed();
    expect([currentAddress(), onTop()]).toEqual(['/app/discover', 'Bo, 34']);
  });

  async function sendNote({ person }: Awaited<ReturnType<typeof openDeck>>, note: string) {
    await person.click(screen.getByRole('button', { name: 'Like picture 1 of Bo' }));
    if (note !== '') await person.type(await screen.findByLabelText('Add a comment (optional)'), note);
    await person.click(await screen.findByRole('button', { name: 'Send like' }));
    await waitFor(() => expect(received(likeUser)).toHaveLength(1));
  }

  it('shows one short confirmation', async () => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')]);
    await sendNote(await openDeck(), 'Hello');
    const sent = await screen.findByText('Sent to Bo');
    expect(sent).toHaveAttribute('role', 'status');
    await waitFor(() => expect(screen.queryByText('Sent to Bo')).toBeNull());
  });

  it('shows no confirmation if it was undone', async () => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')]);
    const app = await openDeck();
    await sendNote(app, 'Hello');
    await screen.findByText('Sent to Bo');
    await app.person.click(screen.getByRole('button', { name: /^Undo/ }));
    await waitFor(() => expect(screen.queryByText('Sent to Bo')).toBeNull());
  });

  it.each([
    ['without words', '', []],
    ['that makes a match', 'Hello', ['bo']],
  ])('shows no confirmation for a like %s', async (_, note, likers) => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')], { likers });
    await sendNote(await openDeck(), note);
    if (likers.length > 0) await screen.findByRole('dialog', { name: 'You and Bo like each other' });
    expect(screen.queryByText('Sent to Bo')).toBeNull();
  });

  it.each([
    ['Like picture 2 of Bo', { kind: 'picture', publicId: pictureId('two') }],
    ['Like the answer to “Ask me about”', { kind: 'prompt', prompt: 'ask-me' }],
  ])('refers to the part whose button was pressed: %s', async (name, on) => {
    serveDeck([cardOf('Bo', { user: bo }), cardOf('Cy')]);
    const { person } = await openDeck();
    await person.click(await screen.findByRole('button', { name }));
    const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
    const dialog = within(await screen.findByRole('dialog', { name: 'Like Bo' }));
    expect(dialog.queryByRole('radio')).toBeNull();
    await person.type(dialog.getByLabelText('Add a comment (optional)'), 'Lovely');
    await person.click(dialog.getByRole('button', { name: 'Send like' }));
    expect(onTop()).toBe('Cy, 34');
    await waitFor(() => expect(scrolled).toHaveBeenLastCalledWith(0, 0));
    scrolled.mockRestore();
    await waitFor(() => expect(received(likeUser).map(({ body }) => body)).toEqual([{ note: 'Lovely', on }]));
  });

  it('can refer to a text or the whole profile if there is no picture', async () => {
    const noPicture = { ...bo, pictures: [] };
    serveDeck([
      cardOf('Bo', { user: noPicture }),
      cardOf('Cy', { user: { ...noPicture, _id: 'cy', firstName: 'Cy' } }),
    ]);
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Note with a like for Bo' }));
    await person.click(await screen.findByRole('radio', { name: 'Ask me about … my {bread}' }));
    await person.click(screen.getByRole('button', { name: 'Send like' }));
    await person.click(screen.getByRole('button', { name: 'Note with a like for Cy' }));
    await person.click(await screen.findByRole('radio', { name: "Cy's profile in general" }));
    await person.click(screen.getByRole('button', { name: 'Send like' }));
    await waitFor(() => expect(received(likeUser)).toHaveLength(2));
    expect(received(likeUser).map(({ body }) => body)).toEqual([{ on: { kind: 'prompt', prompt: 'ask-me' } }, {}]);
  });

  it('is limited to 140 characters', async () => {
    serveDeck([cardOf('Bo', { user: bo })]);
    const { person } = await openDeck();
    await person.click(screen.getByRole('button', { name: 'Like picture 1 of Bo' }));
    await person.click(await screen.findByLabelText('Add a comment (optional)'));
    await person.paste('x'.repeat(141));
    await person.click(screen.getByRole('button', { name: 'Send like' }));
    expect(screen.getByLabelText('Add a comment (optional)')).toHaveAccessibleDescription(
      /^Use at most 140 characters/,
    );
    expect(received(likeUser)).toEqual([]);
  });
});

describe('the match dialog', () => {
  /** The match dialog, once Back would close it. */
  async function momentWith(name: string) {
    const dialog = await screen.findByRole('dialog', { name: `You and ${name} like each other` });
    await waitFor(() => expect(currentState()).not.toBeNull());
    return within(dialog);
  }

  it('shows both people, and the field for a message has the focus', async () => {
    serveDeck(people(), { likers: ['bo', 'cy'] });
    const { person } = await openDeck('/app/discover', ownUser({ profilePicture: '/me-400' }));
    await person.click(like());
    const moment = within(await screen.findByRole('dialog', { name: 'You and Bo like each other' }));
    expect(await moment.findByText('Ada')).toBeVisible();
    expect(moment.getByText('Bo')).toBeVisible();
    expect(await moment.findByRole('textbox', { name: 'Write to Bo' })).toHaveFocus();
    await person.click(moment.getByRole('button', { name: 'Keep looking' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onTop()).toBe('Cy, 34');
    await person.keyboard('{ArrowRight}');
    await screen.findByRole('dialog', { name: 'You and Cy like each other' });
    // The second press of a double one was meant for the like.
    fireEvent.click(screen.getByRole('button', { name: 'Keep looking' }), { detail: 2 });
    expect(screen.getByRole('dialog')).toBeVisible();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('closes on Back and stays on the deck', async () => {
    serveDeck(people(4), { likers: ['bo', 'cy', 'di'] });
    const { person } = await openDeck('/app/discover?view=grid');
    for (const name of ['Bo', 'Cy']) {
      await person.keyboard('{ArrowRight}');
      await momentWith(name);
      await goBack();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(currentAddress()).toBe('/app/discover?view=grid');
    }
    expect(onTop()).toBe('Di, 34');
    expect(currentState()).toBeNull();
    await person.keyboard('{ArrowRight}');
    await person.click((await momentWith('Di')).getByRole('button', { name: 'Keep looking' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(currentState()).toBeNull());
  });

  it('closes one of two matches with each Back', async () => {
    serveDeck(people(3), { likers: ['bo', 'cy'] });
    const server = holdAnswers(['bo', 'cy']);
    const { person } = await openDeck();
    await person.click(like());
    await person.keyboard('{ArrowRight}');
    for (const _ of names.slice(0, 2)) {
      await waitFor(() => expect(server.waiting).toHaveLength(1));
      server.answerNext();
    }
    await momentWith('Bo');
    await waitFor(() => expect(received(likeUser)).toHaveLength(2));
    await goBack();
    await momentWith('Cy');
    await goBack();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(currentState()).toBeNull();
  });

  it('sends the first message, opens the conversation, and leaves no history entry', async () => {
    serveDeck(people(), { likers: ['bo'] });
    serve(sendMessage, () => new Promise(() => undefined));
    const { person } = await openDeck();
    await person.click(like());
    await person.type(await screen.findByRole('textbox', { name: 'Write to Bo' }), 'Hello!');
    await person.click(screen.getByRole('button', { name: 'Send' }));
    expect(currentAddress()).toBe('/app/messages/match-bo');
    await waitFor(() =>
      expect(received(sendMessage)).toMatchObject([{ params: { id: 'match-bo' }, body: { text: 'Hello!' } }]),
    );
    await goBack();
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    await waitFor(() => expect(currentState()).toBeNull());
  });

  it('keeps the first message while offline and says when it will be sent', async () => {
    serveDeck(people(), { likers: ['bo'] });
    failWith(sendMessage, new CutOff());
    const { person } = await openDeck();
    await person.click(like());
    const field = await screen.findByRole('textbox', { name: 'Write to Bo' });
    act(() => void window.dispatchEvent(new Event('offline')));
    await person.type(field, 'Hello!');
    await person.click(screen.getByRole('button', { name: 'Send' }));
    const words = screen.getByText("You're offline. Your message is saved, and sent once you're back.");
    expect(words).toHaveFocus();
    expect(currentAddress()).toBe('/app/discover');
    serve(sendMessage, ({ body: { clientId, text } }) => ({ data: { message: ownMessage(1, { clientId, text }) } }));
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('Your message was sent.')).toBeVisible();
  });
});
