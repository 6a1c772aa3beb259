import { googleSignIn, facebookSignIn, type IdentityProvider } from '#contract/auth/identities.ts';
import { shownAtBuiltIn, subjectAtBuiltIn } from '../../doubles/google-issuer.ts';
import type { TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { newAddress, password, allStaff, everyone, memberOnly, row, type Row, signedIn } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** Links the caller to the built-in issuer's identity with their address. */
async function haveIdentity(test: TestApp, { id, email }: TestMember, provider: IdentityProvider): Promise<void> {
  await forgetIdentity(test, email, provider);
  const identity = { provider, subject: subjectAtBuiltIn(email), account_id: id, linked_at: test.clock.now() };
  await test.db.insertInto('identity').values(identity).execute();
}

/** Unlinks the identity from every account. */
async function forgetIdentity(test: TestApp, email: string, provider: IdentityProvider): Promise<void> {
  const subject = subjectAtBuiltIn(email);
  await test.db.deleteFrom('identity').where('provider', '=', provider).where('subject', '=', subject).execute();
}

/** An ID token for this address. */
export const idTokenOf = async (test: TestApp, email: string) =>
  (await shownAtBuiltIn(test, { email, firstName: 'Rosa' }))['id_token'] ?? '';

const accessTokenOf = async (test: TestApp, email: string) =>
  (await shownAtBuiltIn(test, { email, firstName: 'Rosa', response_type: 'token' }))['access_token'] ?? '';

/** A handle that needs the password of the account with this address. */
export async function linkTokenFor(test: TestApp, email: string): Promise<string> {
  await forgetIdentity(test, email, 'facebook');
  const { error } = await test.call(facebookSignIn, { body: { accessToken: await accessTokenOf(test, email) } });
  return error.data?.linkToken ?? '';
}

async function withGoogle(scene: Scene): Promise<TestMember> {
  const { test, actor, other } = scene;
  await haveIdentity(test, actor ?? other, 'google');
  return actor ?? other;
}

/** A valid request for every endpoint of identities. */
export const identitiesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /auth/google/nonce': () => ({}),
  'POST /auth/google': async ({ test, actor }) => ({
    body: { tokenId: await idTokenOf(test, actor?.email ?? newAddress()), acceptTerms: true },
  }),
  'POST /auth/facebook': async ({ test, actor }) => {
    const email = actor?.email ?? newAddress();
    if (actor !== null) await haveIdentity(test, actor, 'facebook');
    return {
      body: { accessToken: await accessTokenOf(test, email), userID: subjectAtBuiltIn(email), acceptTerms: true },
    };
  },
  'POST /auth/link': async ({ test, actor, other }) => ({
    body: { linkToken: await linkTokenFor(test, (actor ?? other).email), password },
  }),
  'POST /auth/join': async ({ test }) => {
    const { error } = await test.call(googleSignIn, { body: { tokenId: await idTokenOf(test, newAddress()) } });
    return { body: { joinToken: error.data?.joining?.token ?? '', acceptTerms: true } };
  },
  'GET /auth/house': () => ({}),
  'POST /auth/house': () => ({ body: { code: 'code', state: 'state' } }),
  'POST /auth/house/link': () => ({ body: { linkToken: 'token' } }),
  'GET /auth/identities': () => ({}),
  'POST /auth/identities': async ({ test }) => ({
    body: { tokenId: await idTokenOf(test, newAddress()), password },
  }),
  'DELETE /auth/identities/{provider}': async (scene) => {
    await withGoogle(scene);
    return { params: { provider: 'google' }, body: { password } };
  },
  'POST /auth/confirm': async (scene) => ({
    body: { tokenId: await idTokenOf(scene.test, (await withGoogle(scene)).email) },
  }),
};

/** Staff sign in only with a password; unknown people are refused as at sign-in. */
const signingIn = { ...everyone(200), ...allStaff(403), deactivated: 403, leaving: 403 };

/** Who may call which endpoints of identities. */
export const identitiesRows: Record<string, Row> = {
  'GET /auth/google/nonce': { cells: everyone(200) },
  'POST /auth/google': row(signingIn, 401, async ({ test, other }) => ({
    body: { tokenId: `${await idTokenOf(test, other.email)}x` },
  })),
  'POST /auth/facebook': row(signingIn, 401, ({ other }) => ({ body: { accessToken: 'none', userID: other.id } })),
  'POST /auth/link': row(signingIn, 403, async ({ test, other }) => ({
    body: { linkToken: await linkTokenFor(test, other.email), password: 'not my own one' },
  })),
  'POST /auth/join': row(everyone(201), 400, ({ other }) => ({
    body: { joinToken: other.refreshToken, acceptTerms: true },
  })),
  // Sign-in with the house's account is off here; `server/src/features/auth/house/` tests who may use it.
  'GET /auth/house': { cells: everyone(404) },
  'POST /auth/house': { cells: everyone(404) },
  'POST /auth/house/link': { cells: signedIn(404) },
  'GET /auth/identities': { cells: memberOnly(200) },
  'POST /auth/identities': row({ ...memberOnly(200), unverified: 403 }, 403, async ({ test }) => ({
    body: { tokenId: await idTokenOf(test, newAddress()), password: 'not my own one' },
  })),
  'DELETE /auth/identities/{provider}': row(memberOnly(200), 403, () => ({
    params: { provider: 'google' },
    body: { password: 'not my own one' },
  })),
  'POST /auth/confirm': row(memberOnly(200), 422, async ({ test, other }) => ({
    body: { tokenId: await idTokenOf(test, other.email) },
  })),
};
