import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endOtherSessions, listSessions, register } from '#contract/auth/auth.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login } from '#contract/auth/session.ts';
import { makeAdministrator, makeMember } from '../../../../test/factories.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';
import { isFresh } from './sessions.ts';

const test = startAppForTests({ TRUSTED_PROXIES: 'loopback,10.0.0.0/8', PUBLIC_URL: 'https://example.org' });

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1';
const day = 86_400;

function signInFrom(email: string, agent: string, address: string) {
  const headers = { 'user-agent': agent, 'x-forwarded-for': address };
  return test.call(login, { body: { email, password }, headers });
}
const mailsAbout = async (email: string) =>
  (await test.outbox(email)).filter(({ subject }) => subject === 'A new sign-in');

it('isFresh rejects a session that has just ended with 401', async () => {
  await expect(isFresh(test.db, randomUUID(), test.clock.now())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

describe('sign-in emails', () => {
  it('are sent once for a device or network not seen for ninety days', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const expected: [string, string, number][] = [
      [firefox, '192.0.2.7', 1],
      [firefox, '192.0.2.99', 1],
      [phone, '192.0.2.7', 2],
      [firefox, '198.51.100.7', 3],
      [phone, '192.0.2.200', 3],
    ];
    for (const [agent, address, count] of expected) {
      expect((await signInFrom(email, agent, address)).status).toBe(200);
      expect(await mailsAbout(email), `${agent} ${address}`).toHaveLength(count);
      test.clock.advance(60);
    }
    test.clock.advance(90 * day);
    await signInFrom(email, firefox, '192.0.2.7');
    expect(await mailsAbout(email)).toHaveLength(4);
    await signInFrom(email, firefox, '192.0.2.7');
    expect(await mailsAbout(email)).toHaveLength(4);
  });

  it('contain only the time, browser, network prefix and where to check', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await signInFrom(member.email, phone, '203.0.113.77');
    const [mail] = await mailsAbout(member.email);
    expect(mail?.text).toContain('Safari on iOS, 2026-');
    expect(mail?.text).toContain('network 203.0.113.0/24');
    expect(mail?.text).not.toContain('203.0.113.77');
    expect(mail?.links).toEqual(['https://example.org/app/settings']);
    const staff = await makeAdministrator(test, { passwordHash: await passwordHash() });
    await signInFrom(staff.email, phone, '203.0.113.77');
    expect((await mailsAbout(staff.email))[0]?.links).toEqual(['https://example.org/settings']);
  });

  it('are sent once for two devices that sign in at the same time', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    await Promise.all(Array.from({ length: 5 }, () => signInFrom(email, phone, '203.0.113.5')));
    expect(await mailsAbout(email)).toHaveLength(1);
  });

  it('are not sent at registration, which remembers the device', async () => {
    const email = 'newcomer@example.test';
    const headers = { 'user-agent': firefox, 'x-forwarded-for': '192.0.2.7' };
    await test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true }, headers });
    await signInFrom(email, firefox, '192.0.2.8');
    expect(await mailsAbout(email)).toEqual([]);
  });
});

describe('stored devices and unfinished sign-in steps', () => {
  it('are deleted by the daily clean-up', async () => {
    const { id, email } = await makeMember(test, { passwordHash: await passwordHash() });
    await signInFrom(email, firefox, '192.0.2.7');
    const now = test.clock.now();
    const expires_at = now;
    await test.db
      .insertInto('totp_setup')
      .values({ account_id: id, sealed_secret: Buffer.from('x'), expires_at })
      .execute();
    await test.db
      .insertInto('sign_in_challenge')
      .values({ account_id: id, token_hash: Buffer.from('x'), expires_at })
      .execute();
    await test.db
      .insertInto('passkey_challenge')
      .values({ challenge_hash: Buffer.from('x'), account_id: id, expires_at })
      .execute();
    const left = async () => ({
      devices: (await test.db.selectFrom('known_device').selectAll().where('account_id', '=', id).execute()).length,
      halfDone: [
        ...(await test.db.selectFrom('totp_setup').selectAll().execute()),
        ...(await test.db.selectFrom('sign_in_challenge').selectAll().execute()),
        ...(await test.db.selectFrom('passkey_challenge').selectAll().execute()),
      ].length,
    });
    await test.app.background.tasks['auth.cleanUp']?.({}, {} as never);
    expect(await left()).toEqual({ devices: 2, halfDone: 0 });
    test.clock.advance(90 * day);
    await test.app.background.tasks['auth.cleanUp']?.({}, {} as never);
    expect(await left()).toEqual({ devices: 0, halfDone: 0 });
  });
});

describe('the network of a session', () => {
  it.each([
    ['203.0.113.7:51234', '203.0.113.0/24'],
    ['"[2001:db8:1:2ff::1]:443"', '2001:db8:1:200::/56'],
    ['198.51.100.1, 203.0.113.7:51234', '203.0.113.0/24'],
    ['203.0.113.7:51234, 10.0.0.2:443, [::ffff:10.0.0.3]:80', '203.0.113.0/24'],
    ['203.0.113.7 ,, 10.0.0.2,', '203.0.113.0/24'],
    ['203.0.113.7, _hidden', 'unknown'],
    ['', '127.0.0.0/24'],
  ])('behind proxies that send “%s” is %s', async (header, network) => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const { token } = sessionIn((await signInFrom(email, phone, header)).body);
    const { sessions } = (await test.call(listSessions, { token })).body.data;
    expect(sessions.find(({ current }) => current)?.network).toBe(network);
  });
});

describe('signing out everywhere', () => {
  it('ends every other session', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    const others = [];
    for (const agent of [firefox, phone])
      others.push(sessionIn((await signInFrom(member.email, agent, '192.0.2.7')).body));
    const stranger = await makeMember(test);
    const ended = await test.call(endOtherSessions, { token: member.token });
    expect(ended.body.data.ended).toBe(2);
    for (const { token } of others) expect((await test.call(getProfile, { token })).status).toBe(401);
    const { sessions } = (await test.call(listSessions, { token: member.token })).body.data;
    expect(sessions.map(({ current }) => current)).toEqual([true]);
    expect((await test.call(getProfile, { token: stranger.token })).status).toBe(200);
    expect((await test.call(endOtherSessions, { token: member.token })).body.data.ended).toBe(0);
  });
});
