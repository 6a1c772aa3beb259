import type { FastifyInstance, FastifyReply } from 'fastify';
import * as calls from '#contract/auth/auth.ts';
import * as session from '#contract/auth/session.ts';
import { unauthenticated } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount as mountCall } from '../../platform/http/mount.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import { createRotation } from '../../platform/session/rotation.ts';
import { join } from './join/join.ts';
import { agreeToTerms } from './join/terms.ts';
import { leave, restore } from './retention/retention.ts';
import { changePassword, requestReset, resetMethods, resetPassword } from './password/password.ts';
import { cancelByLink, requestEmailChange } from './address/change.ts';
import { restoreAddress, stopRestore } from './address/restore.ts';
import { signIn, signInWithCode } from './session/sign-in.ts';
import { endOtherSessions, endSession, listSessions, signOut } from './session/devices.ts';
import { requestResend, resendToCaller } from './join/mailed-codes.ts';
import { verifyEmail } from './join/verification.ts';
import * as factors from '#contract/auth/factors.ts';
import * as passkeys from '#contract/auth/passkeys.ts';
import { endUserSessions, resetColleague } from './staff.ts';
import { keepPasskey, passkeyCreation, listPasskeys, removePasskey, renamePasskey } from './passkeys/passkeys.ts';
import { passkeyRequest, signInWithPasskey } from './passkeys/sign-in.ts';
import { askForRemoval, confirmRemoval, stopRemoval } from './factors/removal.ts';
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes, secondFactorOf } from './factors/totp.ts';
import * as identityCalls from '#contract/auth/identities.ts';
import { joinWith, linkWithPassword, signInWithIdentity } from './identity/sign-in.ts';
import { addIdentity, confirmByIdentity, requireMember, removeIdentity, signInMethods } from './identity/own.ts';
import { shownIdentity } from './identity/arrival.ts';

/** Like any other call, but sign-ins and changes are logged with the account. */
const mount: typeof mountCall = (app, deps, endpoint) =>
  mountCall(app, deps, endpoint, { logsAccount: endpoint.method !== 'GET' });

/** Browsers cache pictures for some minutes; signing out clears them. */
function emptyCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"');
}

/** Mounts joining, sessions, addresses, passwords, and leaving. */
export function mountAuth(app: FastifyInstance, deps: Deps): void {
  mountSessions(app, deps);
  mount(app, deps, calls.register).to(({ body, once, now, ...origin }) => join(deps, once, body, origin, now));
  mount(app, deps, calls.verifyEmail).to(async ({ caller, body, ...arrival }) => ({
    message: 'Your email address is confirmed',
    ...(await verifyEmail(deps, caller, body, arrival)),
  }));
  mount(app, deps, calls.resendVerification).to(async ({ caller, body, now }) => {
    const email = body?.email;
    if (email === undefined && caller === null) throw unauthenticated();
    const handle =
      email !== undefined || caller === null
        ? await requestResend(deps, email ?? '')
        : await resendToCaller(deps, caller, now);
    return {
      message: 'If the address still needs to be confirmed, we sent an email',
      emailVerificationSent: handle !== null,
      ...(handle === null ? {} : { verificationToken: handle }),
    };
  });

  mount(app, deps, calls.agreeToTerms).to(async ({ caller, body, now }) => {
    await agreeToTerms(deps.db, caller, body.version, now);
    return { message: 'Thank you', data: {} };
  });

  mount(app, deps, calls.forgotPassword).to(async ({ body }) => {
    await requestReset(deps, body.email);
    return { message: 'If the address belongs to an account, we sent an email', data: {} };
  });
  mount(app, deps, calls.resetPassword).to(async ({ body, now }) => {
    await resetPassword(deps, body, now);
    return { message: 'Password changed. Please sign in.', data: {} };
  });
  mount(app, deps, calls.resetMethods).to(async ({ body, now }) => ({
    data: { methods: await resetMethods(deps, body.token, now) },
  }));
  mount(app, deps, calls.changePassword).to(async ({ caller, body, now }) => {
    await changePassword(deps, caller, body, now);
    return { message: 'Password changed. Your other devices were signed out.', data: {} };
  });
  mount(app, deps, calls.changeEmail).to(async ({ caller, body, network, now }) => {
    const verificationToken = await requestEmailChange(deps, caller, body, network, now);
    return { message: 'Please confirm the new address with the code we emailed to it', data: { verificationToken } };
  });
  mount(app, deps, calls.cancelEmailChange).to(async ({ body, now }) => {
    await cancelByLink(deps, body.token, now);
    return { message: 'Your address stays as it is. The device that asked was signed out.', data: {} };
  });
  mount(app, deps, calls.restoreEmail).to(async ({ body, now }) => {
    const at = await restoreAddress(deps, body, now);
    const message =
      at === null
        ? 'Your old address and your new password are in place. Please sign in.'
        : 'Your old address and your new password will be in place in three days';
    return { message, data: { takesEffectAt: at?.toISOString() ?? null } };
  });
  mount(app, deps, calls.stopRestore).to(async ({ caller, body, now }) => {
    await stopRestore(deps, caller, body.token, now);
    return { message: 'Your email address stays as it is', data: {} };
  });

  mount(app, deps, calls.leaveService).to(async ({ caller, body, now, reply }) => {
    const until = await leave(deps, caller, body, now);
    emptyCache(reply);
    return { message: 'Your account is now hidden and will be deleted', data: { restoreUntil: until.toISOString() } };
  });
  mount(app, deps, calls.restoreAccount).to(async ({ body, now }) => {
    await restore(deps, body, now);
    return { message: 'Welcome back. Please sign in.', data: {} };
  });
}

