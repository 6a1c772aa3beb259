import { beforeAll, describe, expect, it } from 'vitest';
import { endSession, listSessions } from '#contract/auth/auth.ts';
import { login, logout, refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { hashPassword } from '../password/hashing.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';

const password = 'correct horse battery';
let passwordHash: string;
const test = startAppForTests();
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

describe('POST /auth/login', () => {
  it('opens a session that can read the profile', async () => {
    const { email } = await makeMember(test, { passwordHash });
    const signedIn = await test.call(login, { body: { email: email.toUpperCase(), password } });
    expect(signedIn.body.data).toMatchObject({ requiresVerification: false, onboardingComplete: true });
    expect((await test.call(getProfile, { token: sessionIn(signedIn.body).token })).status).toBe(200);
  });

  it('returns the reason to a deactivated member, but only after the correct password', async () => {
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
  it('end immediately at logout, which clears the browser cache', async () => {
    const member = await makeMember(test);
    const left = await test.call(logout, { token: member.token });
    expect(left.headers['clear-site-data']).toBe('"cache"');
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    expect((await test.call(refreshToken, { body: { refreshToken: member.refreshToken } })).status).toBe(401);
  });

  it('are listed per device and can be ended; another member’s session returns 404', async () => {
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

  it('last 15 minutes per access token, 14 idle days for members and 30 idle minutes for staff', async () => {
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

describe('POST /auth/refresh-token', () => {
  const refresh = (token: string, key?: string) =>
    test.call(refreshToken, {
      body: { refreshToken: token },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  /** Exchanges a token for the next pair. */
  const next = async (token: string, key?: string) => (await refresh(token, key)).body.data;
  const isSignedIn = async ({ token }: { token: string }) => (await test.call(getProfile, { token })).status === 200;
  const unusedTokens = async ({ sessionId }: TestMember) =>
    await test.db
      .selectFrom('refresh_token')
      .select('token_hash')
      .where('session_id', '=', sessionId)
      .where('used_at', 'is', null)
      .execute();

  it('treats a second use as a lost answer while the successor is unused, and replaces the successor', async () => {
    const member = await makeMember(test);
    await next(member.refreshToken, 'key-number-one');
    // The request without a key comes from a page that lost its key.
    for (const key of ['key-number-two', undefined]) await next(member.refreshToken, key);
    test.clock.advance(3600);
    const last = await next(member.refreshToken);
    expect(await unusedTokens(member)).toEqual([{ token_hash: hashToken(last.refreshToken) }]);
    expect(await isSignedIn(await next(last.refreshToken))).toBe(true);
    expect(await test.outbox(member.email)).toEqual([]);
  });

  const thefts = Object.entries<(first: string) => Promise<string>>({
    'a token whose successor was used': async (first) => {
      await next((await next(first)).refreshToken);
      return first;
    },
    'a token two steps back, under its old key': async (first) => {
      const second = await next(first, 'key-of-the-first');
      const third = await next(second.refreshToken);
      await next(third.refreshToken);
      test.clock.advance(31);
      return first;
    },
    'a token whose successor and its replacement were used': async (first) => {
      await next(first);
      await next((await next(first)).refreshToken);
      return first;
    },
    'a successor that was replaced': async (first) => {
      const { refreshToken: replaced } = await next(first);
      await next(first);
      return replaced;
    },
  });
  it.each(thefts)(
    'treats %s as stolen: ends the session, notifies the owner and keeps other devices',
    async (_, lead) => {
      const member = await makeMember(test, { passwordHash });
      const other = await test.call(login, { body: { email: member.email, password } });
      const reused = await lead(member.refreshToken);
      expect(await isSignedIn(member)).toBe(true);
      expect((await refresh(reused)).status).toBe(401);
      expect(await isSignedIn(member)).toBe(false);
      expect(await unusedTokens(member)).toEqual([]);
      expect(await isSignedIn(sessionIn(other.body))).toBe(true);
      expect((await test.outbox(member.email)).map(({ subject }) => subject)).toEqual(['A device was signed out']);
      // The session has ended, so that a third use sends no further notification.
      expect((await refresh(reused)).status).toBe(401);
      expect(await test.outbox(member.email)).toHaveLength(1);
    },
  );

  it('issues one valid successor for twenty parallel uses', async () => {
    const member = await makeMember(test);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(member.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const successors = answers.map(({ body }) => body.data.refreshToken);
    const [unused, ...others] = await unusedTokens(member);
    const living = successors.filter((token) => unused?.token_hash.equals(hashToken(token)));
    expect([others.length, living.length]).toEqual([0, 1]);
    expect((await refresh(living[0] ?? '')).status).toBe(200);
    expect((await refresh(member.refreshToken)).status).toBe(401);
    expect(await isSignedIn(member)).toBe(false);
  });

  it('returns the same pair to a retry with the same key for 30 s, even after the successor was used', async () => {
    const member = await makeMember(test);
    const retry = () => refresh(member.refreshToken, 'retry-of-mine');
    const [first, second] = await Promise.all([retry(), retry()]);
    expect(second.raw).toBe(first.raw);
    test.clock.advance(29);
    await next(first.body.data.refreshToken);
    expect((await retry()).raw).toBe(first.raw);
    test.clock.advance(2);
    expect((await retry()).status).toBe(401);
    expect(await isSignedIn(first.body.data)).toBe(false);
  });

  it('also returns a replaced answer to a retry with the same key', async () => {
    const member = await makeMember(test);
    await next(member.refreshToken, 'key-number-one');
    const replaced = await refresh(member.refreshToken, 'key-number-two');
    test.clock.advance(29);
    expect((await refresh(member.refreshToken, 'key-number-two')).raw).toBe(replaced.raw);
    expect(await unusedTokens(member)).toHaveLength(1);
  });

  it('rejects a repeated token of an expired session without raising an alarm', async () => {
    const member = await makeMember(test);
    await next(member.refreshToken);
    test.clock.advance(15 * 86_400);
    expect((await refresh(member.refreshToken)).status).toBe(401);
    expect(await test.outbox(member.email)).toEqual([]);
  });

  it('gives each of thirty members who return at the same time their own pair', async () => {
    const members = await Promise.all(Array.from({ length: 30 }, () => makeMember(test)));
    const answers = await Promise.all(
      members.map((member, at) =>
        refresh(
          at % 10 === 9 ? 'not a token of ours' : member.refreshToken,
          at % 2 === 0 ? `retry-of-${at}` : undefined,
        ),
      ),
    );
    for (const [at, member] of members.entries()) {
      const answer = answers[at];
      expect(answer?.status).toBe(at % 10 === 9 ? 401 : 200);
      if (answer?.status !== 200) continue;
      const { body } = await test.call(getProfile, { token: answer.body.data.token });
      expect(body.userData.user._id).toBe(member.id);
      expect((await refresh(answer.body.data.refreshToken)).status).toBe(200);
    }
  });

  it('does not wait for another member’s locked session', async () => {
    const [locked, ...others] = await Promise.all(Array.from({ length: 5 }, () => makeMember(test)));
    const holder = await test.pool.connect();
    await holder.query('begin');
    await holder.query('select from session where account_id = $1 for update', [locked?.id]);
    let waiting: ReturnType<typeof refresh>;
    try {
      waiting = refresh((locked as TestMember).refreshToken);
      for (const { status } of await Promise.all(others.map((other) => refresh(other.refreshToken))))
        expect(status).toBe(200);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await waiting).status).toBe(200);
  });
});
