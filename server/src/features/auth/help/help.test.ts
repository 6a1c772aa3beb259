import type { Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancelEmailChange,
  forgotPassword,
  leaveService,
  register,
  resendVerification,
  resetPassword,
  restoreAccount,
  verifyEmail,
} from '#contract/auth/auth.ts';
import * as help from '#contract/auth/help.ts';
import { googleSignIn, linkByPassword } from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { mailedToken } from '../../../../test/address-change.ts';
import { startWithGoogle, type TestIssuer } from '../../../../test/doubles/google-issuer.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { linkTokenOf, registerNewcomer, restoreHandle } from '../../../../test/guards/requests.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { lockOut } from '../../../../test/locked.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { sessionIn } from '../../../../test/session-in.ts';
import type { Database } from '#platform/db/schema.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { countEagerCorrectors } from './correct-address.ts';

const reason = 'Called from the number on file';
const hour = 3600;

let google: TestIssuer;
let test: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ google, test, close } = await startWithGoogle({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' }));
});
afterAll(() => close());

/** A colleague with a separate count of requests. */
const newSupport = () => makeMember(test, { staffRole: 'support' });

type Act = typeof help.helpConfirmation | typeof help.helpResetLink | typeof help.helpRestore;
const give = async (endpoint: Act, id: string, by?: TestMember) =>
  test.call(endpoint, { token: (by ?? (await newSupport())).token, params: { id }, body: { reason } });
const unlock = async (id: string, by?: TestMember) =>
  test.call(help.helpUnlock, { token: (by ?? (await newSupport())).token, params: { id }, body: { reason } });
const correct = async (id: string, email: string, by?: TestMember) =>
  test.call(help.helpAddress, { token: (by ?? (await newSupport())).token, params: { id }, body: { email, reason } });

let networks = 0;
const from = () => {
  networks += 1;
  return { 'x-forwarded-for': `10.9.${networks}.7` };
};
const signInAs = (email: string, secret = password) =>
  test.call(login, { body: { email, password: secret }, headers: from() });

const setAccount = (id: string, changes: Updateable<Database['account']>) =>
  test.db.updateTable('account').set(changes).where('id', '=', id).execute();

const headingsOf = async (email: string) => (await test.outbox(email)).map(({ text }) => text.split('\n')[0]);
const eventsAbout = async (id: string) => {
  const { token } = await makeAdministrator(test);
  const { events } = (await test.call(listAudit, { token, query: { targetId: id } })).body.data;
  return events.map(({ action, reason: why }) => [action, why]);
};

/** Someone who joined with a mistyped address, an hour ago. */
async function newcomer() {
  const { email, user, token } = await registerNewcomer(test);
  test.clock.advance(hour);
  return { email, id: user._id, token };
}

/** The newest reset link that was mailed on request; empty if there is none. */
async function resetLinkFor(email: string): Promise<string> {
  await test.call(forgotPassword, { body: { email }, headers: from() });
  await test.drain();
  const mails = await test.outbox(email);
  return linkTokenOf(mails.find(({ links }) => links[0]?.includes('/app/reset-password')));
}

describe('POST /admin/users/{id}/help/confirmation', () => {
  it('mails the code to the address on file, records the reason, and does not return the code', async () => {
    const { email, id } = await newcomer();
    const answer = await give(help.helpConfirmation, id);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    const [mail] = await test.outbox(email);
    expect(answer.raw).not.toContain(mail?.code ?? '-');
    expect(
      (await test.call(verifyEmail, { body: { token: linkTokenOf(mail), password }, headers: from() })).status,
    ).toBe(200);
    expect(await eventsAbout(id)).toEqual([['help.confirmationSent', reason]]);
  });

  it('counts towards the same limit as requests by strangers', async () => {
    const { email, id } = await newcomer();
    await test.call(resendVerification, { body: { email }, headers: from() });
    await test.drain();
    expect((await give(help.helpConfirmation, id)).status).toBe(429);
    for (let n = 0; n < 4; n += 1) {
      test.clock.advance(61);
      expect((await give(help.helpConfirmation, id)).status).toBe(200);
    }
    test.clock.advance(61);
    expect((await give(help.helpConfirmation, id)).status).toBe(429);
  });

  it('returns 409 for a confirmed address', async () => {
    const { id } = await makeMember(test);
    expect((await give(help.helpConfirmation, id)).status).toBe(409);
  });
});

