import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeEmail, forgotPassword, register, resendVerification, verifyEmail } from '#contract/auth/auth.ts';
import { requestLimits } from '#contract/constants.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { login } from '#contract/auth/session.ts';
import { refuseAddresses } from '../../src/features/auth/accounts.ts';
import { makeMember, type MemberOptions, type TestMember } from '../factories.ts';
import { newNetwork, startApp, startAppForTests } from '../harness.ts';
import { newAddress, password, passwordHash } from './people.ts';
import { verifyPassword } from '../../src/features/auth/password/hashing.ts';

const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });

describe('answers about addresses', () => {
  const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
  const change = ({ token }: TestMember, email: string, headers = newNetwork()) =>
    test.call(changeEmail, { token, body: { email, password }, headers });
  type Look = { status: number; body: string; retryAfter: unknown };

  /** An answer without its random parts. */
  const lookOf = ({
    status,
    raw,
    headers,
  }: {
    status: number;
    raw: string;
    headers: Record<string, unknown>;
  }): Look => ({
    status,
    body: raw
      .replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId"')
      .replace(/"verificationToken":"[\w-]{43}"/, '"verificationToken"'),
    retryAfter: headers['retry-after'],
  });

  /** Everything that a caller sees who requests a change to an address and then tries codes, until every limit is reached. */
  async function sequence(email: string): Promise<Look[]> {
    const start = test.clock.now();
    const asker = await member();
    const headers = newNetwork();
    const { token } = asker;
    const looks: Look[] = [];
    const note = async (answer: Promise<Parameters<typeof lookOf>[0]>) => looks.push(lookOf(await answer));
    const guess = (code: string) => test.call(verifyEmail, { token, body: { code }, headers });
    await note(change(asker, email, headers));
    for (let n = 0; n < 9; n += 1) {
      await note(test.call(resendVerification, { token, body: {}, headers }));
      await note(guess('000000'));
      test.clock.advance(61);
      await note(test.call(resendVerification, { token, body: {}, headers }));
    }
    for (let n = 0; n < 7; n += 1) await note(guess('000000'));
    for (let n = 0; n < 3; n += 1) await note(change(asker, email, headers));
    await test.drain();
    test.clock.set(start);
    return looks;
  }

  describe('requesting a change of address', () => {
    it('answers and counts the same for a free, a taken and a blocked address', async () => {
      const refused = newAddress();
      const key = await installationSecret(test.db, 'refusedAddress', null);
      await refuseAddresses(test.db, key, [refused], test.clock.now());
      const taken = await member();
      const free = await sequence(newAddress());
      const statuses = free.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(6);
      expect(new Set(statuses)).toEqual(new Set([200, 400, 429]));
      for (const email of [taken.email, refused, (await member({ verified: false })).email])
        expect(await sequence(email), email).toEqual(free);
      const marks = await test.db.selectFrom('verification').select(['email', 'is_decoy']).execute();
      expect(marks.filter(({ email }) => email === refused).every(({ is_decoy }) => is_decoy)).toBe(true);
      expect(await test.outbox(refused)).toEqual([]);
    });

    it('does not reveal whether the address is the caller’s own', async () => {
      const [own, other] = [await member(), await member()];
      const looks = [lookOf(await change(own, own.email)), lookOf(await change(other, newAddress()))];
      expect(looks[0]).toEqual(looks[1]);
    });

    it('stores a decoy whose code and link no one knows', async () => {
      const [asker, owner] = [await member(), await member()];
      await change(asker, owner.email);
      await test.drain();
      const mails = await test.outbox(owner.email);
      expect(mails.map(({ code, links }) => [code, links])).toEqual([[undefined, []]]);
    });

    it('emails the owner of the address at most once a day', async () => {
      const owner = await member();
      for (let n = 0; n < 3; n += 1) await change(await member(), owner.email);
      await test.drain();
      expect(await test.outbox(owner.email)).toHaveLength(1);
      test.clock.advance(86_401);
      await change(await member(), owner.email);
      await test.drain();
      expect(await test.outbox(owner.email)).toHaveLength(2);
    });

    it('is limited per network, across accounts and addresses', async () => {
      const headers = newNetwork();
      const taken = await member();
      const statuses = [];
      for (let n = 0; n < requestLimits.addressChange.requests + 2; n += 1)
        statuses.push((await change(await member(), n % 2 === 0 ? taken.email : newAddress(), headers)).status);
      expect(statuses).toEqual([...Array<number>(requestLimits.addressChange.requests).fill(200), 429, 429]);
      expect((await change(await member(), newAddress())).status).toBe(200);
    });

    it('requires a verified address before anything is counted', async () => {
      const headers = newNetwork();
      const unverified = await member({ verified: false });
      for (let n = 0; n < requestLimits.addressChange.requests + 2; n += 1)
        expect((await change(unverified, newAddress(), headers)).error.code).toBe('EMAIL_NOT_VERIFIED');
      expect((await change(await member(), newAddress(), headers)).status).toBe(200);
    });
  });

  describe('POST /auth/register', () => {
    it('returns 503 with its own message for every unexpected error, and saves nothing', async () => {
      const broken = await startApp();
      const body = () => ({ email: newAddress(), password, firstName: 'Rosa', acceptTerms: true as const });
      for (const table of ['verification', 'mail', 'session', 'profile', 'known_device']) {
        await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_elsewhere`)}`.execute(broken.db);
        const { status, error, headers } = await broken.call(register, { body: body() });
        expect([table, status, error.code]).toEqual([table, 503, 'UNAVAILABLE']);
        expect(error.message).toBe(
          "We couldn't create your account right now. Nothing was saved. Please try again in a moment.",
        );
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        await sql`alter table ${sql.table(`${table}_elsewhere`)} rename to ${sql.table(table)}`.execute(broken.db);
      }
      expect(await broken.db.selectFrom('account').select('id').execute()).toEqual([]);
      expect((await broken.call(register, { body: body() })).status).toBe(201);
      await broken.close();
    });
  });
});

describe('answers never reveal whether an address has an account', () => {
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

  const calls = Object.entries<Ask>({
    'signing in with a wrong password': (email) =>
      test.call(login, { body: { email, password: 'not this one' }, headers: newNetwork() }),
    'requesting a password reset': (email) => test.call(forgotPassword, { body: { email }, headers: newNetwork() }),
    'requesting another verification email': (email) =>
      test.call(resendVerification, { body: { email }, headers: newNetwork() }),
  });

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

  it('by the work of a sign-in: while no password can be hashed, all sign-ins are refused alike', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    let isOver = false;
    const hash = async () => {
      while (!isOver) await verifyPassword(null, password);
    };
    // Two run and twenty wait; each one that ends makes room only for the next.
    const hashing = Array.from({ length: 22 }, hash);
    const statusOf = async (address: string) =>
      (await test.call(login, { body: { email: address, password }, headers: newNetwork() })).status;
    expect([await statusOf(email), await statusOf('nobody@example.test')]).toEqual([503, 503]);
    isOver = true;
    await Promise.all(hashing);
    expect([await statusOf(email), await statusOf('nobody@example.test')]).toEqual([200, 401]);
  });
});
