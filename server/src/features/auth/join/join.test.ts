import { beforeAll, describe, expect, it } from 'vitest';
import { agreeToTerms, register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { termsVersion } from '#contract/constants.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { daySchema } from '#contract/text.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { hashPassword } from '../password/hashing.ts';

const password = 'a long enough secret';
let passwordHash: string;
const test = startAppForTests();
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

const person = (email: string, more: object = {}) => ({
  email,
  password,
  firstName: 'Rosa',
  lastName: 'Lind',
  acceptTerms: true,
  ...more,
});

describe('POST /auth/register', () => {
  it('creates a signed-in member and emails a code', async () => {
    const joined = await test.call(register, { body: person('Rosa@Example.test') });
    expect(joined.status).toBe(201);
    expect(joined.body.message).toBe('Welcome. Please confirm your email address.');
    expect(joined.body.user.email).toBe('rosa@example.test');
    expect(joined.body).toMatchObject({
      requiresVerification: true,
      requiresProfileCompletion: true,
      onboardingComplete: false,
    });
    const own = await test.call(getProfile, { token: joined.body.token });
    expect(own.body.userData.user.firstName).toBe('Rosa');
    const [mail] = await test.outbox('rosa@example.test');
    expect(mail?.code).toMatch(/^\d{6}$/);
    // The address may belong to a stranger, and the name could be a message to them.
    expect(JSON.stringify(mail)).not.toContain('Rosa');
  });

  it('emails addresses with international domains, and the outbox finds them in either spelling', async () => {
    await test.call(register, { body: person('u@почта.рф') });
    for (const address of ['u@почта.рф', ' U@Почта.РФ', 'u@xn--80a1acny.xn--p1ai'])
      expect(await test.outbox(address)).toHaveLength(1);
  });

  it('stores the consent with its version and time', async () => {
    const joined = await test.call(register, { body: person('consent@example.test') });
    const kept = await test.db
      .selectFrom('consent')
      .selectAll()
      .where('account_id', '=', joined.body.user._id)
      .execute();
    expect(kept).toMatchObject([{ kind: 'terms', version: termsVersion, accepted_at: test.clock.now() }]);
  });

  it('returns neither the code nor the link token', async () => {
    const joined = await test.call(register, { body: person('quiet@example.test') });
    const [mail] = await test.outbox('quiet@example.test');
    expect(joined.raw).not.toContain(mail?.code);
    expect(joined.raw).not.toContain(tokenIn(mail?.links[0]));
  });

  it('returns 409 for an address in use, in any spelling', async () => {
    await test.call(register, { body: person('twice@example.test') });
    const again = await test.call(register, { body: person('  TWICE@example.test ') });
    expect(again.error).toMatchObject({ code: 'EMAIL_TAKEN', message: 'User already exists' });
    expect(again.status).toBe(409);
  });

  it('creates one member from five parallel requests with one key, with the same answer', async () => {
    const headers = { 'idempotency-key': 'join-once-key' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => test.call(register, { body: person('once@example.test'), headers })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.raw)).size).toBe(1);
    expect(await test.outbox('once@example.test')).toHaveLength(1);
    const other = await test.call(register, { body: person('another@example.test'), headers });
    expect(other.error.code).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('creates one member from five parallel requests for one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        test.call(register, { body: person('race@example.test', { firstName: `Rosa ${n}` }) }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    ['the day before the 18th birthday', '2008-06-16', 422],
    ['the 18th birthday', '2008-06-15', 201],
    ['a child', '2015-01-01', 422],
    ['a 121-year-old', '1905-01-01', 400],
    ['a day that does not exist', '1990-02-30', 400],
  ])('accepts only adults: %s', async (_, birthDate, status) => {
    const email = `born-${birthDate}@example.test`;
    const answer = await test.call(register, { body: person(email, { birthDate }) });
    expect(answer.status).toBe(status);
    const stored = await test.db.selectFrom('account').select('id').where('email', '=', email).execute();
    expect(stored).toHaveLength(status === 201 ? 1 : 0);
  });

  it.each([
    ['too short', 'ninechars'],
    ['one of the most used', 'qwertyuiop'],
    ['one of the most used in capitals', 'QWERTYUIOP'],
    ['the name of the service', 'Heartwood123'],
    ['the address itself', 'pw@example.test'],
    ['the member’s name with digits', 'rosalind1990'],
    ['129 characters', 'x'.repeat(129)],
  ])('rejects a password that is %s', async (_, password) => {
    const answer = await test.call(register, { body: person('pw@example.test', { password }) });
    expect([400, 422]).toContain(answer.status);
    expect(answer.error.errors?.[0]?.field).toBe('password');
  });

  it('accepts any characters, up to 128 of them', async () => {
    const answer = await test.call(register, {
      body: person('long@example.test', { password: `${'ключ 🔑 '.repeat(18)}xx` }),
    });
    expect(answer.status).toBe(201);
  });

  it.each(['firstName', 'lastName'])('rejects a %s with a link, and stores markup unchanged', async (field) => {
    const refused = await test.call(register, {
      body: person('name@example.test', { [field]: 'at http://a.example' }),
    });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
    const markup = { [field]: '<script>alert(1)</script>' };
    const joined = await test.call(register, { body: person(`markup-${field}@example.test`, markup) });
    expect(joined.body.user).toMatchObject(markup);
  });

  it('requires accepting the terms', async () => {
    const answer = await test.call(register, { body: person('terms@example.test', { acceptTerms: false }) });
    expect(answer.error.errors).toEqual([{ field: 'acceptTerms', msg: 'Accept the terms to join' }]);
  });

  it('stores the password only as salted argon2id with 19 MiB and two passes', async () => {
    const emails = ['salt-1@example.test', 'salt-2@example.test'];
    for (const email of emails) await test.call(register, { body: person(email) });
    const rows = await test.db.selectFrom('account').select('password_hash').where('email', 'in', emails).execute();
    for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(2);
  });
});

