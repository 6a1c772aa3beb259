import { queryOptions } from '@tanstack/react-query';
import { listQueuedPictures } from '#contract/moderation/picture-queue.ts';
import { call } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

const countEveryMs = 60_000;

/** The number of waiting pictures, requested every minute while the page is visible. */
export const pendingPicturesQuery = queryOptions({
  queryKey: staffKeys.pendingPictures,
  queryFn: async ({ signal }) => {
    const { data } = await call(listQueuedPictures, { query: { limit: 1 }, signal });
    return completedPagination(data.pagination, data.pictures.length);
  },
  refetchInterval: countEveryMs,
});
