import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../../platform/process/clock.ts';
import type { SignInConfig } from '../../../../platform/config/sign-in.ts';
import type { BuiltInIssuer } from '../../../../../../demo/identity/issuer.ts';
import { createFacebook } from './facebook.ts';
import { createGoogle, type Nonces } from './google.ts';
import type { Fetch } from '../../../../platform/http/limited-fetch.ts';
import type { FacebookIdentities, GoogleIdentities } from './provider.ts';

/** The sign-in providers; null: not available. */
export interface Identities {
  google: GoogleIdentities | null;
  facebook: FacebookIdentities | null;
  /** The stand-in for providers that are not set up, if there is one. */
  builtIn: BuiltInIssuer | null;
  nonces: Nonces;
}

/** The real providers where they are set up; for the others the built-in issuer, if the configuration allows it. */
export async function chooseIdentities(
  config: SignInConfig,
  { clock, nonces, app }: { clock: Clock; nonces: Nonces; app: FastifyInstance },
): Promise<Identities> {
  const builtIn =
    config.builtIn && (config.google === null || config.facebook === null) ? await openBuiltIn(clock) : null;
  const google = config.google ? createGoogle(config.google, fetch) : null;
  const facebook = config.facebook ? createFacebook(config.facebook, fetch) : null;
  return {
    google: google ?? (builtIn && createGoogle(builtIn.google, fetchFrom(app))),
    facebook: facebook ?? (builtIn && createFacebook(builtIn.facebook, fetchFrom(app))),
    builtIn,
    nonces,
  };
}

/** Loads the built-in issuer, which installations with real providers never do. */
async function openBuiltIn(clock: Clock): Promise<BuiltInIssuer> {
  const { createBuiltInIssuer } = await import('../../../../../../demo/identity/issuer.ts');
  return createBuiltInIssuer(clock);
}

/** Requests what `app` serves without a network, so that the address it is served at does not matter. */
function fetchFrom(app: FastifyInstance): Fetch {
  return async (url) => {
    const { pathname, search } = new URL(url);
    const { body, statusCode, headers } = await app.inject({ url: pathname + search });
    return new Response(body, { status: statusCode, headers: { 'content-type': String(headers['content-type']) } });
  };
}
