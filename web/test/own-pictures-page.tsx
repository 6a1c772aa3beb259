import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { vi } from 'vitest';
import type { OwnPicture } from '#contract/picture.ts';
import type { Part } from '../src/features/media/crop.ts';
import type { Drawing } from '../src/features/media/drawing.ts';
import { OwnPictures } from '../src/features/media/OwnPictures.tsx';
import { serveOwnPictures } from './own-pictures.ts';
import { Surroundings } from './render-app.tsx';

/** What a browser draws, as far as tests look at it: which part of which file. */
export interface Drawn {
  name: string;
  part: Part;
}

/** Opens every file as a picture of 1200 × 1600 px, but for those called broken. */
export function fakeDrawing(drawn: Drawn[] = []): Drawing {
  return {
    open: async ({ name }) => {
      if (name.startsWith('broken')) throw new Error('The source image cannot be decoded');
      return { url: `blob:${name}`, width: 1200, height: 1600, name, close: () => undefined };
    },
    draw: async ({ name }, part) => {
      drawn.push({ name, part });
      return new File(['drawn anew'], name, { type: 'image/jpeg' });
    },
  };
}

/** My pictures alone on a page, before a server that keeps what is done with them. */
export function renderOwnPictures(first: OwnPicture[], drawing: Drawing = fakeDrawing()) {
  let kept = first;
  const lookAgain = vi.fn();
  serveOwnPictures(
    () => kept,
    (pictures) => {
      kept = pictures;
    },
  );

  function Page() {
    const [pictures, setPictures] = useState(first);
    return <OwnPictures pictures={pictures} onPictures={setPictures} lookAgain={lookAgain} drawing={drawing} />;
  }

  const view = render(
    <Surroundings>
      <Page />
    </Surroundings>,
  );
  return { ...view, person: userEvent.setup({ delay: null }), lookAgain, kept: () => kept };
}

/** The pictures' texts in the order they stand on the screen. */
export function shownPictures(): string[] {
  return within(screen.getByRole('list'))
    .queryAllByRole('img')
    .map((image) => (image.getAttribute('src') ?? '').replace(/^.*media\/|-400$/g, ''));
}

/** A file somebody chooses. */
export function chosenFile(name: string): File {
  return new File(['bytes'], name, { type: 'image/jpeg' });
}
