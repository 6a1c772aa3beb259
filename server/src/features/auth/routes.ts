import type { FastifyInstance, FastifyReply } from 'fastify';
import * as calls from '#contract/auth/auth.ts';
import * as session from '#contract/auth/session.ts';
import { chooseLanguage } from './accounts.ts';
import { unauthenticated } from '#platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount as mountCall } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { createRotation } from '#platform/session/rotation.ts';
import { join, prepareJoin, agreeToTerms, undoJoining } from './join/join.ts';
import { leave, prepareLeaving, prepareRestoring, restore } from './retention/retention.ts';
import {
  changePassword,
  prepareChange,
  prepareReset,
  requestReset,
  resetMethods,
  resetPassword,
} from './password/password.ts';
import * as help from '#contract/auth/help.ts';
import { correctAddress, countAddress, countEagerCorrectors } from './help/correct-address.ts';
import { sendConfirmation, sendResetLink, sendRestoreLink, unlockSignIn } from './help/send.ts';
import * as house from '#contract/auth/house.ts';
import { confirmSession } from './house/confirm.ts';
import { leavingOf } from './house/leave.ts';
import { linkHouse } from './house/link.ts';
import { beginHouse, judgeReturn, signInWithHouse } from './house/sign-in.ts';
import { judgeFactor, judgeProof } from './password/proof.ts';
import { cancelByLink, prepareEmailChange, requestEmailChange } from './address/change.ts';
import { judgeRestore, restoreAddress, stopRestore } from './address/restore.ts';
import { countChallenge, judgePassword, signIn, signInWithCode } from './session/sign-in.ts';
import { endOtherSessions, endSession, listSessions, prepareEnding, signOut } from './session/devices.ts';
import { requestResend, resendToCaller } from './join/mailed-codes.ts';
import { judgeVerification, verifyEmail } from './join/verification.ts';
import * as factors from '#contract/auth/factors.ts';
import * as passkeys from '#contract/auth/passkeys.ts';
import { endUserSessions, resetColleague } from './staff.ts';
import {
  keepPasskey,
  listPasskeys,
  passkeyCreation,
  prepareCreation,
  readPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys/passkeys.ts';
import { judgePasskey, passkeyRequest, signInWithPasskey } from './passkeys/sign-in.ts';
import { askForRemoval, confirmRemoval, stopRemoval } from './factors/removal.ts';
import {
  beginTotp,
  countSetupCode,
  disableTotp,
  enableTotp,
  judgeTotpProof,
  prepareTotp,
  renewRecoveryCodes,
  secondFactorOf,
} from './factors/totp.ts';
import * as identityCalls from '#contract/auth/identities.ts';
import {
  joinWith,
  judgeLinking,
  linkWithPassword,
  prepareJoining,
  presentIdentity,
  signInWithIdentity,
} from './identity/sign-in.ts';
import {
  addIdentity,
  confirmByIdentity,
  prepareIdentity,
  prepareUnlinking,
  removeIdentity,
  requireMember,
  signInMethods,
} from './identity/own.ts';
import { shownIdentity } from './identity/arrival.ts';

/** Mounts an endpoint, and logs sign-ins and changes with the account. */
const mount: typeof mountCall = (app, deps, endpoint) =>
  mountCall(app, deps, endpoint, { logsAccount: endpoint.method !== 'GET' });

/** Browsers cache pictures for some minutes, so signing out clears the cache. */
function emptyCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"');
}

