import { getConfig } from '#contract/system.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import type { SignInWith } from './identity-trip.ts';

const nobody: SignInWith = { google: null, facebook: null };

/** By whom one can sign in here, and where; undefined until that is known. */
export function useSignInWith(): SignInWith | undefined {
  const { data, error } = useRead('', async (signal) => (await call(getConfig, { signal })).data.signInWith);
  return error === null ? data : nobody;
}
