import { beforeAll, describe, expect, it } from 'vitest';
import { changePassword, restoreEmail } from '#contract/auth/auth.ts';
import { setUpTotp } from '#contract/auth/factors.ts';
import { addIdentity, removeIdentity } from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import { carryOut, changeAddress } from '../../../../test/address-change.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { newAddress, password, passwordHash } from '../../../../test/guards/people.ts';
import type { TestApp } from '../../../../test/harness.ts';

const newPassword = 'a password only I know';
const attackers = 'the password of a thief';
let test: TestApp;
let google: TestIssuer;
beforeAll(async () => {
  const started = await startWithGoogle({ RATE_LIMITS: 'on' });
  ({ google, test } = started);
  return started.close;
});

const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
const restore = async (token: string, secret: string) => {
  const asked = await test.call(restoreEmail, { body: { token, newPassword, password: secret } });
  await carryOut(test);
  return asked;
};
const replacePassword = ({ token }: Pick<TestMember, 'token'>, from: string, to: string) =>
  test.call(changePassword, { token, body: { currentPassword: from, password: to } });

describe('restoring an address after an attacker changed it', () => {
  it('removes the identity that the attacker linked before the change', async () => {
    const owner = await member();
    const thief = { ...owner, ...(await signIn(test, owner.id)) };
    const tokenId = () => google.token(test.clock.now(), { sub: 'the-thief-at-google' });
    const added = await test.call(addIdentity, { token: thief.token, body: { tokenId: await tokenId(), password } });
    expect(added.status).toBe(200);
    test.clock.advance(1);
    const { undo } = await changeAddress(test, thief);
    expect((await restore(undo, password)).status).toBe(200);
    const left = await test.db.selectFrom('identity').select('provider').where('account_id', '=', owner.id).execute();
    expect(left).toEqual([]);
  });

  it('protects members without a password: sign-in methods can’t be added or removed for a week', async () => {
    const owner = await makeMember(test);
    await test.db
      .insertInto('identity')
      .values({ provider: 'google', subject: `of-${owner.id}`, account_id: owner.id, linked_at: test.clock.now() })
      .execute();
    const { undo } = await changeAddress(test, owner, newAddress(), {});
    const { token } = owner;
    const tokenId = await google.token(test.clock.now());
    for (const answer of [
      await test.call(changePassword, { token, body: { password: attackers } }),
      await test.call(removeIdentity, { token, params: { provider: 'google' }, body: {} }),
      await test.call(addIdentity, { token, body: { tokenId } }),
      await test.call(setUpTotp, { token, body: {} }),
    ])
      expect(answer.error.code).toBe('CONFLICT');
    expect(undo).not.toBe('');
  });
});

describe('failed sign-ins by strangers', () => {
  it('block neither a signed-in session nor restoring the address', async () => {
    const owner = await member();
    const thief = { ...owner, ...(await signIn(test, owner.id)) };
    const { undo } = await changeAddress(test, thief);
    for (let n = 0; n < 12; n += 1)
      await test.call(login, { body: { email: owner.email, password: `guess ${n}` }, headers: { 'x-n': String(n) } });
    expect((await test.call(login, { body: { email: owner.email, password } })).status).toBe(429);
    expect((await restore(undo, password)).status).toBe(200);
    const { token } = await signIn(test, owner.id);
    expect((await replacePassword({ token }, newPassword, attackers)).status).toBe(200);
  });

  it('never cause correct passwords that arrive at the same time to be refused', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => member()));
    const answers = await Promise.all(
      owners.map(({ email }, n) => {
        test.clock.advance(n % 2 === 0 ? 0.05 : -0.05);
        return test.call(login, { body: { email, password } });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(owners.map(() => 200));
  });
});
