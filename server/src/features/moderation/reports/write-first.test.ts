import { beforeAll, describe, expect, it } from 'vitest';
import { requestLimits } from '#contract/constants.ts';
import { listNotifications } from '#contract/notifications.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { listMyReports, markReportRead } from '#contract/moderation/reports.ts';
import {
  changeReport,
  changeReportStatus,
  deleteReport,
  getReport,
  getReportConversation,
  getReportReplies,
  getReportStatistics,
  listReports,
} from '#contract/moderation/staff-reports.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, fileOf, fileReport } from '../../../../test/moderation/reports.ts';
import { countOverdue } from './list.reads.ts';

const app = startAppForTests({ RATE_LIMITS: 'on' });
let support: TestMember;
let administrator: TestMember;
beforeAll(async () => {
  support = await makeMember(app, { staffRole: 'support', firstName: 'Sue', lastName: 'Port' });
  administrator = await makeAdministrator(app);
});

const text = 'Hi Bo, your payment of May came back. Is your card still valid?';
const write = (to: TestMember, by = support, given = text) =>
  app.call(writeToMember, { token: by.token, params: { id: to.id }, body: { text: given } });
const written = async (to: TestMember, by = support) => (await write(to, by)).body.data.reportId;

/** Advances the clock, which ends sessions. */
async function pass(seconds: number, person: TestMember): Promise<TestMember> {
  app.clock.advance(seconds);
  support = { ...support, ...(await signIn(app, support.id, true)) };
  administrator = { ...administrator, ...(await signIn(app, administrator.id, true)) };
  return { ...person, ...(await signIn(app, person.id)) };
}

/** The content of all lists, searches and figures of staff. */
async function seenByStaff(person: TestMember, elsewhere: string) {
  const token = administrator.token;
  const total = async (query: object, by = administrator) =>
    (await app.call(listReports, { token: by.token, query })).body.data.pagination.total;
  const { reporter } = await fileOf(app, administrator, elsewhere);
  return {
    listed: await total({}),
    ofType: await total({ problem_type: 'Account Issue' }),
    pending: await total({ status: 'pending' }),
    overdueFirst: await total({ sortBy: 'dueAt' }),
    found: await total({ search: 'payment of May' }),
    foundByAddress: await total({ search: person.email }),
    ofSupport: await total({}, support),
    mine: await total({ assigned: 'me' }, support),
    history: reporter.filed.total,
    statistics: (await app.call(getReportStatistics, { token })).body.data,
    ofSupportStatistics: (await app.call(getReportStatistics, { token: support.token })).body.data.total,
    overdue: await countOverdue(app.db, new Date('2099-01-01T00:00:00.000Z')),
  };
}

