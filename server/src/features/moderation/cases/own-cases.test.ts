import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { addPictures } from '#contract/media.ts';
import { listMessages, sendMessage } from '#contract/messages/messages.ts';
import { listAppeals, reviewAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { decideCase, getCase, handleCase, noteOnCase } from '#contract/moderation/cases.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { listOwnCases, openCase } from '#contract/moderation/own-cases.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import {
  changeReportStatus,
  getReport,
  getReportStatistics,
  listReports,
  replyToReport,
} from '#contract/moderation/staff-reports.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import {
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  signIn,
  type TestMember,
} from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { placeMatch } from '../../../../test/likes.ts';
import { upload } from '../../../../test/pictures.ts';
import { countAtLimit } from '#platform/session/act-limits.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { caseIdOf, currentRuleId, fileOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let moderator: TestMember;
let administrator: TestMember;
let ruleId: string;
beforeAll(async () => {
  moderator = await makeModerator(app, { firstName: 'Mo', lastName: 'Ek' });
  administrator = await makeAdministrator(app);
  ruleId = await currentRuleId(app);
});

const reason = 'The profile offers paid chats at another address.';
const facts = 'The profile offers paid chats at another address, in its text and in a picture.';
type Given = Partial<BodyInput<typeof openCase>>;

const aged = (options: MemberOptions = {}) =>
  makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z'), ...options });
const open = (person: TestMember, given: Given = {}, by = moderator, headers: Record<string, string> = {}) =>
  app.call(openCase, {
    token: by.token,
    params: { id: person.id },
    body: { problem_type: 'Harassment', reason, ...given },
    headers,
  });
const opened = async (person: TestMember, given: Given = {}, by = moderator) =>
  (await open(person, given, by)).body.data;
const caseFile = async (id: string, by = moderator) =>
  (await app.call(getCase, { token: by.token, params: { id } })).body.data;
const decide = (id: string, given: Partial<BodyInput<typeof decideCase>> = {}, by = moderator) =>
  app.call(decideCase, { token: by.token, params: { id }, body: { outcome: 'no_violation', ...given } });
const release = (id: string, by = moderator) =>
  app.call(handleCase, { token: by.token, params: { id }, body: { step: 'release' } });
const warned = { outcome: 'actioned' as const, facts, sanctions: [{ kind: 'warn' as const }] };

/** A person who wrote two messages to someone, who reported the first of them. */
async function reportedMessages() {
  const [reporter, person] = [await aged(), await aged()];
  const matchId = await placeMatch(app, reporter, person);
  const write = (by: TestMember, text: string) =>
    app.call(sendMessage, { token: by.token, params: { id: matchId }, body: { clientId: randomUUID(), text } });
  await write(person, 'Pay me first.');
  await write(person, 'Or I tell your wife.');
  await write(reporter, 'Leave me alone.');
  const evidence = [{ type: 'message' as const, id: matchId, seq: 1 }];
  const report = await fileReport(app, reporter, {
    problem_type: 'Harassment',
    reportedUser: person.id,
    evidence,
    hideFromEachOther: false,
  });
  return { reporter, person, matchId, reportId: report._id };
}

