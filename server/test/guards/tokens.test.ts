import { createHmac, createSecretKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { CompactEncrypt, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { leaveService, resetPassword } from '#contract/auth/auth.ts';
import { logout } from '#contract/auth/session.ts';
import { isPermission, may } from '#contract/roles.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { newPassword, password, passwordHash } from './people.ts';
import { resetTokenFor } from './requests.ts';

const test = startAppForTests();

describe('an access token', () => {
  let secret: string;
  let member: TestMember;
  let administrator: TestMember;

  beforeAll(async () => {
    secret = await installationSecret(test.db, 'jwt', null);
    member = await makeMember(test);
    administrator = await makeAdministrator(test);
  });

  const seconds = (offset = 0) => Math.floor(test.clock.now().getTime() / 1000) + offset;
  const claims = (): JWTPayload => ({
    iss: 'heartwood',
    aud: 'heartwood-api',
    sub: member.id,
    sid: member.sessionId,
    typ: 'access',
    iat: seconds(),
    exp: seconds(900),
  });

  const header = { alg: 'HS256', kid: 'k1' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** A token with changed header or claims, signed by HMAC with `key`. */
  function forge(changes: JWTPayload = {}, head: object = {}, key: string = secret, digest = 'sha256'): string {
    const text = `${part({ ...header, ...head })}.${part({ ...claims(), ...changes })}`;
    return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`;
  }

  const without = (name: string) => forge({ [name]: undefined });
  const signedBy = (alg: string, key: Parameters<SignJWT['sign']>[0], head: object = {}) =>
    new SignJWT(claims()).setProtectedHeader({ ...header, alg, ...head }).sign(key);
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const forgeries = Object.entries<() => string | Promise<string>>({
    'no algorithm': () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`,
    'no algorithm in another spelling': () => `${part({ ...header, alg: 'nOnE' })}.${part(claims())}.`,
    'no algorithm with a valid signature': () => forge({}, { alg: 'none' }),
    'no signature': () => forge().replace(/[^.]+$/, ''),
    'a truncated signature': () => forge().slice(0, -4),
    'another key': () => forge({}, {}, 'x'.repeat(43)),
    'an empty key': () => forge({}, {}, ''),
    'a public key used as the secret': () => forge({}, {}, pem),
    RS256: () => signedBy('RS256', rsa.privateKey),
    ES256: () => signedBy('ES256', ec.privateKey),
    'HS512 with the right key': () => forge({}, { alg: 'HS512' }, secret, 'sha512'),
    'an embedded key in the header': () =>
      signedBy('ES256', ec.privateKey, { jwk: ec.publicKey.export({ format: 'jwk' }) }),
    'a key address in the header': () => forge({}, { jku: 'https://evil.example/jwks', kid: 'evil' }),
    'an empty key id': () => forge({}, { kid: undefined }),
    'a key id that is a file path': () => forge({}, { kid: '../../../../dev/null' }, ''),
    'a key id that is SQL': () => forge({}, { kid: "k1' union select 'x" }, 'x'),
    'an unknown critical extension': () => forge({}, { crit: ['exp2'], exp2: 1 }),
    'another issuer': () => forge({ iss: 'https://evil.example' }),
    'no issuer': () => without('iss'),
    'another audience': () => forge({ aud: 'heartwood-web' }),
    'no audience': () => without('aud'),
    'the kind of a refresh token': () => forge({ typ: 'refresh' }),
    'no kind': () => without('typ'),
    'an expiry in the past': () => forge({ iat: seconds(-1000), exp: seconds(-100) }),
    'no expiry': () => without('exp'),
    'an expiry that is not a number': () => forge({ exp: 'never' as never }),
    'a start two hours ahead': () => forge({ iat: seconds(7200), exp: seconds(8000) }),
    'no start': () => without('iat'),
    'a later start of validity': () => forge({ nbf: seconds(600) }),
    'no session': () => without('sid'),
    'an unknown session': () => forge({ sid: randomUUID() }),
    'an invalid session id': () => forge({ sid: "' or true --" }),
    'another account and the caller’s session': () => forge({ sub: administrator.id }),
    'the caller’s account and another session': () => forge({ sid: administrator.sessionId }),
    'another account under a valid signature': () =>
      [
        ...member.token.split('.').slice(0, 1),
        part({ ...claims(), sub: administrator.id }),
        member.token.split('.')[2],
      ].join('.'),
    'a refresh token': () => member.refreshToken,
    'an encrypted token': () =>
      new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(createSecretKey(Buffer.alloc(32, 1))),
    'only dots': () => '..',
    'a very long text': () => 'x'.repeat(4000),
    NUL: () => `${member.token}\0`,
  });

  const profileOf = (authorization: string) =>
    test.app.inject({ url: '/api/v1/auth/profile', headers: { authorization } });

  it('is accepted when valid', async () => {
    for (const token of [member.token, forge()]) expect((await test.call(getProfile, { token })).status).toBe(200);
  });

  it.each(forgeries)('with %s is rejected', async (_, make) => {
    const answer = await profileOf(`Bearer ${await make()}`);
    expect(answer.statusCode).toBe(401);
  });

  it.each([
    ['under another scheme', () => `Basic ${member.token}`],
    ['without a scheme', () => member.token],
    ['twice', () => `Bearer ${member.token} ${member.token}`],
    ['after a comma', () => `Bearer x, Bearer ${member.token}`],
  ])('sent %s is rejected', async (_, value) => {
    expect((await profileOf(value())).statusCode).toBe(401);
  });

  it('is read only from its header, not from the URL, a cookie or the body', async () => {
    const { token } = member;
    const answers = [
      await test.app.inject({ url: `/api/v1/auth/profile?token=${token}&access_token=${token}` }),
      await test.app.inject({
        url: '/api/v1/auth/profile',
        headers: { cookie: `token=${token}; access_token=${token}`, 'x-access-token': token },
      }),
      await test.app.inject({ method: 'POST', url: '/api/v1/auth/logout', payload: { token, access_token: token } }),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 401, 401]);
  });

  it('is rejected a few seconds after its expiry, to tolerate clock differences', async () => {
    const token = forge({ iat: seconds(30) });
    expect((await test.call(getProfile, { token })).status).toBe(200);
    expect((await test.call(getProfile, { token: forge({ iat: seconds(120), exp: seconds(900) }) })).status).toBe(401);
  });
});

const closed = (await contractEndpoints()).filter((endpoint) => endpoint.access !== 'everyone');
/** The endpoints that don't answer the member with `status`. */
async function callsNot(status: number, { token }: TestMember, endpoints = closed): Promise<string[]> {
  const others: string[] = [];
  for (const endpoint of endpoints) {
    const response = await test.app.inject({
      method: endpoint.method,
      url: addressOf(endpoint, 'some-id'),
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.statusCode !== status) others.push(`${callName(endpoint)} → ${response.statusCode}`);
  }

  return others;
}

const update = (member: TestMember, change: object) =>
  test.db.updateTable('account').set(change).where('id', '=', member.id).execute();

describe('a request with an ended session', () => {
  it.each(
    Object.entries<(member: TestMember) => Promise<unknown>>({
      logout: (member) => test.call(logout, { token: member.token }),
      'account deletion by the member': (member) =>
        test.call(leaveService, { token: member.token, body: { password } }),
      deactivation: (member) => update(member, { is_active: false, deactivated_at: test.clock.now() }),
      'permanent deletion': (member) => deleteAccounts(test, member.id),
      'a password reset by email': async (member) =>
        test.call(resetPassword, { body: { token: await resetTokenFor(test, member.email), password: newPassword } }),
    }),
  )('is refused at once after %s', async (_, end) => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await end(member);
    expect(await callsNot(401, member)).toEqual([]);
  });

  it('is refused on staff endpoints at once after the role was removed', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: null });
    const ofStaff = closed.filter(({ access }) => isPermission(access));
    expect(ofStaff.length).toBeGreaterThan(3);
    expect(await callsNot(403, demoted, ofStaff)).toEqual([]);
  });

  it('is refused on administrators’ endpoints at once after demotion to moderator', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: 'moderator' });
    expect(
      await callsNot(
        403,
        demoted,
        closed.filter(({ access }) => isPermission(access) && !may('moderator', access)),
      ),
    ).toEqual([]);
  });

  it('can sign out repeatedly and in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token } = await makeMember(test);
      const answers = await Promise.all(Array.from({ length: 6 }, () => test.call(logout, { token })));
      expect(answers.filter(({ status }) => status !== 200 && status !== 401).map(({ raw }) => raw)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    }
  });
});
