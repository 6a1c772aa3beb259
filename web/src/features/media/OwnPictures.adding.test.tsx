import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { addPictures, deletePicture, setProfilePicture, uploadPicture } from '#contract/media.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import {
  chosenFile,
  type Drawn,
  fakeDrawing,
  renderOwnPictures,
  shownPictures,
} from '../../../test/fixtures/own-pictures-page.tsx';
import type { Size } from '../../ui/pictures/crop.ts';
import { ownPicture, ownProfilePicture, picture, pictureId } from '../../../test/fixtures/pictures.ts';
import { replaceProperty } from '../../../test/replaced.ts';

const dialog = () => within(screen.getByRole('dialog'));
const part = () => dialog().getByRole('button', { name: 'Use this part' });
const slider = (name: string) => dialog().getByRole('slider', { name });
const claims = () => [
  ...received(setProfilePicture).map(({ body }) => body),
  ...received(addPictures).map(({ body }) => body),
];

function open(first = [ownProfilePicture('one')], size?: Size) {
  const drawn: Drawn[] = [];
  return { ...renderOwnPictures(first, fakeDrawing(drawn, size)), drawn };
}

async function choose(page: ReturnType<typeof open>, ...names: string[]) {
  await page.person.upload(screen.getByLabelText('Add pictures'), names.map(chosenFile));
}

