import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CaseStage,
  caseStages,
  claimsMax,
  mayTakeStep,
  claimCase,
  getCase,
  handleCase,
  handlingSteps,
  renewClaim,
  type HandlingStep,
  revokeSanction,
} from '#contract/moderation/cases.ts';
import { type CaseView, listCases } from '#contract/moderation/case-list.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import type { ReportStatus } from '#contract/moderation/reports.ts';
import {
  changeReport,
  changeReportStatus,
  deleteReport,
  getReport,
  undoReportStatus,
} from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  signIn,
  type TestMember,
} from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
let colleague: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app, { firstName: 'Mo', lastName: 'Ek' });
  colleague = await makeModerator(app);
});

const hour = 3600;

/** Advances the clock. Sessions expire meanwhile, so these people and staff sign in again. */
async function later(seconds: number, ...people: TestMember[]): Promise<void> {
  app.clock.advance(seconds);
  for (const one of people) Object.assign(one, await signIn(app, one.id));
  for (const one of [administrator, moderator, colleague]) Object.assign(one, await signIn(app, one.id, true));
}
const member = () => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });

/** A person with one report about them, and the case. */
async function reportedPerson(given: Parameters<typeof fileReport>[2] = {}) {
  const [reporter, person] = [await member(), await member()];
  const report = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id, ...given });
  return { reporter, person, reportId: report._id, id: await caseIdOf(app, report._id) };
}

const reportBy = (reporter: TestMember, person: TestMember) =>
  fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
const open = (id: string, by = moderator) => app.call(getCase, { token: by.token, params: { id } });
const claim = (id: string, by = moderator) => app.call(claimCase, { token: by.token, params: { id } });
const take = (id: string, step: HandlingStep, by = moderator, more: { reason?: string; assigneeId?: string } = {}) =>
  app.call(handleCase, { token: by.token, params: { id }, body: { step, reason: 'Because', ...more } });
const change = (id: string, status: ReportStatus, by = moderator) =>
  app.call(changeReportStatus, { token: by.token, params: { id }, body: { status } });
/** Bans a person without a decision. Returns the id of the sanction. */
const banOf = async ({ id }: TestMember) => {
  const at = app.clock.now();
  const ban = {
    account_id: id,
    decision_id: null,
    kind: 'ban' as const,
    reason: 'x',
    created_by_name: 'Mo Ek',
    strikes: 6,
  };
  const row = { ...ban, starts_at: at, strikes_until: at };
  return (await app.db.insertInto('sanction').values(row).returning('id').executeTakeFirstOrThrow()).id;
};
const list = async (view: CaseView, by = moderator, limit = 100) =>
  (await app.call(listCases, { token: by.token, query: { view, limit: String(limit) } })).body.data;
const put = (id: string, stage: CaseStage, holder: TestMember | null) =>
  app.db
    .updateTable('moderation_case')
    .set({
      stage,
      holder_id: holder?.id ?? null,
      holder_name: holder === null ? null : 'Mo Ek',
      lease_until: stage === 'claimed' ? new Date(app.clock.now().getTime() + 600_000) : null,
    })
    .where('id', '=', id)
    .execute();

