import { describe, expect, it } from 'vitest';
import {
  changeEmail,
  changePassword,
  endOtherSessions,
  endSession,
  leaveService,
  listSessions,
  restoreAccount,
} from '#contract/auth/auth.ts';
import { askForRemoval, confirmRemoval, disableTotp, loginWithCode, type Proof } from '#contract/auth/factors.ts';
import { removePasskey } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { askForExport, currentCodeHeader, currentPasskeyHeader, currentPasswordHeader } from '#contract/takeout.ts';
import { downloadArchive, whileJobsRun } from '../../../../test/archive.ts';
import { changeAddress, mailedToken } from '../../../../test/address-change.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  challengeOf,
  codeAt,
  placeFactor,
  placePasskey,
  turnOn,
  wrongCodeAt,
} from '../../../../test/factors.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { untilLocked } from '../../../../test/until-locked.ts';

const day = 86_400;
const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
/** Signs the member in again, because their tokens expire as the clock moves on. */
const again = async (owner: TestMember) => ({ ...owner, ...(await signIn(test, owner.id)) });

interface Protected {
  owner: TestMember;
  /** Creates a new valid proof each time. */
  right: () => Promise<Proof>;
  /** Proofs that are refused despite the right password, with the status and code of the refusal. */
  wrong: () => Promise<[Proof, number, string][]>;
}

async function withTotp(): Promise<Protected> {
  const owner = await member();
  const secret = await placeFactor(test, owner.id);
  const strangers = (await placePasskey(test, (await member()).id)).authenticator;
  return {
    owner,
    right: () => {
      test.clock.advance(30);
      return Promise.resolve({ code: codeAt(secret, test.clock.now()) });
    },
    wrong: async () => [
      [{}, 400, 'INVALID_INPUT'],
      [{ code: wrongCodeAt(secret, test.clock.now()) }, 400, 'INVALID_CODE'],
      [{ passkey: await assertionOf(test, strangers) }, 422, 'PASSKEY_REFUSED'],
    ],
  };
}

async function withPasskey(): Promise<Protected> {
  const owner = await member();
  const { authenticator } = await placePasskey(test, owner.id);
  const strangers = (await placePasskey(test, (await member()).id)).authenticator;
  return {
    owner,
    right: async () => ({ passkey: await assertionOf(test, authenticator) }),
    wrong: async () => [
      [{}, 403, 'PROOF_REQUIRED'],
      [{ code: '123456' }, 403, 'PROOF_REQUIRED'],
      [{ passkey: await assertionOf(test, strangers) }, 422, 'PASSKEY_REFUSED'],
    ],
  };
}

/** A member with two-step verification and a passkey, who shows only the passkey. */
async function withBoth(): Promise<Protected> {
  const guarded = await withPasskey();
  await placeFactor(test, guarded.owner.id);
  const [, , strangers] = await guarded.wrong();
  return { ...guarded, wrong: () => Promise.resolve([[{}, 400, 'INVALID_INPUT'], ...(strangers ? [strangers] : [])]) };
}

type Refusal = { status: number; raw: string };
type Sensitive = (owner: TestMember, proof: Omit<Proof, 'password'>) => Promise<Refusal>;

async function takeOut({ token }: TestMember, proof: Proof): Promise<Refusal> {
  const headers = {
    [currentPasswordHeader]: encodeURIComponent(password),
    ...(proof.code === undefined ? {} : { [currentCodeHeader]: proof.code }),
    ...(proof.passkey === undefined
      ? {}
      : { [currentPasskeyHeader]: encodeURIComponent(JSON.stringify(proof.passkey)) }),
  };
  const { statusCode, body } = await whileJobsRun(test, downloadArchive(test, token, headers));
  return { status: statusCode, raw: statusCode === 200 ? '' : body };
}

async function endAnother({ id, token }: TestMember, proof: Proof): Promise<Refusal> {
  const other = await signIn(test, id);
  return await test.call(endSession, { token, params: { id: other.sessionId }, body: proof });
}

