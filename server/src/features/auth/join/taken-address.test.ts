import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeEmail, leaveService, register, restoreAccount } from '#contract/auth/auth.ts';
import { googleSignIn } from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { hashPassword } from '../password/hashing.ts';

const password = 'a long enough secret';
let passwordHash: string;
let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
  const started = await startWithGoogle();
  ({ google, test } = started);
  return started.close;
});

const person = (email: string) => ({ email, password, firstName: 'Rosa', acceptTerms: true });

describe('joining with the address of an account that is scheduled for deletion', () => {
  const leave = async (): Promise<TestMember> => {
    const member = await makeMember(test, { passwordHash });
    await test.call(leaveService, { token: member.token, body: { password } });
    return member;
  };
  /** The link of the email about joining again, or null without one. */
  const wayBack = async (email: string) => {
    await test.drain();
    const mails = (await test.outbox(email)).filter(({ text }) => text.includes('for a new account'));
    expect(mails.length).toBeLessThan(2);
    return mails[0]?.links[0] ?? null;
  };

  it('answers as for any address in use, and emails the owner a link that restores the account', async () => {
    const member = await leave();
    const stranger = await makeMember(test);
    const [answer, usual] = [
      await test.call(register, { body: person(member.email) }),
      await test.call(register, { body: person(stranger.email) }),
    ];
    const { requestId: _, ...shown } = answer.error;
    expect(usual.error).toMatchObject(shown);
    expect([answer.status, usual.status]).toEqual([409, 409]);
    const link = new URL((await wayBack(member.email)) ?? '');
    expect(link.pathname).toBe('/app/sign-in');
    const token = tokenIn(link.href, 'restore') ?? '';
    expect((await test.call(restoreAccount, { body: { token } })).status).toBe(200);
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
  });

  it('emails no one else', async () => {
    const member = await makeMember(test, { passwordHash });
    await test.call(register, { body: person(member.email) });
    expect(await wayBack(member.email)).toBeNull();
  });

  it('emails at most once a day, and keeps earlier links valid', async () => {
    const member = await leave();
    const [left] = await test.outbox(member.email);
    for (let tries = 0; tries < 3; tries += 1) await test.call(register, { body: person(member.email) });
    expect(await wayBack(member.email)).not.toBeNull();
    const token = tokenIn(left?.links[0], 'restore') ?? '';
    expect((await test.call(restoreAccount, { body: { token } })).status).toBe(200);
  });

  it('emails nothing after the 14 days', async () => {
    const member = await leave();
    const leftAt = test.clock.now();
    test.clock.advance(14 * 86_400);
    await test.call(register, { body: person(member.email) });
    expect(await wayBack(member.email)).toBeNull();
    test.clock.set(leftAt);
  });

  it('emails the same link when someone joins through a provider that does not verify the address', async () => {
    const member = await leave();
    const tokenId = await google.token(test.clock.now(), {
      email: member.email,
      sub: randomUUID(),
      hd: 'elsewhere.example',
    });
    const { error } = await test.call(googleSignIn, { body: { tokenId, acceptTerms: true } });
    expect(error.code).toBe('LINK_NEEDS_PASSWORD');
    expect(await wayBack(member.email)).toContain('/app/sign-in#restore=');
  });

  it('emails the same link when a member requests a change to that address', async () => {
    const [member, asker] = [await leave(), await makeMember(test, { passwordHash })];
    const body = { email: member.email, password };
    expect((await test.call(changeEmail, { token: asker.token, body })).status).toBeLessThan(300);
    expect(await wayBack(member.email)).toContain('/app/sign-in#restore=');
  });
});
