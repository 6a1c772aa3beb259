import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { getQueue } from '#contract/moderation/queue.ts';
import { decidePicture, listQueuedPictures } from '#contract/moderation/picture-queue.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import {
  cards,
  currentCards,
  openQueue,
  owners,
  queue,
  sentDecisions,
} from '../../../test/fixtures/staff/picture-queue.tsx';
import { pictureId } from '../../../test/fixtures/pictures.ts';
import { manyQueued, queuedPicture, serveQueue } from '../../../test/fixtures/staff/queued-pictures.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const opener = () => screen.getByRole('link', { name: /^Pending pictures/ });

beforeEach(() => {
  serveUsers();
});

describe('the link to the picture queue', () => {
  const serveCount = (pictures: number) => serve(getQueue, () => ({ data: { counts: { pictures } } }));

  it('shows the number of waiting pictures once known, even to moderators', async () => {
    serveCount(12);
    await openUsers('/users', moderator());
    await waitFor(() => expect(opener()).toHaveTextContent('Pending pictures12'));
    expect(opener()).toHaveAttribute('href', '/queue/pictures');
  });

  it.each([
    ['none are waiting', () => ({ data: { counts: { pictures: 0 } } })],
    [
      'the request fails',
      () => {
        throw new Refusal('UNAVAILABLE', 'Please try again in a moment');
      },
    ],
  ])('shows no number if %s', async (_, answer) => {
    let asked = 0;
    serve(getQueue, () => {
      asked += 1;
      return answer();
    });
    await openUsers();
    await waitFor(() => expect(asked).toBeGreaterThan(0));
    expect(opener().textContent).toBe('Pending pictures');
  });

  it('updates the number each minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    serveCount(2);
    await openUsers();
    await waitFor(() => expect(opener()).toHaveTextContent('2'));
    serveCount(3);
    act(() => void vi.advanceTimersByTime(60_000));
    await waitFor(() => expect(opener()).toHaveTextContent('3'));
    vi.useRealTimers();
  });

  it.each([
    ['pending', '/queue/pictures'],
    ['selfies', '/queue/verification'],
  ])('redirects from the old address of %s', async (queue, to) => {
    serveQueue([]);
    renderApp(`/users?pictures=${queue}`, administrator());
    await waitFor(() => expect(currentAddress()).toBe(to));
  });
});

