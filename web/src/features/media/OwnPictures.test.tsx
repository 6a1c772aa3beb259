import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { orderPictures } from '#contract/media.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { fakeDrawing, renderOwnPictures, shownPictures } from '../../../test/fixtures/own-pictures-page.tsx';
import { serviceConfig } from '../../../test/render-app.tsx';
import { ownPicture, ownProfilePicture, pictureId } from '../../../test/fixtures/pictures.ts';
import { replaceProperty } from '../../../test/replaced.ts';

const three = () => [ownProfilePicture('one'), ownPicture('two'), ownPicture('three')];
const button = (name: string) => screen.getByRole('button', { name });
const tiles = () => screen.getAllByRole('listitem');
const orders = () => received(orderPictures).map(({ body }) => body.publicIds);

describe('the list of my pictures', () => {
  it("shows each picture's status and the reason for a rejection", () => {
    renderOwnPictures([
      ownProfilePicture('one'),
      ownPicture('two', { state: 'pending' }),
      ownPicture('three', { state: 'rejected', reason: 'A car, and nobody in it', url: '', thumbnailUrl: '' }),
    ]);
    const [first, second, , third] = tiles().map((tile) => within(tile));
    expect(first?.getByRole('img', { name: 'My profile picture' })).toHaveAttribute('loading', 'lazy');
    expect(first?.getByText('Profile picture')).toBeVisible();
    expect(second?.getByText('Waiting for review')).toBeVisible();
    expect(second?.getByText("Others can't see it yet.")).toBeVisible();
    expect(first?.queryByText("Others can't see it yet.")).toBeNull();
    expect(first?.queryByText('Approved')).toBeNull();
    expect(third?.getByText('Rejected')).toBeVisible();
    expect(third?.getByText('A car, and nobody in it')).toHaveAttribute('dir', 'auto');
    expect(third?.getAllByRole('button').map((each) => each.getAttribute('aria-label'))).toEqual(['Delete picture 3']);
  });

  it('does not say that pictures are hidden if others can see them before their review', async () => {
    const pending = [ownProfilePicture('one'), ownPicture('two', { state: 'pending' })];
    renderOwnPictures(pending, fakeDrawing(), serviceConfig({ showsPendingPictures: true }));
    await waitFor(() => expect(screen.queryByText("Others can't see it yet.")).toBeNull());
    expect(screen.getByText('Waiting for review')).toBeVisible();
  });

  it('reserves space with a blurred preview while pictures load', async () => {
    renderOwnPictures([ownProfilePicture('one')]);
    const image = screen.getByRole('img');
    expect(image).toHaveAttribute('width', '400');
    expect(image).toHaveAttribute('height', '500');
    await waitFor(() => expect(image.parentElement?.style.backgroundImage).toMatch(/^url\("?data:image\/png/));
  });

  it('explains why pictures matter while there are none', () => {
    renderOwnPictures([]);
    expect(
      screen.getByText(/^No pictures yet\. People prefer to write to someone whose face they have seen/),
    ).toBeVisible();
    expect(screen.getByLabelText('Add pictures')).toHaveAttribute('multiple');
    expect(screen.getByLabelText('Take a picture')).toHaveAttribute('capture', 'user');
  });

  it('does not accept more than nine pictures', () => {
    const eight = 'abcdefgh'.split('').map((word) => ownPicture(word));
    renderOwnPictures([ownProfilePicture('one'), ...eight, ownPicture('no', { state: 'rejected', reason: 'x' })]);
    expect(screen.getByText('You can have up to nine pictures. Delete one to add another.')).toBeVisible();
    expect(screen.queryByLabelText('Add pictures')).toBeNull();
  });

  it('fetches the pictures again when their addresses have expired', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { lookAgain } = renderOwnPictures(three());
    const [image] = screen.getAllByRole('img');
    if (image) fireEvent.error(image);
    expect(lookAgain).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 6 * 60_000);
    const [, other] = screen.getAllByRole('img');
    if (other) fireEvent.error(other);
    expect(lookAgain).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});

describe('the order of my pictures', () => {
  it('can be changed with buttons, which keep the focus', async () => {
    const { person } = renderOwnPictures(three());
    expect(button('Move picture 1 earlier')).toHaveAttribute('aria-disabled', 'true');
    expect(button('Move picture 3 later')).toHaveAttribute('aria-disabled', 'true');
    await person.click(button('Move picture 2 later'));
    expect(shownPictures()).toEqual(['one', 'three', 'two']);
    expect(button('Move picture 3 later')).toHaveFocus();
    expect(screen.getByRole('status')).toHaveTextContent('The picture is now number 3 of 3.');
    await waitFor(() => expect(orders()).toEqual([['one', 'three', 'two'].map(pictureId)]));
    await person.click(button('Move picture 3 later'));
    expect(orders()).toHaveLength(1);
  });

  it('starts with the profile picture', async () => {
    const { person, kept } = renderOwnPictures(three());
    expect(screen.queryByRole('button', { name: 'Make profile picture: picture 1' })).toBeNull();
    await person.click(button('Make profile picture: picture 3'));
    expect(shownPictures()).toEqual(['three', 'one', 'two']);
    expect(within(tiles()[0] as HTMLElement).getByText('Profile picture')).toBeVisible();
    expect(button('Move picture 1 earlier')).toHaveFocus();
    await waitFor(() => expect(kept()[0]?.publicId).toBe(pictureId('three')));
    expect(kept().map(({ isProfilePicture }) => isProfilePicture)).toEqual([true, false, false]);
  });

  it('is sent once after several quick changes', async () => {
    const { person, kept } = renderOwnPictures(three());
    let release = () => undefined as void;
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    serve(orderPictures, async ({ body: { publicIds } }) => {
      await first;
      return {
        data: {
          pictures: publicIds.map((id, index) => ({
            ...(kept().find(({ publicId }) => publicId === id) ?? ownPicture('x')),
            isProfilePicture: index === 0,
          })),
        },
      };
    });
    await person.click(button('Move picture 1 later'));
    await person.click(button('Move picture 2 later'));
    await person.click(button('Move picture 1 later'));
    expect(shownPictures()).toEqual(['three', 'two', 'one']);
    act(() => release());
    await waitFor(() => expect(orders()).toHaveLength(2));
    expect(orders().at(-1)).toEqual(['three', 'two', 'one'].map(pictureId));
    await waitFor(() => expect(shownPictures()).toEqual(['three', 'two', 'one']));
  });

  it("is restored with an error if it can't be saved", async () => {
    const { person, lookAgain } = renderOwnPictures(three());
    failWith(orderPictures, new Refusal('CONFLICT', 'Your pictures have changed in the meantime.'));
    await person.click(button('Move picture 1 later'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Your pictures have changed in the meantime.');
    expect(shownPictures()).toEqual(['one', 'two', 'three']);
    expect(lookAgain).toHaveBeenCalled();
    await person.click(button('Dismiss'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps rejected pictures in place', async () => {
    const refused = ownPicture('no', { state: 'rejected', reason: 'x', url: '', thumbnailUrl: '' });
    const { person } = renderOwnPictures([...three(), refused]);
    await person.click(button('Move picture 2 earlier'));
    await waitFor(() => expect(orders()).toEqual([['two', 'one', 'three'].map(pictureId)]));
    expect(within(tiles()[4] as HTMLElement).getByText('Rejected')).toBeVisible();
  });
});

describe('dragging a picture', () => {
  function giveRoom() {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
      // Makes the tile that is being dragged lie under the pointer everywhere.
      if (this.dataset['held'] !== undefined) return { left: 0, right: 1000, top: 0, bottom: 1000 } as DOMRect;
      const left = Number(this.dataset['place'] ?? -1) * 100;
      return { left, right: left + 90, top: 0, bottom: 200, width: 90, height: 200 } as DOMRect;
    });
    replaceProperty(HTMLElement.prototype, 'setPointerCapture', () => undefined);
  }

  const handle = (name: string) => screen.getByRole('img', { name }).closest('[data-movable]') as HTMLElement;

  function drag(name: string, end: 'pointerUp' | 'pointerCancel', at = { clientX: 250, clientY: 50 }) {
    fireEvent.pointerDown(handle(name), { pointerId: 1, pointerType: 'mouse', clientX: 50, clientY: 50, button: 0 });
    fireEvent.pointerMove(handle(name), { pointerId: 1, ...at });
    fireEvent[end](handle(name), { pointerId: 1, ...at });
  }

  it('moves it to where it is dropped', async () => {
    giveRoom();
    renderOwnPictures(three());
    drag('My profile picture', 'pointerUp');
    expect(shownPictures()).toEqual(['two', 'three', 'one']);
    await waitFor(() => expect(orders()).toEqual([['two', 'three', 'one'].map(pictureId)]));
  });

  it('changes nothing if it is canceled or dropped outside', () => {
    giveRoom();
    renderOwnPictures(three());
    drag('My profile picture', 'pointerCancel');
    drag('My profile picture', 'pointerUp', { clientX: 900, clientY: 900 });
    fireEvent.pointerDown(handle('My picture 2'), { pointerId: 1, pointerType: 'mouse', clientX: 150, clientY: 50 });
    fireEvent.pointerMove(handle('My picture 2'), { pointerId: 1, clientX: 50, clientY: 50 });
    fireEvent.keyDown(document, { key: 'Escape' });
    fireEvent.pointerUp(handle('My picture 2'), { pointerId: 1, clientX: 50, clientY: 50 });
    expect(shownPictures()).toEqual(['one', 'two', 'three']);
    expect(orders()).toEqual([]);
  });

  it('only starts at the handle on touch screens, so that the rest of the tile scrolls', async () => {
    giveRoom();
    renderOwnPictures(three());
    fireEvent.pointerDown(handle('My profile picture'), {
      pointerId: 1,
      pointerType: 'touch',
      clientX: 50,
      clientY: 50,
    });
    fireEvent.pointerMove(handle('My profile picture'), { pointerId: 1, clientX: 250, clientY: 50 });
    fireEvent.pointerUp(handle('My profile picture'), { pointerId: 1, clientX: 250, clientY: 50 });
    expect(shownPictures()).toEqual(['one', 'two', 'three']);
    const grip = handle('My profile picture').querySelector('[data-grip]') as HTMLElement;
    fireEvent.pointerDown(grip, { pointerId: 1, pointerType: 'touch', clientX: 50, clientY: 50 });
    fireEvent.pointerMove(grip, { pointerId: 1, clientX: 250, clientY: 50 });
    fireEvent.pointerUp(grip, { pointerId: 1, clientX: 250, clientY: 50 });
    expect(shownPictures()).toEqual(['two', 'three', 'one']);
    await waitFor(() => expect(orders()).toHaveLength(1));
  });
});
