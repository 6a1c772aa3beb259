import { describe, expect, it } from 'vitest';
import { changeEmail, forgotPassword, resendVerification } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { verifyPassword } from '../../src/features/auth/password/hashing.ts';
import { makeMember, type MemberOptions } from '../factories.ts';
import { newNetwork, startAppForTests } from '../harness.ts';
import { password, passwordHash } from './people.ts';

const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });

type Ask = (email: string) => Promise<{ status: number; raw: string; headers: object }>;

/** An answer without the parts that always differ: request id, handle and time. */
const lookOf = ({ status, raw, headers }: Awaited<ReturnType<Ask>>) => ({
  status,
  body: raw.replaceAll(/"requestId":"[0-9a-f-]{36}"/g, '').replaceAll(/"verificationToken":"[\w-]{43}"/g, ''),
  headers: { ...headers, date: '' },
});

const anyone: [string, MemberOptions][] = [
  ['a member', {}],
  ['an unverified member', { verified: false }],
  ['a deactivated member', { deactivated: 'Spam' }],
  ['a leaving member', { leaving: true }],
  ['an administrator', { staffRole: 'admin' }],
];
const calls: [string, Ask][] = [
  [
    'signing in with a wrong password',
    (email) => test.call(login, { body: { email, password: 'not this one' }, headers: newNetwork() }),
  ],
  ['requesting a password reset', (email) => test.call(forgotPassword, { body: { email }, headers: newNetwork() })],
  [
    'requesting another verification email',
    (email) => test.call(resendVerification, { body: { email }, headers: newNetwork() }),
  ],
];

describe('answers never reveal whether an address has an account', () => {
  it.each(calls.flatMap(([call, ask]) => anyone.map(([who, options]) => [call, who, ask, options] as const)))(
    'when %s, for %s',
    async (_, who, ask, options) => {
      const { email } = await makeMember(test, { ...options, passwordHash: await passwordHash() });
      const known = await ask(email);
      expect(lookOf(known), who).toEqual(lookOf(await ask('nobody@example.test')));
    },
  );

  it('when changing to that address', async () => {
    const asker = async (email: string) => {
      const { token } = await makeMember(test, { passwordHash: await passwordHash() });
      return lookOf(await test.call(changeEmail, { token, body: { email, password }, headers: newNetwork() }));
    };
    expect(await asker((await makeMember(test)).email)).toEqual(await asker('free-to-use@example.test'));
  });

  it('by the work of a sign-in: while no password can be hashed, all are refused alike', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    let isOver = false;
    const hash = async () => {
      while (!isOver) await verifyPassword(null, password);
    };
    // Two run and twenty wait; each that ends makes room for the next one only.
    const hashing = Array.from({ length: 22 }, hash);
    const statusOf = async (address: string) =>
      (await test.call(login, { body: { email: address, password }, headers: newNetwork() })).status;
    expect([await statusOf(email), await statusOf('nobody@example.test')]).toEqual([503, 503]);
    isOver = true;
    await Promise.all(hashing);
    expect([await statusOf(email), await statusOf('nobody@example.test')]).toEqual([200, 401]);
  });
});
