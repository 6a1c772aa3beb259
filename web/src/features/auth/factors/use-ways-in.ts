import { listIdentities } from '#contract/auth/identities.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';

/** By what a member signs in, besides passkeys; staff have nothing but their password and are not asked about. */
export function useWaysIn(isMember: boolean) {
  return useRead(isMember ? 'own' : '', async (signal) =>
    isMember ? (await call(listIdentities, { signal })).data : undefined,
  );
}

export type WaysInQuery = ReturnType<typeof useWaysIn>;
