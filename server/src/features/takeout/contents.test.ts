import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { sendMessage, snoozeConversation } from '#contract/messages/messages.ts';
import { addBookmark } from '#contract/bookmarks.ts';
import { noPreferences } from '#contract/discovery.ts';
import { putKnownPeople } from '#contract/known-people.ts';
import { putNotificationSettings } from '#contract/notifications.ts';
import { putHiddenWords } from '#contract/profiles/hidden-words.ts';
import { putSavedFilters } from '#contract/saved-filters.ts';
import { helpExport } from '#contract/auth/help.ts';
import { apiBasePath } from '#contract/constants.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { askForExportByLink, exportByLink } from '#contract/takeout.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn } from '../../../test/likes.ts';
import { codeAt, placeFactor, wrongCodeAt } from '../../../test/factors.ts';
import { archiveToken, letIn, lockedToken, lockOut, mailedArchiveToken } from '../../../test/locked.ts';
import { appealTokenOf } from '../../../test/moderation/reports.ts';

const app = startAppForTests();

describe('the content of exports', () => {
  const password = 'correct horse battery';
  let passwordHash: string;
  let ada: TestMember;

  beforeAll(async () => {
    passwordHash = await hashPassword(password);
  });

  beforeEach(async () => {
    ada = await makeMember(app, { passwordHash, gender: 'woman' });
  });

  const { like, pass, block, unmatch, match } = likesIn(() => app);
  const man = (options: MemberOptions) => makeMember(app, { gender: 'man', lastName: 'Canarylastname', ...options });

  /** One file of the archive, and the text of all of them. */
  async function taken(name: string): Promise<{ file: Record<string, unknown>; all: string }> {
    const files = await takeArchive(app, ada.token, { password });
    const all = Object.values(files).map((bytes) => strFromU8(bytes));
    return {
      file: JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as Record<string, unknown>,
      all: all.join('\n'),
    };
  }

  describe('the likes in a data export', () => {
    test('include likes that were held back, and do not mention the hold', async () => {
      const bo = await man({ firstName: 'Bo' });
      await holdAccount(app, ada);
      await like(ada, bo, { note: 'Hello Bo' });
      const { file, all } = await taken('likes.json');
      expect(file).toMatchObject({ likes: [{ name: 'Bo', note: 'Hello Bo', isMatch: false }], matches: [] });
      expect(all).not.toMatch(/critical_case|\bheld\b/);
    });

    test('include people the member liked with their notes, matches by first name, and the number of passes', async () => {
      const [bo, cy, di] = [
        await man({ firstName: 'Bo' }),
        await man({ firstName: 'Cy' }),
        await man({ firstName: 'Di' }),
      ];
      const at = () => app.clock.now().toISOString();
      const first = at();
      await like(ada, bo, { note: 'Hello Bo' });
      app.clock.advance(1);
      const second = at();
      await like(cy, ada, { note: 'Canarynote of Cy' });
      await like(ada, cy);
      for (const one of [di, await man({})]) await pass(ada, one);
      const { file } = await taken('likes.json');
      expect(file).toEqual({
        likes: [
          { name: 'Bo', likedAt: first, note: 'Hello Bo', isMatch: false },
          { name: 'Cy', likedAt: second, note: null, isMatch: true },
        ],
        matches: [{ name: 'Cy', matchedAt: second }],
        passes: 2,
      });
    });

    test('name no hidden people, likers or passed members', async () => {
      const [blocker, leaver, admirer, passed, ended] = [
        await man({ firstName: 'Canaryblocker' }),
        await man({ firstName: 'Canaryleaver' }),
        await man({ firstName: 'Canaryadmirer' }),
        await man({ firstName: 'Canarypassed' }),
        await man({ firstName: 'Canaryended' }),
      ];
      await like(ada, blocker);
      await block(blocker, ada);
      await match(ada, leaver);
      await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', leaver.id).execute();
      await like(admirer, ada, { note: 'Canarynote' });
      await pass(ada, passed);
      await pass(await man({ firstName: 'Canarypasser' }), ada);
      await unmatch(ada, await match(ada, ended));
      const { file, all } = await taken('likes.json');
      expect([file['likes'], file['matches'], file['passes']]).toMatchObject([[{ name: null }], [], 1]);
      const others = [blocker, leaver, admirer, passed, ended].map(({ id }) => id);
      expect(['Canary', ...others].filter((secret) => all.includes(secret))).toEqual([]);
    });
  });

  describe('the messages in a data export', () => {
    test('include only those the member wrote, and name only current matches', async () => {
      const [bo, cy] = [await man({ firstName: 'Bo' }), await man({ firstName: 'Cy' })];
      const [withBo, withCy] = [await match(ada, bo), await match(ada, cy)];
      const write = (who: TestMember, id: string, text: string) =>
        app.call(sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
      const sentAt = app.clock.now().toISOString();
      await write(ada, withBo, 'Hello Bo');
      await write(bo, withBo, 'Canary words of Bo');
      app.clock.advance(1);
      await write(ada, withCy, 'Hello Cy');
      await unmatch(cy, withCy);
      const { file, all } = await taken('messages.json');
      expect(file).toEqual([
        { to: 'Bo', sentAt, editedAt: null, text: 'Hello Bo' },
        { to: null, sentAt: app.clock.now().toISOString(), editedAt: null, text: 'Hello Cy' },
      ]);
      expect(all).not.toContain('Canary words');
    });
  });

  describe('the learned scores in a data export', () => {
    const learn = () => app.app.background.tasks['discovery.learn']?.({}, undefined as never);

    test('describe the member’s own decisions for each gender, with their number', async () => {
      for (let index = 0; index < 8; index += 1) await pass(ada, await man({}));
      await learn();
      const { file } = await taken('learned.json');
      expect(file).toMatchObject({ decisionsOfYours: 10 });
      expect(file['towards']).toEqual([
        {
          whom: 'men',
          selectivity: expect.any(Number),
          selectivityInWords: 'When men are shown to you, you like them much less often than others do.',
        },
      ]);
      expect((file['towards'] as { selectivity: number }[])[0]?.selectivity).toBeLessThan(-0.5);
    });

    test('do not reveal what others decided', async () => {
      const before = await taken('learned.json');
      for (let index = 0; index < 8; index += 1) {
        await pass(await man({}), ada);
        await like(await man({}), ada);
        await like(await man({}), ada);
      }
      await learn();
      expect((await taken('learned.json')).file).toEqual(before.file);
    });

    test('count people who wrote first and how many of them were answered', async () => {
      const write = (who: TestMember, id: string) =>
        app.call(sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });
      for (let index = 0; index < 4; index += 1) {
        const bo = await man({});
        const id = await match(ada, bo);
        const [first, other] = index === 3 ? [ada, bo] : [bo, ada];
        await write(first, id);
        await write(first, id);
        if (index !== 0) for (let times = 0; times < 2; times += 1) await write(other, id);
      }
      const { file } = await taken('learned.json');
      expect(file).toMatchObject({ firstMessagesToYou: 3, ofTheseYouAnswered: 2 });
    });

    test('are empty for new members', async () => {
      expect((await taken('learned.json')).file).toMatchObject({
        decisionsOfYours: 0,
        towards: [],
      });
    });
  });
});

