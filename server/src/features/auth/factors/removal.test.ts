import { describe, expect, it } from 'vitest';
import { challengeMinutes, removalDelayHours } from '#contract/constants.ts';
import {
  askForRemoval,
  confirmRemoval,
  disableTotp,
  getSecondFactor,
  loginWithCode,
  renewRecoveryCodes,
  stopRemoval,
} from '#contract/auth/factors.ts';
import { changePassword, forgotPassword, resetPassword } from '#contract/auth/auth.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login } from '#contract/auth/session.ts';
import { changeAddress } from '../../../../test/address-change.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { challengeOf, codeAt, turnOn } from '../../../../test/factors.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { totpFactor } from './factors.ts';
import { sessionIn } from '../../../../test/session-in.ts';

const test = startAppForTests();

const hour = 3600;
async function memberWithFactor() {
  const someone = await makeMember(test, { passwordHash: await passwordHash() });
  const { secret } = await turnOn(test, someone, password);
  return { ...someone, secret };
}
const linkOf = async (email: string, name: 'remove' | 'keep') => {
  const links = (await test.outbox(email)).flatMap((mail) => mail.links);
  return links.map((link) => tokenIn(link, name)).find((token) => token !== null) ?? '';
};
const ask = async (email: string) =>
  test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } });
const confirm = (token: string) => test.call(confirmRemoval, { body: { token } });
const renewed = async (email: string) => sessionIn((await test.call(login, { body: { email, password } })).body).token;

async function memberWithRemoval() {
  const someone = await memberWithFactor();
  await ask(someone.email);
  const confirmed = await confirm(await linkOf(someone.email, 'remove'));
  return { ...someone, removalAt: confirmed.body.data.removalAt };
}

