import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePassword, leaveService, resetPassword, restoreEmail } from '#contract/auth/auth.ts';
import { enableTotp, setUpTotp, type Proof } from '#contract/auth/factors.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { changeAddress } from '../../../../test/address-change.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { assertionOf, codeAt, placeFactor, placePasskey, signInByPasskey } from '../../../../test/factors.ts';
import { newAddress, password, passwordHash } from '../../../../test/guards/people.ts';
import { resetTokenFor } from '../../../../test/guards/requests.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

const newPassword = 'a password only I know';
const attackers = 'the password of a thief';
const day = 86_400;
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ PUBLIC_URL: 'http://localhost:3000' });
});
afterAll(() => test.close());

const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
const restore = (token: string, proof: Proof & { newPassword?: string }) =>
  test.call(restoreEmail, { body: { token, newPassword, ...proof } });
const addressOf = async ({ id }: { id: string }) =>
  (await test.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
const headings = async (email: string) => (await test.outbox(email)).map(({ text }) => text.toLowerCase()).join('\n');
const signsIn = async (email: string, secret: string) =>
  (await test.call(login, { body: { email, password: secret } })).status;

/** An account that someone who knows its password has taken: another address, then another password. */
async function stolen(owner: TestMember, proof?: Proof) {
  const thief = { ...owner, ...(await signIn(test, owner.id)) };
  const { email, undo } = await changeAddress(test, thief, newAddress(), proof);
  test.clock.advance(60);
  return { thief, email, undo };
}
const replacePassword = ({ token }: TestMember) =>
  test.call(changePassword, { token, body: { currentPassword: password, password: attackers } });

describe('undoing a change of address', () => {
  it('works with the password of before, ends every session and asks for a new password', async () => {
    const owner = await member();
    const { thief, email, undo } = await stolen(owner);
    expect((await replacePassword(thief)).status).toBe(200);
    expect((await restore(undo, { password })).status).toBe(200);
    expect(await addressOf(owner)).toBe(owner.email);
    expect((await test.call(getProfile, { token: thief.token })).status).toBe(401);
    expect(await signsIn(owner.email, newPassword)).toBe(200);
    for (const [address, secret] of [
      [owner.email, password],
      [owner.email, attackers],
      [email, attackers],
      [email, newPassword],
    ] as const)
      expect(await signsIn(address, secret)).toBe(401);
    for (const address of [owner.email, email])
      expect(await headings(address)).toContain('a change of address was undone');
    expect((await restore(undo, { password })).error.code).toBe('INVALID_CODE');
  });

  it('can be asked for by an owner who hears of all that happens to the account at the address of before', async () => {
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

  it('does not work with a password set afterwards, and the link stays valid', async () => {
    const owner = await member();
    const { thief, email, undo } = await stolen(owner);
    await replacePassword(thief);
    expect((await restore(undo, { password: attackers })).error.code).toBe('WRONG_PASSWORD');
    expect((await restore(undo, { code: '123456' })).error.code).toBe('WRONG_PASSWORD');
    const bare = await test.call(restoreEmail, { body: { token: undo } });
    const proof = { purpose: 'restore', hasPassword: true, hasFactor: false, hasPasskey: false };
    expect(bare.error).toMatchObject({ code: 'PROOF_REQUIRED', data: { proof } });
    expect((await test.call(restoreEmail, { body: { token: undo, password } })).error.code).toBe('PROOF_REQUIRED');
    expect((await restore(undo, {})).error.code).toBe('PROOF_REQUIRED');
    expect((await restore(undo, { password, newPassword: 'heartwood-heartwood' })).error.code).toBe('PASSWORD_REFUSED');
    expect(await addressOf(owner)).toBe(email);
    expect((await restore(undo, { password })).status).toBe(200);
  });

  it('works for seven days', async () => {
    const { undo: inTime } = await changeAddress(test, await member());
    test.clock.advance(7 * day - 1);
    expect((await restore(inTime, { password })).status).toBe(200);
    const { undo: late } = await changeAddress(test, await member());
    test.clock.advance(7 * day);
    expect((await restore(late, { password })).error.code).toBe('INVALID_CODE');
  });

  it('works with a code from the app of before, not of one set up since', async () => {
    const [owner, other] = [await member(), await member()];
    const secret = await placeFactor(test, owner.id);
    const { undo } = await stolen(owner, { password, code: codeAt(secret, test.clock.now()) });
    test.clock.advance(30);
    const next = await stolen(other);
    const added = await placeFactor(test, other.id);
    await test.db
      .updateTable('totp_factor')
      .set({ since: test.clock.now() })
      .where('account_id', '=', other.id)
      .execute();
    expect((await restore(next.undo, { code: codeAt(added, test.clock.now()) })).error.code).toBe('WRONG_PASSWORD');
    expect((await restore(undo, { code: codeAt(secret, test.clock.now()) })).status).toBe(200);
    expect([await addressOf(owner), await addressOf(other)]).toEqual([owner.email, next.email]);
  });

  it('works with a passkey of before, not with one added since, nor another’s', async () => {
    const owner = await member();
    const { authenticator } = await placePasskey(test, owner.id);
    const { undo } = await stolen(owner, { passkey: await assertionOf(test, authenticator) });
    for (const { id } of [owner, await member()]) {
      const passkey = await assertionOf(test, (await placePasskey(test, id)).authenticator);
      expect((await restore(undo, { passkey })).error.code).toBe('PASSKEY_REFUSED');
    }
    expect((await restore(undo, { passkey: await assertionOf(test, authenticator) })).status).toBe(200);
    expect(await addressOf(owner)).toBe(owner.email);
  });

  it('removes the sign-in methods added since or in the week before, and keeps older ones', async () => {
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
    await placeFactor(test, owner.id);
    await test.db
      .updateTable('totp_factor')
      .set({ since: test.clock.now() })
      .where('account_id', '=', owner.id)
      .execute();
    expect((await restore(undo, { password })).status).toBe(200);
    const left = await test.db.selectFrom('identity').select('provider').where('account_id', '=', owner.id).execute();
    expect(left).toEqual([{ provider: 'google' }]);
    for (const passkey of [shortlyBefore, added])
      expect((await signInByPasskey(test, passkey.authenticator)).status).toBe(401);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
    const signedIn = await test.call(login, { body: { email: owner.email, password: newPassword } });
    expect(signedIn.body.data).toHaveProperty('token');
  });

  it('undoes later changes too, whose links end', async () => {
    const owner = await member();
    const first = await changeAddress(test, owner);
    test.clock.advance(day);
    const moved = { email: first.email, ...(await signIn(test, owner.id)) };
    const second = await changeAddress(test, moved);
    expect((await restore(first.undo, { password })).status).toBe(200);
    expect(await addressOf(owner)).toBe(owner.email);
    expect((await restore(second.undo, { password: newPassword })).error.code).toBe('INVALID_CODE');
  });

  it('is refused while another account uses the old address', async () => {
    const owner = await member();
    const { undo, email } = await stolen(owner);
    const other = await member({ email: owner.email });
    expect((await restore(undo, { password })).error.code).toBe('EMAIL_TAKEN');
    expect([await addressOf(owner), await signsIn(email, password)]).toEqual([email, 200]);
    await test.db.deleteFrom('account').where('id', '=', other.id).execute();
    expect((await restore(undo, { password })).status).toBe(200);
  });
});