/** Mounts joining, sessions, addresses, passwords, and leaving. */
export function mountAuth(app: FastifyInstance, deps: Deps): void {
  mountSessions(app, deps);
  mountPasswords(app, deps);
  mount(app, deps, calls.register)
    .before((context) => prepareJoin(context, context.body))
    .to((context, prepared) => join(context, { ...context.body, ...prepared }));
  mount(app, deps, calls.undoRegister).to(async (context) => {
    await undoJoining(context);
    context.after(() => emptyCache(context.reply));
    return { message: 'Your account was deleted', data: {} };
  });
  mount(app, deps, calls.verifyEmail)
    .before((context) => judgeVerification(context, context.body))
    .to(async (context, judged) => ({
      message: 'Your email address is confirmed',
      ...(await verifyEmail(context, judged)),
    }));
  mount(app, deps, calls.resendVerification).to(async (context) => {
    const { caller } = context;
    const email = context.body?.email;
    if (email === undefined && caller === null) throw unauthenticated();
    const handle =
      email !== undefined || caller === null
        ? await requestResend(context, email ?? '')
        : await resendToCaller({ ...context, caller });
    return {
      message: 'If the address still needs to be confirmed, we sent an email',
      emailVerificationSent: handle !== null,
      ...(handle === null ? {} : { verificationToken: handle }),
    };
  });

  mount(app, deps, calls.agreeToTerms).to(async (context) => {
    await agreeToTerms(context, context.body);
    return { message: 'Thank you', data: {} };
  });

  mount(app, deps, calls.chooseLanguage).to(async (context) => {
    await chooseLanguage(context, context.body.language);
    return { data: context.body };
  });

  mount(app, deps, calls.changeEmail)
    .before((context) => prepareEmailChange(context, context.body))
    .to(async (context, proof) => ({
      message: 'Please confirm the new address with the code we emailed to it',
      data: { verificationToken: await requestEmailChange(context, { email: context.body.email, proof }) },
    }));
  mount(app, deps, calls.cancelEmailChange).to(async (context) => {
    await cancelByLink(context, context.body.token);
    return { message: 'Your address stays as it is. The device that asked was signed out.', data: {} };
  });
  mount(app, deps, calls.restoreEmail)
    .before((context) => judgeRestore(context, context.body))
    .to(async (context, judged) => {
      const at = await restoreAddress(context, judged);
      const message =
        at === null
          ? 'Your old address and your new password are in place. Please sign in.'
          : 'Your old address and your new password will be in place in three days';
      return { message, data: { takesEffectAt: at } };
    });
  mount(app, deps, calls.stopRestore).to(async (context) => {
    await stopRestore(context, context.body);
    return { message: 'Your email address stays as it is', data: {} };
  });

  mount(app, deps, calls.leaveService)
    .before((context) => prepareLeaving(context, context.body))
    .to(async (context, proof) => {
      const until = await leave(context, proof);
      context.after(() => emptyCache(context.reply));
      return { message: 'Your account is now hidden and will be deleted', data: { restoreUntil: until } };
    });
  mount(app, deps, calls.restoreAccount)
    .before((context) => prepareRestoring(context, context.body))
    .to(async (context, restoring) => {
      await restore(context, { token: context.body.token, ...restoring });
      return { message: 'Welcome back. Please sign in.', data: {} };
    });
}

/** Mounts resetting and changing passwords. */
function mountPasswords(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.forgotPassword).to(async (context) => {
    await requestReset(context, context.body.email);
    return { message: 'If the address belongs to an account, we sent an email', data: {} };
  });
  mount(app, deps, calls.resetPassword)
    .before((context) => prepareReset(context, context.body))
    .to(async (context, accepted) => {
      await resetPassword(context, { ...context.body, ...accepted });
      return { message: 'Password changed. Please sign in.', data: {} };
    });
  mount(app, deps, calls.resetMethods).to(async ({ body, now }) => ({
    data: { methods: await resetMethods(deps, body.token, now) },
  }));
  mount(app, deps, calls.changePassword)
    .before((context) => prepareChange(context, context.body))
    .to(async (context, prepared) => {
      await changePassword(context, prepared);
      return { message: 'Password changed. Your other devices were signed out.', data: {} };
    });
}

/** Mounts signing in and out, and sessions. */
function mountSessions(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const rotate = createRotation(db, deps.tokens, (tx, account, now) =>
    queueMail(tx, { to: account.email, accountId: account.id, template: 'sessionStolen', data: {} }, now),
  );

  mount(app, deps, session.login)
    .before((context) => judgePassword(context, context.body))
    .to(async (context, judged) => ({ message: 'Signed in', data: await signIn(context, judged) }));
  mount(app, deps, session.refreshToken).to(async ({ body, idempotencyKey, now }) => {
    await confirmSession(deps, body.refreshToken, now);
    return { data: await rotate(body.refreshToken, idempotencyKey, now) };
  });
  mount(app, deps, session.logout)
    .before((context) => leavingOf(context))
    .to(async (context, leaving) => {
      await signOut(context);
      context.after(() => emptyCache(context.reply));
      return { message: 'Signed out', data: leaving };
    });

  mount(app, deps, calls.listSessions).to(async ({ caller, now }) => ({
    data: { sessions: await listSessions(db, caller, now) },
  }));
  mount(app, deps, calls.endOtherSessions)
    .before((context) => judgeFactor(context, context.caller.accountId, context.body ?? {}))
    .to(async (context, factor) => ({
      message: 'Your other devices were signed out',
      data: { ended: await endOtherSessions(context, factor) },
    }));
  mount(app, deps, calls.endSession)
    .before((context) => prepareEnding(context, { sessionId: context.params.id, shown: context.body }))
    .to(async (context, factor) => {
      await endSession(context, { sessionId: context.params.id, factor });
      return { message: 'The device was signed out', data: {} };
    });
  mount(app, deps, calls.endUserSessions).to(async (context) => ({
    message: 'The user was signed out everywhere',
    data: { ended: await endUserSessions(context, { ...context.params, ...context.body }) },
  }));
}

