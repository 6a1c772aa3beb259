import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  appealByLink,
  decideAppeal,
  getAppeal,
  getReportAppeal,
  listAppeals,
  openAppealLink,
  reviewAppeal,
  submitAppeal,
  withdrawAppeal,
} from '#contract/moderation/appeals.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { getCase, handleCase, decideCase } from '#contract/moderation/cases.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import { changeReportStatus, getReport } from '#contract/moderation/staff-reports.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
let decider: TestMember;
let ruleId: string;
beforeAll(async () => {
  ruleId = await currentRuleId(app);
});
beforeEach(async () => {
  administrator = await makeAdministrator(app);
  decider = await makeAdministrator(app);
});

const facts = 'Sent nine insulting messages after being asked to stop.';
const reasons = 'The messages were quoted from a song that both had talked about.';
const plea = 'These were lines of a song we both like.';
const day = 86_400;

type Given = BodyInput<typeof decideCase>;

/** A reported person and the decision about them. */
async function decided(given: Partial<Given> = {}) {
  const reporter = await makeMember(app, { firstName: 'Klara', lastName: 'Reporter' });
  const person = await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
  const body = { problem_type: 'Harassment' as const, reportedUser: person.id, hideFromEachOther: false };
  const { _id: reportId } = await fileReport(app, reporter, body);
  const caseId = await caseIdOf(app, reportId);
  const { decision } = (
    await app.call(decideCase, {
      token: decider.token,
      params: { id: caseId },
      body: { outcome: 'actioned', ruleId, facts, sanctions: [{ kind: 'warn' }], ...given },
    })
  ).body.data;
  return { reporter, person, reportId, caseId, decision };
}

const notActing = { outcome: 'no_violation', ruleId: undefined, facts: undefined, sanctions: undefined } as const;
const banned = { sanctions: [{ kind: 'ban' as const }, { kind: 'warn' as const }] };

const submit = (by: TestMember, decisionId: string) =>
  app.call(submitAppeal, { token: by.token, body: { decisionId, text: plea } });
const decide = (id: string, given: Partial<BodyInput<typeof decideAppeal>> = {}, by = administrator) =>
  app.call(decideAppeal, { token: by.token, params: { id }, body: { outcome: 'overturned', reasons, ...given } });
const fileOf = async (id: string) =>
  (await app.call(getCase, { token: administrator.token, params: { id } })).body.data;
const reportOf = async (by: TestMember, id: string) =>
  (await app.call(getReport, { token: by.token, params: { id } })).body.data.report;
const rightOn = async (by: TestMember, id: string) =>
  (await app.call(getReportAppeal, { token: by.token, params: { id } })).body.data.right;
const isActive = async ({ id }: TestMember) =>
  (await app.db.selectFrom('account').select('is_active').where('id', '=', id).executeTakeFirstOrThrow()).is_active;
const tokenFor = async ({ email }: TestMember) => {
  const [mail] = await app.outbox(email);
  return new URL(mail?.links[0] ?? '').hash.slice(1);
};
/** The id of the appeal that a locked-out person makes with the link in their mail. */
async function appealOf(person: TestMember): Promise<string> {
  const answer = await app.call(appealByLink, { body: { token: await tokenFor(person), text: plea } });
  return answer.body.data.notice.appeal.appeal?._id ?? '';
}

describe('an appeal against a measure that needs a higher role', () => {
  it('is reviewed by a senior moderator if they could have taken the measure, and otherwise by people who could', async () => {
    const senior = await makeMember(app, { staffRole: 'senior' });
    const { person, decision } = await decided(banned);
    expect(decision.sanctions).toHaveLength(2);
    expect((await decide(await appealOf(person), {}, senior)).status).toBe(201);
    const colleague = await decided();
    const { right } = (await submit(colleague.person, colleague.decision._id)).body.data;
    await app.db.updateTable('account').set({ staff_role: 'support' }).where('id', '=', colleague.person.id).execute();
    const id = right.appeal?._id ?? '';
    const reviewableBy = async (by: TestMember) =>
      (await app.call(getAppeal, { token: by.token, params: { id } })).body.data.appeal.canReview;
    expect([await reviewableBy(senior), await reviewableBy(administrator)]).toEqual([false, true]);
    for (const refused of [
      await app.call(reviewAppeal, { token: senior.token, params: { id } }),
      await decide(id, {}, senior),
    ])
      expect(refused.status).toBe(403);
    expect((await decide(id)).status).toBe(201);
  });
});

