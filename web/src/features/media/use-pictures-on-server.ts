import { useLayoutEffect, useRef } from 'react';
import type { OwnPicture } from '#contract/media/picture.ts';
import { type InTurn, useTurns } from './use-turns.ts';

export interface PicturesOnServer {
  pictures: readonly OwnPicture[];
  /** The same as the last answer had them, even before they are drawn. */
  latest: () => readonly OwnPicture[];
  /** Keeps what a command has answered. */
  take: (pictures: OwnPicture[]) => void;
  /** Asks for them anew, where it is not known how they stand. */
  lookAgain: () => void;
  /** Whatever changes them goes one after the other, so that the last answer is the newest. */
  inTurn: InTurn;
}

/** One's pictures as the server has them, for everything on the screen that changes them. */
export function usePicturesOnServer(
  pictures: readonly OwnPicture[],
  onPictures: (pictures: OwnPicture[]) => void,
  lookAgain: () => void,
): PicturesOnServer {
  const newest = useRef(pictures);
  const inTurn = useTurns();

  useLayoutEffect(() => {
    newest.current = pictures;
  }, [pictures]);

  function take(answered: OwnPicture[]) {
    newest.current = answered;
    onPictures(answered);
  }

  return { pictures, latest: () => newest.current, take, lookAgain, inTurn };
}