describe('POST /admin/users/{id}/messages', () => {
  it('reaches the member as a message of the team, with a notification and a mail', async () => {
    const person = await makeMember(app, { firstName: 'Bo' });
    const id = await written(person);
    const { reports, unread } = (await app.call(listMyReports, { token: person.token })).body.data;
    expect(reports).toMatchObject([
      { _id: id, isFromTeam: true, isUnread: true, description: text, problem_type: 'Account Issue', replyCount: 0 },
    ]);
    expect(unread).toBe(1);
    const { conversation } = (await app.call(getReportConversation, { token: person.token, params: { id } })).body.data;
    expect(conversation).toMatchObject([{ message: text, repliedBy: { name: 'Support team' } }]);
    const { notifications } = (await app.call(listNotifications, { token: person.token })).body.data;
    expect(notifications).toMatchObject([{ kind: 'report', subjectId: id }]);
    await app.drain();
    const [mail] = await app.outbox(person.email);
    expect(mail?.links[0]).toContain(`/app/support/${id}`);
    expect(mail?.text).not.toContain('payment');
    expect((await app.call(markReportRead, { token: person.token, params: { id } })).status).toBe(200);
    const { events } = (await app.call(listAudit, { token: administrator.token, query: { targetId: person.id } })).body
      .data;
    expect(events).toMatchObject([
      { action: 'user.written', actor: { _id: support.id }, changes: { report: { to: id } } },
    ]);
  });

  it('returns 400 for links to other sites', async () => {
    const person = await makeMember(app);
    expect((await write(person, support, `${text} See heartwood-help.com`)).error.errors?.[0]?.field).toBe('text');
    expect((await write(person, support, `${text} See http://localhost:3000/app/premium`)).status).toBe(201);
  });

  it('keeps the message out of lists, counts, searches and figures of staff until the member answers', async () => {
    const person = await makeMember(app);
    const { _id: elsewhere } = await fileReport(app, person);
    const before = await seenByStaff(person, elsewhere);
    const id = await written(person);
    expect(await seenByStaff(person, elsewhere)).toEqual(before);
    const params = { id };
    const { token } = await makeModerator(app);
    const refused = await Promise.all([
      app.call(getReport, { token, params }),
      app.call(getReportFile, { token, params }),
      app.call(getReportConversation, { token, params }),
      app.call(getReportReplies, { token, params }),
      app.call(changeReportStatus, { token, params, body: { status: 'in_progress' } }),
      app.call(changeReport, { token, params, body: { priority: 'high', reason: 'By phone' } }),
      app.call(deleteReport, { token: administrator.token, params }),
      answer(app, support, id, 'Are you there?'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    expect((await answer(app, await makeMember(app), id, 'Mine?')).status).toBe(404);
    for (const reader of [support, administrator])
      expect((await app.call(getReportConversation, { token: reader.token, params })).status).toBe(200);

    const returned = await pass(5 * 86_400, person);
    expect((await answer(app, returned, id, 'Yes, it is.')).status).toBe(201);
    const answeredAt = app.clock.now();
    const after = await seenByStaff(person, elsewhere);
    const more = (count: number) => count + 1;
    expect(after).toEqual({
      ...before,
      ...{ listed: more(before.listed), ofType: more(before.ofType), pending: more(before.pending) },
      ...{ overdueFirst: more(before.overdueFirst), found: more(before.found), ofSupport: more(before.ofSupport) },
      ...{ foundByAddress: more(before.foundByAddress), mine: more(before.mine), history: more(before.history) },
      ...{ ofSupportStatistics: more(before.ofSupportStatistics), overdue: more(before.overdue) },
      statistics: {
        ...before.statistics,
        total: more(before.statistics.total),
        pending: more(before.statistics.pending),
        byType: { ...before.statistics.byType, 'Account Issue': more(before.statistics.byType['Account Issue'] ?? 0) },
        byPriority: { ...before.statistics.byPriority, medium: more(before.statistics.byPriority['medium'] ?? 0) },
      },
    });
    const { report } = await fileOf(app, support, id);
    expect(report).toMatchObject({
      source: 'staff_message',
      openedBy: { _id: support.id, name: 'Sue Port' },
      user: { _id: person.id },
      createdAt: answeredAt.toISOString(),
      dueAt: new Date(answeredAt.getTime() + 86_400_000).toISOString(),
      awaitsStaff: true,
      isOverdue: false,
      firstRespondedAt: null,
    });
  });

  it('starts the clock of the first response at the answer, and only once', async () => {
    let person = await makeMember(app);
    const id = await written(person);
    person = await pass(3 * 86_400, person);
    await answer(app, person, id, 'Yes.');
    const { createdAt } = (await fileOf(app, support, id)).report;
    person = await pass(1800, person);
    await answer(app, person, id, 'Hello?');
    expect((await fileOf(app, support, id)).report.createdAt).toBe(createdAt);
    person = await pass(1800, person);
    const before = (await app.call(getReportStatistics, { token: administrator.token })).body.data;
    await answer(app, support, id, 'Thank you.');
    const after = (await app.call(getReportStatistics, { token: administrator.token })).body.data;
    expect([before.avgResponseMs, after.avgResponseMs]).toEqual([null, 3_600_000]);
    const { conversation } = (await app.call(getReportConversation, { token: support.token, params: { id } })).body
      .data;
    expect(conversation.map(({ message, repliedBy }) => [message, repliedBy.name])).toEqual([
      [text, 'Sue Port'],
      ['Yes.', expect.any(String)],
      ['Hello?', expect.any(String)],
      ['Thank you.', 'Sue Port'],
    ]);
    const times = conversation.map(({ repliedAt }) => repliedAt);
    expect(times).toEqual(times.toSorted());
  });

  it('creates a report about a payment when billing writes', async () => {
    const billing = await makeMember(app, { staffRole: 'billing' });
    const person = await makeMember(app);
    const id = await written(person, billing);
    await answer(app, person, id, 'Yes.');
    const { reports } = (await app.call(listReports, { token: billing.token, query: { assigned: 'me' } })).body.data;
    expect(reports).toMatchObject([{ _id: id, problem_type: 'Payment Problem', openedBy: { _id: billing.id } }]);
  });

  it('returns 403 for staff, for people who cannot sign in, and to parties', async () => {
    const statusOf = async (to: TestMember, by = support) => (await write(to, by)).status;
    expect(await statusOf(await makeMember(app, { staffRole: 'analyst' }))).toBe(409);
    expect(await statusOf(await makeMember(app, { leaving: true }))).toBe(409);
    expect(await statusOf(await makeMember(app, { deactivated: 'Asked for it' }))).toBe(409);
    expect(await statusOf(await makeAdministrator(app))).toBe(403);
    const person = await makeMember(app);
    const party = await makeModerator(app);
    await fileReport(app, party, { problem_type: 'Harassment', reportedUser: person.id });
    expect(await statusOf(person, party)).toBe(403);
    expect((await write(person, administrator, 'Hi {firstName}, thanks.')).status).toBe(400);
  });

  it('is limited to twenty an hour', async () => {
    const [by, person] = [await makeModerator(app), await makeMember(app)];
    for (let n = 0; n < requestLimits.staffMessage.requests; n += 1) expect((await write(person, by)).status).toBe(201);
    expect((await write(person, by)).status).toBe(429);
  });
});