describe('an appeal by the sanctioned person', () => {
  it('is submitted once, shown to staff with the time left of seven days, and can be withdrawn', async () => {
    const { person, decision, caseId } = await decided();
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(person, decision._id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const { right } = answers.find(({ status }) => status === 201)?.body.data ?? {};
    expect(right).toMatchObject({ mayAppeal: false, appeal: { state: 'submitted', text: plea } });
    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    expect(statement?.appeal).toEqual(right);
    const { appeals } = (await app.call(listAppeals, { token: administrator.token })).body.data;
    const line = appeals.find((one) => one.caseId === caseId);
    expect(line).toMatchObject({ party: 'person', canReview: true, isBreached: false, sanctions: ['warn'] });
    expect(Date.parse(line?.dueAt ?? '') - Date.parse(line?.submittedAt ?? '')).toBe(7 * day * 1000);
    expect((await fileOf(caseId)).appeals).toMatchObject([{ _id: line?._id, state: 'submitted' }]);
    const params = { id: right?.appeal?._id ?? '' };
    expect((await app.call(withdrawAppeal, { token: (await makeMember(app)).token, params })).status).toBe(404);
    const withdrawn = (await app.call(withdrawAppeal, { token: person.token, params })).body.data.right;
    expect(withdrawn).toMatchObject({ mayAppeal: true, appeal: { state: 'withdrawn' } });
    expect((await app.call(withdrawAppeal, { token: person.token, params })).status).toBe(409);
    expect((await submit(person, decision._id)).status).toBe(201);
  });

  it('is closed to staff who filed a report in its case', async () => {
    const { person, decision, caseId } = await decided();
    await submit(person, decision._id);
    const params = { id: (await fileOf(caseId)).appeals[0]?._id ?? '' };
    const colleague = await makeMember(app, { staffRole: 'senior' });
    expect((await app.call(getAppeal, { token: colleague.token, params })).status).toBe(200);
    await fileReport(app, colleague, { problem_type: 'Harassment', reportedUser: person.id });
    for (const call of [getAppeal, reviewAppeal])
      expect((await app.call(call, { token: colleague.token, params })).status).toBe(403);
  });

  it('can be withdrawn and submitted again twice, so that it cannot fill the case', async () => {
    const { person, decision } = await decided();
    for (const [index, expected] of [201, 201, 201, 409].entries()) {
      const answer = await submit(person, decision._id);
      expect(answer.status, `${index}`).toBe(expected);
      if (answer.status !== 201) continue;
      const params = { id: answer.body.data.right.appeal?._id ?? '' };
      await app.call(withdrawAppeal, { token: person.token, params });
    }
  });

  it('cannot be made with a link that was mailed to a former address', async () => {
    const { person } = await decided(banned);
    const token = await tokenFor(person);
    const email = `new-${person.id}@example.test`;
    await app.db.updateTable('account').set({ email }).where('id', '=', person.id).execute();
    expect((await app.call(openAppealLink, { body: { token } })).status).toBe(404);
    expect((await app.call(appealByLink, { body: { token, text: plea } })).status).toBe(404);
  });

  it('is rejected from anyone else, and from everyone after 183 days', async () => {
    const { person, reporter, decision } = await decided();
    expect((await submit(await makeMember(app), decision._id)).status).toBe(404);
    expect((await submit(reporter, decision._id)).status).toBe(404);
    app.clock.advance(183 * day + 1);
    Object.assign(person, await signIn(app, person.id));
    expect((await submit(person, decision._id)).error.code).toBe('CONFLICT');
  });

  it('can be made with the mailed link when locked out, for that decision only and while it may be appealed', async () => {
    const { person, decision } = await decided(banned);
    const other = await decided();
    const token = await tokenFor(person);
    const { notice: statement } = (await app.call(openAppealLink, { body: { token } })).body.data;
    expect(statement).toMatchObject({ _id: decision._id, facts, appeal: { mayAppeal: true, appeal: null } });
    const forged = token.replace(decision._id, other.decision._id);
    expect((await app.call(openAppealLink, { body: { token: forged } })).status).toBe(404);
    const body = { token, text: plea };
    expect((await app.call(appealByLink, { body })).body.data.notice.appeal.appeal?.state).toBe('submitted');
    expect((await app.call(appealByLink, { body })).status).toBe(409);
    app.clock.advance(183 * day + 1);
    expect((await app.call(openAppealLink, { body: { token } })).status).toBe(404);
    app.clock.advance(-183 * day - 1);
  });
});

describe('the review of an appeal', () => {
  it('is closed to the person who decided, by the database too', async () => {
    const { person, caseId } = await decided(banned);
    const id = await appealOf(person);
    const params = { id };
    expect((await app.call(reviewAppeal, { token: decider.token, params })).status).toBe(403);
    expect((await decide(id, {}, decider)).status).toBe(403);
    const assign = (reviewer: string) =>
      app.pool.query(`update appeal set state = 'under_review', reviewer_id = $2 where id = $1`, [id, reviewer]);
    await expect(assign(decider.id)).rejects.toThrow('appeal_other_reviewer');
    // The database, too, refuses to record someone else as the one who decided.
    await expect(
      app.pool.query(`update appeal set decided_by = $2 where id = $1`, [id, administrator.id]),
    ).rejects.toThrow('appeal_decision');
    expect((await assign(administrator.id)).rowCount).toBe(1);
    expect((await fileOf(caseId)).appeals[0]?.reviewer?._id).toBe(administrator.id);
  });

  it('shows the original evidence and decision to staff, and lets only administrators decide', async () => {
    const { person, decision, reportId, caseId } = await decided(banned);
    const id = await appealOf(person);
    const moderator = await makeModerator(app);
    const file = (await app.call(getAppeal, { token: moderator.token, params: { id } })).body.data;
    expect(file).toMatchObject({ appeal: { text: plea, canReview: false }, decision: { _id: decision._id } });
    expect([file.reports[0]?._id, file.evidence[0]?.reportId]).toEqual([reportId, reportId]);
    expect((await decide(id, {}, moderator)).status).toBe(403);
    await app.call(reviewAppeal, { token: administrator.token, params: { id } });
    const colleague = await makeAdministrator(app);
    expect((await decide(id, {}, colleague)).error.code).toBe('CONFLICT');
    expect((await decide(id, { reasons: 'Too short' })).status).toBe(400);
    expect((await decide(id, { reasons: `${reasons} Klara says so, too.` })).status).toBe(400);
    expect((await decide(id, { reasons: `${reasons} More at heartwood-help.com.` })).status).toBe(400);
    expect((await decide(id)).status).toBe(201);
    expect((await decide(id)).error.code).toBe('ILLEGAL_STEP');
    const trail = await app.call(listAudit, { token: administrator.token, query: { targetId: caseId } });
    const actions = trail.body.data.events.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['appeal.reviewed', 'appeal.decided', 'case.read']));
  });

  it('masks the addresses of both people, even for administrators, wherever the case is shown', async () => {
    const { person, reporter, caseId } = await decided(banned);
    const id = await appealOf(person);
    const { token } = administrator;
    const answers = await Promise.all([
      app.call(getAppeal, { token, params: { id } }),
      app.call(listAppeals, { token }),
      app.call(getCase, { token, params: { id: caseId } }),
      app.call(listCases, { token, query: { view: 'decided' } }),
    ]);
    for (const { body } of answers) {
      const text = JSON.stringify(body);
      expect(text).toContain('•••@');
      for (const { email } of [person, reporter]) expect(text).not.toContain(email);
    }
  });

  it('restores the account and the strikes when it overturns the decision, and notifies both sides', async () => {
    const { person, reporter, reportId, caseId } = await decided(banned);
    expect(await isActive(person)).toBe(false);
    const id = await appealOf(person);
    await decide(id);
    expect(await isActive(person)).toBe(true);
    const file = await fileOf(caseId);
    expect(file.sanctions.map(({ isLive, strikes }) => [isLive, strikes])).toEqual([
      [false, 0],
      [false, 0],
    ]);
    expect(file.recommendation?.strikes).toBe(0);
    expect(file.decisions[0]?.isUndone).toBe(true);
    expect(file.timeline.some(({ kind, to }) => kind === 'appeal_decided' && to === 'overturned')).toBe(true);
    const mail = (await app.outbox(person.email)).find(({ subject }) => subject === 'The result of your appeal');
    expect(mail?.text).toContain(reasons);
    const seen = await reportOf(reporter, reportId);
    expect(seen).toMatchObject({ isUnread: true, status: 'rejected' });
    expect(seen.replies.at(-1)?.message).toContain('we took back what we did');
    // The decision no longer confirms a violation.
    app.clock.advance(60);
    await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    expect((await fileOf(caseId)).case.criticalBecause).toBeNull();
  });

  it('changes nothing when the mail about an overturned decision cannot be written', async () => {
    const { person, caseId } = await decided(banned);
    const id = await appealOf(person);
    await app.pool.query(`create function refuse_mail() returns trigger language plpgsql as $$
      begin raise exception 'cut short'; end $$`);
    await app.pool.query(
      `create trigger refuse_mail before insert on mail for each row execute function refuse_mail()`,
    );
    expect((await decide(id)).status).toBeGreaterThanOrEqual(500);
    await app.pool.query('drop trigger refuse_mail on mail; drop function refuse_mail');
    expect(await isActive(person)).toBe(false);
    expect((await fileOf(caseId)).appeals[0]?.state).toBe('submitted');
  });

  it('reverses only the chosen part when it overturns a part', async () => {
    const { person, decision } = await decided(banned);
    const id = await appealOf(person);
    const ban = decision.sanctions.find(({ kind }) => kind === 'ban')?._id ?? '';
    const all = decision.sanctions.map(({ _id }) => _id);
    const part = (sanctionIds: string[]) => decide(id, { outcome: 'partly_overturned', sanctionIds });
    expect((await part(all)).status).toBe(400);
    const left = (await part([ban])).body.data.decision.sanctions;
    expect(left.map(({ kind, isLive }) => [kind, isLive]).sort()).toEqual([
      ['ban', false],
      ['warn', true],
    ]);
    expect(await isActive(person)).toBe(true);
  });

  it('changes nothing when it upholds the decision, and is final', async () => {
    const { person, decision, reporter, reportId } = await decided();
    const { right } = (await submit(person, decision._id)).body.data;
    const before = (await reportOf(reporter, reportId)).replyCount;
    await decide(right.appeal?._id ?? '', { outcome: 'upheld' });
    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    expect(statement?.appeal).toMatchObject({ mayAppeal: false, appeal: { state: 'upheld', answer: reasons } });
    expect(statement?.measures[0]?.isRevoked).toBe(false);
    expect((await submit(person, decision._id)).status).toBe(409);
    expect((await reportOf(reporter, reportId)).replyCount).toBe(before);
  });
});