const older = '2024-05-01';
const joinedAt = new Date('2024-06-01T00:00:00Z');

/** A member who accepted these versions when they joined. */
async function memberOf(versions: string[], options: MemberOptions = {}): Promise<TestMember> {
  const member = await makeMember(test, { passwordHash, ...options });
  for (const version of versions) {
    const row = { account_id: member.id, kind: 'terms', version, accepted_at: joinedAt };
    await test.db.insertInto('consent').values(row).execute();
  }
  return member;
}

async function asked({ email, token }: TestMember): Promise<unknown[]> {
  const signedIn = (await test.call(login, { body: { email, password } })).body.data;
  const own = (await test.call(getProfile, { token })).body.userData;
  return ['requiresTerms' in signedIn && signedIn.requiresTerms, own.requiresTerms];
}

const consentsOf = ({ id }: TestMember) =>
  test.db
    .selectFrom('consent')
    .select(['version', 'accepted_at'])
    .where('account_id', '=', id)
    .orderBy('version')
    .execute();

const agree = ({ token }: TestMember, version = termsVersion) => test.call(agreeToTerms, { token, body: { version } });

describe('requiresTerms', () => {
  it('compares versions as dates, in text order', () => {
    expect(daySchema.parse(termsVersion)).toBe(termsVersion);
  });

  it.each<[string, string[], MemberOptions, boolean]>([
    ['a member who agreed to older terms', [older], {}, true],
    ['a member who agreed to two older ones', ['2023-01-31', older], {}, true],
    ['a member who agreed to the current ones', [termsVersion], {}, false],
    ['a member who agreed to older ones and the current ones', [older, termsVersion], {}, false],
    ['a member who agreed to newer ones', ['2999-01-01'], {}, false],
    ['an account that never agreed', [], {}, false],
    ['staff who agreed to older ones as a member', [older], { staffRole: 'moderator' }, false],
  ])('matches what was accepted, at sign-in and in the profile: %s', async (_, versions, options, isAsked) => {
    expect(await asked(await memberOf(versions, options))).toEqual([isAsked, isAsked]);
  });

  it('is false for a newly joined member', async () => {
    const joined = await test.call(register, { body: person('joins@example.test') });
    expect(joined.body.requiresTerms).toBe(false);
  });
});

describe('POST /auth/terms', () => {
  it('stores the acceptance and its time beside earlier ones, and no longer requires it', async () => {
    const member = await memberOf([older]);
    test.clock.advance(60);
    const agreedAt = test.clock.now();
    expect((await agree(member)).status).toBe(200);
    expect(await consentsOf(member)).toEqual([
      { version: older, accepted_at: joinedAt },
      { version: termsVersion, accepted_at: agreedAt },
    ]);
    expect(await asked(member)).toEqual([false, false]);
  });

  it('keeps the time of the first acceptance when repeated, even in parallel', async () => {
    const member = await memberOf([older]);
    const agreedAt = test.clock.now();
    const answers = await Promise.all(Array.from({ length: 5 }, () => agree(member)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    test.clock.advance(60);
    expect((await agree(member)).status).toBe(200);
    expect((await consentsOf(member))[1]).toEqual({ version: termsVersion, accepted_at: agreedAt });
  });

  it.each([
    [older, 409],
    ['2999-01-01', 409],
    ['the newest', 400],
    ['2025-02-30', 400],
  ])('rejects version %s with %i and stores nothing', async (version, status) => {
    const member = await memberOf([older]);
    expect((await agree(member, version)).status).toBe(status);
    expect(await consentsOf(member)).toEqual([{ version: older, accepted_at: joinedAt }]);
  });
});
