import { beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { createReport, listMyReports, type ReportStatus, reportStatuses } from '#contract/moderation/reports.ts';
import {
  changeReport,
  changeReportStatus,
  deleteReport,
  getReport,
  getReportStatistics,
  listReports,
  mayBecome,
  undoReportStatus,
} from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport, leaveNote, putInStatus } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();

describe('the status of reports', () => {
  let administrator: TestMember;
  let moderator: TestMember;
  let ada: TestMember;

  beforeAll(async () => {
    administrator = await makeAdministrator(app);
    moderator = await makeModerator(app);
    ada = await makeMember(app);
  });

  const change = (id: string, status: ReportStatus, by = administrator) =>
    app.call(changeReportStatus, { token: by.token, params: { id }, body: { status } });
  const undo = (id: string, by = administrator) => app.call(undoReportStatus, { token: by.token, params: { id } });
  const audited = async (id: string) =>
    (
      await app.call(listAudit, { token: administrator.token, query: { targetId: id, limit: '1000' } })
    ).body.data.events.filter(({ action }) => action !== 'report.read');
  const pairs = reportStatuses.flatMap((from) => reportStatuses.map((to) => [from, to] as const));

  describe('the status of a report', () => {
    test.each(pairs)('changes only by legal steps: from %s to %s', async (from, to) => {
      const { _id } = await fileReport(app, ada);
      await putInStatus(app, _id, from);
      const answered = await change(_id, to, moderator);
      if (from === to) {
        expect(answered.body.data.report.status).toBe(to);
        expect(await audited(_id)).toEqual([]);
      } else if (mayBecome(from, to)) {
        expect(answered.body.data.report.status).toBe(to);
        expect(await audited(_id)).toMatchObject([
          { action: 'report.statusChanged', changes: { status: { from, to } }, target: { type: 'report', id: _id } },
        ]);
      } else {
        expect(answered.status).toBe(409);
        expect(answered.error).toMatchObject({ code: 'ILLEGAL_STEP', data: { report: { _id, status: from } } });
        expect(await audited(_id)).toEqual([]);
      }
    });

    test('accepts 50 parallel changes and replies without an illegal step or a lost reply', async () => {
      const { _id } = await fileReport(app, ada);
      const wanted = Array.from({ length: 25 }, (_, n) => reportStatuses[n % reportStatuses.length] ?? 'pending');
      const answers = await Promise.all([
        ...wanted.map((status, n) => change(_id, status, n % 2 === 0 ? administrator : moderator)),
        ...Array.from({ length: 25 }, (_, n) => answer(app, n % 2 === 0 ? administrator : ada, _id, `Reply ${n}`)),
      ]);
      expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
      const { report, timeline } = await fileOf(app, administrator, _id);
      const steps = timeline.filter(({ kind }) => kind === 'status').map(({ from, to }) => [from, to] as const);
      let status: string = 'pending';
      for (const [from, to] of steps) {
        expect(from).toBe(status);
        expect(mayBecome(from as ReportStatus, to as ReportStatus)).toBe(true);
        status = to ?? '';
      }
      expect(report.status).toBe(status);
      expect(report.replyCount).toBe(25);
      expect(new Set(report.replies.map(({ message }) => message)).size).toBe(25);
      expect((await audited(_id)).filter(({ action }) => action === 'report.statusChanged')).toHaveLength(steps.length);
    });
  });

  describe('undoing a status change', () => {
    test('restores the previous status once, within ten seconds, for the person who made it', async () => {
      const { _id } = await fileReport(app, ada);
      const changed = (await change(_id, 'resolved')).body.data.report;
      expect(changed.can.undoUntil).toBe(new Date(app.clock.now().getTime() + 10_000).toISOString());
      expect((await undo(_id, moderator)).status).toBe(409);
      app.clock.advance(10);
      const undone = (await undo(_id)).body.data.report;
      expect(undone).toMatchObject({ status: 'pending', firstRespondedAt: null, can: { undoUntil: null } });
      expect((await undo(_id)).error.data?.report?.status).toBe('pending');
      expect((await audited(_id)).map(({ action }) => action)).toEqual(['report.statusUndone', 'report.statusChanged']);
    });

    test('returns 409 after ten seconds and after another change', async () => {
      const [late, others] = [await fileReport(app, ada), await fileReport(app, ada)];
      await change(late._id, 'resolved');
      app.clock.advance(11);
      expect((await undo(late._id)).status).toBe(409);
      await change(others._id, 'resolved');
      await change(others._id, 'in_progress', moderator);
      expect((await undo(others._id)).status).toBe(409);
    });

    test('undoes one step when it is sent in parallel', async () => {
      const { _id } = await fileReport(app, ada);
      await change(_id, 'in_progress');
      await change(_id, 'resolved');
      const answers = await Promise.all(Array.from({ length: 8 }, () => undo(_id)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await fileOf(app, administrator, _id)).report.status).toBe('in_progress');
    });

    test('keeps the first response if staff replied in between', async () => {
      const { _id } = await fileReport(app, ada);
      await change(_id, 'in_progress');
      app.clock.advance(5);
      await answer(app, moderator, _id, 'We are looking at it.');
      const at = app.clock.now().toISOString();
      expect((await undo(_id)).body.data.report.firstRespondedAt).toBe(at);
    });

    test('cancels the delayed notification of the reporter', async () => {
      const reporter = await makeMember(app);
      const [undone, kept] = [await fileReport(app, reporter), await fileReport(app, reporter)];
      await change(undone._id, 'resolved');
      await change(kept._id, 'rejected');
      await app.drain();
      const unread = async () => (await app.call(listMyReports, { token: reporter.token })).body.data.unread;
      expect(await unread()).toBe(0);
      await undo(undone._id);
      await app.drainLater();
      expect(await unread()).toBe(1);
      const decided = (await app.outbox(reporter.email)).filter(
        ({ subject }) => subject === 'An update from our support team',
      );
      expect(decided.map(({ links }) => links[0])).toEqual([
        expect.stringMatching(new RegExp(`/app/support/${kept._id}$`)),
      ]);
    });
  });

  describe('the priority of a report', () => {
    test('can be changed by staff with a reason, which changes the due time', async () => {
      const { _id } = await fileReport(app, ada, { problem_type: 'Other' });
      const raise = (by: TestMember) =>
        app.call(changeReport, {
          token: by.token,
          params: { id: _id },
          body: { priority: 'critical', reason: 'Talks of self-harm' },
        });
      expect((await raise(ada)).status).toBe(403);
      const { report } = (await raise(moderator)).body.data;
      expect(report.priority).toBe('critical');
      expect(Date.parse(report.dueAt) - Date.parse(report.createdAt)).toBe(3_600_000);
      await raise(moderator);
      expect(await audited(_id)).toMatchObject([{ action: 'report.priorityChanged', reason: 'Talks of self-harm' }]);
      expect((await fileOf(app, moderator, _id)).timeline.at(-1)).toMatchObject({
        kind: 'priority',
        from: 'other',
        to: 'critical',
        reason: 'Talks of self-harm',
      });
      const own = await app.call(getReport, { token: ada.token, params: { id: _id } });
      expect(own.body.data.report.priority).toBe('other');
    });
  });

  describe('deleting a report', () => {
    test('loses no acknowledged reply when it happens during replies and status changes', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { _id } = await fileReport(app, ada);
        const [first, second, step, removed, late] = await Promise.all([
          answer(app, ada, _id, 'One'),
          answer(app, moderator, _id, 'Two'),
          change(_id, 'resolved'),
          app.call(deleteReport, { token: administrator.token, params: { id: _id } }),
          leaveNote(app, moderator, _id, 'Three'),
        ]);
        expect(removed.status).toBe(200);
        expect([first, second, late].every(({ status }) => status === 201 || status === 404)).toBe(true);
        const kept = await app.db.selectFrom('report_reply').select('message').where('report_id', '=', _id).execute();
        expect(kept).toHaveLength([first, second, late].filter(({ status }) => status === 201).length);
        expect([200, 404]).toContain(step.status);
      }
    });

    test('removes it everywhere, is audited, and requires an administrator', async () => {
      const { _id } = await fileReport(app, ada);
      const before = (await app.call(getReportStatistics, { token: administrator.token })).body.data;
      const remove = (by: TestMember) => app.call(deleteReport, { token: by.token, params: { id: _id } });
      expect([(await remove(ada)).status, (await remove(moderator)).status]).toEqual([403, 403]);
      expect((await remove(administrator)).status).toBe(200);
      expect((await remove(administrator)).status).toBe(404);
      expect((await app.call(getReport, { token: ada.token, params: { id: _id } })).status).toBe(404);
      expect((await change(_id, 'closed')).status).toBe(404);
      expect((await answer(app, ada, _id, 'Hello?')).status).toBe(404);
      const after = (await app.call(getReportStatistics, { token: administrator.token })).body.data;
      expect([after.total, after.pending]).toEqual([before.total - 1, before.pending - 1]);
      expect(await audited(_id)).toMatchObject([{ action: 'report.deleted' }]);
      const kept = await app.db.selectFrom('report').select('description').where('id', '=', _id).execute();
      expect(kept).toHaveLength(1);
    });
  });
});

describe('handling reports', () => {
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

    test('sees no count of other reports about someone they reported', async () => {
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
});