describe('POST /admin/users/{id}/help/reset-link', () => {
  it('mails a link to the address on file, at most three an hour', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    const answer = await give(help.helpResetLink, member.id);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    const token = linkTokenOf((await test.outbox(member.email))[0]);
    expect(answer.raw).not.toContain(token);
    expect((await test.call(resetPassword, { body: { token, password: newPassword }, headers: from() })).status).toBe(
      200,
    );
    await give(help.helpResetLink, member.id);
    await give(help.helpResetLink, member.id);
    expect((await give(help.helpResetLink, member.id)).status).toBe(429);
    expect(await eventsAbout(member.id)).toEqual(Array(3).fill(['help.resetLinkSent', reason]));
  });

  it('is refused for colleagues of the same rank and above, and for people that the caller reported', async () => {
    const support = await newSupport();
    const ask = async (options: MemberOptions, by: TestMember) =>
      (await give(help.helpResetLink, (await makeMember(test, options)).id, by)).status;
    expect(await ask({ staffRole: 'moderator' }, support)).toBe(403);
    expect(await ask({ staffRole: 'admin' }, support)).toBe(403);
    const senior = await makeMember(test, { staffRole: 'senior' });
    expect(await ask({ staffRole: 'support' }, senior)).toBe(200);
    const reported = await makeMember(test);
    await fileReport(test, senior, { problem_type: 'Harassment', reportedUser: reported.id });
    expect((await give(help.helpResetLink, reported.id, senior)).status).toBe(403);
    expect((await give(help.helpResetLink, 'unknown', senior)).status).toBe(404);
  });
});