/** Mounts signing in and out, and sessions. */
function mountSessions(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const rotate = createRotation(db, deps.tokens, (tx, account, now) =>
    queueMail(tx, { to: account.email, accountId: account.id, template: 'sessionStolen', data: {} }, now),
  );

  mount(app, deps, session.login).to(async ({ body, now, ...origin }) => ({
    message: 'Signed in',
    data: await signIn(deps, body, origin, now),
  }));
  mount(app, deps, session.refreshToken).to(async ({ body, idempotencyKey, now }) => ({
    data: await rotate(body.refreshToken, idempotencyKey, now),
  }));
  mount(app, deps, session.logout).to(async ({ caller, reply }) => {
    await signOut(db, caller);
    emptyCache(reply);
    return { message: 'Signed out', data: {} };
  });

  mount(app, deps, calls.listSessions).to(async ({ caller, now }) => ({
    data: { sessions: await listSessions(db, caller, now) },
  }));
  mount(app, deps, calls.endOtherSessions).to(async ({ caller, body, now }) => ({
    message: 'Your other devices were signed out',
    data: { ended: await endOtherSessions(deps, caller, body, now) },
  }));
  mount(app, deps, calls.endSession).to(async ({ caller, params, body, now }) => {
    await endSession(deps, caller, params.id, body, now);
    return { message: 'The device was signed out', data: {} };
  });
  mount(app, deps, calls.endUserSessions).to(async ({ caller, params, body, now }) => ({
    message: 'The user was signed out everywhere',
    data: { ended: await endUserSessions(db, caller, params.id, body.reason, now) },
  }));
}

