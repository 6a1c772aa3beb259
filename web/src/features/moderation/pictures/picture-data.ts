import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { type InfiniteData, infiniteQueryOptions, useMutationState } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mediaAddressSameSeconds } from '#contract/constants.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { OwnPicture, PictureState } from '#contract/media.ts';
import { listQueuedPictures, type QueuedPicture, decidePicture } from '#contract/moderation/picture-queue.ts';
import { getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { queryClient } from '../../../api/query-client.ts';
import { endpointQuery, refreshAfter } from '../../../api/endpoint-query.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';

/**
 * A part of the queue and the time when it was loaded, because the addresses of pictures are only valid for minutes.
 */
export type QueuePage = AnswerOf<typeof listQueuedPictures>['data'] & { hadAt: number };

const picturesPerAnswer = 30;
const countEveryMs = 60_000;
/** Reload before the signed addresses expire. */
const addressesLastMs = (mediaAddressSameSeconds - 60) * 1000;
const soonestMs = 1000;

/** How long the loaded addresses remain valid; an empty queue is checked every minute. */
function timeLeftMs(pages: readonly QueuePage[]): number {
  const times = pages.filter(({ pictures }) => pictures.length > 0).map(({ hadAt }) => hadAt);
  if (times.length === 0) return countEveryMs;
  return Math.max(soonestMs, Math.min(...times) + addressesLastMs - Date.now());
}

const queueKey = [listQueuedPictures.path, { limit: picturesPerAnswer }, 'pages'];

/** The pending pictures, page by page, those that have been waiting longest first. */
export const pictureQueueQuery = infiniteQueryOptions({
  queryKey: queueKey,
  queryFn: async ({ pageParam: cursor, signal }): Promise<QueuePage> => {
    const { data } = await call(listQueuedPictures, { query: { cursor, limit: picturesPerAnswer }, signal });
    const pagination = completedPagination(data.pagination, data.pictures.length);
    return { ...data, pagination, hadAt: Date.now() };
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
  refetchInterval: ({ state: { data, error } }) =>
    data === undefined || error !== null ? countEveryMs : timeLeftMs(data.pages),
  refetchOnMount: 'always',
  // The interval already reloads the list when the window is visible again, however long it is.
  refetchOnWindowFocus: false,
});

/** The mutation key of all decisions on pictures. */
export const decisionKey = ['picture-decision'];

export interface Decision extends BodyInput<typeof decidePicture> {
  publicId: string;
  userId: string;
  /** The name of the picture's owner. */
  name: string;
}

const userKey = (id: string) => endpointQuery(getAdminUser, { params: { id } }).queryKey;

type QueuePages = InfiniteData<QueuePage, string | null>;

/** Removes a picture from the cached queue and reduces its total. */
export function takeFromQueue(publicId: string): void {
  const isOther = (picture: QueuedPicture) => picture.publicId !== publicId;
  const known = queryClient.getQueryState<QueuePages>(queueKey);
  const queue = known?.data;
  if (!known || !queue || queue.pages.every(({ pictures }) => pictures.every(isOther))) return;
  const pages = queue.pages.map((page) => ({
    ...page,
    pictures: page.pictures.filter(isOther),
    pagination: { ...page.pagination, total: Math.max(0, page.pagination.total - 1) },
  }));
  queryClient.setQueryData<QueuePages>(queueKey, { ...queue, pages }, { updatedAt: known.dataUpdatedAt });
}

/** Updates a decided picture wherever it is cached, and removes it from the queue. */
export function putPicture({ user, claimedAt: _claimedAt, ...picture }: QueuedPicture): void {
  if (picture.state !== 'pending') takeFromQueue(picture.publicId);
  queryClient.setQueryData(userKey(user._id), (answer) => {
    const replace = (known: OwnPicture) => (known.publicId === picture.publicId ? picture : known);
    return answer && { user: { ...answer.user, pictures: answer.user.pictures.map(replace) } };
  });
}

/** Reloads what a decision affects. Long lists in the background are reloaded when they become visible again. */
export function reloadAfterDecision(userId: string): void {
  void queryClient.invalidateQueries({ queryKey: userKey(userId) });
  void queryClient.invalidateQueries({ queryKey: [listUsers.path], refetchType: 'none' });
  void refreshAfter(decidePicture);
}

/** Whether a decision came too late because a colleague had decided first or the picture was deleted. */
export function isTooLate(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND');
}

/** Decisions that the server has not confirmed yet, by picture. Screens show them as if they were final. */
export function usePendingDecisions(): ReadonlyMap<string, Decision> {
  const decisions = useMutationState({
    filters: { mutationKey: decisionKey, status: 'pending' },
    select: ({ state }) => state.variables as Decision,
  });
  return useMemo(() => new Map(decisions.map((decision) => [decision.publicId, decision])), [decisions]);
}

/** Pictures that have already been decided, although a pending answer may still list them. */
export function useDecidedPictures(): ReadonlySet<string> {
  const decided = useMutationState({
    filters: { mutationKey: decisionKey, predicate: ({ state }) => state.status !== 'error' || isTooLate(state.error) },
    select: ({ state }) => (state.variables as Decision).publicId,
  });
  return useMemo(() => new Set(decided), [decided]);
}

export const pictureStateWords: Record<PictureState, MessageDescriptor> = {
  pending: msg`Pending`,
  approved: msg`Approved`,
  rejected: msg({ message: 'Rejected', context: 'picture' }),
};

export const pictureStateTones: Record<PictureState, TagTone> = {
  pending: 'attention',
  approved: 'positive',
  rejected: 'quiet',
};

/** The most common reasons for a rejection, worded for the owner of the picture. */
export const readyReasons: readonly MessageDescriptor[] = [
  msg`It shows someone else`,
  msg`No person is visible`,
  msg`Nudity or sexual content`,
  msg`Someone looks under 18`,
  msg`Contact details or advertising`,
  msg`It shows several people, and it is unclear which one is you`,
];

/** The name of the picture's owner. */
export function ownerName({ name }: Pick<QueuedPicture['user'], 'name'>): string {
  return name ?? t`Unknown`;
}

/** The name of the picture's owner, with their age if it is known. */
export function ownerWords(owner: QueuedPicture['user']): string {
  const name = ownerName(owner);
  return owner.age === null ? name : t`${name}, ${{ age: formatNumber(owner.age) }}`;
}
