import { describe, expect, it } from 'vitest';
import { listSessions } from '#contract/auth/auth.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { disableTotp, getSecondFactor, resetFactors, setUpTotp } from '#contract/auth/factors.ts';
import { listPasskeys, passkeyRegister, passkeyRegisterOptions, removePasskey } from '#contract/auth/passkeys.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { login, logout } from '#contract/auth/session.ts';
import { Authenticator } from '../../../../test/doubles/authenticator.ts';
import { makeAdministrator, makeMember, makeModerator } from '../../../../test/factories.ts';
import {
  assertionOf,
  codeAt,
  makePasskey,
  sessionByPasskey,
  signInByPasskey,
  signInTwice,
  turnOn,
} from '../../../../test/factors.ts';
import { contractEndpoints, addressOf, callName } from '../../../../test/guards/contract-endpoints.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';
import { admit, type RealtimeDeps } from '#platform/realtime/sockets.ts';
import { createAccessTokens } from '#platform/session/access-tokens.ts';
import { readConfig } from '#platform/config/config.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { resetByOperator } from '../staff.ts';

const test = startAppForTests({ STAFF_MFA: 'on', PUBLIC_URL: 'http://localhost:3000' });

const administrator = async () => makeAdministrator(test, { passwordHash: await passwordHash() });
const passwordSignIn = async (email: string) => test.call(login, { body: { email, password } });
const now = () => test.clock.now();

/** An administrator with two-step verification. */
async function colleague() {
  const someone = await administrator();
  const factors = await turnOn(test, someone, password);
  return { ...someone, ...factors };
}

describe('staff without a second factor', () => {
  it('can reach only two-step setup, their own profile and sign-out', async () => {
    const open = [
      'GET /auth/profile',
      'GET /auth/totp',
      'POST /auth/totp/setup',
      'POST /auth/totp/enable',
      'POST /auth/passkeys/register/options',
      'POST /auth/passkeys/register/verify',
      'GET /auth/passkeys',
      'POST /auth/logout',
      'PUT /auth/language',
    ];
    const reached: string[] = [];
    for (const endpoint of (await contractEndpoints()).filter(({ access }) => access !== 'everyone')) {
      for (const { token } of [await administrator(), await makeModerator(test)]) {
        const answer = await test.app.inject({
          method: endpoint.method,
          url: addressOf(endpoint, 'some-id'),
          headers: { authorization: `Bearer ${token}` },
        });
        if (!answer.body.includes('SECOND_FACTOR_REQUIRED')) reached.push(callName(endpoint));
        else expect(answer.statusCode).toBe(403);
      }
    }
    expect([...new Set(reached)].sort()).toEqual([...open].sort());
  });

  it('cannot open a socket', async () => {
    const { db, clock } = test;
    const tokens = createAccessTokens(await installationSecret(test.db, 'jwt', null));
    const config = readConfig({ STAFF_MFA: 'on' });
    const deps = { config, db, clock, tokens } as unknown as RealtimeDeps;
    const someone = await administrator();
    expect(await admit(deps, someone.token)).toBeNull();
    await turnOn(test, someone, password);
    expect(await admit(deps, someone.token)).not.toBeNull();
    expect(await admit(deps, (await makeMember(test)).token)).not.toBeNull();
  });

  it('keep the session in which they set it up', async () => {
    const { token } = await colleague();
    expect((await test.call(listUsers, { token })).status).toBe(200);
    const withPasskey = await administrator();
    await makePasskey(test, withPasskey, password);
    expect((await test.call(listUsers, { token: withPasskey.token })).status).toBe(200);
  });

  it('must set it up again after it was removed', async () => {
    const someone = await colleague();
    const code = codeAt(someone.secret, now());
    await test.call(disableTotp, { token: someone.token, body: { password, code } });
    expect((await test.call(listUsers, { token: someone.token })).error.code).toBe('SECOND_FACTOR_REQUIRED');
    const withPasskey = await administrator();
    const { authenticator, id } = await makePasskey(test, withPasskey, password);
    const body = { passkey: await assertionOf(test, authenticator) };
    await test.call(removePasskey, { token: withPasskey.token, params: { id }, body });
    expect((await test.call(listUsers, { token: withPasskey.token })).error.code).toBe('SECOND_FACTOR_REQUIRED');
  });
});

describe('staff with a second factor', () => {
  it('can sign in with a passkey, but never with the password alone', async () => {
    const someone = await administrator();
    const { authenticator } = await makePasskey(test, someone, password);
    const { token } = await sessionByPasskey(test, authenticator);
    expect((await test.call(listUsers, { token })).status).toBe(200);
    expect((await passwordSignIn(someone.email)).error).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
      message: 'Please sign in with your passkey.',
    });
    const guessed = await test.call(login, { body: { email: someone.email, password: 'a guess of mine' } });
    expect(guessed.error.code).toBe('INVALID_CREDENTIALS');
  });

  it('can do nothing in a session that was opened without it', async () => {
    const someone = await administrator();
    const other = sessionIn((await passwordSignIn(someone.email)).body);
    await turnOn(test, someone, password);
    expect((await test.call(listUsers, { token: other.token })).error.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await test.call(setUpTotp, { token: other.token, body: { password } })).error.code).toBe('CONFLICT');
    expect((await test.call(logout, { token: other.token })).status).toBe(200);
  });
});

