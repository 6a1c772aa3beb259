import type { FastifyInstance } from 'fastify';
import * as factors from '#contract/auth/factors.ts';
import * as passkeys from '#contract/auth/passkeys.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { resetColleague } from './factor-reset.ts';
import { keepPasskey, passkeyCreation } from '../passkeys/passkey-making.ts';
import { passkeyRequest, signInWithPasskey } from '../passkeys/passkey-sign-in.ts';
import { listPasskeys, removePasskey, renamePasskey } from '../passkeys/passkeys.ts';
import { askForRemoval, confirmRemoval, stopRemoval } from './removal.ts';
import { signInWithCode } from './second-step.ts';
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes, secondFactorOf } from './totp.ts';

/** What accounts prove themselves with besides a password. */
export function mountFactors(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, factors.loginWithCode).to(async ({ body, now, ...origin }) => ({
    message: 'Signed in',
    data: await signInWithCode(deps, body, origin, now),
  }));
  mount(app, deps, factors.getSecondFactor).to(async ({ caller }) => ({ data: await secondFactorOf(deps, caller) }));
  mount(app, deps, factors.setUpTotp).to(async ({ caller, body, now }) => ({
    message: 'Now enter a code of your app',
    data: await beginTotp(deps, caller, body, now),
  }));
  mount(app, deps, factors.enableTotp).to(async ({ caller, body, now }) => ({
    message: 'Your second step is on',
    data: { recoveryCodes: await enableTotp(deps, caller, body.code, now) },
  }));
  mount(app, deps, factors.disableTotp).to(async ({ caller, body, now }) => {
    await disableTotp(deps, caller, body, now);
    return { message: 'Your second step is off', data: {} };
  });
  mount(app, deps, factors.renewRecoveryCodes).to(async ({ caller, body, now }) => ({
    message: 'These are your new recovery codes',
    data: { recoveryCodes: await renewRecoveryCodes(deps, caller, body, now) },
  }));

  mount(app, deps, factors.askForRemoval).to(async ({ body, now }) => {
    await askForRemoval(deps, body.challenge, now);
    return { message: 'A mail is on its way', data: {} };
  });
  mount(app, deps, factors.confirmRemoval).to(async ({ body, now }) => ({
    message: 'Your second step goes in three days',
    data: { removalAt: (await confirmRemoval(deps, body.token, now)).toISOString() },
  }));
  mount(app, deps, factors.stopRemoval).to(async ({ caller, body, now }) => {
    await stopRemoval(deps, caller, body.token, now);
    return { message: 'Your second step stays', data: {} };
  });
  mount(app, deps, factors.resetFactors).to(async ({ caller, params, body, now }) => {
    await resetColleague(db, caller, params.id, body.reason, now);
    return { message: 'Second step and passkeys are gone, and their devices are signed out', data: {} };
  });

  mount(app, deps, passkeys.passkeyRegisterOptions).to(async ({ caller, body, now }) => ({
    data: { options: await passkeyCreation(deps, caller, body, now) },
  }));
  mount(app, deps, passkeys.passkeyRegister).to(async ({ caller, body, userAgent, now }) => ({
    message: 'The passkey is kept',
    data: { passkey: await keepPasskey(deps, caller, body, userAgent, now) },
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
    return { message: 'The passkey works no more', data: {} };
  });
}
