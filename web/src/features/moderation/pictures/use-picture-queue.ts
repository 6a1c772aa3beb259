import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useMemo } from 'react';
import type { QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { useShown } from '../queue/use-shown.ts';
import { pictureQueueQuery, useDecidedPictures, usePendingDecisions } from './picture-data.ts';

/** More pictures are loaded when fewer than this follow the current one. */
const fewLeft = 15;

/** The loaded pending pictures, without those that were just decided. */
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
    /** Whether every loaded picture has a decision. */
    isUsedUp: loaded.length > 0 && pictures.length === 0,
    /** The total number of waiting pictures, including those that are not loaded. */
    total: Math.max(pictures.length, (pagination?.total ?? 0) - onTheWay),
    isTotalExact: pagination?.totalIsExact !== false,
  };
}

/** Loads more pictures before the last one is reached, and checks again when none are left. */
function useSupply({ query, pictures, isUsedUp }: ReturnType<typeof usePictureQueue>, index: number): void {
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

/**
 * The id of the button that enlarges a picture or shows all pictures again. The focus moves to it when the picture
 * becomes current.
 */
export function pictureButtonId(publicId: string): string {
  return `picture-${publicId}`;
}

function buttonOf(publicId: string | null): HTMLElement | null {
  return publicId === null ? null : document.getElementById(pictureButtonId(publicId));
}

/** How many pictures each arrow key moves: one to the left or right, a row up or down. */
export function arrowSteps(place: Element | null): Record<string, number> {
  const forward = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
  const list = place?.querySelector('ul');
  const columns = list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1;
  return { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns };
}

/**
 * The picture that keyboard shortcuts act on: first the first one, then the one that last had the focus. The focus
 * follows it, also from one `view` to another, unless the user has moved the focus elsewhere.
 */
function useCurrentPicture(ids: readonly string[], place: RefObject<Element | null>, view: string) {
  const { id: currentId = null, index, choose, move } = useShown(ids);

  const follow = useEffectEvent(() => {
    const active = document.activeElement;
    const title = place.current?.closest('main')?.querySelector('h1');
    if (active === document.body || active === title)
      (buttonOf(currentId) ?? title)?.focus({ preventScroll: currentId === null });
  });
  useEffect(() => follow(), [currentId, view]);

  return {
    currentId,
    index,
    choose: (id: string) => {
      if (id !== currentId) choose(id);
    },
    move: (by: number) => buttonOf(move(by) ?? null)?.focus(),
  };
}

/** Preloads the next pictures. */
function usePreload(addresses: readonly string[]): void {
  const all = addresses.join(' ');
  useEffect(() => {
    for (const address of all.split(' ')) if (address !== '') new Image().src = address;
  }, [all]);
}

/** While one picture is enlarged, this many of the next ones are preloaded in full size and as thumbnails. */
const largeAhead = 3;
const smallAhead = 12;

/** The current picture of the queue. More pictures are loaded before the last one is reached. */
export function useShownPicture(
  queue: ReturnType<typeof usePictureQueue>,
  place: RefObject<Element | null>,
  isLarge: boolean,
  hasFailures: boolean,
) {
  const { pictures } = queue;
  const ids = useMemo(() => pictures.map(({ publicId }) => publicId), [pictures]);
  const shown = useCurrentPicture(ids, place, `${isLarge ? 'one' : 'all'} ${hasFailures ? 'and failures' : ''}`);
  const { index } = shown;
  useSupply(queue, index);
  const next = isLarge ? pictures.slice(index + 1, index + 1 + smallAhead) : [];
  usePreload([...next.slice(0, largeAhead).map(({ url }) => url), ...next.map(({ thumbnailUrl }) => thumbnailUrl)]);
  return shown;
}