describe('removal of a lost second factor', () => {
  it('takes effect 72 hours after the password and the emailed link, and notifies the owner on every channel', async () => {
    const { email, token, removalAt } = await memberWithRemoval();
    expect(removalAt).toBe(new Date(test.clock.now().getTime() + removalDelayHours * hour * 1000).toISOString());
    expect((await test.call(getSecondFactor, { token })).body.data.removalAt).toBe(removalAt);
    expect((await test.call(getProfile, { token })).body.userData.secondFactorRemovalAt).toBe(removalAt);
    test.clock.advance(removalDelayHours * hour - 1);
    await test.drainLater();
    await challengeOf(test, email, password);
    test.clock.advance(1);
    const fresh = await renewed(email);
    expect((await test.call(getSecondFactor, { token: fresh })).body.data).toMatchObject({
      since: null,
      removalAt: null,
    });
    expect((await test.call(getProfile, { token: fresh })).body.userData.secondFactorRemovalAt).toBeNull();
    expect((await test.outbox(email)).some(({ text }) => /two-step verification is off/i.test(text))).toBe(true);
  });

  it('returns 409 while a removal is pending, so that the link that stops it keeps working', async () => {
    const { email } = await memberWithRemoval();
    expect((await ask(email)).error.code).toBe('CONFLICT');
    expect((await test.call(stopRemoval, { body: { token: await linkOf(email, 'keep') } })).status).toBe(200);
    expect((await ask(email)).status).toBe(200);
  });

  it('takes effect even if no one signs in', async () => {
    const { id, email } = await memberWithRemoval();
    test.clock.advance(removalDelayHours * hour);
    const task = test.app.background.tasks['auth.removeFactors'];
    await task?.({}, {} as never);
    await task?.({}, {} as never);
    const left = await test.db.selectFrom('totp_factor').selectAll().where('account_id', '=', id).execute();
    expect(left).toEqual([]);
    expect((await test.outbox(email)).filter(({ text }) => /two-step verification is off/i.test(text))).toHaveLength(1);
  });

  it.each(
    Object.entries<(member: { email: string; token: string; secret: string }) => Promise<unknown>>({
      'by the mailed link': async ({ email }) =>
        test.call(stopRemoval, { body: { token: await linkOf(email, 'keep') } }),
      'on a device that is signed in': ({ token }) => test.call(stopRemoval, { token, body: {} }),
      'with a code from the authenticator': async ({ email, secret }) => {
        const challenge = await challengeOf(test, email, password);
        return await test.call(loginWithCode, { body: { challenge, code: codeAt(secret, test.clock.now()) } });
      },
      'with a new password, because the person who asked knew the old one': async ({ email }) => {
        await test.call(forgotPassword, { body: { email } });
        await test.drain();
        const links = (await test.outbox(email)).flatMap(({ links: all }) => all);
        const token = tokenIn(links.find((link) => link.includes('/app/reset-password'))) ?? '';
        return await test.call(resetPassword, { body: { token, password } });
      },
      'with a new password set with a code': ({ token, secret }) => {
        const code = codeAt(secret, test.clock.now());
        return test.call(changePassword, { token, body: { currentPassword: password, password: newPassword, code } });
      },
      'with a code that confirms another action': ({ token, secret }) =>
        test.call(renewRecoveryCodes, { token, body: { password, code: codeAt(secret, test.clock.now()) } }),
      'with a change of address': (member) =>
        changeAddress(test, member, newAddress(), { password, code: codeAt(member.secret, test.clock.now()) }),
    }),
  )('is canceled when stopped %s', async (_, stop) => {
    const member = await memberWithRemoval();
    test.clock.advance(10 * 60);
    await stop(member);
    test.clock.advance(removalDelayHours * hour);
    await test.drainLater();
    expect(await totpFactor(test.db, member.id)).toBeDefined();
    const dead = await test.call(stopRemoval, { body: { token: 'a link of long ago' } });
    expect(dead.error.code).toBe('INVALID_CODE');
  });

  it.each<[string, (member: TestMember & { secret: string }) => Promise<unknown>]>([
    [
      'a new password',
      ({ token, secret }) => {
        const code = codeAt(secret, test.clock.now());
        return test.call(changePassword, { token, body: { currentPassword: password, password: newPassword, code } });
      },
    ],
    [
      'a change of address',
      (member) =>
        changeAddress(test, member, newAddress(), { password, code: codeAt(member.secret, test.clock.now()) }),
    ],
  ])('rejects a link that was sent before %s', async (_, act) => {
    const member = await memberWithFactor();
    await ask(member.email);
    const link = await linkOf(member.email, 'remove');
    test.clock.advance(60);
    await act(member);
    expect((await confirm(link)).error.code).toBe('INVALID_CODE');
  });

  it('accepts only the newest link, once, within an hour, and sends at most three a day, until midnight (UTC)', async () => {
    const start = test.clock.now();
    test.clock.set(new Date('2026-06-15T20:00:00Z'));
    const { email } = await memberWithFactor();
    await ask(email);
    const first = await linkOf(email, 'remove');
    test.clock.advance(60);
    await ask(email);
    const second = await linkOf(email, 'remove');
    expect((await confirm(first)).error.code).toBe('INVALID_CODE');
    expect((await confirm(second)).status).toBe(200);
    expect((await confirm(second)).error.code).toBe('INVALID_CODE');
    await test.call(stopRemoval, { body: { token: await linkOf(email, 'keep') } });
    test.clock.advance(60);
    for (let n = 0; n < 3; n += 1) expect((await ask(email)).status).toBe(200);
    const asked = async () => (await test.outbox(email)).filter(({ text }) => /Did you lose/i.test(text));
    expect(await asked()).toHaveLength(3);
    const third = await linkOf(email, 'remove');
    test.clock.advance(hour);
    expect((await confirm(third)).error.code).toBe('INVALID_CODE');
    test.clock.set(new Date('2026-06-16T00:00:00Z'));
    await ask(email);
    expect(await asked()).toHaveLength(4);
    test.clock.set(start);
  });

  it('requires the first factor, and no other account can stop it', async () => {
    const { email, token } = await memberWithFactor();
    for (const challenge of ['never given out', token])
      expect((await test.call(askForRemoval, { body: { challenge } })).error.code).toBe('CHALLENGE_EXPIRED');
    const old = await challengeOf(test, email, password);
    test.clock.advance(challengeMinutes * 60);
    expect((await test.call(askForRemoval, { body: { challenge: old } })).error.code).toBe('CHALLENGE_EXPIRED');
    expect((await test.call(stopRemoval, { body: {} })).status).toBe(401);
    expect((await test.outbox(email)).some(({ text }) => /Did you lose/i.test(text))).toBe(false);
  });

  it('returns 403 to staff, whose mailbox alone must not be enough to sign in', async () => {
    const administrator = await makeAdministrator(test, { passwordHash: await passwordHash() });
    await turnOn(test, administrator, password);
    expect((await ask(administrator.email)).error.code).toBe('FORBIDDEN');
    const promoted = await memberWithRemoval();
    await test.db.updateTable('account').set({ staff_role: 'moderator' }).where('id', '=', promoted.id).execute();
    test.clock.advance(removalDelayHours * hour);
    expect(await challengeOf(test, promoted.email, password)).toBeTruthy();
  });

  it('does nothing if two-step verification was turned off in the meantime', async () => {
    const { email, token, secret } = await memberWithRemoval();
    const code = codeAt(secret, test.clock.now());
    expect((await test.call(disableTotp, { token, body: { password, code } })).status).toBe(200);
    expect((await test.call(getProfile, { token })).body.userData.secondFactorRemovalAt).toBeNull();
    expect((await confirm(await linkOf(email, 'remove'))).error.code).toBe('INVALID_CODE');
  });
});