/** Mounts the help that staff can give to people who can't sign in. */
export function mountHelp(app: FastifyInstance, deps: Deps): void {
  deps.metrics.gauge('eager_address_correctors', 'Staff who corrected more than three addresses within a week', () =>
    countEagerCorrectors(deps.db, deps.clock.now()),
  );
  const acts = [
    [help.helpConfirmation, sendConfirmation, 'The confirmation was sent to their address'],
    [help.helpResetLink, sendResetLink, 'A link was sent to their address'],
    [help.helpRestore, sendRestoreLink, 'A link to keep the account was sent to their address'],
  ] as const;
  for (const [call, act, message] of acts)
    mount(app, deps, call).to(async (context) => {
      await act(context, { ...context.params, ...context.body });
      return { message, data: {} };
    });
  mount(app, deps, help.helpAddress)
    .before(countAddress)
    .to(async (context, keepCount) => {
      await correctAddress(context, { ...context.params, ...context.body, keepCount });
      return { message: 'The address was corrected, and a confirmation sent to it', data: {} };
    });
  mount(app, deps, help.helpUnlock).to(async (context) => ({
    message: 'They can try to sign in again',
    data: { wasPaused: await unlockSignIn(context, { ...context.params, ...context.body }) },
  }));
}

/** Mounts two-step verification and passkeys. */
export function mountFactors(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, factors.loginWithCode)
    .before((context) => countChallenge(context, context.body))
    .to(async (context, answer) => ({ message: 'Signed in', data: await signInWithCode(context, answer) }));
  mount(app, deps, factors.getSecondFactor).to(async ({ caller }) => ({ data: await secondFactorOf(deps, caller) }));
  mount(app, deps, factors.setUpTotp)
    .before((context) => prepareTotp(context, context.body))
    .to(async (context, proof) => ({
      message: 'Now enter a code from your app',
      data: await beginTotp(context, proof),
    }));
  mount(app, deps, factors.enableTotp)
    .before(countSetupCode)
    .to(async (context) => ({
      message: 'Two-step verification is on',
      data: await enableTotp(context, context.body),
    }));
  mount(app, deps, factors.disableTotp)
    .before((context) => judgeTotpProof(context, context.body))
    .to(async (context, proof) => {
      await disableTotp(context, proof);
      return { message: 'Two-step verification is off', data: {} };
    });
  mount(app, deps, factors.renewRecoveryCodes)
    .before((context) => judgeTotpProof(context, context.body))
    .to(async (context, proof) => ({
      message: 'These are your new recovery codes',
      data: { recoveryCodes: await renewRecoveryCodes(context, proof) },
    }));

  mount(app, deps, factors.askForRemoval).to(async (context) => {
    await askForRemoval(context, context.body.challenge);
    return { message: 'We sent you an email', data: {} };
  });
  mount(app, deps, factors.confirmRemoval).to(async (context) => ({
    message: 'Two-step verification will be turned off in three days',
    data: { removalAt: await confirmRemoval(context, context.body.token) },
  }));
  mount(app, deps, factors.stopRemoval).to(async (context) => {
    await stopRemoval(context, context.body);
    return { message: 'Two-step verification stays on', data: {} };
  });
  mount(app, deps, factors.resetFactors).to(async (context) => {
    await resetColleague(context, { ...context.params, ...context.body });
    return { message: 'Two-step verification and passkeys were removed, and all devices signed out', data: {} };
  });
  mountPasskeys(app, deps);
}