describe('a case', () => {
  it('is opened by the first report about a person, and the next one is added to it', async () => {
    const { person, reporter, id, reportId } = await reportedPerson();
    await later(60);
    const second = await reportBy(reporter, person);
    expect(await caseIdOf(app, second._id)).toBe(id);
    const file = (await open(id)).body.data;
    expect(file.case).toMatchObject({ stage: 'open', priority: 'high', reportCount: 2, openReports: 2 });
    expect(file.case.types).toEqual(['Harassment']);
    expect(file.reports.map(({ _id }) => _id)).toEqual([second._id, reportId]);
    expect(file.parties).toMatchObject([{ person: { _id: reporter.id }, reportsHere: 2, reportsFiled: 2 }]);
    expect(file.evidence.map(({ items }) => items[0]?.isIntact)).toEqual([true, true]);
    expect(file.timeline.map(({ kind }) => kind)).toEqual(['filed', 'filed', 'opened']);
  });

  it('excludes reports about the viewer from the numbers of reports that its reporters filed', async () => {
    const { reporter, id } = await reportedPerson();
    const reported = await makeModerator(app);
    await reportBy(reporter, reported);
    const filed = async (by: TestMember) => (await open(id, by)).body.data.parties.map((party) => party.reportsFiled);
    expect([await filed(reported), await filed(moderator)]).toEqual([[1], [2]]);
  });

  it('is not opened for a report about no one', async () => {
    const { _id } = await fileReport(app, await member());
    const seen = await app.call(getReport, { token: moderator.token, params: { id: _id } });
    expect(seen.body.data.report).not.toHaveProperty('case');
  });

  it('is the same one when several people report at the same time', async () => {
    const person = await member();
    const reporters = await Promise.all(Array.from({ length: 6 }, member));
    const reports = await Promise.all(reporters.map((reporter) => reportBy(reporter, person)));
    const ids = await Promise.all(reports.map(({ _id }) => caseIdOf(app, _id)));
    expect(new Set(ids).size).toBe(1);
    expect((await open(ids[0] ?? '')).body.data.case.reportCount).toBe(6);
  });

  it('closes with its last report, and reopens with a new or reopened one', async () => {
    const { person, reporter, id, reportId } = await reportedPerson();
    await change(reportId, 'resolved');
    expect((await open(id)).body.data.case).toMatchObject({ stage: 'decided', due: null, openReports: 0 });
    await app.call(undoReportStatus, { token: moderator.token, params: { id: reportId } });
    expect((await open(id)).body.data.case.stage).toBe('open');
    await change(reportId, 'closed');
    await later(hour, reporter);
    await reportBy(reporter, person);
    const { case: again } = (await open(id)).body.data;
    expect(again).toMatchObject({ stage: 'open', isBreached: false, due: { what: 'response' } });
  });

  it('no longer contains a deleted report', async () => {
    const { id, reportId } = await reportedPerson();
    await app.call(deleteReport, { token: administrator.token, params: { id: reportId } });
    expect((await open(id)).body.data).toMatchObject({ case: { stage: 'decided', reportCount: 0 }, reports: [] });
  });

  it('stays after the person is deleted', async () => {
    const { id, person, reportId } = await reportedPerson();
    await deleteAccounts(app, person.id);
    const file = (await open(id)).body.data;
    expect(file.case.person).toEqual({ _id: null, name: 'Deleted user', email: null, isActive: false });
    expect(file.reports.map(({ _id }) => _id)).toEqual([reportId]);
  });

  it('is closed to members, and, with an audit event, to staff who are reported or filed a report in it', async () => {
    const { id, person, reporter } = await reportedPerson();
    await reportBy(colleague, person);
    const refused = await open(id, colleague);
    expect(refused.status).toBe(403);
    expect(refused.error.message).toBe('You are involved in this, so a colleague has to handle it.');
    expect((await claim(id, colleague)).status).toBe(403);
    expect((await list('open', colleague)).cases.map(({ _id }) => _id)).not.toContain(id);
    const about = await reportBy(reporter, colleague);
    const own = await caseIdOf(app, about._id);
    expect((await open(own, colleague)).status).toBe(403);
    expect((await open(own)).status).toBe(200);
    const trail = await app.call(listAudit, { token: administrator.token, query: { targetId: own } });
    expect(trail.body.data.events).toMatchObject([
      { action: 'case.read', target: { type: 'case', id: own } },
      { action: 'access.denied', actor: { _id: colleague.id }, target: { type: 'case', id: own } },
    ]);
    expect((await open(id, reporter)).status).toBe(403);
    expect((await open(randomUUID())).status).toBe(404);
    expect((await open('nonsense')).status).toBe(404);
  });

  it('is closed, with its reports and the person’s record, to staff whose other account is a party', async () => {
    const { id, person, reporter, reportId } = await reportedPerson();
    const ban = await banOf(person);
    const [returned, own] = [await makeAdministrator(app), await makeModerator(app)];
    const link = { sanction_id: ban, kind: 'card' as const, found_at: app.clock.now() };
    await app.db
      .insertInto('account_link')
      .values([
        { ...link, account_id: returned.id, strength: 'strong' },
        { ...link, account_id: own.id, strength: 'medium' },
      ])
      .execute();
    await open(id);
    for (const refused of [
      await open(id, returned),
      await claim(id, returned),
      await app.call(getReportFile, { token: returned.token, params: { id: reportId } }),
      await app.call(revokeSanction, { token: returned.token, params: { id: ban }, body: { reason: 'Because' } }),
    ])
      expect(refused.status).toBe(403);
    expect((await list('open', returned)).cases.map(({ _id }) => _id)).not.toContain(id);
    expect((await open(id, own)).status).toBe(200);
    const suspended = { is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'x' };
    await app.db.updateTable('account').set(suspended).where('id', '=', person.id).execute();
    const activate = (by: TestMember) =>
      app.call(changeAdminUser, {
        token: by.token,
        params: { id: person.id },
        body: { isActive: true, reason: 'Because' },
      });
    expect([(await activate(returned)).status, (await activate(administrator)).status]).toEqual([403, 200]);
    const about = await caseIdOf(app, (await reportBy(person, reporter))._id);
    expect((await open(about, returned)).status).toBe(403);
    const trail = async (by: TestMember) =>
      (await app.call(listAudit, { token: by.token, query: { targetId: id } })).body.data.events.length;
    expect([await trail(returned), (await trail(administrator)) > 0]).toEqual([0, true]);
  });

  it('hides its decision from a colleague who reported, even in the audit trail', async () => {
    const { id, person } = await reportedPerson();
    const filing = await makeAdministrator(app);
    const { _id: reportId } = await reportBy(filing, person);
    await open(id);
    const actions = async (targetId: string, by: TestMember) => {
      const { events } = (await app.call(listAudit, { token: by.token, query: { targetId } })).body.data;
      return events.map(({ action }) => action);
    };
    await change(reportId, 'in_progress');
    expect(await actions(id, administrator)).toEqual(['case.read']);
    expect(await actions(reportId, administrator)).toEqual(['report.statusChanged']);
    expect([await actions(id, filing), await actions(reportId, filing)]).toEqual([[], []]);
  });

  it('records refused attempts once an hour, with their number', async () => {
    const { id, person } = await reportedPerson();
    await reportBy(colleague, person);
    await Promise.all(Array.from({ length: 12 }, () => open(id, colleague)));
    const denials = async () => {
      const { events } = (await app.call(listAudit, { token: administrator.token, query: { targetId: id } })).body.data;
      return events.filter(({ action }) => action === 'access.denied').map(({ changes }) => changes?.['attempts']?.to);
    };
    expect((await denials()).toSorted()).toEqual([10, undefined]);
    await later(hour, colleague);
    await open(id, colleague);
    expect(await denials()).toHaveLength(3);
  });
});

