import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSession, listSessions } from '#contract/auth/auth.ts';
import { login, logout, refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { hashPassword } from '../password/hashing.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';

const password = 'correct horse battery';
let passwordHash: string;
let test: TestApp;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
  test = await startApp();
});
afterAll(() => test.close());

describe('signing in', () => {
  it('opens a session that can read the profile', async () => {
    const { email } = await makeMember(test, { passwordHash });
    const signedIn = await test.call(login, { body: { email: email.toUpperCase(), password } });
    expect(signedIn.body.data).toMatchObject({ requiresVerification: false, onboardingComplete: true });
    expect((await test.call(getProfile, { token: sessionIn(signedIn.body).token })).status).toBe(200);
  });

  it('gives an unknown address and a wrong password the same answer', async () => {
    const { email } = await makeMember(test, { passwordHash });
    const wrong = await test.call(login, { body: { email, password: 'not this one' } });
    const unknown = await test.call(login, { body: { email: 'nobody@example.test', password } });
    expect({ ...wrong.error, requestId: '' }).toEqual({ ...unknown.error, requestId: '' });
    expect(wrong.error).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' });
  });

  it('tells a deactivated member the reason, but only after the right password', async () => {
    const { email } = await makeMember(test, { passwordHash, deactivated: 'Asked others for money' });
    const told = await test.call(login, { body: { email, password } });
    expect(told.error).toMatchObject({
      code: 'ACCOUNT_DEACTIVATED',
      message: 'Your account was deactivated: Asked others for money',
    });
    expect((await test.call(login, { body: { email, password: 'guess guess' } })).error.code).toBe(
      'INVALID_CREDENTIALS',
    );
  });

  it('distinguishes long passwords that differ only at the end', async () => {
    const long = 'x'.repeat(79);
    const { email } = await makeMember(test, { passwordHash: await hashPassword(`${long}a`) });
    expect((await test.call(login, { body: { email, password: `${long}b` } })).status).toBe(401);
    expect((await test.call(login, { body: { email, password: `${long}a` } })).status).toBe(200);
  });

  it('rehashes a password stored with weaker parameters', async () => {
    const { hash } = await import('@node-rs/argon2');
    const { id, email } = await makeMember(test, {
      passwordHash: await hash(password, { memoryCost: 8192, timeCost: 1 }),
    });
    await test.call(login, { body: { email, password } });
    const row = await test.db
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.password_hash).toContain('m=19456,t=2,p=1');
  });
});

describe('sessions', () => {
  it('end immediately at logout and clear the browser cache', async () => {
    const member = await makeMember(test);
    const left = await test.call(logout, { token: member.token });
    expect(left.headers['clear-site-data']).toBe('"cache"');
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    expect((await test.call(refreshToken, { body: { refreshToken: member.refreshToken } })).status).toBe(401);
  });

  it('end when the account is deactivated', async () => {
    const member = await makeMember(test);
    await test.db
      .updateTable('account')
      .set({ is_active: false, deactivated_at: test.clock.now() })
      .where('id', '=', member.id)
      .execute();
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    expect((await test.call(refreshToken, { body: { refreshToken: member.refreshToken } })).status).toBe(401);
  });

  it('are listed per device and can be ended; another member’s session is not found', async () => {
    const member = await makeMember(test, { passwordHash });
    const stranger = await makeMember(test);
    const other = await test.call(login, {
      body: { email: member.email, password },
      headers: {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1',
      },
    });
    const { sessions } = (await test.call(listSessions, { token: member.token })).body.data;
    expect(sessions.map((session) => session.device).sort()).toEqual(['Firefox on Linux', 'Safari on iOS']);
    const phone = sessions.find((session) => session.device === 'Safari on iOS');
    expect(phone?.current).toBe(false);
    expect((await test.call(endSession, { token: stranger.token, params: { id: phone?._id ?? '' } })).status).toBe(404);
    expect((await test.call(endSession, { token: member.token, params: { id: 'not-an-id' } })).status).toBe(404);
    expect((await test.call(endSession, { token: member.token, params: { id: phone?._id ?? '' } })).status).toBe(200);
    expect((await test.call(getProfile, { token: sessionIn(other.body).token })).status).toBe(401);
  });

  it('last 15 minutes per token, 14 idle days for members, 30 idle minutes for staff', async () => {
    const member = await makeMember(test);
    const staff = await makeAdministrator(test);
    test.clock.advance(16 * 60);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    test.clock.advance(15 * 60);
    expect((await test.call(refreshToken, { body: { refreshToken: staff.refreshToken } })).status).toBe(401);
    test.clock.advance(13 * 86_400);
    const renewed = await test.call(refreshToken, { body: { refreshToken: member.refreshToken } });
    expect(renewed.status).toBe(200);
    test.clock.advance(14 * 86_400 + 1);
    expect((await test.call(refreshToken, { body: { refreshToken: renewed.body.data.refreshToken } })).status).toBe(
      401,
    );
  });
});

