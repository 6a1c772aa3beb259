import { wilcoxonRankSum } from 'simple-statistics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeEmail, forgotPassword, resendVerification } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { makeMember, type MemberOptions } from '../factories.ts';
import { startApp, type TestApp, newNetwork } from '../harness.ts';
import { password, passwordHash } from './people.ts';

const pairs = 60;
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => test.close());

/**
 * The probability that a value of `cases` is higher than one of `others`, with ties counting half: the area under the
 * ROC curve. 0.5 means that the two don't differ. Throws if one of them is empty.
 */
function areaBetween(cases: number[], others: number[]): number {
  // Mann and Whitney's U, computed from the rank sum, as a share of all pairs.
  return (wilcoxonRankSum(cases, others) - (cases.length * (cases.length + 1)) / 2) / (cases.length * others.length);
}

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

  it('by how long a sign-in takes', async () => {
    const known: string[] = [];
    for (let n = 0; n < pairs; n += 1)
      known.push(
        (await makeMember(test, { email: `timed-known-${n}@example.test`, passwordHash: await passwordHash() })).email,
      );
    const times = { known: [] as number[], unknown: [] as number[] };
    const time = async (group: 'known' | 'unknown', email: string) => {
      const from = performance.now();
      await test.call(login, { body: { email, password: 'not this one' }, headers: newNetwork() });
      times[group].push(performance.now() - from);
    };
    await time('unknown', 'warming-up@example.test');
    times.unknown.pop();
    for (const [n, email] of known.entries()) {
      // The order alternates, so that neither always runs after the other.
      const pair = [() => time('known', email), () => time('unknown', `timed-other-${n}@example.test`)];
      for (const one of n % 2 === 0 ? pair : pair.reverse()) await one();
    }
    const area = areaBetween(times.known, times.unknown);
    expect(area).toBeGreaterThan(0.3);
    expect(area).toBeLessThan(0.7);
  });
});

describe('areaBetween', () => {
  it('returns 0.5 for two equal groups and 1 for perfectly separated ones', () => {
    expect(areaBetween([1, 2, 3, 4], [1, 2, 3, 4])).toBe(0.5);
    expect(areaBetween([5, 6, 7], [1, 2, 3])).toBe(1);
    expect(areaBetween([1, 2], [1, 3])).toBe(0.375);
  });
});
