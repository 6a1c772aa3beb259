import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { QueryInput } from '#contract/endpoint.ts';
import { reportPriorities, reportStatuses, reportTypes } from '#contract/moderation/reports.ts';
import { claimCase } from '#contract/moderation/cases.ts';
import {
  changeReport,
  changeReportStatus,
  getReportStatistics,
  listReports,
} from '#contract/moderation/staff-reports.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  signIn,
  type TestMember,
} from '../../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport, leaveNote, putInStatus } from '../../../../test/moderation/reports.ts';
import { quantileOf } from './statistics.reads.ts';
import { durationText } from './policy.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
let ada: TestMember;
const filed: { id: string; type: string; status: string }[] = [];
beforeAll(async () => {
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app);
  ada = await makeMember(app, { firstName: 'Ada', lastName: 'Quillfeather', email: 'ada.q@example.test' });
  for (const [n, type] of [...reportTypes, ...reportTypes, ...reportTypes].entries()) {
    const status = reportStatuses[n % reportStatuses.length] ?? 'pending';
    const { _id } = await fileReport(app, ada, { problem_type: type, description: `Number ${n} of ${type}` });
    await putInStatus(app, _id, status);
    filed.push({ id: _id, type, status });
    app.clock.advance(1);
  }
});
afterEach(async () => {
  const own = filed.map(({ id }) => id);
  await app.db.deleteFrom('report').where('id', 'not in', own).execute();
});

const list = (query: QueryInput<typeof listReports> = {}, by = administrator) =>
  app.call(listReports, { token: by.token, query });
const page = async (query: QueryInput<typeof listReports> = {}, by = administrator) =>
  (await list(query, by)).body.data;
const ids = async (query: QueryInput<typeof listReports>, by = administrator) =>
  (await page({ limit: '100', ...query }, by)).reports.map(({ _id }) => _id);