/** Marks the account as leaving in the database, and restores it with the handle that the password alone returns. */
async function comeBack({ id, email }: TestMember, proof: Omit<Proof, 'password'>): Promise<Refusal> {
  await test.db.updateTable('account').set({ leaving_since: test.clock.now() }).where('id', '=', id).execute();
  const { error } = await test.call(login, { body: { email, password } });
  return await test.call(restoreAccount, { body: { token: error.data?.restoreToken ?? '', ...proof } });
}

const sensitive = Object.entries<Sensitive>({
  'changing the address': ({ token }, proof) =>
    test.call(changeEmail, { token, body: { email: newAddress(), password, ...proof } }),
  'changing the password': ({ token }, proof) =>
    test.call(changePassword, { token, body: { currentPassword: password, password: newPassword, ...proof } }),
  'exporting the data': ({ token }, proof) => test.call(askForExport, { token, body: { password, ...proof } }),
  'downloading the data': takeOut,
  'deleting the account': ({ token }, proof) => test.call(leaveService, { token, body: { password, ...proof } }),
  'ending one device': endAnother,
  'ending all other devices': ({ token }, proof) => test.call(endOtherSessions, { token, body: proof }),
  'restoring a deleted account': comeBack,
});
const protections: [string, () => Promise<Protected>][] = [
  ['two-step verification', withTotp],
  ['a passkey', withPasskey],
  ['both', withBoth],
];

describe.each(sensitive)('%s', (_, act) => {
  it.each(protections)(
    'is refused without a second factor and works with it, for accounts with %s',
    async (__, protect) => {
      const { owner, right, wrong } = await protect();
      for (const [proof, status, code] of await wrong()) {
        const refused = await act(owner, proof);
        expect([refused.status, refused.raw.includes(`"code":"${code}"`)], refused.raw).toEqual([status, true]);
      }
      expect((await act(owner, await right())).status).toBe(200);
    },
  );

  it('requires no factor if the account has none', async () => {
    expect((await act(await member(), {})).status).toBe(200);
  });
});

describe('a sensitive action without the required factor', () => {
  it('leaves the devices, the address and the password unchanged', async () => {
    const { owner } = await withTotp();
    await signIn(test, owner.id);
    for (const [name, act] of sensitive.slice(0, -1)) expect((await act(owner, {})).status, name).toBe(400);
    const { sessions } = (await test.call(listSessions, { token: owner.token })).body.data;
    expect(sessions.length).toBeGreaterThanOrEqual(3);
    expect(await test.outbox(owner.email)).toEqual([]);
    expect((await test.call(login, { body: { email: owner.email, password } })).status).toBe(200);
  });

  it('still lets members sign out their own device', async () => {
    const { owner } = await withTotp();
    const { token, sessionId: id } = owner;
    expect((await test.call(endSession, { token, params: { id }, body: {} })).status).toBe(200);
  });
});

describe('restoring a deleted account', () => {
  it('emails its owner, and keeps the handle valid until the factor was confirmed', async () => {
    const { owner, right } = await withTotp();
    const left = await test.call(leaveService, { token: owner.token, body: { password, ...(await right()) } });
    expect(left.status).toBe(200);
    const token = await mailedToken(test, owner.email, 'restore');
    expect((await test.call(restoreAccount, { body: { token } })).status).toBe(400);
    test.clock.advance(1);
    expect((await test.call(restoreAccount, { body: { token, ...(await right()) } })).status).toBe(200);
    expect((await test.outbox(owner.email))[0]?.text).toMatch(/account was restored/i);
    expect((await test.call(restoreAccount, { body: { token, ...(await right()) } })).error.code).toBe('INVALID_CODE');
  });
});