describe('POST /admin/users/{id}/help/address', () => {
  it('ends all sessions and codes, and mails both addresses', async () => {
    const { email, id, token } = await newcomer();
    const [before] = await test.outbox(email);
    const address = newAddress();
    const answer = await correct(id, address);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    expect((await test.call(getProfile, { token })).status).toBe(401);
    const oldLink = { token: linkTokenOf(before), password };
    expect((await test.call(verifyEmail, { body: oldLink, headers: from() })).status).toBe(400);
    const [warning] = await test.outbox(email);
    expect(warning?.text).toContain('the account now uses another one');
    expect(warning?.text).not.toContain(address);
    expect(await headingsOf(address)).toHaveLength(1);
    expect((await signInAs(email)).status).toBe(401);
    expect((await signInAs(address)).status).toBe(200);
    expect(await eventsAbout(id)).toEqual([['help.addressCorrected', reason]]);
  });

  it('keeps the account from being taken over through a mailbox or a provider for a day', async () => {
    const { id } = await newcomer();
    const address = newAddress();
    await correct(id, address);
    const link = linkTokenOf((await test.outbox(address))[0]);
    const takeOver = () => test.call(verifyEmail, { body: { token: link, newPassword }, headers: from() });
    expect((await takeOver()).status).toBe(409);
    expect(await resetLinkFor(address)).toBe('');
    expect((await give(help.helpResetLink, id)).status).toBe(409);
    const tokenId = await google.token(test.clock.now(), { sub: `taker-${id}`, email: address });
    const byGoogle = await test.call(googleSignIn, { body: { tokenId }, headers: from() });
    expect(byGoogle.error.code).toBe('LINK_NEEDS_PASSWORD');
    const { linkToken } = byGoogle.error.data as { linkToken: string };
    const guessed = await test.call(linkByPassword, {
      body: { linkToken, password: 'not my own one' },
      headers: from(),
    });
    expect(guessed.status).toBe(403);
    const own = await test.call(verifyEmail, { body: { token: link, password }, headers: from() });
    expect(own.status).toBe(200);
    expect(await resetLinkFor(address)).toBe('');
    test.clock.advance(24 * hour);
    expect(await resetLinkFor(address)).not.toBe('');
  });

  it('raises an alert about a colleague who corrects more than three addresses within a week', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await newcomer()).id);
    const [support, other] = [await newSupport(), await newSupport()];
    const eager = (later = 0) => countEagerCorrectors(test.db, secondsAfter(test.clock.now(), later));
    for (const by of [support, support, other, support]) await correct(ids.pop() ?? '', newAddress(), by);
    expect(await eager()).toBe(0);
    await correct(ids.pop() ?? '', newAddress(), support);
    expect(await eager()).toBe(1);
    expect(await eager(7 * 24 * hour)).toBe(0);
  });

  it('invalidates reset links that were already mailed', async () => {
    const { email, id } = await newcomer();
    const token = await resetLinkFor(email);
    await correct(id, newAddress());
    expect((await test.call(resetPassword, { body: { token, password: newPassword }, headers: from() })).status).toBe(
      400,
    );
  });

  it('returns 409 for a confirmed address and 403 for staff', async () => {
    const { id } = await makeMember(test);
    expect((await correct(id, newAddress())).error.code).toBe('CONFLICT');
    const colleague = await makeMember(test, { staffRole: 'support', verified: false });
    const owner = await makeMember(test, { staffRole: 'owner' });
    expect((await correct(colleague.id, newAddress(), owner)).status).toBe(403);
  });

  it('reveals that an address is in use as registration does, five times an hour, including the address on file', async () => {
    const [{ email, id }, taken] = [await newcomer(), await makeMember(test)];
    const registering = await test.call(register, {
      body: { email: taken.email, password, firstName: 'Rosa', acceptTerms: true },
      headers: from(),
    });
    const [answers, support] = [[] as Awaited<ReturnType<typeof correct>>[], await newSupport()];
    for (const address of [taken.email, email, taken.email, email, taken.email, newAddress()])
      answers.push(await correct(id, address, support));
    const told = [registering.status, registering.error.code, registering.error.message];
    for (const { status, error } of answers.slice(0, 5)) expect([status, error.code, error.message]).toEqual(told);
    expect(answers[5]?.status).toBe(429);
    expect(await eventsAbout(id)).toEqual(Array(5).fill(['help.addressRefused', reason]));
  });

  it('gives the address to only one of two people at the same time', async () => {
    const [one, other, address] = [await newcomer(), await newcomer(), newAddress()];
    const answers = await Promise.all([correct(one.id, address), correct(other.id, address)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('the link that puts a corrected address back', () => {
  const putBack = (token: string) => test.call(cancelEmailChange, { body: { token }, headers: from() });
  const statusOf = async (token: string) => (await putBack(token)).status;
  const linkFrom = (email: string) => mailedToken(test, email, 'corrected');
  const confirm = (token: string) => test.call(verifyEmail, { body: { token, password }, headers: from() });
  const join = (email: string) =>
    test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true }, headers: from() });

  /** A person whose address support corrected; `link` went to the old mailbox, `confirmation` to the new one. */
  async function corrected() {
    const { id, email } = await newcomer();
    const address = newAddress();
    await correct(id, address);
    const confirmation = await mailedToken(test, address, 'token');
    return { id, email, address, link: await linkFrom(email), confirmation };
  }

  it('works once, ends sessions and codes, keeps resets on hold, and is audited', async () => {
    const { id, email, address, link, confirmation } = await corrected();
    const { token } = sessionIn((await signInAs(address)).body);
    expect((await test.call(getProfile, { token })).status).toBe(200);
    expect(await statusOf(link)).toBe(200);
    expect((await test.call(getProfile, { token })).status).toBe(401);
    expect((await confirm(confirmation)).error.code).toBe('INVALID_CODE');
    expect([(await signInAs(address)).status, (await signInAs(email)).status]).toEqual([401, 200]);
    expect(await headingsOf(address)).toContain('THE ADDRESS OF AN ACCOUNT WAS PUT BACK');
    expect((await eventsAbout(id)).map(([action]) => action)).toEqual([
      'help.correctionStopped',
      'help.addressCorrected',
    ]);
    expect((await putBack(link)).error.code).toBe('INVALID_CODE');
    expect(await resetLinkFor(email)).toBe('');
    test.clock.advance(24 * hour);
    expect(await resetLinkFor(email)).not.toBe('');
  });

  const ends = Object.entries<(person: Awaited<ReturnType<typeof corrected>>) => Promise<unknown>>({
    'the new address was confirmed': ({ confirmation }) => confirm(confirmation),
    'a day has passed': () => Promise.resolve(test.clock.advance(24 * hour)),
    'the account is about to be deleted': async ({ address }) => {
      const { token } = sessionIn((await signInAs(address)).body);
      expect((await test.call(leaveService, { token, body: { password } })).status).toBe(200);
    },
    'the account was deactivated': ({ id }) =>
      setAccount(id, { is_active: false, deactivated_at: test.clock.now(), deactivation_reason: reason }),
    'the account was deleted': ({ id }) => test.db.deleteFrom('account').where('id', '=', id).execute(),
  });
  it.each(ends)('stops working once %s', async (_, end) => {
    const person = await corrected();
    await end(person);
    expect((await putBack(person.link)).error.code).toBe('INVALID_CODE');
  });

  it('works for one account only, and no other link to the new mailbox works in its place', async () => {
    const [one, other] = [await corrected(), await corrected()];
    expect(await linkFrom(one.address)).toBe('');
    expect(await statusOf(one.confirmation)).toBe(400);
    expect(await statusOf(other.link)).toBe(200);
    expect((await signInAs(one.address)).status).toBe(200);
  });

  it('also undoes later corrections, and invalidates their links', async () => {
    const { id, email, address, link } = await corrected();
    test.clock.advance(hour);
    await correct(id, newAddress());
    const later = await linkFrom(address);
    expect(await statusOf(link)).toBe(200);
    expect(await statusOf(later)).toBe(400);
    expect((await signInAs(email)).status).toBe(200);
  });

  it('still works for the first mailbox after a later one used its own', async () => {
    const { id, email, address, link } = await corrected();
    test.clock.advance(hour);
    await correct(id, newAddress());
    expect(await statusOf(await linkFrom(address))).toBe(200);
    expect((await signInAs(address)).status).toBe(200);
    expect(await statusOf(link)).toBe(200);
    expect((await signInAs(email)).status).toBe(200);
  });

  it('reserves the address, so that no one can block it by joining', async () => {
    const { email, link, confirmation } = await corrected();
    expect((await join(email)).error.code).toBe('EMAIL_TAKEN');
    expect((await correct((await newcomer()).id, email)).error.code).toBe('EMAIL_TAKEN');
    await confirm(confirmation);
    expect((await join(email)).status).toBe(201);
    const late = await corrected();
    test.clock.advance(24 * hour);
    expect((await join(late.email)).status).toBe(201);
    expect(await statusOf(link)).toBe(400);
  });

  it('returns 409 if another account uses the address nevertheless', async () => {
    const { email, link } = await corrected();
    await setAccount((await makeMember(test)).id, { email });
    expect((await putBack(link)).error.code).toBe('EMAIL_TAKEN');
  });

  it('wins or loses against the confirmation of the new address if both are used at once', async () => {
    const { link, confirmation } = await corrected();
    const answers = await Promise.all([putBack(link), confirm(confirmation), putBack(link)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('POST /admin/users/{id}/help/unlock', () => {
  it('ends the pause after wrong passwords, allows half as many attempts, and mails the member', async () => {
    const { id, email } = await makeMember(test, { passwordHash: await passwordHash() });
    for (let n = 0; n < 12; n += 1) await signInAs(email, 'guess');
    expect((await signInAs(email)).status).toBe(429);
    const answer = await unlock(id);
    expect(answer.body.data).toEqual({ wasPaused: true });
    expect(await headingsOf(email)).toHaveLength(1);
    for (let n = 0; n < 5; n += 1) expect((await signInAs(email, 'guess')).status).toBe(401);
    expect((await signInAs(email)).status).toBe(429);
    expect(await eventsAbout(id)).toEqual([['help.signInUnlocked', reason]]);
  });

  it('says when nothing was paused, and works at most three times a day', async () => {
    const { id } = await makeMember(test);
    expect((await unlock(id)).body.data).toEqual({ wasPaused: false });
    await unlock(id);
    await unlock(id);
    expect((await unlock(id)).status).toBe(429);
  });
});

describe('POST /admin/users/{id}/help/restore', () => {
  it('mails a link that restores the account, and changes nothing itself', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await test.call(leaveService, { token: member.token, body: { password } });
    const answer = await give(help.helpRestore, member.id);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    expect((await signInAs(member.email)).error.code).toBe('ACCOUNT_LEAVING');
    const token = linkTokenOf((await test.outbox(member.email))[0]);
    expect(answer.raw).not.toContain(token);
    expect((await test.call(restoreAccount, { body: { token }, headers: from() })).status).toBe(200);
    expect((await signInAs(member.email)).status).toBe(200);
    expect(await eventsAbout(member.id)).toEqual([['help.restoreLinkSent', reason]]);
  });

  it('returns 409 after the 14 days, for accounts in use and for locked accounts', async () => {
    expect((await give(help.helpRestore, (await makeMember(test)).id)).status).toBe(409);
    const locked = await makeMember(test, { leaving: true });
    await lockOut(test, locked);
    expect((await give(help.helpRestore, locked.id)).status).toBe(409);
    const late = await makeMember(test, { leaving: true });
    test.clock.advance(14 * 24 * hour);
    expect((await give(help.helpRestore, late.id)).status).toBe(409);
    expect(await restoreHandle(test)).not.toBe('');
  });
});
