import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  cancelEmailChange,
  changePassword,
  endOtherSessions,
  endSession,
  endUserSessions,
  resendVerification,
  resetMethods,
  resetPassword,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { disableTotp, renewRecoveryCodes } from '#contract/auth/factors.ts';
import { removePasskey } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { inTransaction } from '#platform/db/db.ts';
import { lockAccount } from '../accounts.ts';
import { cancelEmailChanges } from './changes.ts';
import { askForChange, changeAddress, mailedToken, type AskedChange } from '../../../../test/address-change.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { assertionOf, codeAt, makePasskey, placeFactor, placePasskey, turnOn } from '../../../../test/factors.ts';
import { newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { resetTokenFor } from '../../../../test/guards/requests.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });

const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
const addressOf = async ({ id }: { id: string }) =>
  (await test.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
/** Another device of the same account. */
const deviceOf = async (owner: TestMember): Promise<TestMember> => ({ ...owner, ...(await signIn(test, owner.id)) });
const isIn = async (token: string) => (await test.call(getProfile, { token })).status === 200;

/** Every attempt open to someone who requested a change and reads the new mailbox. */
async function tries({ link, code, handle }: AskedChange, asker: TestMember) {
  const verify = (body: Parameters<typeof test.call<typeof verifyEmail>>[1], token?: string) =>
    test.call(verifyEmail, { ...body, ...(token === undefined ? {} : { token }) });
  return [
    await verify({ body: { token: link } }, asker.token),
    await verify({ body: { token: link, password } }),
    await verify({ body: { token: link, newPassword } }),
    await verify({ body: { verificationToken: handle, code } }),
    await verify({ body: { code } }, asker.token),
  ];
}

type Stop = (owner: TestMember, asker: TestMember) => Promise<unknown>;
const stops = Object.entries<Stop>({
  'a new password': ({ token }) =>
    test.call(changePassword, { token, body: { currentPassword: password, password: newPassword } }),
  'signing out everywhere': ({ token }) => test.call(endOtherSessions, { token }),
  'signing out the device that requested it': ({ token }, { sessionId }) =>
    test.call(endSession, { token, params: { id: sessionId } }),
  'a password reset': async ({ email }) =>
    test.call(resetPassword, { body: { token: await resetTokenFor(test, email), password: newPassword } }),
  'a transfer to the person who verifies the address': async ({ id, email }) => {
    await test.db.updateTable('account').set({ email_verified_at: null }).where('id', '=', id).execute();
    const body = { token: await resetTokenFor(test, email), password: newPassword };
    await test.call(resetPassword, { body });
  },
  'two-step verification turned on': (owner) => turnOn(test, owner, password),
  'a new passkey': (owner) => makePasskey(test, owner, password),
  'an administrator who ends all sessions': async ({ id }) => {
    const { token } = await makeAdministrator(test);
    await test.call(endUserSessions, { token, params: { id }, body: { reason: 'Called us' } });
  },
  'a newer request': (_, asker) => askForChange(test, asker),
  'the cancel link mailed to the old address': async ({ email }) =>
    test.call(cancelEmailChange, { body: { token: await mailedToken(test, email, 'cancel') } }),
});

describe('a requested change of address', () => {
  it.each(stops)('is canceled by %s', async (_, stop) => {
    const owner = await member();
    const asker = await deviceOf(owner);
    const asked = await askForChange(test, asker);
    await stop(owner, asker);
    for (const { status, raw } of await tries(asked, asker)) expect([400, 401, 403], raw).toContain(status);
    const left = await test.call(verifyEmail, { body: { token: asked.link, password } });
    expect(left.error.code).toBe('INVALID_CODE');
    expect(await addressOf(owner)).toBe(owner.email);
  });

  const withCode = async (owner: TestMember) => {
    const secret = await placeFactor(test, owner.id);
    const next = () => {
      test.clock.advance(30);
      return Promise.resolve({ password, code: codeAt(secret, test.clock.now()) });
    };
    return { next, passkeyId: '' };
  };
  const withPasskey = async (owner: TestMember) => {
    const { authenticator, id } = await placePasskey(test, owner.id);
    return { next: async () => ({ passkey: await assertionOf(test, authenticator) }), passkeyId: id };
  };
  it.each([
    ['two-step verification turned off', withCode, disableTotp],
    ['new recovery codes', withCode, renewRecoveryCodes],
    ['a removed passkey', withPasskey, removePasskey],
  ] as const)('is canceled by %s', async (_, protect, call) => {
    const owner = await member();
    const { next, passkeyId } = await protect(owner);
    const asker = await deviceOf(owner);
    const asked = await askForChange(test, asker, undefined, await next());
    const params = { id: passkeyId } as never;
    expect((await test.call(call, { token: owner.token, params, body: await next() })).status).toBe(200);
    for (const { status, raw } of await tries(asked, asker)) expect([400, 401, 403], raw).toContain(status);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it('can still be canceled with the link from the first email after the code was sent again', async () => {
    const owner = await member();
    const asked = await askForChange(test, owner);
    test.clock.advance(61);
    expect((await test.call(resendVerification, { token: owner.token, body: {} })).status).toBe(200);
    const again = (await test.outbox(asked.email))[0]?.code ?? '';
    expect((await test.call(cancelEmailChange, { body: { token: asked.cancel } })).status).toBe(200);
    expect((await test.call(verifyEmail, { token: (await deviceOf(owner)).token, body: { code: again } })).status).toBe(
      400,
    );
  });

  it('stays canceled on a server whose clock is behind', async () => {
    const owner = await member();
    const { link, cancel, code } = await askForChange(test, owner);
    test.clock.advance(5);
    expect((await test.call(cancelEmailChange, { body: { token: cancel } })).status).toBe(200);
    test.clock.advance(-3);
    const { token } = await deviceOf(owner);
    for (const body of [{ token: link, password }, { code }])
      expect((await test.call(verifyEmail, { token, body })).error.code).toBe('INVALID_CODE');
    test.clock.advance(3);
  });

  it('is not applied by a link that was accepted just before the cancellation', async () => {
    const owner = await member();
    const { link } = await askForChange(test, owner);
    const verifying = await inTransaction(test.db, async (tx) => {
      await lockAccount(tx, owner.id);
      const started = test.call(verifyEmail, { body: { token: link, password } });
      const waiting = sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`;
      await expect.poll(async () => (await waiting.execute(test.db)).rows[0]?.n).toBeGreaterThan(0);
      await cancelEmailChanges(tx, owner.id, test.clock.now());
      return { started };
    });
    expect((await verifying.started).error.code).toBe('INVALID_CODE');
    expect(await addressOf(owner)).toBe(owner.email);
  });
});

describe('the link that cancels a change of address', () => {
  it('works once, and signs out only the device that requested the change', async () => {
    const owner = await member();
    const asker = await deviceOf(owner);
    const { cancel: token } = await askForChange(test, asker);
    expect((await test.call(cancelEmailChange, { body: { token } })).status).toBe(200);
    expect([await isIn(owner.token), await isIn(asker.token)]).toEqual([true, false]);
    expect((await test.call(cancelEmailChange, { body: { token } })).error.code).toBe('INVALID_CODE');
  });

  it('expires after the change took effect or a newer change was requested', async () => {
    const owner = await member();
    const first = await askForChange(test, owner);
    await changeAddress(test, owner);
    const second = await askForChange(test, await member());
    expect((await test.call(cancelEmailChange, { body: { token: first.cancel } })).error.code).toBe('INVALID_CODE');
    test.clock.advance(24 * 3600);
    expect((await test.call(cancelEmailChange, { body: { token: second.cancel } })).error.code).toBe('INVALID_CODE');
  });
});

describe('the link that confirms a new address', () => {
  it('never signs anyone in, and requires the requesting session or the password', async () => {
    const owner = await member();
    const asker = await deviceOf(owner);
    const asked = await askForChange(test, asker);
    const stranger = await member();
    const verify = (body: object, token?: string) =>
      test.call(verifyEmail, { body: body as { token: string }, ...(token === undefined ? {} : { token }) });
    const alone = await verify({ token: asked.link });
    expect(alone.error).toMatchObject({
      code: 'PROOF_REQUIRED',
      data: { proof: { purpose: 'change', hasPassword: true } },
    });
    expect((await verify({ token: asked.link, newPassword })).error.code).toBe('PROOF_REQUIRED');
    expect((await verify({ verificationToken: asked.handle, code: asked.code })).error.code).toBe('PROOF_REQUIRED');
    for (const { token } of [stranger, owner])
      expect((await verify({ token: asked.link }, token)).error.code).toBe('PROOF_REQUIRED');
    expect((await verify({ token: asked.link, password: 'a wrong guess' })).error.code).toBe('WRONG_PASSWORD');
    expect(await addressOf(owner)).toBe(owner.email);
    const changed = await verify({ token: asked.link, password });
    expect(changed.body).not.toHaveProperty('token');
    expect(changed.body).not.toHaveProperty('user');
    expect(await addressOf(owner)).toBe(asked.email);
    expect([await isIn(asker.token), await isIn(owner.token)]).toEqual([true, false]);
    expect((await test.call(login, { body: { email: asked.email, password } })).status).toBe(200);
  });

  it('works in the requesting session and keeps it signed in', async () => {
    const owner = await member();
    const { link, email } = await askForChange(test, owner);
    expect((await test.call(verifyEmail, { token: owner.token, body: { token: link } })).status).toBe(200);
    expect([await addressOf(owner), await isIn(owner.token)]).toEqual([email, true]);
  });
});

describe('a password reset link mailed to the old address', () => {
  it('stops working once the address has changed', async () => {
    const owner = await member();
    const token = await resetTokenFor(test, owner.email);
    await changeAddress(test, owner);
    expect((await test.call(resetMethods, { body: { token } })).error.code).toBe('INVALID_CODE');
    expect((await test.call(resetPassword, { body: { token, password: newPassword } })).error.code).toBe(
      'INVALID_CODE',
    );
  });
});