describe('GET /reports/reports', () => {
  test('lists ten per page, newest first, each once', async () => {
    const first = await page();
    expect(first.pagination).toEqual({ page: 1, limit: 10, total: 21, pages: 3 });
    const walked = [
      ...first.reports,
      ...(await page({ page: '2' })).reports,
      ...(await page({ page: '3' })).reports,
    ].map(({ _id }) => _id);
    expect(walked).toEqual(filed.map(({ id }) => id).reverse());
    expect((await page({ page: '4' })).reports).toEqual([]);
  });

  test('filters by status, type and priority, one by one and combined, with counts', async () => {
    const all = (await page({ limit: '100' })).reports;
    for (const status of ['', ...reportStatuses] as const) {
      for (const type of ['', ...reportTypes] as const) {
        for (const priority of ['', ...reportPriorities] as const) {
          const fits = all.filter(
            (report) =>
              (status === '' || report.status === status) &&
              (type === '' || report.problem_type === type) &&
              (priority === '' || report.priority === priority),
          );
          const answered = await page({ limit: '100', status, problem_type: type, priority });
          expect(answered.reports).toEqual(fits);
          expect(answered.pagination.total).toBe(fits.length);
        }
      }
    }
  });

  test('searches text ignoring case, the short id and names, and full addresses for administrators', async () => {
    const [one] = filed;
    expect(await ids({ search: 'NUMBER 0 of' })).toEqual([one?.id]);
    expect(await ids({ search: `#${one?.id.slice(-6)}` })).toEqual([one?.id]);
    const id = one?.id ?? '';
    for (const search of [`{${id}}`, id.replaceAll('-', ''), `${id.replaceAll('-', '\u2011').toUpperCase()}.`])
      expect(await ids({ search }), search).toEqual([id]);
    for (const search of [ada.id, `https://heartwood.test/users/${ada.id}`])
      expect(await ids({ search }), search).toHaveLength(21);
    expect(await ids({ search: 'quillfeather' })).toHaveLength(21);
    expect(await ids({ search: 'quillfeather', status: 'pending', problem_type: 'Harassment' })).toHaveLength(
      filed.filter(({ type, status }) => type === 'Harassment' && status === 'pending').length,
    );
    expect(await ids({ search: 'Ada.Q@example.test' })).toHaveLength(21);
    await app.db
      .updateTable('account')
      .set({ email: 'ada.q@xn--80a1acny.xn--p1ai' })
      .where('id', '=', ada.id)
      .execute();
    expect(await ids({ search: 'Ada.Q@почта.рф' })).toHaveLength(21);
    await app.db.updateTable('account').set({ email: 'ada.q@example.test' }).where('id', '=', ada.id).execute();
    expect(await ids({ search: 'ada.q@example' })).toEqual([]);
    expect(await ids({ search: 'ada.q@example.test' }, moderator)).toEqual([]);
    for (const search of ['100%', '_', '\\', "'; drop table report; --", 'no such words']) {
      expect(await ids({ search }), search).toEqual([]);
    }
  });

  test.each([
    ['is plain', {}, null],
    ['may be about a minor', { mayBeMinor: true }, /^The person may be under 18/],
    ['is the second about safety', { problem_type: 'Harassment' }, /^More than one person reported a safety problem/],
    ['was raised', { problem_type: 'Other' }, /^The case is critical/],
  ] as const)(
    'shows who handles the case, and why one click is not enough for a report that %s',
    async (why, given, sentence) => {
      const [person, reporter] = [await makeMember(app), await makeMember(app)];
      const report = { problem_type: 'Harassment', reportedUser: person.id } as const;
      if (why === 'is the second about safety') await fileReport(app, await makeMember(app), report);
      const { _id } = await fileReport(app, reporter, { ...report, ...given });
      const body = { priority: 'critical', reason: 'A threat' } as const;
      if (why === 'was raised') await app.call(changeReport, { token: administrator.token, params: { id: _id }, body });
      const caseFor = async (by: TestMember) =>
        (await page({ limit: '100' }, by)).reports.find((one) => one._id === _id)?.case;
      const expected = sentence === null ? null : (expect.stringMatching(sentence) as string);
      expect(await caseFor(moderator)).toMatchObject({ handledBy: null, needsDecision: expected });
      const id = (await caseFor(moderator))?._id ?? '';
      const claimed = await app.call(claimCase, { token: moderator.token, params: { id } });
      const holder = claimed.body.data.case.holder?.name ?? 'none';
      expect(await caseFor(administrator)).toEqual({ _id: id, handledBy: holder, needsDecision: expected });
      expect(await caseFor(moderator)).toMatchObject({ handledBy: null });
    },
  );

  test('masks the address of someone the viewer reported, and does not find them by it', async () => {
    const [party, person] = [await makeAdministrator(app), await makeMember(app, { email: 'zoe@masked.test' })];
    const about = await fileReport(app, party, { problem_type: 'Other', reportedUser: person.id });
    const { _id } = await fileReport(app, person);
    const emails = async (by: TestMember) => {
      const { report, reporter } = await fileOf(app, by, _id);
      const listed = (await page({}, by)).reports.find((one) => one._id === _id);
      return [report.user.email, reporter.person.email, listed?.user.email];
    };
    expect(await emails(party)).toEqual(Array(3).fill('z•••@m•••.test'));
    expect(await emails(administrator)).toEqual(Array(3).fill('zoe@masked.test'));
    expect(await ids({ search: 'zoe@masked.test' }, party)).toEqual([]);
    expect((await ids({ search: 'zoe@masked.test' })).sort()).toEqual([_id, about._id].sort());
  });

  test('finds people by their new name, not by the old one', async () => {
    const bo = await makeMember(app, { firstName: 'Oldname', lastName: 'Person' });
    const { _id } = await fileReport(app, bo);
    await app.call(editProfile, { token: bo.token, body: { firstName: 'Newname' } });
    expect(await ids({ search: 'newname' })).toEqual([_id]);
    expect(await ids({ search: 'oldname' })).toEqual([]);
    await deleteAccounts(app, bo.id);
    expect(await ids({ search: 'newname' })).toEqual([]);
  });

  test('sorts by most urgent and by longest overdue', async () => {
    const ranks = (await page({ limit: '100', sortBy: 'priority' })).reports.map(({ priority }) =>
      reportPriorities.indexOf(priority),
    );
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    const [oldest] = filed;
    const shift = `update report set created_at = created_at + $1::interval, due_at = due_at + $1::interval`;
    await app.pool.query(shift, ['-5 hours']);
    const due = (await page({ limit: '100', sortBy: 'dueAt' })).reports;
    expect(due.map(({ dueAt }) => dueAt)).toEqual(due.map(({ dueAt }) => dueAt).sort());
    expect(due.filter(({ isOverdue }) => isOverdue).every(({ priority }) => priority === 'high')).toBe(true);
    expect(due.some(({ isOverdue }) => isOverdue)).toBe(true);
    await answer(app, administrator, oldest?.id ?? '', 'Hello');
    expect((await ids({ sortBy: 'dueAt' })).at(-1)).toBe(oldest?.id);
    await app.pool.query(shift, ['5 hours']);
  });

  test('masks addresses for moderators and doesn’t permit them to delete', async () => {
    const [seen] = (await page({ limit: '1' }, moderator)).reports;
    expect(seen).toMatchObject({ user: { email: 'a•••@e•••.test' }, can: { delete: false } });
    expect((await page({ limit: '1' })).reports[0]).toMatchObject({
      user: { email: 'ada.q@example.test' },
      can: { delete: true },
    });
  });

  test.each<[Record<string, string>, string]>([
    [{ status: 'done' }, 'status'],
    [{ problem_type: 'Love' }, 'problem_type'],
    [{ priority: 'low' }, 'priority'],
    [{ sortBy: 'description' }, 'sortBy'],
    [{ sortOrder: 'up' }, 'sortOrder'],
    [{ search: 'x'.repeat(101) }, 'search'],
  ])('rejects %j with a field error', async (query, field) => {
    const refused = await list(query);
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
  });
});

