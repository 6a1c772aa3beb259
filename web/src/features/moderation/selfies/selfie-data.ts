import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import { decideSelfie, listSelfies, type QueuedSelfie } from '#contract/photo-verification.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

/** Also renews the addresses of the pictures before they end. */
const reloadEveryMs = 60_000;

const selfieQueueQuery = queryOptions({
  queryKey: staffKeys.selfieQueue,
  queryFn: async ({ signal }) => (await call(listSelfies, { signal })).data,
  refetchInterval: reloadEveryMs,
  refetchOnMount: 'always',
});

/** The number of people whose selfies wait, requested every minute while the page is visible. */
export const waitingSelfiesQuery = queryOptions({
  queryKey: staffKeys.waitingSelfies,
  queryFn: async ({ signal }) => (await call(listSelfies, { query: { limit: 1 }, signal })).data.total,
  refetchInterval: reloadEveryMs,
});

type Decision = Pick<BodyInput<typeof decideSelfie>, 'verdict' | 'reason'> & { selfie: QueuedSelfie };

/** The waiting selfies, without those that were just decided. A decision is shown as final until the server refuses it. */
export function useSelfieQueue() {
  const client = useQueryClient();
  const query = useQuery(selfieQueueQuery);
  const [decided, setDecided] = useState<readonly string[]>([]);
  const [last, setLast] = useState<Decision | null>(null);
  const command = useMutation({
    mutationFn: ({ selfie, verdict, reason }: Decision) =>
      call(decideSelfie, {
        params: { id: selfie._id },
        body: {
          verdict,
          ...(reason !== undefined && { reason }),
          pictures: selfie.pictures.map(({ publicId }) => publicId),
        },
      }),
    onError: (_error, { selfie }) => setDecided((before) => before.filter((id) => id !== selfie._id)),
    onSettled: (_data, _error, { selfie }) =>
      Promise.all(
        [['selfies'], staffKeys.user(selfie.user._id), ['audit']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });

  function decide(decision: Decision) {
    setDecided((before) => [...before, decision.selfie._id]);
    setLast(decision);
    command.mutate(decision);
  }

  const all = query.data?.selfies ?? [];
  const selfies = all.filter(({ _id }) => !decided.includes(_id));
  return {
    query,
    selfies,
    total: Math.max(0, (query.data?.total ?? 0) - (all.length - selfies.length)),
    /** The last decision, unless it was refused. */
    last: command.isError ? null : last,
    error: command.error,
    decide,
  };
}

/** The most common reasons to ask for new selfies, worded for the member. */
export const againReasons: readonly string[] = [
  'Your face is hard to see. Please take the selfies in good light.',
  'The pose is not the one we asked for.',
  'The selfies and your pictures are hard to compare. Please add a recent picture first.',
  'Someone else is in the selfies.',
];

/** The most common reasons for a rejection, worded for colleagues. */
export const rejectReasons: readonly string[] = [
  'The selfies show another person than the pictures.',
  'The selfies are pictures of a screen or a print.',
  'The selfies were edited or generated.',
];
