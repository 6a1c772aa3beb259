import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { listMyReports, reportStatuses, reportTypes, type ReportStatus } from '#contract/moderation/reports.ts';
import { listReports, getReportStatistics, mayBecome } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { login } from '#contract/auth/session.ts';
import { startAppForTests } from '../../server/test/harness.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { fileKindNames } from '#contract/roles.ts';
import { demoAccounts } from '../accounts.ts';
import { demoId } from '../members/id.ts';
import { unreportedNumbers } from '../members/member.ts';
import { demoReport, demoReportCount } from './report.ts';
import { seedDemo } from '../seed.ts';
import { sessionIn } from '../../server/test/session-in.ts';

const members = 500;
const app = startAppForTests();
let pool: pg.Pool;
let token: string;
beforeAll(async () => {
  pool = app.pool;
  await seedDemo(pool, { members, now: app.clock.now() });
  token = await signIn(0);
});

async function signIn(number: 0 | 2): Promise<string> {
  const { email, password } = demoAccounts[number];
  return sessionIn((await app.call(login, { body: { email, password } })).body).token;
}

describe('demo reports', () => {
  test('include all types, statuses and priorities, some overdue, some answered', async () => {
    const { reports, pagination } = (await app.call(listReports, { token, query: { limit: '1000' } })).body.data;
    // Two more belong to the file with the most entries.
    expect(pagination.total).toBe(demoReportCount(members) + 2);
    expect(new Set(reports.map(({ problem_type }) => problem_type))).toEqual(new Set(reportTypes));
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(reportStatuses));
    expect(new Set(reports.map(({ priority }) => priority)).size).toBe(4);
    expect(reports.some(({ isOverdue }) => isOverdue)).toBe(true);
    expect(reports.some(({ awaitsStaff, replyCount }) => awaitsStaff && replyCount > 0)).toBe(true);
    expect(new Set(reports.map(({ _id }) => _id.slice(-6))).size).toBe(reports.length);
    const figures = (await app.call(getReportStatistics, { token })).body.data;
    expect(figures.total).toBe(reports.length);
    expect(figures.avgResponseTime).toMatch(/^\d+[dhms]/);
  });

  test('have a history that follows the rules', async () => {
    const { reports } = (await app.call(listReports, { token, query: { limit: '1000' } })).body.data;
    for (const { _id, status, source, reportedUser, createdAt } of reports) {
      const file = (await app.call(getReportFile, { token, params: { id: _id } })).body.data;
      expect(file.evidence.map(({ isIntact }) => isIntact)).toEqual(reportedUser === null ? [] : [true]);
      let reached: string = 'pending';
      // A message from the team counts as a report once it is answered.
      let last = source === 'staff_message' ? '' : createdAt;
      for (const { kind, from, to, at } of file.timeline) {
        expect(at >= last && at <= app.clock.now().toISOString()).toBe(true);
        last = at;
        if (kind !== 'status') continue;
        expect(from).toBe(reached);
        expect(mayBecome(from as ReportStatus, to as ReportStatus)).toBe(true);
        reached = to ?? '';
      }
      expect(status).toBe(reached);
    }
  });

  test('include reports by the free demo member', async () => {
    const mine = (await app.call(listMyReports, { token: await signIn(2) })).body.data;
    expect(mine.reports).toHaveLength(4);
    expect(mine.unread).toBeGreaterThan(0);
  });

  test('give one person a file with nearly everything', async () => {
    const params = { id: demoId(unreportedNumbers[0] ?? 0) };
    const query = { limit: '100', kind: fileKindNames.join(',') };
    const { entries, kinds } = (await app.call(getUserFile, { token, params, query })).body.data;
    const found = new Set(entries.map(({ kind }) => kind));
    expect(kinds.filter((kind) => !found.has(kind))).toEqual(['appeal', 'link']);
    expect(entries.filter(({ isUnreadable }) => isUnreadable)).toEqual([]);
  });

  test('are always the same', () => {
    const size = { members, hasPictures: true, now: app.clock.now() };
    expect(demoReport(5, size)).toEqual(demoReport(5, size));
  });
});