describe('after a change of address', () => {
  it('second factors and passkeys cannot be removed for seven days', async () => {
    const { owner, right } = await withTotp();
    const { id: passkeyId } = await placePasskey(test, owner.id);
    const { email } = await changeAddress(test, owner, undefined, { password, ...(await right()) });
    const attempts = async ({ token }: TestMember) => [
      await test.call(disableTotp, { token, body: { password, ...(await right()) } }),
      await test.call(removePasskey, { token, params: { id: passkeyId }, body: { password, ...(await right()) } }),
      await test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } }),
    ];
    for (const { error } of await attempts(owner)) expect(error.code).toBe('CONFLICT');
    test.clock.advance(7 * day - 300);
    for (const { error } of await attempts(await again(owner))) expect(error.code).toBe('CONFLICT');
    test.clock.advance(300);
    const { token } = await again(owner);
    const asked = await test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } });
    const params = { id: passkeyId };
    const removed = await test.call(removePasskey, { token, params, body: { password, ...(await right()) } });
    const off = await test.call(disableTotp, { token, body: { password, ...(await right()) } });
    expect([asked.status, removed.status, off.status]).toEqual([200, 200, 200]);
    const texts = (await test.outbox(owner.email)).map(({ text }) => text.toLowerCase()).join();
    expect(texts).toContain('passkey removed');
    expect(texts).toContain('two-step verification is off');
  });

  it('a warning about the removal of a factor goes to the old address for fourteen days, without the undo link', async () => {
    for (const [days, isWarned] of [
      [8, true],
      [14, false],
    ] as const) {
      const { owner, right } = await withTotp();
      const { email } = await changeAddress(test, owner, undefined, { password, ...(await right()) });
      test.clock.advance(days * day);
      const known = (await test.outbox(owner.email)).length;
      await test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } });
      const token = await mailedToken(test, email, 'remove');
      expect(await mailedToken(test, owner.email, 'remove')).toBe('');
      test.clock.advance(1);
      expect((await test.call(confirmRemoval, { body: { token } })).status).toBe(200);
      const texts = (await test.outbox(owner.email)).map(({ text }) => text.toLowerCase());
      expect(texts.length - known).toBe(isWarned ? 2 : 0);
      expect(texts.some((text) => text.includes('asked to turn off two-step verification'))).toBe(isWarned);
      expect((await mailedToken(test, owner.email, 'keep')) !== '').toBe(isWarned);
    }
  });
});

describe('two-step codes after a change of address', () => {
  it('are reported to the old address too, when a recovery code is used or codes are guessed', async () => {
    const owner = await member();
    const { recoveryCodes, secret } = await turnOn(test, owner, password);
    test.clock.advance(30);
    const code = codeAt(secret, test.clock.now());
    const { email } = await changeAddress(test, await again(owner), undefined, { password, code });
    const signIn = async (typed: string) =>
      test.call(loginWithCode, { body: { challenge: await challengeOf(test, email, password), code: typed } });
    const texts = async () => (await test.outbox(owner.email)).map(({ text }) => text.toLowerCase()).join();
    expect((await signIn(recoveryCodes[0] ?? '')).status).toBe(200);
    expect(await texts()).toContain('a recovery code was used');
    for (let tries = 0; tries < 5; tries += 1)
      expect((await signIn(wrongCodeAt(secret, test.clock.now()))).status).toBe(400);
    expect(await texts()).toContain('wrong codes were entered');
  });
});

describe('a sensitive change that is running when its session ends', () => {
  it.each<[string, (who: TestMember, proof: Proof) => Promise<{ status: number }>]>([
    [
      'change of address',
      ({ token }, proof) => test.call(changeEmail, { token, body: { email: newAddress(), ...proof } }),
    ],
    ['deletion of the account', ({ token }, proof) => test.call(leaveService, { token, body: proof })],
  ])('returns 401 and changes nothing: %s', async (_, change) => {
    for (const { owner, right } of [{ owner: await member(), right: null }, await withPasskey()]) {
      const proof = right === null ? { password } : await right();
      const held = await test.pool.connect();
      await held.query('begin');
      await held.query('select from account where id = $1 for no key update', [owner.id]);
      const under = change(owner, proof);
      await untilLocked(test.pool);
      await held.query('delete from session where account_id = $1', [owner.id]);
      await held.query('commit');
      held.release();
      expect((await under).status).toBe(401);
      const { rows } = await test.pool.query('select leaving_since from account where id = $1', [owner.id]);
      expect(rows).toEqual([{ leaving_since: null }]);
    }
  });
});