describe('an appeal by the reporter', () => {
  it('reopens the case with the reviewer when it is against a decision not to act', async () => {
    const { person, reporter, reportId, caseId } = await decided(notActing);
    const offered = await rightOn(reporter, reportId);
    expect(offered).toMatchObject({ mayAppeal: true, appeal: null });
    const { right } = (await submit(reporter, offered?.decisionId ?? '')).body.data;
    await decide(right.appeal?._id ?? '');
    expect((await fileOf(caseId)).case).toMatchObject({ stage: 'assigned', isMine: true, openReports: 1 });
    const seen = await reportOf(reporter, reportId);
    expect(seen).toMatchObject({ status: 'in_progress', isUnread: true });
    const [first, second] = seen.replies.at(-1)?.message.split('\n\n') ?? [];
    expect([first, second]).toEqual([reasons, 'We are looking into your report again, and will answer you here.']);
    expect(await rightOn(reporter, reportId)).toBeNull();
    expect((await app.call(listStatements, { token: person.token })).body.data.notices).toEqual([]);
  });

  it('cannot reverse a decision that a later one replaced', async () => {
    const { reporter, reportId, caseId, decision } = await decided(notActing);
    const early = (await submit(reporter, decision._id)).body.data.right.appeal?._id ?? '';
    const token = administrator.token;
    await app.call(handleCase, { token, params: { id: caseId }, body: { step: 'reopen', reason: 'New evidence' } });
    app.clock.advance(1);
    await app.call(decideCase, {
      token,
      params: { id: caseId },
      body: { outcome: 'actioned', ruleId, facts, sanctions: [{ kind: 'suspend', days: 3 }] },
    });
    expect(await rightOn(reporter, reportId)).toBeNull();
    expect((await decide(early)).error.code).toBe('ILLEGAL_STEP');
    expect((await decide(early, { outcome: 'inadmissible' })).status).toBe(201);
    expect((await fileOf(caseId)).case.stage).toBe('decided');
  });

  it('is possible after a report was rejected with one click, and not after a decision to act', async () => {
    const acted = await decided();
    expect(await rightOn(acted.reporter, acted.reportId)).toBeNull();
    const reporter = await makeMember(app);
    const body = { problem_type: 'Other' as const, reportedUser: (await makeMember(app)).id };
    const { _id: id } = await fileReport(app, reporter, body);
    await app.call(changeReportStatus, { token: decider.token, params: { id }, body: { status: 'rejected' } });
    const offered = await rightOn(reporter, id);
    const { right } = (await submit(reporter, offered?.decisionId ?? '')).body.data;
    const params = { id: right.appeal?._id ?? '' };
    expect((await decide(params.id, { outcome: 'partly_overturned' })).status).toBe(400);
    await decide(params.id, { outcome: 'upheld' });
    const seen = await reportOf(reporter, id);
    expect(seen.status).toBe('rejected');
    expect(await rightOn(reporter, id)).toMatchObject({ mayAppeal: false, appeal: { state: 'upheld' } });
    expect(seen.replies.at(-1)?.message).toBe(reasons);
  });
});