it('the data export has everything a member controls, and no address of someone else', async () => {
  const password = 'correct horse battery';
  const { token, ...ada } = await makeMember(app, { passwordHash: await hashPassword(password) });
  const [bo, cy] = [await makeMember(app, { firstName: 'Bo' }), await makeMember(app, { firstName: 'Cy' })];
  const id = await likesIn(() => app).match({ token, ...ada }, bo);
  const { order: _, elsewhere: __, ...preferences } = noPreferences;
  const filters = [{ name: 'Nearby', preferences }];
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' };
  await app.call(putHiddenWords, { token, body: { words: ['crypto'] } });
  await app.call(putKnownPeople, { token, body: { addresses: ['someone.else@x.test'] } });
  await app.call(addBookmark, { token, params: { userId: cy.id } });
  await app.call(putSavedFilters, { token, body: { filters } });
  await app.call(putNotificationSettings, { token, body: { quiet } });
  const { body } = await app.call(snoozeConversation, { token, params: { id }, body: { days: 7 } });
  const now = app.clock.now().toISOString();
  const files = await takeArchive(app, token, { password });
  const text = Buffer.from(files['control.json'] ?? []).toString();
  expect(JSON.parse(text)).toEqual({
    hiddenWords: ['crypto'],
    knownPeople: [{ addedAt: now }],
    bookmarks: [{ name: 'Cy', bookmarkedAt: now }],
    savedFilters: filters,
    quietHours: quiet,
    snoozed: [{ name: 'Bo', until: body.data.snoozedUntil }],
  });

  expect(Buffer.from(files['README.txt'] ?? []).toString()).toContain('control.json');
});

describe('links to exports', () => {
  const reason = 'Called from the number on file';
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
    it('mails the person that their archive is ready behind their own sign-in, and does not return it', async () => {
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

    it('sends another mail about an archive that is ready, instead of replacing it', async () => {
      const member = await makeMember(app);
      await help(member.id);
      await app.drain();
      await help(member.id);
      expect(await app.outbox(member.email)).toHaveLength(2);
    });

    it('mails at most three times a day about the same archive, no matter who requests it', async () => {
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
    it('is requested with the link of the decision, and downloaded only with a link in a separate mail', async () => {
      const decision = await appealTokenOf(app);
      const id = decision.split('.')[1] ?? '';
      const { email } = await app.db
        .selectFrom('account')
        .select('email')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const answer = await ask(decision);
      expect([answer.status, answer.body.data]).toEqual([200, {}]);
      const token = await mailedArchiveToken(app, email);
      expect((await download({ token: decision })).statusCode).toBe(404);
      const { statusCode, headers, rawPayload } = await download({ token });
      expect([statusCode, headers['content-type'], addressIn(rawPayload)]).toEqual([200, 'application/zip', email]);
      expect((await ask(token)).status).toBe(404);
    });

    it('requires the second factor of an account that has one', async () => {
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

    it('expires with the file after seven days, with a changed address, and for others’ tokens', async () => {
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

    it('is refused for an unconfirmed address, and once the account is open again', async () => {
      const unproven = await locked({ verified: false });
      expect((await ask(await lockedToken(app, unproven.email))).status).toBe(409);
      const member = await locked();
      const token = await lockedToken(app, member.email);
      await letIn(app, member);
      expect((await ask(token)).status).toBe(404);
    });

    it('is downloaded once by each link, even with six requests at once, and each download is mailed', async () => {
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

    it('cannot be downloaded with a link once the account is open again, nor with an earlier link', async () => {
      const member = await locked();
      const earlier = await archiveToken(app, member.email);
      app.clock.advance(1);
      const token = await archiveToken(app, member.email);
      expect(token).not.toBe(earlier);
      expect((await download({ token: earlier })).statusCode).toBe(404);
      await letIn(app, member);
      expect((await download({ token })).statusCode).toBe(404);
    });

    it('stays available while the account changes, such as when premium ends', async () => {
      const member = await locked({ vip: true });
      const token = await archiveToken(app, member.email);
      await app.db.updateTable('account').set({ is_vip: false }).where('id', '=', member.id).execute();
      expect((await download({ token })).statusCode).toBe(200);
    });
  });
});