describe('adding a picture', () => {
  it('asks for the crop, redraws the picture, and adds it at the end', async () => {
    const page = open();
    await choose(page, 'me.jpg');
    expect(await screen.findByRole('dialog', { name: 'Crop picture' })).toBeVisible();
    await page.person.click(part());
    expect(await screen.findByText('Waiting for review')).toBeVisible();
    expect(page.drawn).toEqual([{ name: 'me.jpg', part: { x: 0, y: 0, width: 1200, height: 1500 } }]);
    const [upload] = received(uploadPicture);
    expect(await upload?.file?.text()).toBe('redrawn');
    expect(upload?.file?.type).toBe('image/jpeg');
    expect(upload?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(claims()).toEqual([{ imagesData: [{ publicId: pictureId('me') }] }]);
    expect(page.kept().map(({ publicId }) => publicId)).toEqual(['one', 'me'].map(pictureId));
    expect(screen.getByText('The picture was added to your profile.')).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('makes the first picture the profile picture', async () => {
    const page = open([]);
    await choose(page, 'me.jpg', 'us.jpg');
    await page.person.click(await screen.findByRole('button', { name: 'Use this part' }));
    await screen.findByRole('dialog', { name: 'Crop picture 2 of 2' });
    await page.person.click(part());
    await waitFor(() => expect(claims()).toHaveLength(2));
    expect(claims()).toEqual([
      { imageData: { publicId: pictureId('me') } },
      { imagesData: [{ publicId: pictureId('us') }] },
    ]);
    await waitFor(() => expect(shownPictures()).toHaveLength(2));
  });

  it('offers only a part of a panorama and explains why', async () => {
    const page = open([], { width: 8192, height: 1814 });
    await choose(page, 'lake.jpg');
    expect(await screen.findByText(/its longer side is more than 4 times its shorter side/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Use the whole picture' })).toBeNull();
    expect(part()).toBeVisible();
  });

  it('can upload the picture uncropped', async () => {
    const page = open();
    await choose(page, 'me.jpg');
    await page.person.click(await screen.findByRole('button', { name: 'Use the whole picture' }));
    await waitFor(() => expect(page.kept()).toHaveLength(2));
    expect(page.drawn[0]?.part).toEqual({ x: 0, y: 0, width: 1200, height: 1600 });
  });

  it('skips a picture whose crop is canceled and continues with the next one', async () => {
    const page = open();
    await choose(page, 'me.jpg', 'us.jpg');
    await page.person.click(await screen.findByRole('button', { name: 'Close dialog' }));
    await screen.findByRole('dialog', { name: 'Crop picture 2 of 2' });
    await page.person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(uploadPicture)).toEqual([]);
  });

  it('ignores pictures beyond the ninth', async () => {
    const page = open([ownProfilePicture('one'), ...'abcdefg'.split('').map((word) => ownPicture(word))]);
    await choose(page, 'me.jpg', 'us.jpg', 'all.jpg');
    expect(await screen.findByText('2 pictures were left out: nine is the limit.')).toBeVisible();
    await page.person.click(await screen.findByRole('button', { name: 'Use this part' }));
    await waitFor(() => expect(page.kept()).toHaveLength(9));
    expect(screen.queryByLabelText('Add pictures')).toBeNull();
  });

  it('ends Undo for a deleted picture to free its place', async () => {
    const page = open();
    await page.person.click(screen.getByRole('button', { name: 'Delete picture 1' }));
    await choose(page, 'me.jpg');
    await page.person.click(await screen.findByRole('button', { name: 'Use this part' }));
    await waitFor(() => expect(claims()).toEqual([{ imageData: { publicId: pictureId('me') } }]));
    expect(received(deletePicture)).toHaveLength(1);
    await waitFor(() => expect(page.kept().map(({ publicId }) => publicId)).toEqual([pictureId('me')]));
  });
});

describe('the crop dialog', () => {
  const frame = () => dialog().getByRole('img', { name: 'The chosen picture' }).parentElement as HTMLElement;
  const usedPart = async (page: ReturnType<typeof open>) => {
    await page.person.click(part());
    await waitFor(() => expect(page.drawn).toHaveLength(1));
    return page.drawn[0]?.part;
  };

  it('can be used with sliders only, which show when they can change something', async () => {
    const page = open();
    await choose(page, 'me.jpg');
    await screen.findByRole('dialog');
    expect(screen.queryByRole('slider', { name: 'Left and right' })).toBeNull();
    fireEvent.change(slider('Zoom'), { target: { value: '50' } });
    fireEvent.change(slider('Left and right'), { target: { value: '100' } });
    fireEvent.change(slider('Up and down'), { target: { value: '0' } });
    expect(await usedPart(page)).toEqual({ x: 600, y: 0, width: 600, height: 750 });
  });

  it('zooms in with + and the wheel and out with -', async () => {
    const page = open();
    await choose(page, 'me.jpg');
    await screen.findByRole('dialog');
    const zoom = () => Number((slider('Zoom') as HTMLInputElement).value);
    await page.person.keyboard('+');
    expect(zoom()).toBeGreaterThan(0);
    await page.person.keyboard('-');
    expect(zoom()).toBeCloseTo(0);
    fireEvent.wheel(frame(), { deltaY: -200 });
    expect(zoom()).toBeGreaterThan(0);
  });

  it('moves the picture with one finger and zooms with two', async () => {
    const page = open();
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ width: 300 } as DOMRect);
    replaceProperty(HTMLElement.prototype, 'setPointerCapture', () => undefined);
    await choose(page, 'me.jpg');
    await screen.findByRole('dialog');
    const touch = (
      act: 'pointerDown' | 'pointerMove' | 'pointerUp',
      pointerId: number,
      clientX: number,
      clientY: number,
    ) => fireEvent[act](frame(), { pointerId, clientX, clientY, button: 0 });
    touch('pointerDown', 1, 100, 100);
    touch('pointerDown', 2, 200, 100);
    touch('pointerMove', 2, 300, 100);
    touch('pointerUp', 2, 300, 100);
    touch('pointerMove', 1, -900, -900);
    touch('pointerUp', 1, -900, -900);
    touch('pointerMove', 1, 900, 900);
    expect(await usedPart(page)).toEqual({ x: 600, y: 850, width: 600, height: 750 });
  });
});

describe("a picture that can't be uploaded", () => {
  async function send(page: ReturnType<typeof open>, name = 'me.jpg') {
    await choose(page, name);
    await page.person.click(await screen.findByRole('button', { name: 'Use this part' }));
  }

  it("shows the supported formats if it can't be read", async () => {
    const page = open();
    await choose(page, 'broken.jpg', 'me.jpg');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('broken.jpg');
    expect(alert).toHaveTextContent("This file can't be opened as a picture. Choose a JPEG, PNG or WebP");
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(await screen.findByRole('dialog', { name: 'Crop picture 2 of 2' })).toBeVisible();
    await page.person.keyboard('{Escape}');
    await page.person.click(await screen.findByRole('button', { name: 'Remove broken.jpg' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the limit if it has too many pixels', async () => {
    const page = open([], { width: 18_000, height: 18_000 });
    await choose(page, 'stitched.jpg');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Pictures can have up to 200 megapixels. This one has 324.',
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it("shows the server's reason if it is refused, without a retry button", async () => {
    const page = open();
    failWith(uploadPicture, new Refusal('PICTURE_REFUSED', 'This picture was rejected before'));
    await send(page);
    expect(await screen.findByRole('alert')).toHaveTextContent('This picture was rejected before');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await page.person.click(screen.getByRole('button', { name: 'Remove me.jpg' }));
    expect(screen.queryByText(/rejected before/)).toBeNull();
  });

  it('can be sent again with the same key', async () => {
    const page = open();
    failWith(uploadPicture, new CutOff());
    await send(page);
    expect(await screen.findByRole('alert')).toHaveTextContent(/Network error/);
    serve(uploadPicture, () => ({ data: { ...picture('new'), publicId: pictureId('me') } }));
    await page.person.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(page.kept()).toHaveLength(2));
    const keys = received(uploadPicture).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is not uploaded twice if only adding it to the profile failed', async () => {
    const page = open();
    failWith(addPictures, new CutOff());
    await send(page);
    await screen.findByRole('alert');
    expect(page.lookAgain).toHaveBeenCalledOnce();
    serve(addPictures, ({ body }) => {
      const [given] = 'imagesData' in body ? body.imagesData : body;
      const added = ownPicture('me', { ...given, state: 'pending' });
      return { data: { uploadedImages: [added], pictures: [ownProfilePicture('one'), added] } };
    });
    await page.person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Waiting for review')).toBeVisible();
    expect(received(uploadPicture)).toHaveLength(1);
  });

  it('is uploaded again if the first upload has expired', async () => {
    const page = open();
    failWith(addPictures, new Refusal('NOT_FOUND', 'There is nothing here'));
    await send(page);
    await screen.findByRole('alert');
    await page.person.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(received(uploadPicture)).toHaveLength(2));
    await screen.findByRole('alert');
  });

  it('makes the browser ask before leaving the page', async () => {
    const page = open();
    let arrive = () => undefined as void;
    serve(uploadPicture, async () => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return { data: { ...picture('new'), publicId: pictureId('me') } };
    });
    await send(page);
    expect(await screen.findByText('Uploading...')).toHaveAttribute('role', 'status');
    const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(mayLeave()).toBe(false);
    await waitFor(() => expect(received(uploadPicture)).toHaveLength(1));
    arrive();
    await waitFor(() => expect(page.kept()).toHaveLength(2));
    await waitFor(() => expect(mayLeave()).toBe(true));
  });

  it('does not stop the next uploads', async () => {
    const page = open();
    serve(uploadPicture, ({ body }) => {
      if (body.name === 'me.jpg') throw new Refusal('PICTURE_TOO_SMALL', 'This picture is too small');
      return { data: { ...picture('new'), publicId: pictureId('us') } };
    });
    await choose(page, 'me.jpg', 'us.jpg');
    await page.person.click(await screen.findByRole('button', { name: 'Use this part' }));
    await screen.findByRole('dialog', { name: 'Crop picture 2 of 2' });
    await page.person.click(part());
    await waitFor(() => expect(page.kept()).toHaveLength(2));
    expect(screen.getByRole('alert')).toHaveTextContent('This picture is too small');
  });
});