describe('a reporter', () => {
  const acted = /^Thank you for your report\. We found that our rules were broken and have acted on it\./;
  const notActed = /^Thank you for your report\. We looked at it carefully and found that our rules were not broken\./;
  const takenBack = /^We told you that we acted on your report\. Someone else .* decided differently, so we took back/;
  const changed = /^We looked at your report again and came to a different result than before\.\n\nThank you/;
  const same = /^We looked at your report again, and the result is the same as before\.\n\nThank you/;

  /** The status of a report and all answers, as its reporter reads them. */
  async function readBy(reporter: TestMember, reportId: string) {
    const { status, replies } = await reportOf(reporter, reportId);
    return { status, answers: replies.map(({ message }) => message) };
  }
  async function overturn(by: TestMember, decisionId: string, given: Parameters<typeof decide>[1] = {}) {
    app.clock.advance(1);
    const { right } = (await submit(by, decisionId)).body.data;
    await decide(right.appeal?._id ?? '', given);
    app.clock.advance(1);
  }
  async function decideAgain(caseId: string, given: Partial<Given> = {}) {
    const body = { outcome: 'actioned' as const, ruleId, facts, sanctions: [{ kind: 'warn' as const }], ...given };
    const answer = await app.call(decideCase, { token: administrator.token, params: { id: caseId }, body });
    app.clock.advance(1);
    return answer.body.data.decision;
  }
  const reopen = (id: string) =>
    app.call(handleCase, {
      token: administrator.token,
      params: { id },
      body: { step: 'reopen', reason: 'New evidence' },
    });

  it('reads that a decision to act was reversed, and no longer that the report was dealt with', async () => {
    const { reporter, person, reportId, decision } = await decided();
    await overturn(person, decision._id);
    expect(await readBy(reporter, reportId)).toEqual({
      status: 'rejected',
      answers: [expect.stringMatching(acted), expect.stringMatching(takenBack)] as string[],
    });
    expect(await rightOn(reporter, reportId)).toBeNull();
    await app.drain();
    await app.app.background.tasks['notifications.mail']?.({}, undefined as never);
    const mails = await app.outbox(reporter.email);
    expect(JSON.stringify(mails)).not.toMatch(/acted|took back|warn/);
  });

  it('reads that a part was changed, while the violation is still confirmed', async () => {
    const { reporter, person, reportId, decision } = await decided({
      sanctions: [{ kind: 'warn' }, { kind: 'hide_profile', days: 7 }],
    });
    await overturn(person, decision._id, {
      outcome: 'partly_overturned',
      sanctionIds: [decision.sanctions[0]?._id ?? ''],
    });
    expect(await readBy(reporter, reportId)).toEqual({
      status: 'resolved',
      answers: [
        expect.stringMatching(acted),
        expect.stringMatching(/Our rules were broken, as we told you, but we changed a part of what we did\.$/),
      ] as string[],
    });
  });

  it('reads that the result has changed when their own appeal led to a measure', async () => {
    const { reporter, reportId, caseId, decision } = await decided(notActing);
    const other = await makeMember(app);
    await overturn(reporter, decision._id);
    expect((await readBy(reporter, reportId)).status).toBe('in_progress');
    const body = { problem_type: 'Harassment' as const, hideFromEachOther: false };
    const person = (await fileOf(caseId)).case.person._id;
    const later = await fileReport(app, other, { ...body, reportedUser: person });
    const acting = await decideAgain(caseId);
    expect(await readBy(reporter, reportId)).toEqual({
      status: 'resolved',
      answers: [
        expect.stringMatching(notActed),
        expect.stringMatching(/We are looking into your report again, and will answer you here\.$/),
        expect.stringMatching(changed),
      ] as string[],
    });
    expect((await readBy(other, later._id)).answers).toEqual([expect.stringMatching(acted)]);
    expect(acting.answer).toMatch(acted);
  });

  it('reads that the result is the same when no violation is found again', async () => {
    const { reporter, reportId, caseId, decision } = await decided(notActing);
    await overturn(reporter, decision._id);
    await decideAgain(caseId, { ...notActing });
    const { status, answers } = await readBy(reporter, reportId);
    expect([status, answers.at(-1)]).toEqual(['rejected', expect.stringMatching(same)]);
  });

  it('reads no contradiction after acting, reversing and acting again', async () => {
    const { reporter, person, reportId, caseId, decision } = await decided();
    await overturn(person, decision._id);
    await reopen(caseId);
    await decideAgain(caseId);
    const { status, answers } = await readBy(reporter, reportId);
    expect(status).toBe('resolved');
    expect(answers).toEqual([acted, takenBack, changed].map((text) => expect.stringMatching(text) as string));
  });

  it('reads nothing new when an earlier decision is reversed and a later one is in force', async () => {
    const { reporter, person, reportId, caseId, decision } = await decided();
    app.clock.advance(1);
    await reopen(caseId);
    await decideAgain(caseId);
    const before = await readBy(reporter, reportId);
    expect(before.answers.at(-1)).toMatch(same);
    await overturn(person, decision._id);
    expect(await readBy(reporter, reportId)).toEqual(before);
  });

  it('reads no result while the case is open again', async () => {
    const { reporter, person, reportId, caseId, decision } = await decided();
    app.clock.advance(1);
    await reopen(caseId);
    await overturn(person, decision._id);
    expect(await readBy(reporter, reportId)).toMatchObject({ status: 'in_progress' });
    await decideAgain(caseId, { ...notActing });
    const { status, answers } = await readBy(reporter, reportId);
    expect([status, answers.at(-1)]).toEqual(['rejected', expect.stringMatching(same)]);
  });
});