describe('the statistics of reports', () => {
  test('are exact after every change and include first response times', async () => {
    const read = async () => (await app.call(getReportStatistics, { token: moderator.token })).body.data;
    const before = await read();
    expect(before.total).toBe(21);
    expect(Object.values(before.byType)).toEqual(Array(7).fill(3));
    expect(before.highPriority).toBe((before.byPriority['critical'] ?? 0) + (before.byPriority['high'] ?? 0));
    expect(before.highPriority).toBe(9);
    const openHigh = async () =>
      (await page({ limit: '100' })).reports.filter(
        ({ priority, status }) =>
          (priority === 'critical' || priority === 'high') && (status === 'pending' || status === 'in_progress'),
      ).length;
    expect(before.openHighPriority).toBe(await openHigh());
    expect(before.openHighPriority).toBeGreaterThan(0);
    const listed = async (query: Parameters<typeof page>[0]) => (await page(query)).pagination.total;
    for (const sortBy of ['createdAt', 'priority', 'dueAt'] as const) {
      expect(await listed({ priority: 'urgent', sortBy })).toBe(before.highPriority);
      expect(await listed({ priority: 'urgent', status: 'open', sortBy })).toBe(before.openHighPriority);
      expect(await listed({ status: 'open', sortBy })).toBe(before.pending + before.inProgress);
    }

    const seconds = [1, 2, 3, 4, 100];
    const reports = await Promise.all(seconds.map(() => fileReport(app, ada)));
    for (const [n, { _id }] of reports.entries()) {
      app.clock.advance((seconds[n] ?? 0) - (seconds[n - 1] ?? 0));
      await leaveNote(app, moderator, _id, 'A note takes no time away');
      if (n % 2 === 0) await answer(app, moderator, _id, 'Hello');
      else {
        const body = { status: 'resolved' as const };
        await app.call(changeReportStatus, { token: moderator.token, params: { id: _id }, body });
      }
      await answer(app, moderator, _id, 'Only the first answer counts');
    }
    const after = await read();
    expect(after.total).toBe(26);
    expect(after.resolved).toBe(before.resolved + 2);
    expect(after.openHighPriority).toBe(await openHigh());
    expect(after.openHighPriority).toBeLessThan(after.highPriority);
    const all = await app.db.selectFrom('report').select(['created_at', 'first_responded_at']).execute();
    const took = all
      .flatMap(({ created_at, first_responded_at }) =>
        first_responded_at === null ? [] : [first_responded_at.getTime() - created_at.getTime()],
      )
      .sort((a, b) => a - b);
    const average = took.reduce((sum, ms) => sum + ms, 0) / took.length;
    expect(after.avgResponseMs).toBe(Math.round(average));
    expect(after.avgResponseTime).toBe(durationText(average));
    const near = (figure: number | null, exact: number) => Math.abs((figure ?? 0) / exact - 1);
    expect(near(after.medianResponseMs, took[Math.ceil(took.length * 0.5) - 1] ?? 0)).toBeLessThan(0.03);
    expect(near(after.p90ResponseMs, took[Math.ceil(took.length * 0.9) - 1] ?? 0)).toBeLessThan(0.03);
  });

  test('are zero without reports, and include first response times of the last 30 days, today included', async () => {
    const empty = await startApp();
    const staff = await makeAdministrator(empty);
    const read = async () => {
      const { token } = await signIn(empty, staff.id, true);
      return (await empty.call(getReportStatistics, { token })).body.data;
    };
    const none = { avgResponseMs: null, medianResponseMs: null, p90ResponseMs: null };
    expect(await read()).toMatchObject({ total: 0, openHighPriority: 0, responseDays: 30, ...none });
    expect(await read()).not.toHaveProperty('avgResponseTime');
    const first = await fileReport(empty, await makeMember(empty));
    empty.clock.advance(60);
    await answer(empty, staff, first._id, 'Hello');
    empty.clock.advance(29 * 86_400);
    const second = await fileReport(empty, await makeMember(empty));
    empty.clock.advance(20);
    await answer(empty, { ...staff, ...(await signIn(empty, staff.id, true)) }, second._id, 'Hello again');
    expect(await read()).toMatchObject({ avgResponseMs: 40_000 });
    empty.clock.advance(86_400);
    expect(await read()).toMatchObject({ avgResponseMs: 20_000 });
    empty.clock.advance(29 * 86_400);
    expect(await read()).toMatchObject({ total: 2, ...none });
    await empty.close();
  });

  test.each([
    [0, '0s'],
    [29_000, '29s'],
    [61_000, '1m'],
    [3_599_000, '1h'],
    [11_520_000, '3h 12m'],
    [86_400_000, '1d'],
    [187_200_000, '2d 4h'],
  ])('show %i ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  test('contain quantiles computed from duration classes', () => {
    expect(quantileOf([], 0.5)).toBeNull();
    expect(quantileOf([{ at: 0, count: 1 }], 0.9)).toBe(1);
    const classes = Array.from({ length: 10 }, (_, n) => ({ at: 200 + n, count: 1 }));
    expect(quantileOf(classes, 0.5)).toBe(Math.round(1.05 ** 204.5));
    expect(quantileOf(classes, 0.9)).toBe(Math.round(1.05 ** 208.5));
  });
});
