import { askForRemoval, confirmRemoval, setUpTotp } from '#contract/auth/factors.ts';
import type { CreationOptions } from '#contract/auth/webauthn.ts';
import { passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { makeMember, makeModerator, type TestMember } from '../../factories.ts';
import { assertionOf, challengeOf, codeAt, placeFactor, placePasskey } from '../../factors.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import type { TestApp } from '../../harness.ts';
import { password, passwordHash, everyone, permitted, signedIn, type Cells, row, type Row } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { tokenIn } from '../../mail/link-token.ts';

/** An account that has passed the password step, and the `code` that its app shows. */
export async function halfSignedIn(test: TestApp) {
  const member = await makeMember(test, { passwordHash: await passwordHash() });
  const secret = await placeFactor(test, member.id);
  const challenge = await challengeOf(test, member.email, password);
  return { member, challenge, code: codeAt(secret, test.clock.now()) };
}

async function linkIn(test: TestApp, { email }: TestMember, name: 'remove' | 'keep'): Promise<string> {
  const links = (await test.outbox(email)).flatMap((mail) => mail.links);
  return links.map((link) => tokenIn(link, name)).find((token) => token !== null) ?? '';
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

/** A passkey of the caller, and another passkey's response as proof. */
async function ownPasskey({ test, actor, other }: Scene): Promise<CallRequest> {
  const { id } = await placePasskey(test, (actor ?? other).id);
  const { authenticator } = await placePasskey(test, (actor ?? other).id);
  return { params: { id }, body: { passkey: await assertionOf(test, authenticator) } };
}

/** A valid request for every endpoint of two-step verification and passkeys. */
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

/** Sign-in methods can't be added before the address is verified: they would survive a takeover by its true owner. */
const proven = (status: number): Cells => ({ ...signedIn(status), unverified: 403 });

const wrongPassword = (): CallRequest => ({ body: { password: 'not my own one' } });

/** One account's challenge with another account's code. */
async function anothersCode({ test, other }: Scene): Promise<CallRequest> {
  const { challenge } = await halfSignedIn(test);
  return { body: { challenge, code: codeAt(await placeFactor(test, other.id), test.clock.now()) } };
}

/** A code from another account's new app. */
async function anothersSetUp({ test, other }: Scene): Promise<CallRequest> {
  const { secret } = (await test.call(setUpTotp, { token: other.token, body: { password } })).body.data;
  return { body: { code: codeAt(secret, test.clock.now()) } };
}

/** The caller's factor with another account's proof. */
async function anothersProof({ test, actor, other }: Scene): Promise<CallRequest> {
  await placeFactor(test, actor?.id ?? '');
  const { authenticator } = await placePasskey(test, other.id);
  return { body: { passkey: await assertionOf(test, authenticator) } };
}

/** The passkey options issued to another browser. */
async function anothersMaking({ test, other }: Scene): Promise<CallRequest> {
  const answer = await test.call(passkeyRegisterOptions, { token: other.token, body: { password } });
  return { body: { credential: new Authenticator().make(answer.body.data.options) } };
}

const anothersPasskey = async ({ test, other }: Scene) => (await placePasskey(test, other.id)).id;

/** Who may call which endpoints of two-step verification and passkeys. */
export const factorsRows: Record<string, Row> = {
  'POST /auth/login/totp': row(everyone(200), 400, anothersCode),
  'GET /auth/totp': { cells: signedIn(200) },
  'POST /auth/totp/setup': row(proven(200), 403, wrongPassword),
  'POST /auth/totp/enable': row(proven(200), 409, anothersSetUp),
  'POST /auth/totp/disable': row(signedIn(200), 422, anothersProof),
  'POST /auth/totp/recovery-codes': row(signedIn(200), 422, anothersProof),
  'POST /auth/totp/removal': row(everyone(200), 400, ({ other }) => ({ body: { challenge: other.refreshToken } })),
  'POST /auth/totp/removal/confirm': row(everyone(200), 400, ({ other }) => ({ body: { token: other.refreshToken } })),
  'POST /auth/totp/removal/stop': row(everyone(200), 400, ({ other }) => ({ body: { token: other.refreshToken } })),
  'POST /admin/users/{id}/factors/reset': row(permitted('users.secure', 200), 403, ({ other }) => ({
    params: { id: other.id },
    body: { reason: 'I say so' },
  })),
  'POST /auth/passkeys/register/options': row(proven(200), 403, wrongPassword),
  'POST /auth/passkeys/register/verify': row(proven(200), 422, anothersMaking),
  'POST /auth/passkeys/login/options': { cells: everyone(200) },
  'POST /auth/passkeys/login/verify': row(everyone(200), 401, async ({ test }) => ({
    body: { credential: await assertionOf(test, new Authenticator()) },
  })),
  'GET /auth/passkeys': { cells: signedIn(200) },
  'PATCH /auth/passkeys/{id}': row(signedIn(200), 404, async (scene) => ({
    params: { id: await anothersPasskey(scene) },
    body: { name: 'Mine' },
  })),
  'DELETE /auth/passkeys/{id}': row(signedIn(200), 404, async (scene) => ({
    params: { id: await anothersPasskey(scene) },
    body: { password },
  })),
};