describe('POST /admin/users/{id}/cases', () => {
  it('opens a case with a copy of the profile and of named pictures, which its opener decides', async () => {
    const person = await aged({ firstName: 'Bo', bio: 'Write to paid-chat.example' });
    const { publicId } = await upload(app, person);
    await app.call(addPictures, { token: person.token, body: [{ publicId }] });
    const made = await opened(person, { pictures: [publicId] });
    expect(made.case).toMatchObject({ person: { _id: person.id }, stage: 'claimed', priority: 'high', reportCount: 1 });
    expect(made.case).toMatchObject({ isMine: true, holder: { _id: moderator.id } });
    const file = await caseFile(made.case._id);
    expect(file.reports).toMatchObject([
      {
        _id: made.reportId,
        source: 'own_initiative',
        openedBy: { _id: moderator.id, name: 'Mo Ek' },
        description: reason,
      },
    ]);
    expect(file.parties).toEqual([]);
    expect(file.evidence[0]?.items).toMatchObject([
      { type: 'profile', isIntact: true, profile: { bio: 'Write to paid-chat.example' } },
      { type: 'picture', isIntact: true },
    ]);
    const { decision } = (await decide(made.case._id, { ...warned, ruleId })).body.data;
    expect(decision).toMatchObject({ source: 'own_initiative', reportIds: [made.reportId] });
    const decided = await caseFile(made.case._id);
    expect(decided.case.stage).toBe('decided');
    expect(decided.reports).toMatchObject([{ status: 'resolved', replyCount: 0, replies: [] }]);
    const { events } = (await app.call(listAudit, { token: administrator.token, query: { targetId: made.case._id } }))
      .body.data;
    expect(events.find(({ action }) => action === 'case.opened')).toMatchObject({
      reason,
      actor: { _id: moderator.id },
      changes: { report: { to: made.reportId } },
    });
  });

  it.each([
    ['a moderator', 10, () => makeModerator(app)],
    ['a senior', 30, () => makeMember(app, { staffRole: 'senior' })],
  ])('returns 429 for %s who decides more than %s with measures within an hour', async (_, most, makeColleague) => {
    const by = await makeColleague();
    const act = async (given: Partial<BodyInput<typeof decideCase>>) =>
      decide((await opened(await makeMember(app), {}, by)).case._id, given, by);
    const statuses = [];
    for (let n = 0; n <= most; n += 1) statuses.push((await act({ ...warned, ruleId })).status);
    expect(statuses).toEqual([...Array<number>(most).fill(201), 429]);
    expect((await act({})).status).toBe(201);
    expect(await countAtLimit(app.db, app.clock.now())).toBeGreaterThan(0);
    expect(await countAtLimit(app.db, secondsAfter(app.clock.now(), 3600))).toBe(0);
  });

  it('returns 429 for a moderator who takes measures in more than 60 reported cases within an hour', async () => {
    const [by, reporter] = [await makeModerator(app), await makeMember(app)];
    const act = async () => {
      const { id } = await makeMember(app);
      const report = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: id });
      return await decide(await caseIdOf(app, report._id), { ...warned, ruleId }, by);
    };
    const statuses = [];
    for (let n = 0; n <= 60; n += 1) statuses.push((await act()).status);
    expect(statuses).toEqual([...Array<number>(60).fill(201), 429]);
  });

  it('joins the case that reports have opened, and is decided with them like an outsider report', async () => {
    const [reporter, person] = [await aged(), await aged()];
    const report = await fileReport(app, reporter, { problem_type: 'Other', reportedUser: person.id });
    app.clock.advance(1);
    const made = await opened(person);
    expect(made.case).toMatchObject({ _id: await caseIdOf(app, report._id), reportCount: 2, priority: 'high' });
    const { decision } = (await decide(made.case._id)).body.data;
    expect(decision.source).toBe('notice');
    const { reports } = await caseFile(made.case._id);
    expect(reports.map(({ source, replyCount }) => [source, replyCount])).toEqual([
      ['own_initiative', 0],
      ['notice', 1],
    ]);
  });

  it('is critical for a person who may be a minor, and keeps copies of pictures that are hidden from everyone', async () => {
    const person = await aged();
    const { publicId } = await upload(app, person);
    await app.call(addPictures, { token: person.token, body: [{ publicId }] });
    const made = await opened(person, { problem_type: 'Other', mayBeMinor: true, pictures: [publicId] });
    expect(made.case).toMatchObject({ priority: 'critical', criticalBecause: 'minor' });
    const { reports, evidence } = await caseFile(made.case._id);
    expect(reports[0]).toMatchObject({ mayBeMinor: true, priority: 'critical' });
    expect(Date.parse(reports[0]?.dueAt ?? '') - Date.parse(reports[0]?.createdAt ?? '')).toBe(3_600_000);
    const picture = evidence[0]?.items.find(({ type }) => type === 'picture');
    const content = {
      type: 'picture' as const,
      key: picture?.pictures[0]?.publicId ?? '',
      evidenceId: picture?._id ?? '',
    };
    const sanctions = [{ kind: 'remove_content' as const, content }];
    const { decision } = (await decide(made.case._id, { outcome: 'actioned', ruleId, facts, sanctions })).body.data;
    expect(decision.sanctions[0]?.content).toMatchObject({ type: 'picture', isWithheld: true });
  });

  it('copies the person’s messages from the evidence of a report about them, and can remove them', async () => {
    const { reporter, person, matchId, reportId } = await reportedMessages();
    const before = await fileOf(app, administrator, reportId);
    app.clock.advance(60);
    const made = await opened(person, { messages: [{ reportId, seq: 2 }] });
    const { evidence } = await caseFile(made.case._id);
    const copy = evidence.find((one) => one.reportId === made.reportId)?.items.find(({ type }) => type === 'message');
    const original = before.evidence.find(({ type }) => type === 'message');
    expect(copy).toMatchObject({ isIntact: true, copiedFrom: reportId, capturedAt: original?.capturedAt });
    expect(copy?.messages.map(({ by, isReported, text }) => [by, isReported, text])).toEqual([
      ['reported', false, 'Pay me first.'],
      ['reported', true, 'Or I tell your wife.'],
      ['reporter', false, 'Leave me alone.'],
    ]);
    const content = { type: 'message' as const, key: '2', evidenceId: copy?._id ?? '' };
    const removal = {
      outcome: 'actioned' as const,
      ruleId,
      facts,
      sanctions: [{ kind: 'remove_content' as const, content }],
    };
    const { decision } = (await decide(made.case._id, removal)).body.data;
    expect(decision.sanctions[0]?.content).toMatchObject({ isGone: false });
    const { messages } = (await app.call(listMessages, { token: reporter.token, params: { id: matchId } })).body.data;
    expect(messages.map(({ text }) => text)).toEqual(['Pay me first.', null, 'Leave me alone.']);
  });

  it('copies messages that the person sent from the evidence of a report they filed', async () => {
    const { reporter, person, reportId } = await reportedMessages();
    const made = await opened(reporter, { messages: [{ reportId, seq: 3 }] });
    const { evidence } = await caseFile(made.case._id);
    const copy = evidence[0]?.items.find(({ type }) => type === 'message');
    expect(copy?.messages.map(({ by, isReported }) => [by, isReported])).toEqual([
      ['reporter', false],
      ['reporter', false],
      ['reported', true],
    ]);
    expect((await open(person, { messages: [{ reportId, seq: 3 }] })).status).toBe(400);
  });

  it('makes both people of the report parties to the case that contains its messages, even once the report is deleted', async () => {
    const { reporter, person, reportId } = await reportedMessages();
    await app.db.updateTable('account').set({ staff_role: 'admin' }).where('id', '=', person.id).execute();
    const party = { ...person, ...(await signIn(app, person.id, true)) };
    const { case: of, reportId: ownId } = await opened(reporter);
    const seenBy = async ({ token }: TestMember) => {
      const { cases } = (await app.call(listCases, { token, query: { limit: '1000' } })).body.data;
      const { events } = (await app.call(listAudit, { token, query: { targetId: of._id } })).body.data;
      const { kinds } = (await app.call(getUserFile, { token, params: { id: reporter.id } })).body.data;
      return {
        case: (await app.call(getCase, { token, params: { id: of._id } })).status,
        report: (await app.call(getReport, { token, params: { id: ownId } })).status,
        isListed: cases.some(({ _id }) => _id === of._id),
        isInTrail: events.some(({ action }) => action === 'case.opened'),
        hasFile: kinds.length > 0,
      };
    };
    const everything = { case: 200, report: 200, isListed: true, isInTrail: true, hasFile: true };
    const nothing = { case: 403, report: 403, isListed: false, isInTrail: false, hasFile: false };
    expect(await seenBy(party)).toEqual(everything);
    await opened(reporter, { messages: [{ reportId, seq: 3 }] });
    expect(await seenBy(party)).toEqual(nothing);
    expect((await open(reporter, {}, party)).status).toBe(403);
    expect(await seenBy(administrator)).toEqual(everything);
    await app.db.deleteFrom('report').where('id', '=', reportId).execute();
    expect(await seenBy(party)).toEqual(nothing);
  });

  it('rejects short reasons, and pictures and messages that are not the person’s', async () => {
    const { reportId } = await reportedMessages();
    const person = await aged();
    const { publicId } = await upload(app, await aged());
    const fieldOf = async (given: Given) => {
      const { status, error } = await open(person, given);
      return [status, error.errors?.[0]?.field];
    };
    expect(await fieldOf({ reason: 'Looks like a scam' })).toEqual([400, 'reason']);
    expect(await fieldOf({ pictures: [publicId] })).toEqual([400, 'pictures']);
    expect(await fieldOf({ messages: [{ reportId, seq: 1 }] })).toEqual([400, 'messages']);
    expect(await fieldOf({ messages: [{ reportId: randomUUID(), seq: 1 }] })).toEqual([400, 'messages']);
    expect((await open({ ...person, id: randomUUID() })).status).toBe(404);
    const cases = await app.db.selectFrom('moderation_case').select('id').where('person_id', '=', person.id).execute();
    expect(cases).toEqual([]);
  });

  it('returns the same refusal to parties, and opens nothing for them', async () => {
    const person = await aged();
    await fileReport(app, moderator, { problem_type: 'Harassment', reportedUser: person.id });
    expect((await open(person)).status).toBe(403);
    expect((await open(moderator)).status).toBe(403);
    expect((await open(await makeAdministrator(app))).status).toBe(403);
  });

  it('opens one case when two colleagues open it at once, and repeats its answer for the same key', async () => {
    const person = await aged();
    const other = await makeModerator(app);
    const both = await Promise.all([open(person), open(person, {}, other)]);
    expect(new Set(both.map(({ body }) => body.data.case._id)).size).toBe(1);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await open(person, {}, moderator, headers);
    const again = await open(person, {}, moderator, headers);
    expect(again.body.data.reportId).toBe(first.body.data.reportId);
    expect((await caseFile(first.body.data.case._id)).case.reportCount).toBe(3);
  });
});

