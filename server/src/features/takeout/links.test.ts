import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { helpExport } from '#contract/auth/help.ts';
import { apiBasePath } from '#contract/constants.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { askForExportByLink, exportByLink } from '#contract/takeout.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { codeAt, placeFactor, wrongCodeAt } from '../../../test/factors.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { archiveToken, letIn, lockedToken, lockOut, mailedArchiveToken } from '../../../test/locked.ts';
import { appealTokenOf } from '../../../test/reports.ts';

const reason = 'Called from the number on file';

const app = startAppForTests();
let support: TestMember;
beforeEach(async () => {
  support = await makeMember(app, { staffRole: 'support' });
});

const help = (id: string) => app.call(helpExport, { token: support.token, params: { id }, body: { reason } });
const ask = (token: string) => app.call(askForExportByLink, { body: { token } });
const download = (body: { token: string; code?: string }) =>
  app.app.inject({ method: 'POST', url: apiBasePath + exportByLink.path, payload: body });

async function locked(options: MemberOptions = {}): Promise<TestMember> {
  const member = await makeMember(app, options);
  await lockOut(app, member);
  return member;
}

/** The address in an archive's account. */
function addressIn(rawPayload: Buffer): unknown {
  const files = unzipSync(new Uint8Array(rawPayload));
  return (JSON.parse(strFromU8(files['account.json'] ?? new Uint8Array())) as { email: unknown }).email;
}

describe('POST /admin/users/{id}/help/export', () => {
  it('mails the person that their archive is ready behind their own sign-in, and answers nothing of it', async () => {
    const member = await makeMember(app);
    const answer = await help(member.id);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    await app.drain();
    const [mail] = await app.outbox(member.email);
    expect(mail?.links).toEqual([new URL('/app/settings/data', mail?.links[0]).href]);
    const { token } = await makeAdministrator(app);
    const { events } = (await app.call(listAudit, { token, query: { targetId: member.id } })).body.data;
    expect(events.map((event) => [event.action, event.reason])).toEqual([['help.exportStarted', reason]]);
  });

  it('mails again about an archive that is ready, instead of replacing it', async () => {
    const member = await makeMember(app);
    await help(member.id);
    await app.drain();
    await help(member.id);
    expect(await app.outbox(member.email)).toHaveLength(2);
  });

  it('mails at most three times a day about the same archive, whoever asks for it', async () => {
    const [member, person] = [await makeMember(app), await locked()];
    await help(member.id);
    await app.drain();
    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push((await help(member.id)).status);
    expect(answers).toEqual([200, 200, 429]);
    expect(await app.outbox(member.email)).toHaveLength(3);

    const token = await lockedToken(app, person.email);
    await ask(token);
    await app.drain();
    await help(person.id);
    expect([(await ask(token)).status, (await ask(token)).status, (await help(person.id)).status]).toEqual([
      200, 429, 429,
    ]);
  });

  it('mails a signed link to people who are locked out', async () => {
    const member = await locked();
    const answer = await help(member.id);
    const token = await mailedArchiveToken(app, member.email);
    expect(answer.raw).not.toContain(token);
    expect(addressIn((await download({ token })).rawPayload)).toBe(member.email);
  });

  it('returns 409 for an address that was never confirmed, and for accounts about to be deleted', async () => {
    expect((await help((await makeMember(app, { verified: false })).id)).status).toBe(409);
    expect((await help((await makeMember(app, { leaving: true })).id)).status).toBe(409);
  });
});

describe('the archive of a locked-out member', () => {
  it('is asked for by the link of the decision, and only downloaded by a mail of its own', async () => {
    const decision = await appealTokenOf(app);
    const id = decision.split('.')[1] ?? '';
    const { email } = await app.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow();
    const answer = await ask(decision);
    expect([answer.status, answer.body.data]).toEqual([200, {}]);
    const token = await mailedArchiveToken(app, email);
    expect((await download({ token: decision })).statusCode).toBe(404);
    const { statusCode, headers, rawPayload } = await download({ token });
    expect([statusCode, headers['content-type'], addressIn(rawPayload)]).toEqual([200, 'application/zip', email]);
    expect((await ask(token)).status).toBe(404);
  });

  it('needs the second factor of an account that has one', async () => {
    const member = await makeMember(app);
    const secret = await placeFactor(app, member.id);
    app.clock.advance(60);
    await lockOut(app, member);
    const token = await archiveToken(app, member.email);
    expect((await download({ token })).statusCode).toBe(400);
    const wrong = wrongCodeAt(secret, app.clock.now());
    expect((await download({ token, code: wrong })).statusCode).toBe(400);
    expect((await download({ token, code: codeAt(secret, app.clock.now()) })).statusCode).toBe(200);
  });

  it('ends with the file after seven days, with another address, and for others’ tokens', async () => {
    const [member, other] = [await locked(), await locked()];
    const token = await archiveToken(app, member.email);
    const [id = '', , until = '', signature = ''] = token.split('.');
    expect((await download({ token: [id, other.id, until, signature].join('.') })).statusCode).toBe(404);
    await app.db
      .updateTable('account')
      .set({ email: `new-${member.email}` })
      .where('id', '=', member.id)
      .execute();
    expect((await download({ token })).statusCode).toBe(404);
    const late = await archiveToken(app, other.email);
    app.clock.advance(7 * 86_400 + 1);
    expect((await download({ token: late })).statusCode).toBe(404);
  });

  it('is refused for an address that was never confirmed, and once the account is open again', async () => {
    const unproven = await locked({ verified: false });
    expect((await ask(await lockedToken(app, unproven.email))).status).toBe(409);
    const member = await locked();
    const token = await lockedToken(app, member.email);
    await letIn(app, member);
    expect((await ask(token)).status).toBe(404);
  });

  it('is downloaded once by each link, also by six requests at once, and each download is mailed', async () => {
    const member = await locked();
    const token = await archiveToken(app, member.email);
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await download({ token })).statusCode));
    expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
    const told = async () =>
      (await app.outbox(member.email)).filter(({ text }) => text.includes('has just downloaded your data'));
    expect(await told()).toHaveLength(1);
    app.clock.advance(1);
    const another = await archiveToken(app, member.email);
    expect(another).not.toBe(token);
    expect((await download({ token })).statusCode).toBe(404);
    expect((await download({ token: another })).statusCode).toBe(200);
    expect(await told()).toHaveLength(2);
  });

  it('is no longer downloaded by a link once the account is open again, nor by an earlier link', async () => {
    const member = await locked();
    const earlier = await archiveToken(app, member.email);
    app.clock.advance(1);
    const token = await archiveToken(app, member.email);
    expect(token).not.toBe(earlier);
    expect((await download({ token: earlier })).statusCode).toBe(404);
    await letIn(app, member);
    expect((await download({ token })).statusCode).toBe(404);
  });

  it('stays ready while the account changes, such as when premium ends', async () => {
    const member = await locked({ vip: true });
    const token = await archiveToken(app, member.email);
    await app.db.updateTable('account').set({ is_vip: false }).where('id', '=', member.id).execute();
    expect((await download({ token })).statusCode).toBe(200);
  });
});