describe('the critical flag', () => {
  it('is set by a second safety report from a different person, and prevents closing with one click', async () => {
    const { person, id, reportId } = await reportedPerson();
    expect((await open(id)).body.data.case.criticalBecause).toBeNull();
    await reportBy(await member(), person);
    const { case: critical, timeline } = (await open(id)).body.data;
    expect(critical).toMatchObject({ priority: 'critical', criticalBecause: 'second_reporter' });
    expect(timeline.some(({ kind, to }) => kind === 'raised_critical' && to === 'second_reporter')).toBe(true);
    for (const status of ['resolved', 'rejected'] as const) {
      const refused = await change(reportId, status);
      expect([refused.status, refused.error.code]).toEqual([409, 'DECISION_REQUIRED']);
      expect(refused.error.message).toContain('More than one person reported a safety problem');
      expect(refused.error.data?.report).toMatchObject({ _id: reportId, status: 'pending' });
    }
    expect((await change(reportId, 'in_progress')).status).toBe(200);
  });

  it('is set for a possible minor and a raised priority', async () => {
    const minor = await reportedPerson({ mayBeMinor: true });
    expect((await change(minor.reportId, 'resolved')).error.code).toBe('DECISION_REQUIRED');
    const raised = await reportedPerson();
    const body = { priority: 'critical' as const, reason: 'A threat' };
    await app.call(changeReport, { token: moderator.token, params: { id: raised.reportId }, body });
    expect((await change(raised.reportId, 'rejected')).error.code).toBe('DECISION_REQUIRED');
    expect((await open(raised.id)).body.data.case.criticalBecause).toBe('raised');
  });
});

