import { setUpTotp } from '#contract/auth/factors.ts';
import { passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import { assertionOf, codeAt, placeFactor, placePasskey } from '../../factors.ts';
import { administrator, everyone, signedIn, type Cells, type Row } from '../access-cells.ts';
import { halfSignedIn } from './factors-requests.ts';
import { password } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** Sign-in methods can't be added before the address is confirmed: they would survive its owner's takeover. */
const proven = (status: number): Cells => ({ ...signedIn(status), unverified: 403 });

const wrongPassword = (): CallRequest => ({ body: { password: 'not my own one' } });

/** One account's challenge with another's code. */
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

/** Another browser's options for a passkey. */
async function anothersMaking({ test, other }: Scene): Promise<CallRequest> {
  const answer = await test.call(passkeyRegisterOptions, { token: other.token, body: { password } });
  return { body: { credential: new Authenticator().make(answer.body.data.options) } };
}

const anothersPasskey = async ({ test, other }: Scene) => (await placePasskey(test, other.id)).id;

/** Who may call what about two-step verification and passkeys. */
export const factorsRows: Record<string, Row> = {
  'POST /auth/login/totp': { cells: everyone(200), others: { status: 400, request: anothersCode } },
  'GET /auth/totp': { cells: signedIn(200) },
  'POST /auth/totp/setup': { cells: proven(200), others: { status: 403, request: wrongPassword } },
  'POST /auth/totp/enable': { cells: proven(200), others: { status: 409, request: anothersSetUp } },
  'POST /auth/totp/disable': { cells: signedIn(200), others: { status: 422, request: anothersProof } },
  'POST /auth/totp/recovery-codes': { cells: signedIn(200), others: { status: 422, request: anothersProof } },
  'POST /auth/totp/removal': {
    cells: everyone(200),
    others: { status: 400, request: ({ other }) => ({ body: { challenge: other.refreshToken } }) },
  },
  'POST /auth/totp/removal/confirm': {
    cells: everyone(200),
    others: { status: 400, request: ({ other }) => ({ body: { token: other.refreshToken } }) },
  },
  'POST /auth/totp/removal/stop': {
    cells: everyone(200),
    others: { status: 400, request: ({ other }) => ({ body: { token: other.refreshToken } }) },
  },
  'POST /admin/users/{id}/factors/reset': {
    cells: administrator(200),
    others: { status: 403, request: ({ other }) => ({ params: { id: other.id }, body: { reason: 'I say so' } }) },
  },
  'POST /auth/passkeys/register/options': { cells: proven(200), others: { status: 403, request: wrongPassword } },
  'POST /auth/passkeys/register/verify': { cells: proven(200), others: { status: 422, request: anothersMaking } },
  'POST /auth/passkeys/login/options': { cells: everyone(200) },
  'POST /auth/passkeys/login/verify': {
    cells: everyone(200),
    others: {
      status: 401,
      request: async ({ test }) => ({ body: { credential: await assertionOf(test, new Authenticator()) } }),
    },
  },
  'GET /auth/passkeys': { cells: signedIn(200) },
  'PATCH /auth/passkeys/{id}': {
    cells: signedIn(200),
    others: {
      status: 404,
      request: async (scene) => ({ params: { id: await anothersPasskey(scene) }, body: { name: 'Mine' } }),
    },
  },
  'DELETE /auth/passkeys/{id}': {
    cells: signedIn(200),
    others: {
      status: 404,
      request: async (scene) => ({ params: { id: await anothersPasskey(scene) }, body: { password } }),
    },
  },
};