/** Mounts passkeys: creating them, signing in with them, and managing the caller's. */
function mountPasskeys(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, passkeys.passkeyRegisterOptions)
    .before((context) => prepareCreation(context, context.body))
    .to(async (context, proof) => ({ data: { options: await passkeyCreation(context, proof) } }));
  mount(app, deps, passkeys.passkeyRegister)
    .before((context) => readPasskey(context, context.body))
    .to(async (context, made) => ({
      message: 'Passkey added',
      data: await keepPasskey(context, { made, name: context.body.name }),
    }));
  mount(app, deps, passkeys.passkeyLoginOptions).to(async (context) => ({
    data: { options: await passkeyRequest(context) },
  }));
  mount(app, deps, passkeys.passkeyLogin)
    .before((context) => judgePasskey(context, context.body))
    .to(async (context, asserted) => ({
      message: 'Signed in',
      data: await signInWithPasskey(context, { asserted, challenge: context.body.challenge }),
    }));
  mount(app, deps, passkeys.listPasskeys).to(async ({ caller }) => ({
    data: { passkeys: await listPasskeys(deps.db, caller) },
  }));
  mount(app, deps, passkeys.renamePasskey).to(async (context) => ({
    data: { passkey: await renamePasskey(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, passkeys.removePasskey)
    .before((context) => judgeProof(context, context.body))
    .to(async (context, proof) => {
      await removePasskey(context, { ...context.params, proof });
      return { message: 'Passkey removed', data: {} };
    });
}

/** Mounts signing in as staff with the house's account. */
export function mountHouse(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, house.startHouse).to(async (context) => {
    const { url, cookie } = await beginHouse(context);
    void context.reply.header('set-cookie', cookie);
    return { data: { url } };
  });
  mount(app, deps, house.houseSignIn)
    .before((context) => judgeReturn(context, context.body))
    .to(async (context, person) => ({ message: 'Signed in', data: await signInWithHouse(context, person) }));
  mount(app, deps, house.linkHouse).to(async (context) => {
    await linkHouse(context, context.body.linkToken);
    return { message: 'Linked. Please sign in with it.', data: {} };
  });
}

/** Mounts signing in with Google and Facebook, and the caller's linked identities. */
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
    mount(app, deps, identityCalls.googleSignIn)
      .before((context) => presentIdentity(context, context.body))
      .to(async (context, presented) => ({ message: signedIn, data: await signInWithIdentity(context, presented) }));
  }
  if (identities.facebook !== null) {
    mount(app, deps, identityCalls.facebookSignIn)
      .before((context) => presentIdentity(context, context.body))
      .to(async (context, presented) => ({ message: signedIn, data: await signInWithIdentity(context, presented) }));
  }
  mount(app, deps, identityCalls.linkByPassword)
    .before((context) => judgeLinking(context, context.body))
    .to(async (context, linking) => ({
      message: signedIn,
      data: await linkWithPassword(context, { linkToken: context.body.linkToken, ...linking }),
    }));
  mount(app, deps, identityCalls.joinWithIdentity)
    .before((context) => prepareJoining(context, context.body))
    .to(async (context, joining) => ({
      message: 'Welcome.',
      data: await joinWith(context, { joinToken: context.body.joinToken, ...joining }),
    }));

  mount(app, deps, identityCalls.listIdentities).to(async ({ caller, now }) => {
    requireMember(caller);
    return { data: await signInMethods(db, caller, now) };
  });
  mount(app, deps, identityCalls.addIdentity)
    .before((context) => prepareIdentity(context, context.body))
    .to(async (context, adding) => ({ message: 'Sign-in method added', data: await addIdentity(context, adding) }));
  mount(app, deps, identityCalls.removeIdentity)
    .before((context) => prepareUnlinking(context, { ...context.params, proof: context.body }))
    .to(async (context, unlinking) => ({
      message: 'Sign-in method removed',
      data: await removeIdentity(context, unlinking),
    }));
  mount(app, deps, identityCalls.confirmIdentity)
    .before((context) => {
      requireMember(context.caller);
      return shownIdentity(context, context.body, 'IDENTITY_REFUSED');
    })
    .to(async (context, shown) => ({ message: 'Thank you', data: await confirmByIdentity(context, shown) }));
}