/** Mounts two-step verification and passkeys. */
export function mountFactors(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, factors.loginWithCode).to(async ({ body, now, ...origin }) => ({
    message: 'Signed in',
    data: await signInWithCode(deps, body, origin, now),
  }));
  mount(app, deps, factors.getSecondFactor).to(async ({ caller }) => ({ data: await secondFactorOf(deps, caller) }));
  mount(app, deps, factors.setUpTotp).to(async ({ caller, body, now }) => ({
    message: 'Now enter a code from your app',
    data: await beginTotp(deps, caller, body, now),
  }));
  mount(app, deps, factors.enableTotp).to(async ({ caller, body, now }) => ({
    message: 'Two-step verification is on',
    data: await enableTotp(deps, caller, body.code, now),
  }));
  mount(app, deps, factors.disableTotp).to(async ({ caller, body, now }) => {
    await disableTotp(deps, caller, body, now);
    return { message: 'Two-step verification is off', data: {} };
  });
  mount(app, deps, factors.renewRecoveryCodes).to(async ({ caller, body, now }) => ({
    message: 'These are your new recovery codes',
    data: { recoveryCodes: await renewRecoveryCodes(deps, caller, body, now) },
  }));

  mount(app, deps, factors.askForRemoval).to(async ({ body, now }) => {
    await askForRemoval(deps, body.challenge, now);
    return { message: 'We sent you an email', data: {} };
  });
  mount(app, deps, factors.confirmRemoval).to(async ({ body, now }) => ({
    message: 'Two-step verification will be turned off in three days',
    data: { removalAt: (await confirmRemoval(deps, body.token, now)).toISOString() },
  }));
  mount(app, deps, factors.stopRemoval).to(async ({ caller, body, now }) => {
    await stopRemoval(deps, caller, body.token, now);
    return { message: 'Two-step verification stays on', data: {} };
  });
  mount(app, deps, factors.resetFactors).to(async ({ caller, params, body, now }) => {
    await resetColleague(db, caller, params.id, body.reason, now);
    return { message: 'Two-step verification and passkeys were removed, and all devices signed out', data: {} };
  });

  mount(app, deps, passkeys.passkeyRegisterOptions).to(async ({ caller, body, now }) => ({
    data: { options: await passkeyCreation(deps, caller, body, now) },
  }));
  mount(app, deps, passkeys.passkeyRegister).to(async ({ caller, body, userAgent, now }) => ({
    message: 'Passkey added',
    data: await keepPasskey(deps, caller, body, userAgent, now),
  }));
  mount(app, deps, passkeys.passkeyLoginOptions).to(async ({ now }) => ({
    data: { options: await passkeyRequest(deps, now) },
  }));
  mount(app, deps, passkeys.passkeyLogin).to(async ({ body, now, ...origin }) => ({
    message: 'Signed in',
    data: await signInWithPasskey(deps, body.credential, origin, now),
  }));
  mount(app, deps, passkeys.listPasskeys).to(async ({ caller }) => ({
    data: { passkeys: await listPasskeys(db, caller) },
  }));
  mount(app, deps, passkeys.renamePasskey).to(async ({ caller, params, body }) => ({
    data: { passkey: await renamePasskey(db, caller, params.id, body.name) },
  }));
  mount(app, deps, passkeys.removePasskey).to(async ({ caller, params, body, now }) => {
    await removePasskey(deps, caller, params.id, body, now);
    return { message: 'Passkey removed', data: {} };
  });
}

/** Mounts signing in with Google and Facebook, and a member's linked identities. */
export function mountIdentities(app: FastifyInstance, deps: Deps): void {
  const { db, identities } = deps;
  const { nonces } = identities;
  const signedIn = 'Signed in';

  if (identities.google !== null) {
    mount(app, deps, identityCalls.googleNonce).to(async ({ now, reply }) => {
      const { nonce, cookie } = nonces.issue(now);
      void reply.header('set-cookie', cookie);
      return { data: { nonce } };
    });
    mount(app, deps, identityCalls.googleSignIn).to(async ({ body, now, request, ...origin }) => {
      const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'INVALID_CREDENTIALS');
      const data = await signInWithIdentity(deps, shown, body.acceptTerms === true, { origin, now });
      return { message: signedIn, data };
    });
  }
  if (identities.facebook !== null) {
    mount(app, deps, identityCalls.facebookSignIn).to(async ({ body, now, ...origin }) => {
      const shown = await shownIdentity(deps, body, undefined, now, 'INVALID_CREDENTIALS');
      const data = await signInWithIdentity(deps, shown, body.acceptTerms === true, { origin, now });
      return { message: signedIn, data };
    });
  }
  mount(app, deps, identityCalls.linkByPassword).to(async ({ body, now, ...origin }) => ({
    message: signedIn,
    data: await linkWithPassword(deps, body, { origin, now }),
  }));
  mount(app, deps, identityCalls.joinWithIdentity).to(({ body, once, now, ...origin }) =>
    joinWith(deps, once, body, { origin, now }),
  );

  mount(app, deps, identityCalls.listIdentities).to(async ({ caller, now }) => {
    requireMember(caller);
    return { data: await signInMethods(db, caller, now) };
  });
  mount(app, deps, identityCalls.addIdentity).to(async ({ caller, body, now, request }) => {
    requireMember(caller);
    const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'IDENTITY_REFUSED');
    return { message: 'Sign-in method added', data: await addIdentity(deps, caller, shown, body, now) };
  });
  mount(app, deps, identityCalls.removeIdentity).to(async ({ caller, params, body, now }) => {
    requireMember(caller);
    const data = await removeIdentity(deps, caller, params.provider, body, now);
    return { message: 'Sign-in method removed', data };
  });
  mount(app, deps, identityCalls.confirmIdentity).to(async ({ caller, body, now, request }) => {
    requireMember(caller);
    const shown = await shownIdentity(deps, body, request.headers.cookie, now, 'IDENTITY_REFUSED');
    return { message: 'Thank you', data: await confirmByIdentity(deps, caller, shown, now) };
  });
}
