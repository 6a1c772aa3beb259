import { msg } from '@lingui/core/macro';
import { useState } from 'react';
import type { getAdminUser } from '#contract/profiles/staff.ts';
import { decideSelfie, listSelfies, type QueuedSelfie, type SelfieVerdict } from '#contract/photo-verification.ts';
import { queryClient } from '../../../api/query-client.ts';
import { keyAt, useCommand, useEndpoint, refreshAfter } from '../../../api/endpoint-query.ts';

/** Also renews the addresses of the pictures before they end. */
const reloadEveryMs = 60_000;

interface Decision {
  selfie: QueuedSelfie;
  verdict: SelfieVerdict;
  reason: string;
}

/** The waiting selfies, without those that were just decided. A decision is shown as final until the server refuses it. */
export function useSelfieQueue() {
  const query = useEndpoint(listSelfies, {}, { refetchInterval: reloadEveryMs, refetchOnMount: 'always' });
  const [decided, setDecided] = useState<readonly string[]>([]);
  const command = useCommand(
    decideSelfie,
    ({ selfie: { _id: id, pictures }, verdict, reason }: Decision) => ({
      params: { id },
      body: { verdict, reason, pictures: pictures.map(({ publicId }) => publicId) },
    }),
    {
      onMutate: ({ selfie }) => setDecided((before) => [...before, selfie._id]),
      onError: (_error, { selfie }) => setDecided((before) => before.filter((id) => id !== selfie._id)),
      onSettled: (_data, _error, { selfie: { user } }) => {
        void queryClient.invalidateQueries({
          queryKey: keyAt<typeof getAdminUser>('/admin/users/{id}', { id: user._id }),
        });
        void refreshAfter(decideSelfie);
      },
    },
  );
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
