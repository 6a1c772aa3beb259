import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { QueuedPicture } from '#contract/media/media.ts';
import { useDecidedPictures, usePendingDecisions } from '../picture-cache.ts';
import { pictureQueueQuery } from '../pictures-query.ts';

/** With fewer than these after the current picture more are asked for. */
const fewLeft = 15;

/** The pictures that wait, as far as they are loaded, without those decided here a moment ago. */
export function usePictureQueue() {
  const query = useInfiniteQuery(pictureQueueQuery);
  const decided = useDecidedPictures();
  const pending = usePendingDecisions();
  const { data } = query;
  const loaded = useMemo(() => {
    const byId = new Map<string, QueuedPicture>();
    for (const page of data?.pages ?? []) for (const picture of page.pictures) byId.set(picture.publicId, picture);
    return [...byId.values()];
  }, [data]);
  const pictures = useMemo(() => loaded.filter(({ publicId }) => !decided.has(publicId)), [loaded, decided]);
  const pagination = data?.pages.at(-1)?.pagination;
  const onTheWay = loaded.filter(({ publicId }) => pending.has(publicId)).length;
  return {
    query,
    pictures,
    /** All that were loaded are decided. */
    isUsedUp: loaded.length > 0 && pictures.length === 0,
    /** How many wait, here and beyond what is loaded. */
    total: Math.max(pictures.length, (pagination?.total ?? 0) - onTheWay),
    isTotalExact: pagination?.totalIsExact !== false,
  };
}

/** Asks for more before the last is reached, and once none is left whether that is so. */
export function useSupply({ query, pictures, isUsedUp }: ReturnType<typeof usePictureQueue>, index: number): void {
  const { hasNextPage, isFetching, isFetchNextPageError } = query;
  const isShort = hasNextPage && !isFetching && !isFetchNextPageError && pictures.length - index <= fewLeft;
  const isAtEnd = isUsedUp && !hasNextPage;
  const more = useEffectEvent(() => void query.fetchNextPage());
  const again = useEffectEvent(() => {
    if (!isFetching) void query.refetch();
  });
  useEffect(() => {
    if (isShort) more();
  }, [isShort]);
  useEffect(() => {
    if (isAtEnd) again();
  }, [isAtEnd]);
}
