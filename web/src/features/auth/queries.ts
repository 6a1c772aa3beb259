import { queryOptions } from '@tanstack/react-query';
import { getSecondFactor } from '#contract/auth/factors.ts';
import { listIdentities } from '#contract/auth/identities.ts';
import { listPasskeys } from '#contract/auth/passkeys.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { accountKeys } from '../../api/keys.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { readCurrentUser } from './session/session.ts';

/** How the account is protected besides its password, and how its owner can confirm their identity. */
export const protectionQuery = queryOptions({
  queryKey: [getSecondFactor.path, 'protection'],
  queryFn: async ({ signal }) => {
    const [factor, list] = await Promise.all([call(getSecondFactor, { signal }), call(listPasskeys, { signal })]);
    const { passkeys } = list.data;
    const { hasPassword, since } = factor.data;
    return {
      factor: factor.data,
      passkeys,
      proofs: { hasPassword, hasFactor: since !== null, hasPasskey: passkeys.length > 0 },
    };
  },
  staleTime: 0,
});

/** The ways in which a member signs in, besides passkeys. Staff only have a password, so nothing is fetched for them. */
export const useWaysToSignIn = (isMember = true) =>
  useEndpoint(listIdentities, {}, { staleTime: 0, enabled: isMember });

/** Fetches everything about sign-in and security again. */
export function refetchAccount(): void {
  for (const queryKey of accountKeys) void queryClient.invalidateQueries({ queryKey });
}

/** Fetches the same data, and also whether staff still have to set up two-step verification. */
export function accountChanged(): void {
  refetchAccount();
  void readCurrentUser().catch(() => undefined);
}
