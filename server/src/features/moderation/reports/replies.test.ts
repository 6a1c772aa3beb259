import { beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { listMyReports, markReportRead } from '#contract/moderation/reports.ts';
import { getReport, getReportConversation, getReportReplies } from '#contract/moderation/staff-reports.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport, leaveNote } from '../../../../test/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app, { firstName: 'Chief', lastName: 'Staff' });
  moderator = await makeModerator(app, { firstName: 'Mod', lastName: 'Erator' });
});

const conversation = async (by: TestMember, id: string) =>
  (await app.call(getReportConversation, { token: by.token, params: { id } })).body.data.conversation;
const replies = async (by: TestMember, id: string) =>
  (await app.call(getReportReplies, { token: by.token, params: { id } })).body.data.replies;
const said = (list: { message: string; repliedBy: { name: string } }[]) =>
  list.map(({ message, repliedBy }) => `${repliedBy.name}: ${message}`);

describe('a conversation on a report', () => {
  test('is listed oldest first, starting with the description, and the reporter sees all staff as the support team', async () => {
    const ada = await makeMember(app, { firstName: 'Ada', lastName: 'Reporter' });
    const { _id } = await fileReport(app, ada, { description: 'It is broken.' });
    await answer(app, moderator, _id, 'Which browser?');
    await leaveNote(app, administrator, _id, 'Looks like the cache');
    await answer(app, ada, _id, 'All of them.');
    expect(said(await conversation(ada, _id))).toEqual([
      'Ada Reporter: It is broken.',
      'Support team: Which browser?',
      'Ada Reporter: All of them.',
    ]);
    expect(said(await conversation(moderator, _id))).toEqual([
      'Ada Reporter: It is broken.',
      'Mod Erator: Which browser?',
      'Chief Staff: Looks like the cache',
      'Ada Reporter: All of them.',
    ]);
    expect(await replies(ada, _id)).toEqual((await conversation(ada, _id)).slice(1));
    expect(await replies(moderator, _id)).toEqual((await conversation(moderator, _id)).slice(1));
  });

  test('never shows its reporter internal notes, their number or their times', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    const before = await app.call(getReport, { token: ada.token, params: { id: _id } });
    app.clock.advance(60);
    await leaveNote(app, moderator, _id, 'CANARYNOTE');
    const after = await app.call(getReport, { token: ada.token, params: { id: _id } });
    expect(after.body).toEqual(before.body);
    await app.drainLater();
    const mine = await app.call(listMyReports, { token: ada.token });
    const mails = JSON.stringify(await app.outbox(ada.email));
    const all = after.raw + mine.raw + mails + JSON.stringify(await conversation(ada, _id));
    expect(all).not.toContain('CANARYNOTE');
    expect(all).not.toContain('Erator');
    expect(mine.body.data.unread).toBe(0);
    expect((await fileOf(app, administrator, _id)).report.firstRespondedAt).toBeNull();
  });

  test('rejects a note by a member and stores nothing', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    const refused = await leaveNote(app, ada, _id, 'Secret');
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'isInternal']);
    expect(await replies(ada, _id)).toEqual([]);
  });

  test.each([
    ['blank', ' \n '],
    ['of 5,001 characters', 'x'.repeat(5001)],
  ])('rejects a reply that is %s', async (_, message) => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    for (const by of [ada, moderator]) {
      const refused = await answer(app, by, _id, message);
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'message']);
    }
    expect(await replies(moderator, _id)).toEqual([]);
  });

  test('keeps its status when someone replies, and shows staff who wrote last', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    const state = async () => {
      const { status, awaitsStaff, replyCount } = (await fileOf(app, moderator, _id)).report;
      return { status, awaitsStaff, replyCount };
    };
    expect(await state()).toEqual({ status: 'pending', awaitsStaff: true, replyCount: 0 });
    await answer(app, moderator, _id, 'Hello');
    expect(await state()).toEqual({ status: 'pending', awaitsStaff: false, replyCount: 1 });
    await leaveNote(app, moderator, _id, 'Note');
    expect(await state()).toEqual({ status: 'pending', awaitsStaff: false, replyCount: 1 });
    await answer(app, ada, _id, 'Thanks');
    expect(await state()).toEqual({ status: 'pending', awaitsStaff: true, replyCount: 2 });
  });

  test('writes one audit row for each staff reply and note, without its text', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    await answer(app, moderator, _id, 'CANARYREPLY');
    await leaveNote(app, moderator, _id, 'CANARYNOTE');
    await answer(app, ada, _id, 'Mine is no staff action');
    const trail = await app.call(listAudit, { token: administrator.token, query: { targetId: _id } });
    expect(trail.body.data.events.map(({ action }) => action)).toEqual(['report.noted', 'report.replied']);
    expect(trail.raw).not.toContain('CANARY');
    for (const read of [getReport, getReportConversation, getReportReplies]) {
      await app.call(read, { token: ada.token, params: { id: _id } });
      await app.call(read, { token: moderator.token, params: { id: _id } });
    }
    const readings = await app.call(listAudit, {
      token: administrator.token,
      query: { targetId: _id, action: 'report.read' },
    });
    expect(readings.body.data.events).toHaveLength(3);
  });
});

describe('the notification of a reporter', () => {
  test('is sent for an answer immediately, by mail without its text, and stays unread until seen', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    app.clock.advance(1);
    await answer(app, moderator, _id, 'CANARYANSWER');
    await app.drain();
    const [mail] = await app.outbox(ada.email);
    expect(mail?.subject).toBe('An update from our support team');
    expect(mail?.links[0]).toMatch(new RegExp(`/app/support/${_id}$`));
    expect(JSON.stringify(mail)).not.toContain('CANARYANSWER');
    const mine = async () => (await app.call(listMyReports, { token: ada.token })).body.data;
    expect(await mine()).toMatchObject({ unread: 1, reports: [{ isUnread: true }] });
    const other = await makeMember(app);
    expect((await app.call(markReportRead, { token: other.token, params: { id: _id } })).status).toBe(404);
    const read = await app.call(markReportRead, { token: ada.token, params: { id: _id } });
    expect(read.body.data.report.isUnread).toBe(false);
    expect(await mine()).toMatchObject({ unread: 0, reports: [{ isUnread: false }] });
  });

  test('is not sent to a leaving or deactivated member, while staff can still answer', async () => {
    for (const change of [{ leaving_since: app.clock.now() }, { is_active: false, deactivated_at: app.clock.now() }]) {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      await app.db.updateTable('account').set(change).where('id', '=', ada.id).execute();
      expect((await answer(app, moderator, _id, 'Are you there?')).status).toBe(201);
      expect((await app.outbox(ada.email)).map(({ subject }) => subject)).toEqual(['We received your message']);
    }
  });
});
