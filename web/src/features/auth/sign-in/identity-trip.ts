import type { AnswerOf } from '#contract/endpoint.ts';
import { googleNonce, type IdentityProvider } from '#contract/auth/identities.ts';
import type { getConfig } from '#contract/system.ts';
import { call } from '../../../api/call.ts';
import { randomKey } from '../../../api/random-key.ts';
import { keepTrip, type TripPurpose } from './identity-return.ts';

export const providerNames: Record<IdentityProvider, string> = { google: 'Google', facebook: 'Facebook' };

/** Where browsers go to sign in with others. */
export type SignInWith = AnswerOf<typeof getConfig>['data']['signInWith'];
type Place = NonNullable<SignInWith[IdentityProvider]>;

const backTo: Record<TripPurpose, string> = {
  signIn: '/app/sign-in',
  link: '/app/settings',
  confirm: '/app/settings',
};

/** What each provider has to be asked for besides the way back. */
async function askedOf(provider: IdentityProvider): Promise<Record<string, string>> {
  if (provider === 'facebook') return { response_type: 'token', scope: 'public_profile,email' };
  const { nonce } = (await call(googleNonce)).data;
  return { response_type: 'id_token', scope: 'openid email profile', prompt: 'select_account', nonce };
}

/** Leaves for a provider; who comes back is met by `returnedBy`. Throws the `ApiError`. */
export async function beginTrip(
  provider: IdentityProvider,
  place: Place,
  purpose: TripPurpose,
  from: string | null = null,
): Promise<void> {
  const asked = await askedOf(provider);
  const state = randomKey();
  keepTrip({ provider, purpose, state, from });
  const back = new URL(backTo[purpose], window.location.origin).href;
  const address = new URL(place.url, window.location.origin);
  const query = { client_id: place.clientId, redirect_uri: back, state, ...asked };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  window.location.assign(address.href);
}
