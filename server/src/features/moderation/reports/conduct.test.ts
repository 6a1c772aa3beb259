import { beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { createReport, listMyReports, type ReportStatus } from '#contract/moderation/reports.ts';
import {
  changeReport,
  changeReportStatus,
  getReport,
  getReportStatistics,
  listReports,
  undoReportStatus,
} from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport, leaveNote } from '../../../../test/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app);
});

const change = (id: string, status: ReportStatus, by = moderator) =>
  app.call(changeReportStatus, { token: by.token, params: { id }, body: { status } });
const own = async (by: TestMember) => (await app.call(listMyReports, { token: by.token })).body.data;

describe('the notification about an outcome', () => {
  test('is not sent for an outcome that was undone', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    await change(_id, 'resolved');
    await change(_id, 'in_progress');
    await app.drainLater();
    expect((await own(ada)).unread).toBe(0);
    expect(await app.outbox(ada.email)).toHaveLength(1);
  });

  test('is sent once, however often staff change the outcome', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    for (const status of ['resolved', 'in_progress', 'rejected', 'closed', 'in_progress', 'resolved'] as const) {
      await change(_id, status);
    }
    await app.drainLater();
    const subjects = (await app.outbox(ada.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'An update from our support team')).toHaveLength(1);
    expect((await own(ada)).unread).toBe(1);
  });
});

describe('a list of reports', () => {
  test('shows the start of the newest public replies, while the report itself shows all of them', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    for (let n = 0; n < 6; n += 1) await answer(app, moderator, _id, `${n} ${'😀'.repeat(2400)}`);
    await leaveNote(app, moderator, _id, 'Among us');
    const listed = await app.call(listReports, { token: moderator.token, query: { search: _id } });
    const [row] = listed.body.data.reports;
    expect(row?.replies.map(({ message }) => message.slice(0, 2))).toEqual(['3 ', '4 ', '5 ']);
    expect(row?.replyCount).toBe(6);
    expect(Buffer.byteLength(listed.raw)).toBeLessThan(10_000);
    expect((await own(ada)).reports[0]?.replies).toHaveLength(3);
    const alone = await app.call(getReport, { token: ada.token, params: { id: _id } });
    expect(alone.body.data.report.replies.map(({ message }) => [...message].length)).toEqual(Array(6).fill(2402));
  });

  test('can be sorted oldest first for one’s own reports', async () => {
    const ada = await makeMember(app);
    const first = await fileReport(app, ada);
    app.clock.advance(1);
    const second = await fileReport(app, ada);
    const { reports } = (await app.call(listMyReports, { token: ada.token, query: { sortOrder: 'asc' } })).body.data;
    expect(reports.map(({ _id }) => _id)).toEqual([first._id, second._id]);
  });
});

describe('a member of staff', () => {
  test('cannot handle reports they filed, nor read notes there', async () => {
    const { _id } = await fileReport(app, moderator, { description: 'My own trouble' });
    await leaveNote(app, administrator, _id, 'CANARYNOTE');
    await answer(app, administrator, _id, 'Looked at it.');
    expect((await change(_id, 'resolved')).status).toBe(403);
    expect((await app.call(getReportFile, { token: moderator.token, params: { id: _id } })).status).toBe(403);
    const listed = await app.call(listReports, { token: moderator.token, query: { search: _id } });
    expect(listed.body.data.reports).toEqual([]);
    const read = await app.call(getReport, { token: moderator.token, params: { id: _id } });
    expect(read.raw).not.toContain('CANARYNOTE');
    expect(read.body.data.report.replies).toMatchObject([{ repliedBy: { name: 'Support team' } }]);
    expect((await leaveNote(app, moderator, _id, 'Hush')).status).toBe(400);
    expect((await answer(app, moderator, _id, 'Thank you')).status).toBe(201);
    expect((await fileOf(app, administrator, _id)).report).toMatchObject({ awaitsStaff: true, replyCount: 2 });
    expect((await change(_id, 'resolved', administrator)).status).toBe(200);
  });

  test('sees nothing of a report about themselves, not even in the audit log or the statistics', async () => {
    const suspect = await makeAdministrator(app);
    const figures = async () => (await app.call(getReportStatistics, { token: suspect.token })).body.data;
    const before = await figures();
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada, { problem_type: 'Harassment', reportedUser: suspect.id });
    await change(_id, 'resolved');
    expect(await figures()).toEqual(before);
    const trail = await app.call(listAudit, { token: suspect.token, query: { limit: '1000' } });
    expect(trail.raw).not.toContain(_id);
    const others = await app.call(listAudit, { token: administrator.token, query: { limit: '1000' } });
    expect(others.raw).toContain(_id);
  });

  test('is shown no count of others’ reports about someone they reported', async () => {
    const [filing, bo] = [await makeAdministrator(app), await makeMember(app)];
    await fileReport(app, filing, { problem_type: 'Harassment', reportedUser: bo.id });
    const figures = async () => (await app.call(getReportStatistics, { token: filing.token })).body.data;
    const before = await figures();
    await fileReport(app, await makeMember(app), { problem_type: 'Inappropriate Content', reportedUser: bo.id });
    expect(await figures()).toEqual(before);
  });

  test('sees that a member is leaving', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    const { _id } = await fileReport(app, ada, { reportedUser: bo.id });
    await app.db
      .updateTable('account')
      .set({ leaving_since: app.clock.now() })
      .where('id', 'in', [ada.id, bo.id])
      .execute();
    const { report } = await fileOf(app, moderator, _id);
    expect([report.user.isActive, report.reportedUser?.isActive]).toEqual([false, false]);
  });
});

describe('the reporter', () => {
  test('sees no undone steps, notes or changes of priority', async () => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada);
    const before = (await own(ada)).reports;
    app.clock.advance(3);
    await change(_id, 'resolved');
    await app.call(undoReportStatus, { token: moderator.token, params: { id: _id } });
    await leaveNote(app, moderator, _id, 'Hm');
    const body = { priority: 'critical' as const, reason: 'Looks bad' };
    await app.call(changeReport, { token: moderator.token, params: { id: _id }, body });
    await app.drainLater();
    expect((await own(ada)).reports).toEqual(before);
  });

  test.each([
    ['zero-width spaces', '\u200b\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['marks alone', '\u2060\u200d'],
  ])('cannot send invisible text: %s', async (_, description) => {
    const ada = await makeMember(app);
    const body = { problem_type: 'Other' as const, description };
    expect((await app.call(createReport, { token: ada.token, body })).status).toBe(400);
    const { _id } = await fileReport(app, ada);
    expect((await answer(app, ada, _id, description)).status).toBe(400);
  });
});
