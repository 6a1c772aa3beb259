import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

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

describe('a caller', () => {
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
