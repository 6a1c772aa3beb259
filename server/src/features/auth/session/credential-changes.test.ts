import { beforeAll, describe, expect, it } from 'vitest';
import { changePassword, leaveService, resendVerification, resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { loginWithCode } from '#contract/auth/factors.ts';
import { googleSignIn, linkByPassword, removeIdentity } from '#contract/auth/identities.ts';
import { removePasskey } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { inLockOrder } from '../../../../test/at-once.ts';
import type { Authenticator } from '../../../../test/doubles/authenticator.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  challengeOf,
  codeAt,
  placeFactor,
  placePasskey,
  signInByPasskey,
} from '../../../../test/factors.ts';
import { newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { registerNewcomer, resetTokenFor } from '../../../../test/guards/requests.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { getProfile } from '#contract/profiles/profiles.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle({ PUBLIC_URL: 'http://localhost:3000' });
  ({ google, test } = started);
  return started.close;
});

interface Answer {
  status: number;
  raw: string;
}
/** A member, and the passkey they confirm actions with. */
type Owner = TestMember & { kept: Authenticator };
type Request = (owner: Owner) => Promise<() => Promise<Answer>>;

const byGoogle = async (sub: string, email: string) =>
  test.call(googleSignIn, { body: { tokenId: await google.token(test.clock.now(), { sub, email }) } });

/** The ways to sign in; each prepares the account and returns the request that opens a session. */
const ways = {
  password:
    async ({ email }) =>
    () =>
      test.call(login, { body: { email, password } }),
  'password and code': async ({ id, email }) => {
    const secret = await placeFactor(test, id);
    const challenge = await challengeOf(test, email, password);
    return () => test.call(loginWithCode, { body: { challenge, code: codeAt(secret, test.clock.now()) } });
  },
  passkey: async ({ id }) => {
    const { authenticator } = await placePasskey(test, id);
    return () => signInByPasskey(test, authenticator);
  },
  identity: async ({ id }) => {
    const linked = {
      provider: 'google' as const,
      subject: `google-${id}`,
      account_id: id,
      linked_at: test.clock.now(),
    };
    await test.db.insertInto('identity').values(linked).execute();
    return () => byGoogle(linked.subject, `${id}@gmail.test`);
  },
  'password for an identity': async ({ email }) => {
    const claims = { email, hd: null, sub: `another-${email}` };
    const tokenId = await google.token(test.clock.now(), claims);
    const { error } = await test.call(googleSignIn, { body: { tokenId } });
    const linkToken = error.data?.linkToken ?? '';
    return () => test.call(linkByPassword, { body: { linkToken, password } });
  },
} satisfies Record<string, Request>;
type Way = keyof typeof ways;

const proofOf = async ({ kept }: Owner) => ({ passkey: await assertionOf(test, kept) });
const byAdministrator = async ({ id }: Owner, change: { staffRole: 'moderator' } | { isActive: false }) => {
  const { token } = await makeAdministrator(test);
  const body = { ...change, reason: 'As agreed with them' };
  return () => test.call(changeAdminUser, { token, params: { id }, body });
};

/** What can happen to an account during a sign-in; each prepares the account and returns the request. */
const acts = {
  'a new password': async (owner) => {
    const body = { currentPassword: password, password: newPassword, ...(await proofOf(owner)) };
    return () => test.call(changePassword, { token: owner.token, body });
  },
  'a password reset': async ({ email }) => {
    const token = await resetTokenFor(test, email);
    return () => test.call(resetPassword, { body: { token, password: newPassword } });
  },
  'removing the passkey': async (owner) => {
    const newest = test.db.selectFrom('passkey').select('id').where('account_id', '=', owner.id);
    const { id } = await newest.orderBy('created_at', 'desc').executeTakeFirstOrThrow();
    const body = await proofOf(owner);
    return () => test.call(removePasskey, { token: owner.token, params: { id }, body });
  },
  'removing the identity': async (owner) => {
    const body = await proofOf(owner);
    return () => test.call(removeIdentity, { token: owner.token, params: { provider: 'google' }, body });
  },
  'a role change': (owner) => byAdministrator(owner, { staffRole: 'moderator' }),
  deactivation: (owner) => byAdministrator(owner, { isActive: false }),
  leaving: async (owner) => {
    const body = await proofOf(owner);
    return () => test.call(leaveService, { token: owner.token, body });
  },
} satisfies Record<string, Request>;
type Act = keyof typeof acts;

