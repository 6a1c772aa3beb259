import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  decideAppeal,
  getAppeal,
  listAppeals,
  reviewAppeal,
  type AppealFile,
  type AppealView,
} from '#contract/moderation/appeals.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { reloadCase } from '../cases/queries.ts';

const listEveryMs = 15_000;

/**
 * One list of appeals, page by page. It is reloaded while it is shown, because the remaining time changes by itself.
 */
export function appealsQuery(view: AppealView) {
  return infiniteQueryOptions({
    queryKey: staffKeys.appeals(view),
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await call(listAppeals, { query: { view, cursor }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: listEveryMs,
  });
}

/** One appeal with its evidence. Opening it is recorded, so it is not loaded again without need. */
export function appealFileQuery(id: string) {
  return queryOptions({
    queryKey: staffKeys.appeal(id),
    queryFn: async ({ signal }) => (await call(getAppeal, { params: { id }, signal })).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

function putAppeal(client: QueryClient, file: AppealFile): void {
  client.setQueryData(staffKeys.appeal(file.appeal._id), file);
  reloadCase(client, file.appeal.caseId);
}

/** Starts the review of an appeal. */
export function useReview(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(reviewAppeal, { params: { id } }),
    onSuccess: ({ data }) => putAppeal(client, data),
    onError: () => void client.invalidateQueries({ queryKey: staffKeys.appeal(id) }),
  });
}

/** Decides an appeal. */
export function useDecideAppeal(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<typeof decideAppeal>) => call(decideAppeal, { params: { id }, body }),
    onSuccess: ({ data }) => putAppeal(client, data),
  });
}
