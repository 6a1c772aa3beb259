import { beforeEach, describe, expect, it } from 'vitest';
import { getReportFile } from '#contract/moderation/report-file.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import { getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport } from '../../../../test/moderation/reports.ts';

const test = startAppForTests();
let person: TestMember;
let reporter: TestMember;
const ids: Partial<Record<ReportType, string>> = {};
beforeEach(async () => {
  await test.db.deleteFrom('report').execute();
  person = await makeMember(test);
  reporter = await makeMember(test);
  for (const problem_type of ['Harassment', 'Payment Problem', 'Bug Report'] as const)
    ids[problem_type] = (await file(reporter, { problem_type, reportedUser: person.id }))._id;
});

/** Files a report a second after the previous one, because lists are ordered by time and a page contains only the newest. */
async function file(by: TestMember, given: Parameters<typeof fileReport>[2]) {
  test.clock.advance(1);
  return await fileReport(test, by, given);
}

const staff = (staffRole: StaffRole) => makeMember(test, { staffRole });

describe('reports for a staff role', () => {
  it.each<[StaffRole, ReportType[]]>([
    ['support', ['Bug Report', 'Payment Problem']],
    ['billing', ['Payment Problem']],
    ['moderator', ['Bug Report', 'Harassment', 'Payment Problem']],
    ['auditor', ['Bug Report', 'Harassment', 'Payment Problem']],
  ])('include for %s only those of the role, in lists, counts, files and histories', async (role, types) => {
    const { token } = await staff(role);
    for (const query of [{}, { search: 'the page stays' }]) {
      const { reports, pagination } = (await test.call(listReports, { token, query })).body.data;
      expect(reports.map(({ problem_type }) => problem_type).sort()).toEqual(types);
      expect(pagination.total).toBe(types.length);
    }
    for (const [type, id] of Object.entries(ids)) {
      const opened = await test.call(getReportFile, { token, params: { id } });
      expect([type, opened.status]).toEqual([type, types.includes(type as ReportType) ? 200 : 404]);
      if (opened.status === 200) expect(opened.body.data.reporter.filed.total).toBe(types.length - 1);
    }
  });

  it.each<StaffRole>(['support', 'billing', 'moderator'])(
    'have the same numbers in statistics and list for %s, also if some may be about minors',
    async (role) => {
      const { token } = await staff(role);
      await file(reporter, { problem_type: 'Bug Report', reportedUser: person.id });
      const of = { problem_type: 'Payment Problem' as const, reportedUser: person.id };
      for (const type of [{}, { problem_type: 'Harassment' as const }]) {
        const { _id } = await file(reporter, { ...of, ...type });
        await test.db.updateTable('report').set({ may_be_minor: true }).where('id', '=', _id).execute();
      }
      const figures = (await test.call(getReportStatistics, { token })).body.data;
      const { reports, pagination } = (await test.call(listReports, { token, query: { limit: '100' } })).body.data;
      expect([figures.total, figures.pending]).toEqual([pagination.total, pagination.total]);
      const listed = Object.groupBy(reports, ({ problem_type }) => problem_type);
      for (const [type, count] of Object.entries(figures.byType))
        expect([type, count]).toEqual([type, listed[type as ReportType]?.length ?? 0]);
    },
  );

  it('cannot be answered by support if they are about safety', async () => {
    const support = await staff('support');
    expect((await answer(test, support, ids.Harassment ?? '', 'Hello')).status).toBe(404);
    expect((await answer(test, support, ids['Bug Report'] ?? '', 'Hello')).status).toBe(201);
  });

  it('are always missing if they are about the viewer, because they would name the reporter', async () => {
    const moderator = await staff('moderator');
    const before = (await fileOf(test, moderator, ids.Harassment ?? '')).reporter;
    await file(reporter, { problem_type: 'Harassment', reportedUser: moderator.id });
    expect((await fileOf(test, moderator, ids.Harassment ?? '')).reporter).toEqual(before);
    const colleague = await fileOf(test, await staff('moderator'), ids.Harassment ?? '');
    expect(colleague.reporter.filed.total).toBe(before.filed.total + 1);
  });

  it('are closed to staff who reported the same person', async () => {
    const [moderator, other] = [await staff('moderator'), await makeMember(test)];
    const { _id: id } = await file(reporter, { problem_type: 'Harassment', reportedUser: other.id });
    const list = async () => (await test.call(listReports, { token: moderator.token })).body.data;
    const before = await list();
    expect(before.reports.map(({ _id }) => _id)).toContain(id);
    await file(moderator, { problem_type: 'Harassment', reportedUser: other.id });
    expect((await test.call(getReportFile, { token: moderator.token, params: { id } })).status).toBe(403);
    expect((await answer(test, moderator, id, 'Hello')).status).toBe(403);
    const after = await list();
    expect(after.reports.map(({ _id }) => _id)).not.toContain(id);
    expect(after.pagination.total).toBe(before.pagination.total - 1);
  });

  it('show pictures and messages only to roles that decide', async () => {
    const whole = (await fileOf(test, await staff('moderator'), ids['Bug Report'] ?? '')).evidence;
    expect(whole.flatMap(({ pictures }) => pictures).length).toBeGreaterThan(0);
    for (const role of ['support', 'auditor'] as const) {
      const seen = (await fileOf(test, await staff(role), ids['Bug Report'] ?? '')).evidence;
      expect(seen.map(({ type }) => type)).toEqual(['profile']);
      expect(seen.flatMap(({ pictures, messages }) => [...pictures, ...messages])).toEqual([]);
    }
  });
});
