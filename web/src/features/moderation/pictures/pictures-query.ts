import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { mediaAddressSameSeconds } from '#contract/constants.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { listQueuedPictures } from '#contract/media/media.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';

/** Some of the queue, and when it was had: the addresses of pictures last for minutes. */
export type QueuePage = AnswerOf<typeof listQueuedPictures>['data'] & { hadAt: number };

const picturesPerAnswer = 30;
const countEveryMs = 60_000;
/** Asked for anew before the addresses run out. */
const addressesLastMs = (mediaAddressSameSeconds - 60) * 1000;
const soonestMs = 1000;

/** How long the addresses of what is loaded still last; an empty queue is looked at each minute. */
function timeLeftMs(pages: readonly QueuePage[]): number {
  const times = pages.filter(({ pictures }) => pictures.length > 0).map(({ hadAt }) => hadAt);
  if (times.length === 0) return countEveryMs;
  return Math.max(soonestMs, Math.min(...times) + addressesLastMs - Date.now());
}

/** The pictures that wait, the longest waiting first, on by cursor. */
export const pictureQueueQuery = infiniteQueryOptions({
  queryKey: keys.pictureQueue,
  queryFn: async ({ pageParam: cursor, signal }): Promise<QueuePage> => {
    const { data } = await call(listQueuedPictures, { query: { cursor, limit: picturesPerAnswer }, signal });
    return { ...data, hadAt: Date.now() };
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
  refetchInterval: ({ state: { data, error } }) =>
    data === undefined || error !== null ? countEveryMs : timeLeftMs(data.pages),
  refetchOnMount: 'always',
  // A list of any length: the interval sees to it when the window is looked at again.
  refetchOnWindowFocus: false,
});

/** How many pictures wait, asked for each minute while the page is looked at. */
export const pendingPicturesQuery = queryOptions({
  queryKey: keys.pendingPictures,
  queryFn: async ({ signal }) => (await call(listQueuedPictures, { query: { limit: 1 }, signal })).data.pagination,
  refetchInterval: countEveryMs,
});
