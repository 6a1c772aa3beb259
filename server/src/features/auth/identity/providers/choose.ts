import type { Clock } from '../../../../platform/process/clock.ts';
import type { SignInConfig } from '../../../../platform/config/config-sign-in.ts';
import { createBuiltInIssuer, type BuiltInIssuer } from '../../../../../../demo/identity/issuer.ts';
import { createFacebook } from './facebook.ts';
import { createGoogle, type Nonces } from './google.ts';
import type { FacebookIdentities, Fetch, GoogleIdentities } from './provider.ts';

/** By whom one can sign in here; null: not by them. */
export interface Identities {
  google: GoogleIdentities | null;
  facebook: FacebookIdentities | null;
  /** What stands in for those that are not set up; null where nothing does. */
  builtIn: BuiltInIssuer | null;
  nonces: Nonces;
}

/** The real providers where they are set up, for the others the built-in issuer where there is one, reached by `fetchHere`. */
export function chooseIdentities(
  config: SignInConfig,
  { clock, nonces, fetchHere }: { clock: Clock; nonces: Nonces; fetchHere: Fetch },
): Identities {
  const isWhole = config.google !== null && config.facebook !== null;
  const builtIn = config.builtIn && !isWhole ? createBuiltInIssuer(clock) : null;
  const google = config.google ? createGoogle(config.google, fetch) : null;
  const facebook = config.facebook ? createFacebook(config.facebook, fetch) : null;
  return {
    google: google ?? (builtIn && createGoogle(builtIn.google, fetchHere)),
    facebook: facebook ?? (builtIn && createFacebook(builtIn.facebook, fetchHere)),
    builtIn,
    nonces,
  };
}
