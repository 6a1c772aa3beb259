import { randomUUID } from 'node:crypto';
import { describe, expect, it, afterAll, beforeAll, beforeEach } from 'vitest';
import { accessTokenTtlSeconds } from '#contract/constants.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { secondsAfter } from '../process/clock.ts';
import { createAccessTokens } from './access-tokens.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { deviceName } from './sessions.ts';

const now = new Date('2026-05-04T12:00:00Z');
const [accountId, sessionId] = [randomUUID(), randomUUID()];
const tokens = createAccessTokens('x'.repeat(43));

describe('an access token', () => {
  it('contains its account, its session and its expiry', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    const claims = { accountId, sessionId, endsAt: secondsAfter(now, accessTokenTtlSeconds) };
    expect(await tokens.read(token, now)).toEqual(claims);
    expect(await tokens.read(token, now)).toEqual(claims);
  });

  it('expires, whether or not it was verified before', async () => {
    const read = await tokens.sign(accountId, sessionId, now);
    const unread = await tokens.sign(accountId, randomUUID(), now);
    expect(await tokens.read(read, now)).not.toBeNull();
    const expired = secondsAfter(now, accessTokenTtlSeconds + 5);
    for (const token of [read, unread]) expect(await tokens.read(token, expired)).toBeNull();
  });

  it('is rejected with another secret', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    expect(await createAccessTokens('y'.repeat(43)).read(token, now)).toBeNull();
  });
});

describe('a caller', () => {
  let app: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    member = await makeMember(app);
  });
  afterAll(() => app.close());

  const ask = () => app.call(getProfile, { token: member.token });

  const changes: [string, string, Partial<OwnUser>][] = [
    ['account', `update account set is_vip = true where id = $1`, { isVIP: true }],
    ['role', `update account set staff_role = 'moderator' where id = $1`, { staffRole: 'moderator' }],
    ['address', `update account set email_verified_at = null where id = $1`, { isEmailVerified: false }],
    ['profile', `update profile set bio = 'after' where account_id = $1`, { bio: 'after' }],
    ['pictures', `delete from picture where account_id = $1`, { pictures: [], profilePicture: null }],
  ];
  it.each(changes)('reflects a changed %s on the next request', async (_, change, seen) => {
    expect((await ask()).body.userData.user).not.toMatchObject(seen);
    await app.pool.query(change, [member.id]);
    expect((await ask()).body.userData.user).toMatchObject(seen);
  });

  it.each([
    ['the session ended', 'delete from session where account_id = $1'],
    ['the session expired', `update session set expires_at = '2000-01-01' where account_id = $1`],
    ['the account was deactivated', 'update account set is_active = false, deactivated_at = now() where id = $1'],
    ['the owner started leaving', 'update account set leaving_since = now() where id = $1'],
  ])('is refused on the next request after %s', async (_, change) => {
    await ask();
    await app.pool.query(change, [member.id]);
    const { statusCode } = await app.app.inject({
      url: '/api/v1/auth/profile',
      headers: { authorization: `Bearer ${member.token}` },
    });
    expect(statusCode).toBe(401);
  });
});

describe('deviceName', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 OPR/120.0',
      'Opera on Linux',
    ],
    ['HeartwoodApp/3 (Android)', 'App on Android'],
    ['curl/8.5.0', 'Unknown device'],
    ['', 'Unknown device'],
  ])('turns the user agent %s into “%s”', (header, words) => {
    expect(deviceName(header)).toBe(words);
  });

  it('is unknown without a header, and never contains text from the header', () => {
    expect(deviceName(undefined)).toBe('Unknown device');
    expect(deviceName('<script>alert(1)</script> Firefox/1')).toBe('Firefox');
  });
});
