import { useRef, useState } from 'react';
import { orderPictures } from '#contract/media/media.ts';
import type { OwnPicture } from '#contract/media/picture.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { inOrder, isStanding, withMoved } from './picture-order.ts';
import type { PicturesOnServer } from './use-pictures-on-server.ts';

/** The order of one's pictures: changed on the screen at once, sent in turn, and as it was when it fails. */
export function useArranging({ pictures, latest, inTurn, take, lookAgain }: PicturesOnServer) {
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const newest = useRef(wanted);

  function want(order: readonly string[] | null) {
    newest.current = order;
    setWanted(order);
  }

  async function send(order: readonly string[]) {
    // Another one follows, which says it all.
    if (newest.current !== order) return;
    const publicIds = inOrder(latest(), order)
      .filter(isStanding)
      .map(({ publicId }) => publicId);
    try {
      take((await call(orderPictures, { body: { publicIds } })).data.pictures);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : errorTexts.unknown);
      lookAgain();
    }
    if (newest.current === order) want(null);
  }

  /** Moves one to the place `to` among those that are shown. */
  function move(shown: readonly OwnPicture[], id: string, to: number) {
    const idsOf = (list: readonly OwnPicture[]) => list.filter(isStanding).map(({ publicId }) => publicId);
    const order = withMoved(idsOf(inOrder(pictures, newest.current ?? idsOf(pictures))), idsOf(shown), id, to);
    setError(null);
    want(order);
    void inTurn(() => send(order));
  }

  const arranged = wanted === null ? pictures : inOrder(pictures, wanted);
  return { arranged, error, move, dismiss: () => setError(null) };
}
