import { describe, expect, it } from 'vitest';
import {
  cancelEmailChange,
  changeEmail,
  changePassword,
  forgotPassword,
  leaveService,
  register,
  resendVerification,
  resetMethods,
  resetPassword,
  restoreEmail,
  stopRestore,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { apiBasePath } from '#contract/constants.ts';
import { mailedToken } from '../address-change.ts';
import { makeMember, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { newAddress, newPassword, password, passwordHash } from './people.ts';
import { linkTokenOf } from './requests.ts';
import { sessionIn } from '../session-in.ts';

const test = startAppForTests();

const person = async (): Promise<TestMember> => makeMember(test, { passwordHash: await passwordHash() });

describe('emailed secrets', () => {
  it('never appear in an answer', async () => {
    const answers: string[] = [];
    const keep = <T extends { raw: string; headers: object }>(answer: T): T => {
      answers.push(answer.raw + JSON.stringify(answer.headers));
      return answer;
    };
    const email = newAddress();
    const joined = keep(await test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true } }));
    test.clock.advance(61);
    keep(await test.call(resendVerification, { token: joined.body.token, body: {} }));
    test.clock.advance(61);
    keep(await test.call(resendVerification, { body: { email } }));
    await test.drain();
    keep(await test.call(verifyEmail, { body: { verificationToken: joined.body.verificationToken, code: '000000' } }));
    test.clock.advance(1);
    keep(await test.call(forgotPassword, { body: { email } }));
    await test.drain();
    const [reset] = await test.outbox(email);
    keep(await test.call(resetMethods, { body: { token: linkTokenOf(reset) } }));
    keep(await test.call(resetPassword, { body: { token: linkTokenOf(reset), password: newPassword } }));
    const signedIn = keep(await test.call(login, { body: { email, password: newPassword } }));
    const { token } = sessionIn(signedIn.body);
    const [canceled, moved] = [newAddress(), newAddress()];
    keep(await test.call(changeEmail, { token, body: { email: canceled, password: newPassword } }));
    const other = sessionIn(keep(await test.call(login, { body: { email, password: newPassword } })).body);
    keep(await test.call(cancelEmailChange, { body: { token: await mailedToken(test, email, 'cancel') } }));
    // A newer request drops emails about an earlier one that still wait.
    await test.drain();
    test.clock.advance(1);
    const change = { email: moved, password: newPassword };
    keep(await test.call(changeEmail, { token: other.token, body: change }));
    const body = { code: (await test.outbox(moved))[0]?.code ?? '' };
    keep(await test.call(verifyEmail, { token: other.token, body }));
    const undo = await mailedToken(test, email, 'undo');
    keep(await test.call(restoreEmail, { body: { token: undo } }));
    keep(await test.call(restoreEmail, { body: { token: undo, password: newPassword, newPassword: password } }));
    keep(await test.call(stopRestore, { body: { token: await mailedToken(test, email, 'stop') } }));
    const back = sessionIn(keep(await test.call(login, { body: { email: moved, password: newPassword } })).body);
    keep(await test.call(leaveService, { token: back.token, body: { password: newPassword } }));
    keep(await test.call(login, { body: { email: moved, password: newPassword } }));
    const mails = (await Promise.all([email, canceled, moved].map((address) => test.outbox(address)))).flat();
    const proofs = mails.flatMap((mail) => [mail.code ?? '', linkTokenOf(mail)]).filter((proof) => proof !== '');
    expect(proofs.length).toBeGreaterThanOrEqual(15);
    expect(
      proofs.filter((proof) => answers.some((answer) => new RegExp(`(?<![\\w-])${proof}(?![\\w-])`).test(answer))),
    ).toEqual([]);
  });
});

describe('sensitive changes', () => {
  it.each<[string, 'POST' | 'DELETE', string, Record<string, string>]>([
    ['changing the address', 'POST', '/auth/change-email', { email: 'thief@example.test' }],
    ['changing the password', 'POST', '/auth/change-password', { password: newPassword }],
    ['deleting the account', 'DELETE', '/auth/account', {}],
  ])('require the correct password: %s', async (_, method, path, body) => {
    const member = await person();
    const field = path === '/auth/change-password' ? 'currentPassword' : 'password';
    for (const given of [
      undefined,
      null,
      '',
      'someone else’s password',
      password.toUpperCase(),
      `${password} `,
      true,
      [password],
    ]) {
      const answer = await test.app.inject({
        method,
        url: apiBasePath + path,
        headers: { authorization: `Bearer ${member.token}` },
        payload: { ...body, ...(given === undefined ? {} : { [field]: given }) },
      });
      expect([400, 403], `${String(given)} ${answer.body}`).toContain(answer.statusCode);
    }
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
    expect(await test.outbox(member.email)).toEqual([]);
    expect(await test.outbox('thief@example.test')).toEqual([]);
  });

  it('notify the old address of requested and completed address changes', async () => {
    const member = await person();
    const moved = newAddress();
    await test.call(changeEmail, { token: member.token, body: { email: moved, password } });
    await test.call(verifyEmail, { token: member.token, body: { code: (await test.outbox(moved))[0]?.code ?? '' } });
    const subjects = (await test.outbox(member.email)).map((mail) => mail.text);
    expect(subjects).toHaveLength(2);
    expect(subjects.some((text) => text.includes(moved))).toBe(true);
    test.clock.advance(1);
    await test.call(changePassword, {
      token: member.token,
      body: { currentPassword: password, password: newPassword },
    });
    expect((await test.outbox(moved))[0]?.text).toMatch(/password was changed/i);
  });
});