/** The lists and counts for everyone who could see a report. */
async function allFigures(person: TestMember) {
  const by = administrator.token;
  const { data } = (await app.call(listReports, { token: by, query: { limit: '1000' } })).body;
  const { data: found } = (await app.call(listReports, { token: by, query: { search: reason } })).body;
  const { data: mine } = (await app.call(listReports, { token: moderator.token, query: { assigned: 'me' } })).body;
  const { data: statistics } = (await app.call(getReportStatistics, { token: by })).body;
  const { data: own } = (await app.call(listMyReports, { token: moderator.token })).body;
  const { data: theirs } = (await app.call(listMyReports, { token: person.token })).body;
  return {
    listed: data.pagination.total,
    found: found.pagination.total,
    mine: mine.pagination.total,
    statistics,
    own: own.pagination.total,
    theirs: theirs.pagination.total,
  };
}

describe('a case on one’s own initiative', () => {
  it('appears in no list, search or figure of reports', async () => {
    const person = await aged();
    const before = await allFigures(person);
    const made = await opened(person);
    await app.call(noteOnCase, {
      token: moderator.token,
      params: { id: made.case._id },
      body: { text: 'Same text twice' },
    });
    expect(await allFigures(person)).toEqual(before);
    await decide(made.case._id);
    expect(await allFigures(person)).toEqual(before);
  });

  it.each([
    ['after it, a report', ['own', 'report']],
    ['before it, a report', ['report', 'own']],
    ['beside it, another one', ['own', 'own']],
  ] as const)('does not count as a second reporter: %s', async (_, steps) => {
    const person = await aged();
    let caseId = '';
    for (const step of steps)
      if (step === 'own') caseId = (await opened(person)).case._id;
      else {
        const report = await fileReport(app, await aged(), { problem_type: 'Harassment', reportedUser: person.id });
        const { report: seen } = await fileOf(app, administrator, report._id);
        expect(seen.priority).toBe('high');
        caseId = await caseIdOf(app, report._id);
      }
    const { case: of, parties } = await caseFile(caseId);
    expect(of).toMatchObject({ criticalBecause: null, priority: 'high', reportCount: 2 });
    expect(parties).toHaveLength(steps.filter((step) => step === 'report').length);
  });

  it('stays with a colleague who already handles the case', async () => {
    const person = await aged();
    const first = await opened(person);
    const second = await opened(person, {}, administrator);
    expect(second.case).toMatchObject({ _id: first.case._id, isMine: false, holder: { _id: moderator.id } });
    await release(first.case._id);
    expect((await opened(person, {}, administrator)).case).toMatchObject({ stage: 'claimed', isMine: true });
  });

  it('is critical after a confirmed violation', async () => {
    const person = await aged();
    const made = await opened(person);
    await decide(made.case._id, { ...warned, ruleId });
    app.clock.advance(60);
    expect((await opened(person)).case).toMatchObject({ stage: 'claimed', criticalBecause: 'confirmed_before' });
  });

  it('ends only with a decision, and notifies no reporter', async () => {
    const made = await opened(await aged());
    const params = { id: made.reportId };
    const end = (status: 'resolved' | 'rejected' | 'closed') =>
      app.call(changeReportStatus, { token: moderator.token, params, body: { status } });
    for (const status of ['resolved', 'rejected', 'closed'] as const)
      expect((await end(status)).error.code).toBe('DECISION_REQUIRED');
    const body = { message: 'Thank you.' };
    expect((await app.call(replyToReport, { token: moderator.token, params, body })).status).toBe(400);
    const { report } = await fileOf(app, moderator, made.reportId);
    expect(report.can.status).toEqual(['in_progress']);
  });

  it('is open to staff who see cases, and to no one else', async () => {
    const made = await opened(await aged(), { problem_type: 'Account Issue' });
    const support = await makeMember(app, { staffRole: 'support' });
    const read = async (by: TestMember) =>
      (await app.call(getReport, { token: by.token, params: { id: made.reportId } })).status;
    expect([await read(administrator), await read(support), await read(await aged())]).toEqual([200, 404, 404]);
  });

  it('is in the queue, but not for a party', async () => {
    const person = await makeMember(app, { staffRole: 'moderator' });
    const made = await opened(person, {}, administrator);
    const idsFor = async (by: TestMember) =>
      (await app.call(listCases, { token: by.token, query: { limit: '1000' } })).body.data.cases.map(({ _id }) => _id);
    expect(await idsFor(moderator)).toContain(made.case._id);
    expect(await idsFor(person)).not.toContain(made.case._id);
  });
});