/** The status of each sign-in method after another change was faster. */
const refusals: [Way, Partial<Record<Act, number>>][] = [
  [
    'password',
    { 'a new password': 401, 'a password reset': 401, 'a role change': 401, deactivation: 403, leaving: 403 },
  ],
  [
    'password and code',
    { 'a new password': 400, 'a password reset': 400, 'a role change': 400, deactivation: 403, leaving: 403 },
  ],
  [
    'passkey',
    { 'a password reset': 401, 'removing the passkey': 401, 'a role change': 401, deactivation: 403, leaving: 403 },
  ],
  // A person whose identity is linked to no account may join.
  [
    'identity',
    { 'a password reset': 422, 'removing the identity': 422, 'a role change': 403, deactivation: 403, leaving: 403 },
  ],
  [
    'password for an identity',
    { 'a new password': 401, 'a password reset': 401, 'a role change': 401, deactivation: 403, leaving: 403 },
  ],
];
const pairs = refusals.flatMap(([way, statuses]) =>
  Object.entries(statuses).map(([act, status]) => ({ way, act: act as Act, status })),
);

async function makeOwner(): Promise<Owner> {
  const member = await makeMember(test, { passwordHash: await passwordHash() });
  const { authenticator } = await placePasskey(test, member.id);
  // Makes sure that the passkey of a sign-in is the newest.
  test.clock.advance(1);
  return { ...member, kept: authenticator };
}
const sessionsOf = async (id: string) =>
  await test.db.selectFrom('session').select('id').where('account_id', '=', id).execute();

describe('a sign-in that overlaps with a change of credentials', () => {
  it.each(pairs)('by $way returns $status after $act', async ({ way, act, status }) => {
    const owner = await makeOwner();
    const [enter, change] = [await ways[way](owner), await acts[act](owner)];
    const before = await sessionsOf(owner.id);
    const [changed, entered] = await inLockOrder(test, owner.id, [change, enter]);
    expect([changed.status, entered.status]).toEqual([200, status]);
    const opened = (await sessionsOf(owner.id)).filter(({ id }) => !before.some((known) => known.id === id));
    expect(opened).toEqual([]);
  });

  it.each(pairs)('by $way opens a session that ends with $act', async ({ way, act }) => {
    const owner = await makeOwner();
    const [enter, change] = [await ways[way](owner), await acts[act](owner)];
    const [entered, changed] = await inLockOrder(test, owner.id, [enter, change]);
    expect([entered.status, changed.status]).toEqual([200, 200]);
    const { token } = (JSON.parse(entered.raw) as { data: { token: string } }).data;
    expect((await test.call(getProfile, { token })).status).toBe(401);
  });

  it.each(['password', 'passkey', 'identity', 'password and code'] as const)(
    'by %s returns no server error after the account was deleted permanently',
    async (way) => {
      const owner = await makeOwner();
      const enter = await ways[way](owner);
      const [, entered] = await inLockOrder(test, owner.id, [() => deleteAccounts(test, owner.id), enter]);
      expect([400, 401, 422]).toContain(entered.status);
    },
  );

  it.each(['the link', 'a resent code', 'Google'] as const)(
    'with someone else’s password returns 401 after %s transferred the account',
    async (how) => {
      const thief = await registerNewcomer(test);
      test.clock.advance(61);
      const { verificationToken = '' } = (await test.call(resendVerification, { body: { email: thief.email } })).body;
      await test.drain();
      const code = (await test.outbox(thief.email))[0]?.code ?? '';
      const tokenId = await google.token(test.clock.now(), { email: thief.email });
      const proofs = {
        'the link': () => test.call(verifyEmail, { body: { token: thief.linkToken, newPassword } }),
        'a resent code': () => test.call(verifyEmail, { body: { verificationToken, code, newPassword } }),
        Google: () => test.call(googleSignIn, { body: { tokenId } }),
      };
      const owner = { id: thief.user._id, email: thief.email };
      const enter = () => test.call(login, { body: { email: owner.email, password } });
      const [taken, entered] = await inLockOrder(test, owner.id, [proofs[how], enter]);
      expect([taken.status, entered.status]).toEqual([200, 401]);
      expect(await sessionsOf(owner.id)).toHaveLength(1);
    },
  );
});
