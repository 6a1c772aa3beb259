import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCaseTimes, decideCase } from '#contract/moderation/cases.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { changeReportStatus, undoReportStatus } from '#contract/moderation/staff-reports.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, appealedBy, caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { mondayOf } from './deadlines.ts';
import { timesBetween } from './times.reads.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
beforeEach(async () => {
  await app.sql`truncate moderation_case, mail cascade`;
  await app.sql`update account set staff_role = null`;
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app);
});

const minute = 60;
const hour = 3600;
const day = 86_400;
const member = () => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
const run = async (task: string) => {
  await app.app.background.tasks[task]?.({}, undefined as never);
  await app.drain();
};
const mailsTo = async (one: TestMember) => (await app.outbox(one.email)).map(({ text }) => text);

/** Advances the clock. Sessions expire meanwhile, so staff sign in again. */
async function later(seconds: number): Promise<void> {
  app.clock.advance(seconds);
  for (const one of [administrator, moderator]) Object.assign(one, await signIn(app, one.id, true));
}

/** A report of high priority about a person, and its case. */
async function reported() {
  const [reporter, person] = [await member(), await member()];
  const { _id: reportId } = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
  return { reporter, person, reportId, id: await caseIdOf(app, reportId) };
}
const decide = (id: string) =>
  app.call(decideCase, { token: administrator.token, params: { id }, body: { outcome: 'no_violation' } });
const times = async (by = moderator) => (await app.call(getCaseTimes, { token: by.token })).body.data;

describe('the number of overdue cases and appeals', () => {
  it('is complete, except for those to which the viewer is a party', async () => {
    const { person, id } = await reported();
    await appealedBy(app, person.id);
    const due = new Date(app.clock.now().getTime() - 1000);
    await app.sql`insert into moderation_case (priority, opened_at, updated_at, started_at, due_at)
      select 'high', ${due}, ${due}, ${due}, ${due} from generate_series(1, 130)`;
    await app.sql`insert into appeal (decision_id, case_id, party, plea, submitted_at, due_at, decided_by)
      select decision_id, case_id, party, plea, submitted_at, ${due}, decided_by from appeal, generate_series(1, 40)`;
    const overdue = async () => (await app.call(listCases, { token: moderator.token })).body.data;
    expect(await overdue()).toMatchObject({ counts: { breached: 130 }, lateAppeals: 40 });
    await app.sql`update moderation_case set due_at = ${due} where id = ${id}`;
    expect((await overdue()).counts.breached).toBe(131);
    await fileReport(app, moderator, { problem_type: 'Harassment', reportedUser: person.id });
    expect(await overdue()).toMatchObject({ counts: { breached: 130 }, lateAppeals: 0 });
  });
});

describe('the figures on answers and decisions', () => {
  it('are median, 90th percentile and average by nearest rank, and the number after their deadline', async () => {
    const { id } = await reported();
    const now = app.clock.now();
    await app.sql`insert into case_time (case_id, what, started_at, at, priority, took_ms)
      select ${id}::uuid, 'decision', ${now}::timestamptz + make_interval(secs => n), ${now}::timestamptz, 'critical', n * 3600000
      from generate_series(1, 10) n`;
    const of = await timesBetween(app.db, now, new Date(now.getTime() + 1));
    const expected = { count: 10, late: 6, averageMs: 5.5 * 3_600_000, medianMs: 5 * 3_600_000, p90Ms: 9 * 3_600_000 };
    expect(of('critical').decision).toEqual(expected);
    expect(of(null).decision).toEqual(expected);
    expect(of('high').decision).toMatchObject({ count: 0, medianMs: null });
    expect((await timesBetween(app.db, new Date(0), now))(null).decision.count).toBe(0);
  });

  it('count a first answer and a decision once each, by priority', async () => {
    const { id, reportId } = await reported();
    await later(30 * minute);
    await answer(app, moderator, reportId, 'We are looking into it.');
    await later(5 * hour);
    await answer(app, moderator, reportId, 'Still looking.');
    await decide(id);
    const { response, decision, byPriority } = await times();
    expect(response).toMatchObject({ count: 1, late: 0, medianMs: 30 * minute * 1000 });
    expect(decision).toMatchObject({ count: 1, late: 0, medianMs: (5 * hour + 30 * minute) * 1000 });
    expect(byPriority.high).toEqual({ response, decision });
    expect(byPriority.critical.response.count).toBe(0);
  });

  it('count a decision without an earlier answer as both, and nothing that was undone', async () => {
    const { reportId } = await reported();
    await later(hour);
    const params = { id: reportId };
    await app.call(changeReportStatus, { token: moderator.token, params, body: { status: 'resolved' } });
    expect(await times()).toMatchObject({ response: { count: 1 }, decision: { count: 1 } });
    await app.call(undoReportStatus, { token: moderator.token, params });
    expect(await times()).toMatchObject({ response: { count: 0 }, decision: { count: 0 } });
  });

  it('leave out anything older than 30 days, and cases to which the viewer is a party', async () => {
    const { id } = await reported();
    await decide(id);
    expect((await times()).decision.count).toBe(1);
    await app.sql`update moderation_case set person_id = ${moderator.id}::uuid where id = ${id}::uuid`;
    expect((await times()).decision.count).toBe(0);
    expect((await times(administrator)).decision.count).toBe(1);
    await later(29 * day);
    expect((await times(administrator)).decision.count).toBe(1);
    await later(day);
    expect((await times(administrator)).decision.count).toBe(0);
  });
});