describe('the picture queue', () => {
  it('shows when no pictures are waiting', async () => {
    serveQueue([]);
    renderApp('/queue/pictures', administrator());
    expect(await screen.findByText('No pictures are waiting.')).toBeVisible();
  });

  it('shows the owner, the kind and the waiting time of each picture', async () => {
    serveQueue([
      queuedPicture('ada', {
        isProfilePicture: true,
        width: 1600,
        height: 900,
        user: { _id: 'ada', name: 'Ada Byron', age: 31, gender: 'woman' },
      }),
      queuedPicture('nobody', { user: { _id: 'nobody', name: null, age: null, gender: null } }),
    ]);
    await openQueue();
    const [ada, nobody] = cards();
    expect(within(ada!).getByRole('link', { name: 'Ada Byron, 31' })).toHaveAttribute('href', '/users/ada');
    expect(ada).toHaveTextContent('WomanProfile pictureWaiting since Oct 18, 2025');
    expect(within(ada!).getByText(/^Oct 18, 2025/)).toHaveAttribute('title', expect.stringContaining('Saturday'));
    expect(within(ada!).getByRole('button', { name: /^Enlarge/ })).toHaveAccessibleName(/cropped here$/);
    expect(ada!.querySelector('img')).toHaveAttribute('src', '/api/v1/media/ada-400');
    expect(within(nobody!).getByRole('link', { name: 'Unknown' })).toBeVisible();
    expect(nobody).not.toHaveTextContent(/Profile picture|undefined|NaN|null/);
  });

  it('shows what automatic checks found, beside the enlarged picture as well, and links people with the same picture', async () => {
    serveQueue([
      queuedPicture('ada', {
        labels: ['qrCode', 'likeRemoved'],
        externalLabels: ['nudity'],
        alsoOn: [
          { _id: 'bo', name: 'Bo Holm' },
          { _id: 'cy', name: null },
        ],
      }),
      queuedPicture('dan'),
    ]);
    const { person } = await openQueue();
    const reasonsIn = (place: HTMLElement) => within(place).getByRole('group', { name: 'Automatic check' });
    const words =
      'Look closelyContains a QR codeLooks like a removed pictureExternal check: nuditySame picture on: Bo Holm, Unknown';
    const [ada, dan] = cards();
    expect(reasonsIn(ada!)).toHaveTextContent(words);
    expect(within(ada!).getByRole('link', { name: 'Bo Holm' })).toHaveAttribute('href', '/users/bo');
    expect(within(ada!).getByRole('link', { name: 'Unknown' })).toHaveAttribute('href', '/users/cy');
    expect(reasonsIn(dan!)).toHaveTextContent('Checks found nothing');
    await person.click(within(ada!).getByRole('button', { name: /^Enlarge/ }));
    expect(reasonsIn(queue())).toHaveTextContent(words);
  });

  it('starts at the first picture and moves the focus with j, k and the arrow keys', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    const enlarge = (name: string) => screen.getByRole('button', { name: `Enlarge the picture of ${name}` });
    expect(currentCards()).toEqual([cards()[0]]);
    await waitFor(() => expect(enlarge('P1')).toHaveFocus());
    await person.keyboard('j');
    expect(enlarge('P2')).toHaveFocus();
    await person.keyboard('{ArrowRight}{ArrowRight}j');
    expect(currentCards()).toEqual([cards()[2]]);
    await person.keyboard('k{ArrowLeft}{ArrowUp}');
    expect(enlarge('P1')).toHaveFocus();
    await person.keyboard('{ArrowDown}');
    expect(enlarge('P2')).toHaveFocus();
  });

  it('shows an approval at once and moves to the next picture', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    let release = () => {};
    serve(decidePicture, () => new Promise((resolve) => (release = () => resolve({ data: { picture: approved } }))));
    const approved = queuedPicture('P1', { state: 'approved' });
    await person.keyboard('a');
    expect(owners()).toEqual(['P2', 'P3']);
    expect(currentCards()).toEqual([cards()[0]]);
    expect(within(queue()).getByText('2 pictures are waiting')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Enlarge the picture of P2' })).toHaveFocus();
    expect(within(queue()).getByText(/^Approved:/)).toHaveTextContent('Approved: P1, 31');
    expect(within(queue()).getByRole('link', { name: 'P1, 31' })).toHaveAttribute('href', '/users/user-P1');
    release();
    await waitFor(() => expect(sentDecisions()).toEqual([[pictureId('P1'), 'approved']]));
    expect(owners()).toEqual(['P2', 'P3']);
  });

  it('approves with the button, and only once on a double click', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    await person.dblClick(screen.getByRole('button', { name: 'Approve the picture of P2' }));
    await waitFor(() => expect(sentDecisions()).toEqual([[pictureId('P2'), 'approved']]));
    expect(owners()).toEqual(['P1', 'P3']);
  });

  it("undoes a decision with an alert when it can't be saved", async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    failWith(decidePicture, new RawAnswer(500, ''));
    await person.keyboard('aa');
    await waitFor(() =>
      expect(screen.getByText(/was not saved/)).toHaveTextContent(
        'The decision on the picture of P2 was not saved: Server error: Please try again later. 1 earlier decision was not saved either.',
      ),
    );
    expect(screen.getByText(/was not saved/)).toHaveAttribute('role', 'alert');
    await waitFor(() => expect(owners()).toEqual(['P1', 'P2']));
    expect(screen.queryByText(/^Approved:/)).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/was not saved/)).toBeNull();
    expect(currentCards()[0]).toContainElement(document.activeElement as HTMLElement);
  });

  it.each([
    ['CONFLICT', 'A colleague has already reviewed the picture of P1.'],
    ['NOT_FOUND', 'The picture of P1 no longer exists: its owner deleted it.'],
  ] as const)('shows when a decision is too late (%s) and removes the picture from the list', async (code, words) => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    failWith(decidePicture, new Refusal(code, 'Too late'));
    await person.keyboard('a');
    expect(await within(queue()).findByRole('alert')).toHaveTextContent(words);
    expect(owners()).toEqual(['P2']);
    expect(within(queue()).getByText('1 picture is waiting')).toBeVisible();
  });

  it('approves pictures with one key and loads more before the last', async () => {
    serveQueue(manyQueued(33));
    const { person } = await openQueue();
    expect(cards()).toHaveLength(30);
    await person.keyboard('a'.repeat(16));
    await waitFor(() => expect(cards()).toHaveLength(17));
    expect(received(listQueuedPictures).at(-1)?.query).toEqual({ limit: 30, cursor: pictureId('P30') });
    await person.keyboard('a'.repeat(17));
    expect(await screen.findByText('No pictures are waiting.')).toBeVisible();
    await waitFor(() => expect(sentDecisions()).toHaveLength(33));
    expect(new Set(sentDecisions().map(([id]) => id)).size).toBe(33);
  });

  it('checks for new pictures after the last decision', async () => {
    serveQueue(manyQueued(1));
    const { person } = await openQueue();
    const late = queuedPicture('late');
    serve(listQueuedPictures, () => ({
      data: { pictures: [late], pagination: { limit: 30, total: 1, nextCursor: null } },
    }));
    await person.keyboard('a');
    await waitFor(() => expect(owners()).toEqual(['late']));
  });
});
