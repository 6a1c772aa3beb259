import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { likeUser, passUser, type ReceivedLike, undoDecision, withdrawLike } from '#contract/connections.ts';
import { memberNamed, serveDeck, serveProfile } from '../../../test/fixtures/deck.ts';
import { receivedLike, serveLikes } from '../../../test/fixtures/likes.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { picture, pictureId } from '../../../test/fixtures/pictures.ts';
import { currentAddress, currentState, renderApp } from '../../../test/render-app.tsx';

const bo = memberNamed('Bo', { pictures: [picture('one'), picture('two')] });
const button = (name: string) => screen.getByRole('button', { name });

interface Relation {
  decision: 'like' | 'pass' | null;
  matchId: string | null;
}

const undecided: Relation = { decision: null, matchId: null };

interface Opening {
  /** Opens the profile itself or a list that links to it. */
  at?: string;
  likers?: string[];
  /** The like and note from Bo. */
  likes?: Partial<ReceivedLike>[];
  user?: OwnUser;
  relation?: Relation;
}

async function openBo({
  at = '/app/members/bo',
  likers = [],
  likes = [],
  user = ownUser(),
  relation = undecided,
}: Opening = {}) {
  serveLikes({ received: likes.map((like) => receivedLike('Bo', like)) });
  const known = serveDeck([], { likers });
  serveProfile(bo, relation);
  serve(withdrawLike, () => ({ data: { withdrawn: true, remainingLikes: 30 } }));
  const app = renderApp(at, user);
  if (at === '/app/likes') await app.person.click(await screen.findByRole('link', { name: 'Bo, 34' }));
  await screen.findByRole('heading', { level: 1, name: 'Bo, 34' });
  return { ...app, known };
}

describe('a profile opened from a list', () => {
  it('shows their like and note at the top, accepts an answer, and links back', async () => {
    const part = { kind: 'prompt' as const, prompt: 'small-joy' as const, answer: 'Snow' };
    const { person } = await openBo({ at: '/app/likes', likers: ['bo'], likes: [{ note: 'Where?', part }] });
    const like = within(await screen.findByRole('region', { name: 'Bo liked your answer' }));
    expect(like.getByText('Snow')).toBeVisible();
    expect(like.getByText('Where?')).toBeVisible();
    expect(like.getByRole('link', { name: 'Report this note' })).toBeVisible();
    await person.click(button('Like back Bo'));
    expect(await screen.findByText('You like each other.', { selector: '[role=status]' })).toBeVisible();
    // The match dialog has a separate history entry, which closing it removes.
    await waitFor(() => expect(currentState()).toEqual(expect.objectContaining({ isOverlay: true })));
    await person.click(await screen.findByRole('button', { name: 'Keep looking' }));
    await waitFor(() => expect(currentState()).not.toEqual(expect.objectContaining({ isOverlay: true })));
    await person.click(within(screen.getByRole('main')).getByRole('link', { name: 'Likes' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/likes'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Likes' })).toBeVisible();
  });

  it('links back to the list after a reload, too', async () => {
    const { person } = await openBo({ at: '/app/members/bo?from=sent' });
    await person.click(within(screen.getByRole('main')).getByRole('link', { name: 'Likes' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/likes?tab=sent'));
  });
});

describe('deciding on a member’s page', () => {
  it('shows the compatibility', async () => {
    await openBo();
    // Hidden while the code of the rest of the profile is being fetched.
    await waitFor(() => expect(screen.getByText('Great match')).toBeVisible());
    expect(screen.getByText(/^Based on what you both told us\.$/)).toBeVisible();
  });

  it('confirms a like, which can be undone', async () => {
    const { person } = await openBo();
    await person.click(button('Like Bo'));
    expect(screen.getByText('You like Bo.')).toHaveAttribute('role', 'status');
    await waitFor(() => expect(received(likeUser).map(({ body }) => body)).toEqual([{}]));
    await person.click(button('Take it back'));
    expect(button('Like Bo')).toBeVisible();
    await waitFor(() => expect(received(withdrawLike)).toHaveLength(1));
  });

  it('can like one of the pictures with a comment', async () => {
    const { person } = await openBo();
    await person.click(await screen.findByRole('button', { name: 'Like picture 2 of Bo' }));
    await person.type(await screen.findByLabelText('Add a comment (optional)'), 'Nice boat');
    await person.click(button('Send like'));
    await waitFor(() =>
      expect(received(likeUser).map(({ body }) => body)).toEqual([
        { note: 'Nice boat', on: { kind: 'picture', publicId: pictureId('two') } },
      ]),
    );
    await waitFor(() => expect(screen.getByText('You like Bo.').parentElement).toHaveFocus());
  });

  it('confirms a pass, which can be undone', async () => {
    const { person, known } = await openBo();
    await person.click(button('Pass on Bo'));
    expect(screen.getByText('You passed on Bo.')).toBeVisible();
    await waitFor(() => expect(received(passUser)).toHaveLength(1));
    await waitFor(() => expect(known.decided).toEqual(['bo']));
    await person.click(button('Take it back'));
    await waitFor(() => expect(received(undoDecision).map(({ body }) => body)).toEqual([{ userId: 'bo' }]));
    expect(button('Like Bo')).toBeVisible();
  });

  it('announces a match', async () => {
    const relation = { ...undecided };
    const { person } = await openBo({ likers: ['bo'], relation });
    Object.assign(relation, { decision: 'like', matchId: 'm1' });
    await person.click(button('Like Bo'));
    await person.click(await screen.findByRole('button', { name: 'Keep looking' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('You like each other.')).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'Write to Bo' })).toHaveAttribute('href', '/app/messages/m1'),
    );
  });

  it('offers only a message to an existing match', async () => {
    await openBo({ relation: { decision: 'like', matchId: 'm1' } });
    expect(screen.getByRole('link', { name: 'Write to Bo' })).toHaveAttribute('href', '/app/messages/m1');
    expect(screen.queryByRole('button', { name: /^(Like|Pass)/ })).toBeNull();
  });

  it('shows an existing like, which can be withdrawn', async () => {
    const { person } = await openBo({ relation: { decision: 'like', matchId: null } });
    expect(screen.getByText('You like Bo.')).toBeVisible();
    await person.click(button('Take it back'));
    expect(button('Like Bo')).toBeVisible();
    await waitFor(() => expect(received(withdrawLike)).toHaveLength(1));
  });

  it("is undone with an error when it can't be saved or isn't allowed", async () => {
    const { person } = await openBo();
    failWith(likeUser, new RawAnswer(500, ''));
    await person.click(button('Like Bo'));
    expect(await screen.findByText("Couldn't save your decision. Please try again.")).toBeVisible();
    expect(button('Like Bo')).toBeVisible();
    failWith(passUser, new Refusal('CONFLICT', 'This is a match; end it first'));
    await person.click(button('Pass on Bo'));
    expect(await screen.findByText('This is a match; end it first')).toBeVisible();
    expect(button('Like Bo')).toBeVisible();
  });

  it('is hidden from staff and on your own page', async () => {
    const { unmount } = await openBo({ user: administrator() });
    expect(screen.queryByRole('button', { name: /^Like/ })).toBeNull();
    unmount();
    await openBo({ user: ownUser({ _id: 'bo' }) });
    expect(screen.queryByRole('button', { name: 'Like Bo' })).toBeNull();
  });
});