describe('an appeal against a decision in a colleague’s own case', () => {
  it('is never reviewed by the colleague who opened it, which the database refuses too', async () => {
    const [opener, decider] = [
      await makeMember(app, { staffRole: 'senior' }),
      await makeMember(app, { staffRole: 'senior' }),
    ];
    const person = await aged();
    const made = await opened(person, {}, opener);
    await release(made.case._id, opener);
    const { decision } = (await decide(made.case._id, { ...warned, ruleId }, decider)).body.data;
    const body = { decisionId: decision._id, text: 'It was a joke.' };
    const { right } = (await app.call(submitAppeal, { token: person.token, body })).body.data;
    const id = right.appeal?._id ?? '';
    const review = async (by: TestMember) => (await app.call(reviewAppeal, { token: by.token, params: { id } })).status;
    const canReview = async (by: TestMember) =>
      (await app.call(listAppeals, { token: by.token })).body.data.appeals.find(({ _id }) => _id === id)?.canReview;
    expect([await canReview(opener), await canReview(decider), await canReview(administrator)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([await review(opener), await review(decider)]).toEqual([403, 403]);
    await expect(
      app.db
        .updateTable('appeal')
        .set({ state: 'under_review', reviewer_id: opener.id })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow('appeal_not_opener');
    expect(await review(administrator)).toBe(200);
  });
});

describe('GET /admin/own-cases', () => {
  it('counts for each colleague, with the share without action from five decided cases on', async () => {
    const opener = await makeModerator(app, { firstName: 'Una', lastName: 'Ekwe' });
    const figures = async (by = administrator) =>
      (await app.call(listOwnCases, { token: by.token })).body.data.openers.find(({ _id }) => _id === opener.id);
    expect(await figures()).toBeUndefined();
    const outcomes = ['no_violation', 'unfounded', 'fixed', 'actioned', 'no_violation'] as const;
    for (const outcome of outcomes) {
      const { case: of } = await opened(await aged(), {}, opener);
      if (outcome === 'no_violation') expect(await figures()).toMatchObject({ name: 'Una Ekwe', withoutAction: null });
      await release(of._id, opener);
      await decide(of._id, outcome === 'actioned' ? { ...warned, ruleId } : { outcome });
    }
    await opened(await aged(), {}, opener);
    expect(await figures()).toEqual({ _id: opener.id, name: 'Una Ekwe', opened: 6, decided: 5, withoutAction: 3 });
    // A decision that an appeal reversed also counts as no action.
    await app.sql`update case_decision set undone_at = decided_at where decided_by = ${moderator.id}::uuid and outcome = 'actioned'
      and id in (select l.decision_id from case_decision_report l join report r on r.id = l.report_id
        where r.opened_by = ${opener.id}::uuid)`;
    expect(await figures()).toMatchObject({ withoutAction: 4 });
    app.clock.advance(91 * 86_400);
    expect(await figures(await makeAdministrator(app))).toBeUndefined();
    app.clock.advance(-91 * 86_400);
  });
});
