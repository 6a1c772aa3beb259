import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deletePicture, orderPictures } from '#contract/media.ts';
import { CutOff, failWith, received, Refusal } from '../../../test/fake-server.ts';
import { renderOwnPictures, shownPictures } from '../../../test/fixtures/own-pictures-page.tsx';
import { ownPicture, ownProfilePicture, pictureId } from '../../../test/fixtures/pictures.ts';

const three = () => [ownProfilePicture('one'), ownPicture('two'), ownPicture('three')];
const button = (name: string) => screen.getByRole('button', { name });
const undo = () => screen.queryByRole('button', { name: 'Undo' });
const deleted = () => received(deletePicture).map(({ params }) => params.publicId);

function hidePage() {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('deleting a picture', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('removes it from the screen at once and sends the request when Undo expires', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { person, kept } = renderOwnPictures(three());
    await person.dblClick(button('Delete picture 2'));
    expect(shownPictures()).toEqual(['one', 'three']);
    expect(screen.getByRole('group', { name: 'My pictures' })).toHaveFocus();
    await act(() => vi.advanceTimersByTimeAsync(4500));
    expect(undo()).toBeVisible();
    expect(deleted()).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(undo()).toBeNull();
    expect(deleted()).toEqual([pictureId('two')]);
    expect(kept()).toHaveLength(2);
    expect(shownPictures()).toEqual(['one', 'three']);
  });

  it('can be undone for five seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { person } = renderOwnPictures(three());
    await person.click(button('Delete picture 2'));
    await person.click(button('Undo'));
    expect(shownPictures()).toEqual(['one', 'two', 'three']);
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(deleted()).toEqual([]);
  });

  it('sends the request at once, and only once, when the page is hidden or left', async () => {
    const sent: RequestInit[] = [];
    const { person, unmount } = renderOwnPictures(three());
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      sent.push(init);
      return answer(url, init);
    });
    await person.click(button('Delete picture 3'));
    act(hidePage);
    await waitFor(() => expect(deleted()).toEqual([pictureId('three')]));
    expect(sent[0]?.keepalive).toBe(true);
    window.dispatchEvent(new Event('pagehide'));
    expect(undo()).toBeNull();
    await person.click(button('Delete picture 2'));
    unmount();
    await waitFor(() => expect(deleted()).toEqual([pictureId('three'), pictureId('two')]));
  });

  it('ends Undo for the picture deleted before it', async () => {
    const { person } = renderOwnPictures(three());
    await person.click(button('Delete picture 3'));
    await person.click(button('Delete picture 2'));
    await waitFor(() => expect(deleted()).toEqual([pictureId('three')]));
    await person.click(button('Undo'));
    expect(shownPictures()).toEqual(['one', 'two']);
  });

  it('restores the picture with an error if it fails', async () => {
    const { person } = renderOwnPictures(three());
    failWith(deletePicture, new CutOff());
    await person.click(button('Delete picture 2'));
    await person.click(button('Dismiss'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to delete profile image');
    expect(shownPictures()).toEqual(['one', 'two', 'three']);
  });

  it('succeeds if the picture no longer exists', async () => {
    const { person } = renderOwnPictures(three());
    failWith(deletePicture, new Refusal('NOT_FOUND', 'Not found'));
    await person.click(button('Delete picture 2'));
    await person.click(button('Dismiss'));
    await waitFor(() => expect(received(deletePicture)).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(shownPictures()).toEqual(['one', 'three']);
  });

  it('lets the next picture become the profile picture', async () => {
    const { person, kept } = renderOwnPictures(three());
    await person.click(button('Delete picture 1'));
    expect(screen.getByText(/^You have no profile picture yet/)).toBeVisible();
    await person.click(button('Make profile picture: picture 2'));
    expect(shownPictures()).toEqual(['three', 'two']);
    await waitFor(() =>
      expect(received(orderPictures).map(({ body }) => body.publicIds)).toEqual([
        ['three', 'one', 'two'].map(pictureId),
      ]),
    );
    await person.click(button('Dismiss'));
    await waitFor(() => expect(kept().map(({ publicId }) => publicId)).toEqual(['three', 'two'].map(pictureId)));
    expect(screen.queryByText(/^You have no profile picture/)).toBeNull();
  });

  it('restores the picture to its place if it is undone after a move', async () => {
    const { person } = renderOwnPictures([...three(), ownPicture('four')]);
    await person.click(button('Delete picture 2'));
    await person.click(button('Move picture 3 earlier'));
    await person.click(button('Undo'));
    expect(shownPictures()).toEqual(['one', 'two', 'four', 'three']);
  });
});
