import { msg } from '@lingui/core/macro';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideSelfie, listSelfies, type QueuedSelfie, type SelfieVerdict } from '#contract/photo-verification.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';

/** Also renews the addresses of the pictures before they end. */
const reloadEveryMs = 60_000;

const selfieQueueQuery = queryOptions({
  queryKey: ['selfies', 'queue'],
  queryFn: async ({ signal }) => (await call(listSelfies, { signal })).data,
  refetchInterval: reloadEveryMs,
  refetchOnMount: 'always',
});

/** The number of people whose selfies wait, requested every minute while the page is visible. */
export const waitingSelfiesQuery = queryOptions({
  queryKey: ['selfies', 'waiting'],
  queryFn: async ({ signal }) => (await call(listSelfies, { query: { limit: 1 }, signal })).data.total,
  refetchInterval: reloadEveryMs,
});

interface Decision {
  selfie: QueuedSelfie;
  verdict: SelfieVerdict;
  reason: string;
}

/** The waiting selfies, without those that were just decided. A decision is shown as final until the server refuses it. */
export function useSelfieQueue() {
  const client = useQueryClient();
  const query = useQuery(selfieQueueQuery);
  const [decided, setDecided] = useState<readonly string[]>([]);
  const command = useMutation({
    mutationFn: ({ selfie: { _id: id, pictures }, verdict, reason }: Decision) =>
      call(decideSelfie, {
        params: { id },
        body: { verdict, reason, pictures: pictures.map(({ publicId }) => publicId) },
      }),
    onMutate: ({ selfie }) => setDecided((before) => [...before, selfie._id]),
    onError: (_error, { selfie }) => setDecided((before) => before.filter((id) => id !== selfie._id)),
    onSettled: (_data, _error, { selfie: { user } }) => {
      for (const queryKey of [['selfies'], staffKeys.user(user._id), ['audit']])
        void client.invalidateQueries({ queryKey });
    },
  });
  const all = query.data?.selfies ?? [];
  const selfies = all.filter(({ _id }) => !decided.includes(_id));
  return {
    query,
    selfies,
    total: Math.max(0, (query.data?.total ?? 0) - (all.length - selfies.length)),
    /** The last decision, unless it was refused. */
    last: command.isError ? undefined : command.variables,
    error: command.error,
    decide: command.mutate,
  };
}

/** The most common reasons to ask for new selfies, for the member, and to reject them, for colleagues. */
export const usualReasons = {
  again: [
    msg`Your face is hard to see. Please take the selfies in good light.`,
    msg`The pose is not the one we asked for.`,
    msg`The selfies and your pictures are hard to compare. Please add a recent picture first.`,
  ],
  rejected: [
    msg`The selfies show another person than the pictures.`,
    msg`The selfies are pictures of a screen or a print.`,
    msg`The selfies were edited or generated.`,
  ],
} as const;