describe('the sign-in answer', () => {
  it('says whether a second factor has to be set up', async () => {
    const { email } = await administrator();
    const first = sessionIn((await passwordSignIn(email)).body);
    expect(first.requiresSecondFactor).toBe(true);
    const asked = await test.call(getProfile, { token: first.token });
    expect(asked.body.userData.requiresSecondFactor).toBe(true);
    const { secret } = await turnOn(test, first, password);
    const second = (await signInTwice(test, email, password, codeAt(secret, now()))).body.data;
    expect(second.requiresSecondFactor).toBe(false);
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    expect(sessionIn((await passwordSignIn(member.email)).body).requiresSecondFactor).toBe(false);
  });
});

describe('members', () => {
  it('can use the service without a second factor', async () => {
    const { token } = await makeMember(test);
    expect((await test.call(listSessions, { token })).status).toBe(200);
    expect((await test.call(getSecondFactor, { token })).body.data.isRequired).toBe(false);
  });
});

describe('POST /admin/users/{id}/factors/reset', () => {
  it('resets a colleague’s factors, writes an audit entry, emails them and ends their sessions', async () => {
    const [helper, lost] = [await colleague(), await colleague()];
    const { authenticator } = await makePasskeyOf(lost);
    const body = { reason: 'Lost the phone; called me back at the office' };
    const helped = await test.call(resetFactors, { token: helper.token, params: { id: lost.id }, body });
    expect(helped.status).toBe(200);
    expect((await test.call(getProfile, { token: lost.token })).status).toBe(401);
    expect((await signInByPasskey(test, authenticator)).status).toBe(401);
    const { token } = sessionIn((await passwordSignIn(lost.email)).body);
    expect((await test.call(listUsers, { token })).error.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await test.call(listPasskeys, { token })).body.data.passkeys).toEqual([]);
    const query = { action: 'user.factorsReset', targetId: lost.id } as const;
    const { events } = (await test.call(listAudit, { token: helper.token, query })).body.data;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      actor: { _id: helper.id },
      reason: body.reason,
      changes: { secondFactor: { from: true, to: false }, passkeys: { from: 1, to: 0 } },
    });
    expect((await test.outbox(lost.email)).some(({ text }) => /two-step verification was reset/i.test(text))).toBe(
      true,
    );
  });

  async function makePasskeyOf(someone: Awaited<ReturnType<typeof colleague>>) {
    const authenticator = new Authenticator();
    const { token, secret } = someone;
    const body = { password, code: codeAt(secret, now()) };
    const { options } = (await test.call(passkeyRegisterOptions, { token, body })).body.data;
    await test.call(passkeyRegister, { token, body: { credential: authenticator.make(options) } });
    return { authenticator };
  }

  it('returns 403 for the caller’s own account, for members, and to moderators', async () => {
    const helper = await colleague();
    const moderator = await makeModerator(test, { passwordHash: await passwordHash() });
    await turnOn(test, moderator, password);
    const member = await makeMember(test);
    const reset = (token: string, id: string, reason = 'Asked on the phone') =>
      test.call(resetFactors, { token, params: { id }, body: { reason } });
    expect((await reset(helper.token, helper.id)).error.code).toBe('FORBIDDEN');
    expect((await reset(helper.token, member.id)).error.code).toBe('FORBIDDEN');
    expect((await reset(helper.token, 'nobody')).status).toBe(404);
    expect((await reset(moderator.token, helper.id)).error.code).toBe('FORBIDDEN');
    expect((await reset(member.token, helper.id)).error.code).toBe('FORBIDDEN');
    expect((await reset(helper.token, moderator.id, '   ')).status).toBe(400);
    expect((await reset(helper.token, moderator.id)).status).toBe(200);
  });

  it('can be done for the last administrator from the command line', async () => {
    const lost = await colleague();
    await resetByOperator(test.db, lost.email, now());
    expect((await test.call(getProfile, { token: lost.token })).status).toBe(401);
    expect(sessionIn((await passwordSignIn(lost.email)).body).token).toBeTruthy();
    const rows = await test.db.selectFrom('audit_event').selectAll().where('target_id', '=', lost.id).execute();
    expect(rows.map(({ action, actor_role }) => ({ action, actor_role }))).toEqual([
      { action: 'user.factorsReset', actor_role: 'operator' },
    ]);
    const member = await makeMember(test);
    for (const email of [member.email, 'nobody@example.test'])
      await expect(resetByOperator(test.db, email, now())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
