import type { FastifyInstance, FastifyReply } from 'fastify';
import * as calls from '#contract/auth/auth.ts';
import * as session from '#contract/auth/session.ts';
import { unauthenticated } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import { rotateSession } from '../../platform/session/sessions.ts';
import { join } from './join/join.ts';
import { leave, restore } from './retention/leaving.ts';
import { changePassword, checkCurrentPassword, requestReset, resetPassword } from './password/password.ts';
import { endOtherSessions, endSession, listSessions, signIn, signOut } from './session/sign-in.ts';
import { requestEmailChange, requestResend, resendToCaller, verifyEmail } from './join/verification.ts';

/** Browsers keep pictures for some minutes; who signs out leaves none behind. */
function emptyCache(reply: FastifyReply): void {
  void reply.header('clear-site-data', '"cache"');
}

/** Accounts and their sessions. */
export function mountAuth(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.register).to(({ body, once, now, ...origin }) => join(deps, once, body, origin, now));
  mount(app, deps, session.login).to(async ({ body, now, ...origin }) => ({
    message: 'Signed in',
    data: await signIn(deps, body, origin, now),
  }));
  mount(app, deps, session.refreshToken).to(async ({ body, idempotencyKey, now }) => ({
    data: await rotateSession(db, deps.tokens, body.refreshToken, idempotencyKey, now, (tx, account) =>
      queueMail(tx, { to: account.email, accountId: account.id, template: 'sessionStolen', data: {} }, now),
    ),
  }));
  mount(app, deps, session.logout).to(async ({ caller, reply }) => {
    await signOut(db, caller);
    emptyCache(reply);
    return { message: 'Signed out', data: {} };
  });

  mount(app, deps, calls.verifyEmail).to(async ({ caller, body, now, ...origin }) => ({
    message: 'Your e-mail address is confirmed',
    ...(await verifyEmail(deps, caller, body, origin, now)),
  }));
  mount(app, deps, calls.resendVerification).to(async ({ caller, body, now }) => {
    const email = body?.email;
    if (email === undefined && caller === null) throw unauthenticated();
    const handle =
      email !== undefined || caller === null
        ? await requestResend(deps, email ?? '')
        : await resendToCaller(deps, caller, now);
    return {
      message: 'If the address still needs it, a mail is on its way',
      emailVerificationSent: handle !== null,
      ...(handle === null ? {} : { verificationToken: handle }),
    };
  });

  mount(app, deps, calls.forgotPassword).to(async ({ body }) => {
    await requestReset(deps, body.email);
    return { message: 'If the address belongs to an account, a mail is on its way', data: {} };
  });
  mount(app, deps, calls.resetPassword).to(async ({ body, now }) => {
    await resetPassword(deps, body.token, body.password, now);
    return { message: 'Your password is changed. Please sign in.', data: {} };
  });
  mount(app, deps, calls.changePassword).to(async ({ caller, body, now }) => {
    await changePassword(deps, caller, body, now);
    return { message: 'Your password is changed. Your other devices were signed out.', data: {} };
  });
  mount(app, deps, calls.changeEmail).to(async ({ caller, body, now }) => {
    await checkCurrentPassword(db, caller, body.password, now);
    const verificationToken = await requestEmailChange(deps, caller, body.email, now);
    return { message: 'Please confirm the new address with the code mailed to it', data: { verificationToken } };
  });

  mount(app, deps, calls.listSessions).to(async ({ caller, now }) => ({
    data: { sessions: await listSessions(db, caller, now) },
  }));
  mount(app, deps, calls.endOtherSessions).to(async ({ caller }) => ({
    message: 'Your other devices are signed out',
    data: { ended: await endOtherSessions(db, caller) },
  }));
  mount(app, deps, calls.endSession).to(async ({ caller, params }) => {
    await endSession(db, caller, params.id);
    return { message: 'The device is signed out', data: {} };
  });

  mount(app, deps, calls.leaveService).to(async ({ caller, body, now, reply }) => {
    await checkCurrentPassword(db, caller, body.password, now);
    const until = await leave(deps, caller, now);
    emptyCache(reply);
    return { message: 'Your account is hidden and will be deleted', data: { restoreUntil: until.toISOString() } };
  });
  mount(app, deps, calls.restoreAccount).to(async ({ body, now }) => {
    await restore(deps, body.token, now);
    return { message: 'Welcome back. Please sign in.', data: {} };
  });
}
