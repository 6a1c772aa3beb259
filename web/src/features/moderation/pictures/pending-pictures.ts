import { listQueuedPictures } from '#contract/moderation/picture-queue.ts';
import { endpointQuery } from '../../../api/endpoint-query.ts';
import { completedPagination } from '../../../api/completed.ts';

const countEveryMs = 60_000;

/** The number of waiting pictures, requested every minute while the page is visible. */
export const pendingPicturesQuery = endpointQuery(
  listQueuedPictures,
  { query: { limit: 1 } },
  {
    select: ({ pagination, pictures }) => completedPagination(pagination, pictures.length),
    refetchInterval: countEveryMs,
  },
);
