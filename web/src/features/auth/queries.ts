import { queryOptions, useQuery } from '@tanstack/react-query';
import { listSessions } from '#contract/auth/auth.ts';
import { getSecondFactor } from '#contract/auth/factors.ts';
import { listIdentities } from '#contract/auth/identities.ts';
import { listPasskeys } from '#contract/auth/passkeys.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { readCurrentUser } from './session/session.ts';

/** How the account is protected besides its password, and how its owner can confirm their identity. */
export const protectionQuery = queryOptions({
  queryKey: keys.protection,
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

/** Only the state of two-step verification: until staff have set it up, the server refuses all other requests. */
export const secondFactorQuery = queryOptions({
  queryKey: keys.secondFactor,
  queryFn: async ({ signal }) => (await call(getSecondFactor, { signal })).data,
  staleTime: 0,
});

/** The ways in which a member signs in, besides passkeys. */
export const waysToSignInQuery = queryOptions({
  queryKey: keys.waysToSignIn,
  queryFn: async ({ signal }) => (await call(listIdentities, { signal })).data,
  staleTime: 0,
});

/** The same query as a hook. Staff only have a password, so nothing is fetched for them. */
export function useWaysToSignIn(isMember = true) {
  return useQuery({ ...waysToSignInQuery, enabled: isMember });
}

/** The devices that are signed in to the account. */
export const devicesQuery = queryOptions({
  queryKey: keys.devices,
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).data.sessions,
  staleTime: 0,
});

/** Fetches everything about sign-in and security again. */
export function refetchAccount(): void {
  void queryClient.invalidateQueries({ queryKey: keys.account });
}

/** Fetches the same data, and also whether staff still have to set up two-step verification. */
export function accountChanged(): void {
  refetchAccount();
  void readCurrentUser().catch(() => undefined);
}
