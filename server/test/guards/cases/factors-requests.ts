import { askForRemoval, confirmRemoval, setUpTotp } from '#contract/auth/factors.ts';
import type { CreationOptions } from '#contract/auth/passkey.ts';
import { passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { makeMember, makeModerator, type TestMember } from '../../factories.ts';
import { assertionOf, challengeOf, codeAt, placeFactor, placePasskey } from '../../factors.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import type { TestApp } from '../../harness.ts';
import { password, passwordHash } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** An account after its password, whose app shows `code`. */
export async function halfSignedIn(test: TestApp) {
  const member = await makeMember(test, { passwordHash: await passwordHash() });
  const secret = await placeFactor(test, member.id);
  const challenge = await challengeOf(test, member.email, password);
  return { member, challenge, code: codeAt(secret, test.clock.now()) };
}

async function linkIn(test: TestApp, { email }: TestMember, name: 'remove' | 'keep'): Promise<string> {
  const links = (await test.outbox(email)).flatMap((mail) => mail.links).map((link) => new URL(link).searchParams);
  return links.map((query) => query.get(name)).find((token) => token !== null) ?? '';
}

/** The link that reports a lost second factor. */
async function removalLink(test: TestApp): Promise<{ member: TestMember; token: string }> {
  const { member, challenge } = await halfSignedIn(test);
  await test.call(askForRemoval, { body: { challenge } });
  return { member, token: await linkIn(test, member, 'remove') };
}

async function stopLink(test: TestApp): Promise<string> {
  const { member, token } = await removalLink(test);
  await test.call(confirmRemoval, { body: { token } });
  return await linkIn(test, member, 'keep');
}

/** The caller's proof, if they have two-step verification. */
async function proofWithCode({ test, actor, other }: Scene): Promise<CallRequest> {
  const secret = await placeFactor(test, (actor ?? other).id);
  return { body: { password, code: codeAt(secret, test.clock.now()) } };
}

/** The first code of the caller's new app, if they may set one up. */
async function firstCode({ test, actor }: Scene): Promise<CallRequest> {
  const started = actor && (await test.call(setUpTotp, { token: actor.token, body: { password } }));
  return { body: { code: started?.status === 200 ? codeAt(started.body.data.secret, test.clock.now()) : '000000' } };
}

const unknownOptions: CreationOptions = {
  rp: { id: 'localhost', name: 'Heartwood' },
  user: { id: 'bm9ib2R5', name: 'nobody@example.test', displayName: 'Nobody' },
  challenge: 'bmV2ZXIgZ2l2ZW4gb3V0',
  pubKeyCredParams: [],
  timeout: 1,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
};

/** A new passkey of the caller, if they may have one. */
async function newPasskey({ test, actor }: Scene): Promise<CallRequest> {
  const started = actor && (await test.call(passkeyRegisterOptions, { token: actor.token, body: { password } }));
  const options = started?.status === 200 ? started.body.data.options : unknownOptions;
  return { body: { credential: new Authenticator().make(options), name: 'A phone' } };
}

/** A sign-in with a passkey. */
async function anotherPasskey({ test }: Scene): Promise<CallRequest> {
  const { authenticator } = await placePasskey(test, (await makeMember(test)).id);
  return { body: { credential: await assertionOf(test, authenticator) } };
}

/** A passkey of the caller, and another one's answer as proof. */
async function ownPasskey({ test, actor, other }: Scene): Promise<CallRequest> {
  const { id } = await placePasskey(test, (actor ?? other).id);
  const { authenticator } = await placePasskey(test, (actor ?? other).id);
  return { params: { id }, body: { passkey: await assertionOf(test, authenticator) } };
}

/** A valid request for every call about two-step verification and passkeys. */
export const factorsRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'POST /auth/login/totp': async ({ test }) => {
    const { challenge, code } = await halfSignedIn(test);
    return { body: { challenge, code } };
  },
  'GET /auth/totp': () => ({}),
  'POST /auth/totp/setup': () => ({ body: { password } }),
  'POST /auth/totp/enable': firstCode,
  'POST /auth/totp/disable': proofWithCode,
  'POST /auth/totp/recovery-codes': proofWithCode,
  'POST /auth/totp/removal': async ({ test }) => ({ body: { challenge: (await halfSignedIn(test)).challenge } }),
  'POST /auth/totp/removal/confirm': async ({ test }) => ({ body: { token: (await removalLink(test)).token } }),
  'POST /auth/totp/removal/stop': async ({ test }) => ({ body: { token: await stopLink(test) } }),
  'POST /admin/users/{id}/factors/reset': async ({ test }) => {
    const { id } = await makeModerator(test, { firstName: 'Rosa', createdAt: new Date('2026-01-01T00:00:00Z') });
    await placeFactor(test, id);
    return { params: { id }, body: { reason: 'Lost the phone' } };
  },
  'POST /auth/passkeys/register/options': () => ({ body: { password } }),
  'POST /auth/passkeys/register/verify': newPasskey,
  'POST /auth/passkeys/login/options': () => ({}),
  'POST /auth/passkeys/login/verify': anotherPasskey,
  'GET /auth/passkeys': () => ({}),
  'PATCH /auth/passkeys/{id}': async (scene) => {
    const { params } = await ownPasskey(scene);
    return { ...(params === undefined ? {} : { params }), body: { name: 'My other phone' } };
  },
  'DELETE /auth/passkeys/{id}': ownPasskey,
};
