import type { SignInConfig } from '../../../../platform/config/sign-in.ts';
import { createFacebook } from './facebook.ts';
import { createGoogle, type Nonces } from './google.ts';
import type { FacebookIdentities, GoogleIdentities } from './provider.ts';

/** The sign-in providers; null if not configured. */
export interface Identities {
  google: GoogleIdentities | null;
  facebook: FacebookIdentities | null;
  nonces: Nonces;
}

/** The providers that are configured. */
export function realIdentities({
  google,
  facebook,
}: Pick<SignInConfig, 'google' | 'facebook'>): Omit<Identities, 'nonces'> {
  return {
    google: google && createGoogle(google, fetch),
    facebook: facebook && createFacebook(facebook, fetch),
  };
}
