import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/auth/identities.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { joinWith } from './identity.join.ts';
import { linkWithPassword } from './identity.link.ts';
import { addIdentity, confirmByIdentity, demandMember, removeIdentity, waysIn } from './identity.own.ts';
import { signInWithIdentity } from './identity.ts';
import { shownIdentity } from './identity.shown.ts';

/** Signing in with Google and Facebook, and what a member has linked. */
export function mountIdentities(app: FastifyInstance, deps: Deps): void {
  const { db, identities } = deps;
  const { nonces } = identities;
  const signedIn = 'Signed in';

  if (identities.google !== null) {
    mount(app, deps, calls.googleNonce).to(async ({ now, reply }) => {
      const { nonce, cookie } = nonces.issue(now);
      void reply.header('set-cookie', cookie);
      return { data: { nonce } };
    });
    mount(app, deps, calls.googleSignIn).to(async ({ body, now, request, ...origin }) => {
      const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'INVALID_CREDENTIALS');
      const data = await signInWithIdentity(deps, shown, body.acceptTerms === true, { origin, now });
      return { message: signedIn, data };
    });
  }
  if (identities.facebook !== null) {
    mount(app, deps, calls.facebookSignIn).to(async ({ body, now, ...origin }) => {
      const shown = await shownIdentity(deps, body, undefined, now, 'INVALID_CREDENTIALS');
      const data = await signInWithIdentity(deps, shown, body.acceptTerms === true, { origin, now });
      return { message: signedIn, data };
    });
  }
  mount(app, deps, calls.linkByPassword).to(async ({ body, now, ...origin }) => ({
    message: signedIn,
    data: await linkWithPassword(deps, body, { origin, now }),
  }));
  mount(app, deps, calls.joinWithIdentity).to(({ body, once, now, ...origin }) =>
    joinWith(deps, once, body, { origin, now }),
  );

  mount(app, deps, calls.listIdentities).to(async ({ caller, now }) => {
    demandMember(caller);
    return { data: await waysIn(db, caller, now) };
  });
  mount(app, deps, calls.addIdentity).to(async ({ caller, body, now, request }) => {
    demandMember(caller);
    const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'IDENTITY_REFUSED');
    return { message: 'You can sign in this way from now on', data: await addIdentity(deps, caller, shown, body, now) };
  });
  mount(app, deps, calls.removeIdentity).to(async ({ caller, params, body, now }) => {
    demandMember(caller);
    const data = await removeIdentity(deps, caller, params.provider, body, now);
    return { message: 'You do not sign in this way any more', data };
  });
  mount(app, deps, calls.confirmIdentity).to(async ({ caller, body, now, request }) => {
    demandMember(caller);
    const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'IDENTITY_REFUSED');
    return { message: 'Thank you', data: await confirmByIdentity(deps, caller, shown, now) };
  });
}