describe('a claim on a case', () => {
  it('is won by one of fifty people, and the others receive the name of the holder', async () => {
    const { id } = await reportedPerson();
    const staff = await Promise.all(Array.from({ length: 50 }, () => makeModerator(app)));
    const answers = await Promise.all(staff.map((one) => claim(id, one)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const holder = won[0]?.body.data.case.holder;
    const lost = answers.filter(({ status }) => status === 409);
    expect(lost).toHaveLength(49);
    for (const { error } of lost) expect([error.code, error.data?.holder]).toEqual(['CASE_CLAIMED', holder]);
  });

  it('prevents colleagues from changing the status of its reports', async () => {
    const { id, reportId } = await reportedPerson();
    const claimed = (await claim(id)).body.data.case;
    expect(claimed).toMatchObject({ stage: 'claimed', isMine: true, holder: { _id: moderator.id, name: 'Mo Ek' } });
    const refused = await change(reportId, 'resolved', colleague);
    expect([refused.status, refused.error.code]).toEqual([409, 'CASE_CLAIMED']);
    expect(refused.error.data).toMatchObject({ holder: { name: 'Mo Ek' }, report: { _id: reportId } });
    const seen = await app.call(getReport, { token: colleague.token, params: { id: reportId } });
    expect(seen.body.data.report).toMatchObject({ case: { _id: id, handledBy: 'Mo Ek' } });
    expect((await change(reportId, 'resolved')).status).toBe(200);
  });

  it.each(['release', 'assign'] as const)(
    'is ended by a senior colleague with the step %s and a reason',
    async (step) => {
      const { id } = await reportedPerson();
      await claim(id);
      const senior = await makeMember(app, { staffRole: 'senior' });
      const take = async (by: TestMember, given: { reason?: string }) =>
        (await app.call(handleCase, { token: by.token, params: { id }, body: { step, ...given } })).status;
      const reason = 'Urgent';
      expect([await take(colleague, { reason }), await take(senior, {}), await take(senior, { reason })]).toEqual([
        409, 400, 200,
      ]);
      const { timeline } = (await open(id, senior)).body.data;
      expect(timeline.map((event) => event.reason)).toContain(reason);
      expect((await app.call(renewClaim, { token: moderator.token, params: { id } })).error.code).toBe('ILLEGAL_STEP');
    },
  );

  it('ends after ten minutes without a renewal', async () => {
    const { id } = await reportedPerson();
    await claim(id);
    await later(9 * 60);
    expect((await app.call(renewClaim, { token: moderator.token, params: { id } })).status).toBe(200);
    await later(9 * 60);
    expect((await claim(id, colleague)).error.data?.holder?.name).toBe('Mo Ek');
    await later(60);
    expect((await open(id, colleague)).body.data.case).toMatchObject({ stage: 'open', holder: null });
    expect((await app.call(renewClaim, { token: moderator.token, params: { id } })).error.code).toBe('ILLEGAL_STEP');
    expect((await claim(id, colleague)).status).toBe(200);
  });

  it('is one of at most twenty per colleague', async () => {
    const [one, other] = [await reportedPerson(), await reportedPerson()];
    const busy = await makeModerator(app);
    await app.sql`insert into moderation_case (priority, opened_at, updated_at, started_at, stage, holder_id, holder_name, lease_until)
      select 'high', now, now, now, 'claimed', ${busy.id}::uuid, 'Mo Ek', now + interval '10 minutes'
      from (select ${app.clock.now()}::timestamptz as now) clock, generate_series(2, ${claimsMax})`;
    const both = await Promise.all([claim(one.id, busy), claim(other.id, busy)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.error.code).toBe('CONFLICT');
    const [won, lost] = both[0].status === 200 ? [one.id, other.id] : [other.id, one.id];
    expect((await claim(won, busy)).status).toBe(200);
    await take(won, 'release', busy);
    expect((await claim(lost, busy)).status).toBe(200);
    await app.sql`update moderation_case set lease_until = ${app.clock.now()} where holder_id = ${busy.id}::uuid`;
    expect((await claim(won, busy)).status).toBe(200);
    await app.sql`delete from moderation_case where person_id is null`;
  });

  it('is removed by the job once it has expired', async () => {
    const { id } = await reportedPerson();
    await claim(id);
    await later(10 * 60);
    const task = app.app.background.tasks['cases.endClaims'];
    await task?.({}, {} as never);
    expect((await open(id)).body.data).toMatchObject({
      case: { stage: 'open', holder: null },
      timeline: [{ kind: 'lease_expired', actor: { role: 'system' } }, {}, {}, {}],
    });
    expect((await list('unclaimed')).cases.map(({ _id }) => _id)).toContain(id);
  });
});

describe('handling a case', () => {
  const pairs = caseStages.flatMap((stage) => handlingSteps.map((step) => [stage, step] as const));

  it.each(pairs)('at stage %s, allows %s only if the policy does', async (stage, step) => {
    const { id, reportId } = await reportedPerson();
    if (stage === 'decided') await change(reportId, 'resolved', administrator);
    await put(id, stage, ['open', 'escalated', 'decided'].includes(stage) ? null : administrator);
    const answered = await take(id, step, administrator);
    expect(answered.status).toBe(mayTakeStep(stage, step) ? 200 : 409);
    if (answered.status === 409) expect(answered.error.code).toBe('ILLEGAL_STEP');
  });

  it('assigns it to oneself, and by an administrator to others who are not a party', async () => {
    const { id, reporter, person } = await reportedPerson();
    const party = await makeModerator(app);
    await reportBy(party, person);
    const assigneeId = colleague.id;
    expect((await take(id, 'assign', moderator, { assigneeId })).status).toBe(403);
    for (const one of [reporter, party])
      expect((await take(id, 'assign', administrator, { assigneeId: one.id })).status).toBe(404);
    const { case: assigned } = (await take(id, 'assign', administrator, { assigneeId })).body.data;
    expect(assigned).toMatchObject({ stage: 'assigned', holder: { _id: colleague.id, until: null } });
    expect((await list('mine', colleague)).cases.map(({ _id }) => _id)).toContain(id);
    expect((await take(id, 'release', moderator)).status).toBe(403);
    expect((await take(id, 'release', colleague)).status).toBe(200);
  });

  it('requires a reason to escalate, and then an administrator', async () => {
    const { id } = await reportedPerson();
    const bare = { token: moderator.token, params: { id }, body: { step: 'escalate' as const } };
    expect((await app.call(handleCase, bare)).status).toBe(400);
    expect((await take(id, 'escalate')).body.data.case).toMatchObject({ stage: 'escalated', holder: null });
    expect((await claim(id)).status).toBe(403);
    expect((await list('escalated')).cases.map(({ _id }) => _id)).toContain(id);
    expect((await claim(id, administrator)).status).toBe(200);
  });

  it('stops the clock while the reporter is asked, until they answer', async () => {
    const { id, reporter, reportId } = await reportedPerson();
    await claim(id);
    await answer(app, moderator, reportId, 'When was that?');
    const due = (await open(id)).body.data.case.due;
    expect(due?.what).toBe('decision');
    const { case: waiting } = (await take(id, 'waitForReporter')).body.data;
    expect(waiting).toMatchObject({ stage: 'waiting_reporter', isPaused: true, due: null, isMine: true });
    await later(30 * hour, reporter);
    expect((await open(id)).body.data.case.isBreached).toBe(false);
    await answer(app, reporter, reportId, 'Yesterday.');
    const { case: resumed } = (await open(id)).body.data;
    expect(resumed).toMatchObject({ stage: 'assigned', isPaused: false, isMine: true, isBreached: false });
    expect(Date.parse(resumed.due?.at ?? '') - Date.parse(due?.at ?? '')).toBe(30 * hour * 1000);
  });

  it('reopens a decided case and its reports, with a reason', async () => {
    const { id, reportId } = await reportedPerson();
    await change(reportId, 'rejected');
    await later(40 * hour);
    const { case: reopened } = (await take(id, 'reopen')).body.data;
    expect(reopened).toMatchObject({ stage: 'assigned', isMine: true, openReports: 1, isBreached: false });
    const seen = await app.call(getReport, { token: moderator.token, params: { id: reportId } });
    expect(seen.body.data.report.status).toBe('in_progress');
  });
});

describe('the case queue', () => {
  it('lists cases with the least time left first, page by page, and marks late ones', async () => {
    const late = await reportedPerson();
    await later(5 * hour);
    const urgent = await reportedPerson({ mayBeMinor: true });
    const calm = await reportedPerson({ problem_type: 'Other' });
    const { cases, counts } = await list('open');
    const order = cases.map(({ _id }) => _id);
    expect([late, urgent, calm].map(({ id }) => order.indexOf(id))).toEqual(
      [late, urgent, calm].map(({ id }) => order.indexOf(id)).sort((a, b) => a - b),
    );
    expect(cases.find(({ _id }) => _id === late.id)).toMatchObject({ isBreached: true, due: { what: 'response' } });
    expect((await list('breached')).cases.map(({ _id }) => _id)).toContain(late.id);
    expect(counts.open).toBe(cases.length);

    const pages: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor !== null && { cursor }) };
      const page: { cases: { _id: string }[]; nextCursor: string | null } = (
        await app.call(listCases, { token: moderator.token, query })
      ).body.data;
      pages.push(...page.cases.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual(order);
    for (const { id } of [await reportedPerson(), await reportedPerson()]) await put(id, 'decided', null);
    const decided = await list('decided', moderator, 1);
    expect(decided.nextCursor).not.toBeNull();
    const next = await app.call(listCases, {
      token: moderator.token,
      query: { view: 'decided', limit: '1', cursor: decided.nextCursor ?? '' },
    });
    expect(next.body.data.cases[0]?._id).not.toBe(decided.cases[0]?._id);
    for (const broken of ['x', `2026-99-99 99|${randomUUID()}`, `2026-02-30 00:00:00+00|${randomUUID()}`]) {
      const cursor = Buffer.from(broken).toString('base64url');
      expect((await app.call(listCases, { token: moderator.token, query: { cursor } })).status).toBe(400);
    }
  });
});
