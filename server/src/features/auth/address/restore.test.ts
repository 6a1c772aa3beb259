import { describe, expect, it } from 'vitest';
import { changePassword, leaveService, resetPassword, restoreEmail, stopRestore } from '#contract/auth/auth.ts';
import { enableTotp, setUpTotp, type Proof } from '#contract/auth/factors.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { askForChange, carryOut, changeAddress, mailedToken } from '../../../../test/address-change.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  challengeOf,
  codeAt,
  placeFactor,
  placePasskey,
  signInByPasskey,
} from '../../../../test/factors.ts';
import { newAddress, password, passwordHash } from '../../../../test/guards/people.ts';
import { resetTokenFor } from '../../../../test/guards/requests.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const newPassword = 'a password only I know';
const attackers = 'the password of a thief';
const day = 86_400;
const hour = 3600;
const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });

const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
const restore = (token: string, proof: Proof & { newPassword?: string }) =>
  test.call(restoreEmail, { body: { token, newPassword, ...proof } });
const addressOf = async ({ id }: { id: string }) =>
  (await test.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
const headings = async (email: string) => (await test.outbox(email)).map(({ text }) => text.toLowerCase()).join('\n');
const signsIn = async (email: string, secret: string) =>
  (await test.call(login, { body: { email, password: secret } })).status;
const restoreAtOf = async (token: string) =>
  (await test.call(getProfile, { token })).body.userData.addressRestoreAt ?? null;

/** An account whose address was changed by someone who knows the password. */
async function stolen(owner: TestMember, proof?: Proof) {
  const thief = { ...owner, ...(await signIn(test, owner.id)) };
  const { email, undo } = await changeAddress(test, thief, newAddress(), proof);
  test.clock.advance(60);
  return { thief: { ...thief, email }, email, undo };
}
const replacePassword = ({ token }: Pick<TestMember, 'token'>, from = password, to = attackers) =>
  test.call(changePassword, { token, body: { currentPassword: from, password: to } });
/** Adds a second factor. */
async function addFactor({ id }: { id: string }): Promise<string> {
  const secret = await placeFactor(test, id);
  await test.db.updateTable('totp_factor').set({ since: test.clock.now() }).where('account_id', '=', id).execute();
  return secret;
}

/**
 * An attempt to undo a change by someone who reads one mailbox and shows a password and a code, each from before or
 * after the change.
 */
interface Tried {
  mailbox: 'older' | 'newer';
  password: 'older' | 'newer' | 'no' | 'long replaced';
  factor: 'older' | 'newer' | 'no' | 'withheld older';
  result: 'at once' | 'in 72 hours' | 'PROOF_REQUIRED' | 'WRONG_PASSWORD' | 'INVALID_CODE';
}
const tries: Tried[] = [
  { mailbox: 'older', password: 'older', factor: 'no', result: 'in 72 hours' },
  { mailbox: 'older', password: 'older', factor: 'newer', result: 'in 72 hours' },
  { mailbox: 'older', password: 'older', factor: 'older', result: 'at once' },
  { mailbox: 'older', password: 'no', factor: 'older', result: 'at once' },
  { mailbox: 'older', password: 'no', factor: 'newer', result: 'PROOF_REQUIRED' },
  { mailbox: 'older', password: 'older', factor: 'withheld older', result: 'PROOF_REQUIRED' },
  { mailbox: 'older', password: 'no', factor: 'no', result: 'PROOF_REQUIRED' },
  { mailbox: 'older', password: 'long replaced', factor: 'no', result: 'WRONG_PASSWORD' },
  { mailbox: 'older', password: 'newer', factor: 'no', result: 'INVALID_CODE' },
  { mailbox: 'older', password: 'newer', factor: 'newer', result: 'INVALID_CODE' },
  { mailbox: 'older', password: 'newer', factor: 'older', result: 'INVALID_CODE' },
  { mailbox: 'newer', password: 'older', factor: 'no', result: 'INVALID_CODE' },
  { mailbox: 'newer', password: 'older', factor: 'older', result: 'INVALID_CODE' },
  { mailbox: 'newer', password: 'newer', factor: 'newer', result: 'INVALID_CODE' },
];

describe('POST /auth/change-email/restore', () => {
  it.each(tries)('with the $mailbox mailbox, $password password and $factor second factor: $result', async (tried) => {
    const owner = await member();
    let current = password;
    if (tried.password === 'long replaced') {
      await replacePassword(owner, password, newPassword);
      current = newPassword;
    }
    const showsFactor = tried.factor === 'older' || tried.factor === 'newer';
    let secret = tried.factor.endsWith('older') ? await placeFactor(test, owner.id) : undefined;
    const codeNow = () => {
      test.clock.advance(30);
      return secret === undefined ? {} : { code: codeAt(secret, test.clock.now()) };
    };
    const asked = await askForChange(test, owner, newAddress(), { password: current, ...codeNow() });
    const { email, undo } = await changeAddress(test, owner, newAddress(), { password: current, ...codeNow() });
    test.clock.advance(60);
    if (tried.factor === 'newer') secret = await addFactor(owner);
    if (tried.password === 'newer') {
      const body = { currentPassword: current, password: attackers, ...codeNow() };
      expect((await test.call(changePassword, { token: owner.token, body })).status).toBe(200);
    }
    const shown = tried.password === 'no' ? {} : { password: tried.password === 'newer' ? attackers : password };
    const answer = await restore(tried.mailbox === 'older' ? undo : asked.link, {
      ...shown,
      ...(showsFactor ? codeNow() : {}),
    });
    if (tried.result === 'at once') expect(answer.body.data).toEqual({ takesEffectAt: null });
    else if (tried.result === 'in 72 hours') {
      const at = new Date(test.clock.now().getTime() + 72 * hour * 1000).toISOString();
      expect(answer.body.data).toEqual({ takesEffectAt: at });
    } else expect(answer.error.code).toBe(tried.result);
    expect(await addressOf(owner)).toBe(tried.result === 'at once' ? owner.email : email);
    await carryOut(test);
    expect(await addressOf(owner)).toBe(['at once', 'in 72 hours'].includes(tried.result) ? owner.email : email);
    // Neither the password nor access to the mailbox removes a factor.
    const left = await test.db.selectFrom('totp_factor').selectAll().where('account_id', '=', owner.id).execute();
    expect(left).toHaveLength(secret === undefined ? 0 : 1);
  });

  it('announces the pending restore to both addresses and every device, and restores once', async () => {
    const owner = await member();
    const { thief, email, undo } = await stolen(owner);
    const { takesEffectAt } = (await restore(undo, { password })).body.data;
    expect(await restoreAtOf(thief.token)).toBe(takesEffectAt);
    for (const address of [owner.email, email])
      expect(await headings(address)).toContain('a change of address will be undone');
    expect((await restore(undo, { password })).error.code).toBe('CONFLICT');
    test.clock.advance(72 * hour - 1);
    await test.app.background.tasks['auth.restoreAddresses']?.({}, {} as never);
    expect([await addressOf(owner), await signsIn(email, password)]).toEqual([email, 200]);
    test.clock.advance(1);
    const job = () => test.app.background.tasks['auth.restoreAddresses']?.({}, {} as never);
    await Promise.all([job(), job()]);
    expect(await addressOf(owner)).toBe(owner.email);
    expect(await test.db.selectFrom('session').select('id').where('account_id', '=', owner.id).execute()).toEqual([]);
    expect(await signsIn(owner.email, newPassword)).toBe(200);
    for (const [address, secret] of [
      [owner.email, password],
      [email, password],
      [email, newPassword],
    ] as const)
      expect(await signsIn(address, secret)).toBe(401);
    for (const address of [owner.email, email])
      expect((await headings(address)).split('a change of address was undone')).toHaveLength(2);
    expect(await restoreAtOf((await signIn(test, owner.id)).token)).toBeNull();
    expect((await restore(undo, { password })).error.code).toBe('INVALID_CODE');
  });

  it('emails every change to the account to its previous address', async () => {
    const owner = await member();
    const { thief, email } = await stolen(owner);
    const { data: setup } = (await test.call(setUpTotp, { token: thief.token, body: { password } })).body;
    const code = codeAt(setup.secret, test.clock.now());
    expect((await test.call(enableTotp, { token: thief.token, body: { code } })).status).toBe(200);
    expect(await headings(owner.email)).toContain('two-step verification is on');
    const body = { token: await resetTokenFor(test, email), password: attackers };
    expect((await test.call(resetPassword, { body })).status).toBe(200);
    expect(await headings(owner.email)).toContain('your password was changed');
    test.clock.advance(60);
    const again = { token: (await signIn(test, owner.id)).token };
    const proof = { password: attackers, code: codeAt(setup.secret, test.clock.now()) };
    expect((await test.call(leaveService, { token: again.token, body: proof })).status).toBe(200);
    const told = await headings(owner.email);
    expect(told).toContain('your account will be deleted');
    expect(told).not.toContain('restore=');
  });

  it('returns which proof is needed, and keeps the link valid after a refusal', async () => {
    const owner = await member();
    const { undo } = await stolen(owner);
    expect((await restore(undo, { password: attackers })).error.code).toBe('WRONG_PASSWORD');
    expect((await restore(undo, { code: '123456' })).error.code).toBe('PROOF_REQUIRED');
    const bare = await test.call(restoreEmail, { body: { token: undo } });
    const proof = { purpose: 'restore', hasPassword: true, hasFactor: false, hasPasskey: false };
    expect(bare.error).toMatchObject({ code: 'PROOF_REQUIRED', data: { proof } });
    expect((await test.call(restoreEmail, { body: { token: undo, password } })).error.code).toBe('PROOF_REQUIRED');
    expect((await restore(undo, { password, newPassword: 'heartwood-heartwood' })).error.code).toBe('PASSWORD_REFUSED');
    expect((await restore(undo, { password })).status).toBe(200);
  });

  it('accepts the link for seven days', async () => {
    const { undo: inTime } = await changeAddress(test, await member());
    test.clock.advance(7 * day - 1);
    expect((await restore(inTime, { password })).status).toBe(200);
    const { undo: late } = await changeAddress(test, await member());
    test.clock.advance(7 * day);
    expect((await restore(late, { password })).error.code).toBe('INVALID_CODE');
  });

  it('requires a passkey that existed before the change, and rejects newer ones and those of other accounts', async () => {
    const owner = await member();
    const { authenticator } = await placePasskey(test, owner.id);
    const { undo } = await stolen(owner, { passkey: await assertionOf(test, authenticator) });
    expect((await restore(undo, { password })).error).toMatchObject({
      code: 'PROOF_REQUIRED',
      data: { proof: { hasPassword: false, hasPasskey: true } },
    });
    for (const { id } of [owner, await member()]) {
      const passkey = await assertionOf(test, (await placePasskey(test, id)).authenticator);
      expect((await restore(undo, { passkey })).error.code).toBe('PASSKEY_REFUSED');
    }
    expect((await restore(undo, { passkey: await assertionOf(test, authenticator) })).status).toBe(200);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it('removes sign-in methods added since the change or in the week before it, and keeps older ones', async () => {
    const owner = await member();
    const { authenticator } = await placePasskey(test, owner.id);
    const link = (provider: 'google' | 'facebook') =>
      test.db
        .insertInto('identity')
        .values({ provider, subject: `${provider}-${owner.id}`, account_id: owner.id, linked_at: test.clock.now() })
        .execute();
    await link('google');
    test.clock.advance(8 * day);
    const shortlyBefore = await placePasskey(test, owner.id);
    test.clock.advance(60);
    const { undo } = await stolen(owner, { passkey: await assertionOf(test, authenticator) });
    await link('facebook');
    const added = await placePasskey(test, owner.id);
    await addFactor(owner);
    expect((await restore(undo, { passkey: await assertionOf(test, authenticator) })).status).toBe(200);
    const left = await test.db.selectFrom('identity').select('provider').where('account_id', '=', owner.id).execute();
    expect(left).toEqual([{ provider: 'google' }]);
    for (const passkey of [shortlyBefore, added])
      expect((await signInByPasskey(test, passkey.authenticator)).status).toBe(401);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
    const signedIn = await test.call(login, { body: { email: owner.email, password: newPassword } });
    expect(signedIn.body.data).toHaveProperty('token');
  });

  it('removes new passkeys when only a password is given, and keeps a new second factor until it is reported as lost', async () => {
    const owner = await member();
    const { undo } = await stolen(owner);
    const added = await placePasskey(test, owner.id);
    await addFactor(owner);
    await restore(undo, { password });
    await carryOut(test);
    expect((await signInByPasskey(test, added.authenticator)).status).toBe(401);
    expect(await challengeOf(test, owner.email, newPassword)).toBeTruthy();
  });

  it('also undoes later changes, and their undo links stop working', async () => {
    const owner = await member();
    const first = await changeAddress(test, owner);
    test.clock.advance(day);
    const moved = { email: first.email, ...(await signIn(test, owner.id)) };
    const second = await changeAddress(test, moved);
    await restore(first.undo, { password });
    await carryOut(test);
    expect(await addressOf(owner)).toBe(owner.email);
    expect((await restore(second.undo, { password: newPassword })).error.code).toBe('INVALID_CODE');
  });

  it('is refused while another account uses the old address, and is dropped if one takes it meanwhile', async () => {
    const owner = await member();
    const { undo, email } = await stolen(owner);
    const other = await member({ email: owner.email });
    expect((await restore(undo, { password })).error.code).toBe('EMAIL_TAKEN');
    await test.db.deleteFrom('account').where('id', '=', other.id).execute();
    expect((await restore(undo, { password })).status).toBe(200);
    await member({ email: owner.email });
    await carryOut(test);
    expect([await addressOf(owner), await signsIn(email, password)]).toEqual([email, 200]);
    expect(await restoreAtOf((await signIn(test, owner.id)).token)).toBeNull();
  });
});

type Stop = (of: { owner: TestMember; thief: TestMember }) => Promise<{ status: number }>;
const stopByLink = async (email: string) =>
  test.call(stopRestore, { body: { token: await mailedToken(test, email, 'stop') } });
const stops: [string, Stop][] = [
  ['the link mailed to the old address', async ({ owner }) => stopByLink(owner.email)],
  ['the link mailed to the new address', async ({ thief }) => stopByLink(thief.email)],
  ['a device that is signed in', async ({ thief: { token } }) => test.call(stopRestore, { token, body: {} })],
  ['a new password at the new address', async ({ thief }) => replacePassword(thief)],
  [
    'a password reset at the new address',
    async ({ thief: { email } }) =>
      test.call(resetPassword, { body: { token: await resetTokenFor(test, email), password: attackers } }),
  ],
];

describe('POST /auth/change-email/restore/stop', () => {
  it.each(stops)('stops the restore by %s, and invalidates the undo link', async (_, stop) => {
    const owner = await member();
    const { thief, undo } = await stolen(owner);
    await restore(undo, { password });
    expect((await stop({ owner, thief })).status).toBe(200);
    expect(await restoreAtOf((await signIn(test, owner.id)).token)).toBeNull();
    expect((await restore(undo, { password })).error.code).toBe('INVALID_CODE');
    expect((await stopByLink(owner.email)).error.code).toBe('INVALID_CODE');
    await carryOut(test);
    expect(await addressOf(owner)).toBe(thief.email);
  });

  it('notifies both addresses', async () => {
    const owner = await member();
    const { thief, email, undo } = await stolen(owner);
    await restore(undo, { password });
    await test.call(stopRestore, { token: thief.token, body: {} });
    for (const address of [owner.email, email])
      expect(await headings(address)).toContain('your email address stays as it is');
  });

  it('returns 401 to visitors, and changes nothing when no restore is pending', async () => {
    const owner = await member();
    const { thief, undo } = await stolen(owner);
    expect((await test.call(stopRestore, { body: {} })).status).toBe(401);
    expect((await test.call(stopRestore, { token: thief.token, body: {} })).status).toBe(200);
    expect((await restore(undo, { password })).status).toBe(200);
  });
});