describe('refreshing', () => {
  it('returns a new pair once', async () => {
    const member = await makeMember(test);
    const renewed = await test.call(refreshToken, { body: { refreshToken: member.refreshToken } });
    expect((await test.call(getProfile, { token: renewed.body.data.token })).status).toBe(200);
  });

  it('treats reuse as theft: ends the session, notifies the owner, keeps other devices', async () => {
    const member = await makeMember(test, { passwordHash });
    const other = await test.call(login, { body: { email: member.email, password } });
    const renewed = await test.call(refreshToken, { body: { refreshToken: member.refreshToken } });
    expect((await test.call(refreshToken, { body: { refreshToken: member.refreshToken } })).status).toBe(401);
    expect((await test.call(getProfile, { token: renewed.body.data.token })).status).toBe(401);
    expect((await test.call(refreshToken, { body: { refreshToken: renewed.body.data.refreshToken } })).status).toBe(
      401,
    );
    expect((await test.call(getProfile, { token: sessionIn(other.body).token })).status).toBe(200);
    expect((await test.outbox(member.email))[0]?.subject).toBe('A device was signed out');
  });

  it('accepts one of twenty parallel uses', async () => {
    const member = await makeMember(test);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(refreshToken, { body: { refreshToken: member.refreshToken } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
  });

  it('returns the same pair only to a keyed retry within 30 s', async () => {
    const member = await makeMember(test);
    const headers = { 'idempotency-key': 'retry-of-mine' };
    const body = { refreshToken: member.refreshToken };
    const [first, second] = await Promise.all([
      test.call(refreshToken, { body, headers }),
      test.call(refreshToken, { body, headers }),
    ]);
    expect(second.raw).toBe(first.raw);
    test.clock.advance(29);
    expect((await test.call(refreshToken, { body, headers })).raw).toBe(first.raw);
    test.clock.advance(2);
    expect((await test.call(refreshToken, { body, headers })).status).toBe(401);
    expect((await test.call(getProfile, { token: first.body.data.token })).status).toBe(401);
  });

  it('refuses a retry with another key', async () => {
    const member = await makeMember(test);
    const body = { refreshToken: member.refreshToken };
    await test.call(refreshToken, { body, headers: { 'idempotency-key': 'key-number-one' } });
    expect((await test.call(refreshToken, { body, headers: { 'idempotency-key': 'key-number-two' } })).status).toBe(
      401,
    );
  });

  it('gives each of thirty members who come back at once a pair of their own', async () => {
    const members = await Promise.all(Array.from({ length: 30 }, () => makeMember(test)));
    const answers = await Promise.all(
      members.map((member, at) =>
        test.call(refreshToken, {
          body: { refreshToken: at % 10 === 9 ? 'not a token of ours' : member.refreshToken },
          headers: at % 2 === 0 ? { 'idempotency-key': `retry-of-${at}` } : {},
        }),
      ),
    );
    for (const [at, member] of members.entries()) {
      const answer = answers[at];
      expect(answer?.status).toBe(at % 10 === 9 ? 401 : 200);
      if (answer?.status !== 200) continue;
      const { body } = await test.call(getProfile, { token: answer.body.data.token });
      expect(body.userData.user._id).toBe(member.id);
      const again = await test.call(refreshToken, { body: { refreshToken: answer.body.data.refreshToken } });
      expect(again.status).toBe(200);
    }
  });

  it('makes no one wait for the session of someone else that is locked', async () => {
    const [locked, ...others] = await Promise.all(Array.from({ length: 5 }, () => makeMember(test)));
    const refresh = (member: TestMember) => test.call(refreshToken, { body: { refreshToken: member.refreshToken } });
    const holder = await test.pool.connect();
    await holder.query('begin');
    await holder.query('select from session where account_id = $1 for update', [locked?.id]);
    let waiting: ReturnType<typeof refresh>;
    try {
      waiting = refresh(locked as TestMember);
      for (const { status } of await Promise.all(others.map(refresh))) expect(status).toBe(200);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await waiting).status).toBe(200);
  });
});
