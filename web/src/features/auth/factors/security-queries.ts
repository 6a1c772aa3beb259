import { create } from 'zustand';
import { getSecondFactor } from '#contract/auth/factors.ts';
import { listIdentities } from '#contract/auth/identities.ts';
import { listPasskeys } from '#contract/auth/passkeys.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { readCurrentUser } from '../session/current-user.ts';

const useRounds = create<{ round: number }>()(() => ({ round: 0 }));

async function read(signal: AbortSignal) {
  const [factor, list] = await Promise.all([call(getSecondFactor, { signal }), call(listPasskeys, { signal })]);
  const { passkeys } = list.data;
  const { hasPassword, since } = factor.data;
  const needs = { hasPassword, hasFactor: since !== null, hasPasskey: passkeys.length > 0 };
  return { factor: factor.data, passkeys, needs };
}

/** What protects one's account besides a password, and what one proves oneself with; the same for all who draw it. */
export function useProtection() {
  const round = useRounds((state) => state.round);
  return { round, query: useRead(String(round), read, { keepsData: true }) };
}

/** Something of it has changed: it is asked for anew, and so is whether staff have to set something up before they go on. */
export function protectionChanged(): void {
  useRounds.setState(({ round }) => ({ round: round + 1 }));
  void readCurrentUser().catch(() => undefined);
}

/** By what a member signs in, besides passkeys; staff have nothing but their password and are not asked about. */
export function useWaysIn(isMember: boolean) {
  return useRead(isMember ? 'own' : '', async (signal) =>
    isMember ? (await call(listIdentities, { signal })).data : undefined,
  );
}

export type WaysInQuery = ReturnType<typeof useWaysIn>;