describe('the hourly reminder', () => {
  it('mentions a case or appeal once when it is due within the hour, and once when it is overdue', async () => {
    const { person, reporter } = await reported();
    await run('cases.remind');
    expect(await mailsTo(moderator)).toEqual([]);
    app.clock.advance(3.5 * hour);
    await run('cases.remind');
    await run('cases.remind');
    const [soon, ...none] = await mailsTo(moderator);
    expect(none).toEqual([]);
    expect(soon).toContain('1 case is due within the hour.');
    expect(await mailsTo(administrator)).toHaveLength(1);
    app.clock.advance(hour);
    await run('cases.remind');
    app.clock.advance(hour);
    await run('cases.remind');
    const [late, before] = await mailsTo(moderator);
    expect(late).toContain('1 case is overdue.');
    expect(before).toBe(soon);
    for (const { email, id } of [person, reporter]) {
      expect(late).not.toContain(email);
      expect(late).not.toContain(id);
    }
    expect((await app.outbox(moderator.email))[0]?.links[0]).toMatch(/\/cases\?view=breached$/);
  });

  it('still reaches everyone else when one email cannot be written, and that person later', async () => {
    await reported();
    app.clock.advance(3.5 * hour);
    await app.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`;
    await app.sql`create trigger refuse before insert on mail for each row
      when (new.account_id = ${sql.lit(administrator.id)}) execute function refuse()`;
    await run('cases.remind');
    expect([(await mailsTo(administrator)).length, (await mailsTo(moderator)).length]).toEqual([0, 1]);
    await app.sql`drop function refuse cascade`;
    await app.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`;
    await app.drain();
    expect([(await mailsTo(administrator)).length, (await mailsTo(moderator)).length]).toEqual([1, 1]);
  });

  it('is not sent without due cases, to a person the case is about, or about a colleague’s case', async () => {
    await run('cases.remind');
    const { id } = await reported();
    await app.sql`update moderation_case set person_id = ${administrator.id}::uuid, holder_id = ${administrator.id}::uuid
      where id = ${id}::uuid`;
    app.clock.advance(day);
    await run('cases.remind');
    expect([await mailsTo(administrator), await mailsTo(moderator)]).toEqual([[], []]);
  });

  it('informs administrators about appeals, except the person who made the decision', async () => {
    const decider = await makeAdministrator(app);
    await appealedBy(app, (await member()).id);
    await app.sql`with decided as (update case_decision set decided_by = ${decider.id}::uuid)
      update appeal set decided_by = ${decider.id}::uuid`;
    await run('cases.remind');
    const [text] = await mailsTo(administrator);
    expect(text).toContain('1 appeal is overdue.');
    expect([await mailsTo(decider), await mailsTo(moderator)]).toEqual([[], []]);
  });
});

describe('the weekly summary', () => {
  it('starts weeks on Monday at midnight in UTC', () => {
    expect(mondayOf(new Date('2026-11-22T23:59:59Z')).toISOString()).toBe('2026-11-16T00:00:00.000Z');
    expect(mondayOf(new Date('2026-11-23T00:00:00Z')).toISOString()).toBe('2026-11-23T00:00:00.000Z');
  });

  it('sends administrators last week’s figures once, compared with the week before', async () => {
    await later((mondayOf(app.clock.now()).getTime() + 8 * day * 1000 - app.clock.now().getTime()) / 1000);
    const first = await reported();
    await later(hour);
    await decide(first.id);
    await later(7 * day);
    await reported();
    const { id } = await reported();
    await later(2 * hour);
    await decide(id);
    await later(7 * day);
    await run('cases.summary');
    await run('cases.summary');
    const [mail, ...more] = await mailsTo(administrator);
    expect([more, await mailsTo(moderator)]).toEqual([[], []]);
    const text = mail?.replaceAll(/\s+/g, ' ');
    expect(text).toContain('Overdue now: 1');
    expect(text).toContain('Cases opened: 2 (the week before: 1)');
    expect(text).toContain('Cases decided: 1 (the week before: 1)');
    expect(text).toContain('Decision: median 2h, 9 of 10 within 2h (the week before: median 1h, 9 of 10 within 1h)');
    expect(text).toContain('Appeals overturned: none answered');
  });

  it('is not sent without cases', async () => {
    await run('cases.summary');
    expect(await mailsTo(administrator)).toEqual([]);
  });
});
