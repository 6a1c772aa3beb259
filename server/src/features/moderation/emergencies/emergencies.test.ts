import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { submitAppeal } from '#contract/moderation/appeals.ts';
import { claimCase, decideCase, getCase } from '#contract/moderation/cases.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import * as calls from '#contract/moderation/emergencies.ts';
import { getStart } from '#contract/moderation/start.ts';
import { decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { keepPreserved } from '#platform/db/preservation.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';

const secret = 'a secret of the pager with thirty-two characters';
let app: TestApp;
let pager: Server;
let moderator: TestMember;
let senior: TestMember;
let administrator: TestMember;
const pages: { body: string; signature: string | undefined }[] = [];
let status = 200;

beforeAll(async () => {
  pager = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      pages.push({ body: Buffer.concat(chunks).toString(), signature: request.headers['x-signature'] as string });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((listening) => pager.listen(0, '127.0.0.1', listening));
  app = await startApp({
    PAGER_URL: `http://127.0.0.1:${(pager.address() as AddressInfo).port}/page`,
    PAGER_SECRET: secret,
    PAGER_MAIL: 'call-one@example.test, Two <call-two@example.test>',
  });
  [senior, administrator] = [
    await makeMember(app, { staffRole: 'senior', firstName: 'Sena' }),
    await makeAdministrator(app, { firstName: 'Ada' }),
  ];
});
beforeEach(async () => {
  await app.drain();
  // The limit of an hour begins again.
  await app.db.deleteFrom('emergency').execute();
  moderator = await makeModerator(app);
  pages.length = 0;
  status = 200;
});
afterAll(async () => {
  await app.close();
  pager.close();
});

const facts = 'Several people say that this account asked them for money with threats.';

/** Someone another member reported. */
async function reported(more: { mayBeMinor?: boolean } = {}) {
  const person = await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
  const reporter = await makeMember(app, { firstName: 'Reporterella' });
  const { _id } = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id, ...more });
  return { person, reporter, reportId: _id, params: { id: await caseIdOf(app, _id) } };
}
const mark = async (
  params: { id: string },
  { by = moderator, ...more }: { facts?: string; kind?: EmergencyKind; by?: TestMember } = {},
) =>
  app.call(calls.markEmergency, {
    token: by.token,
    params,
    body: { kind: 'extortion', ruleId: await currentRuleId(app), facts, ...more },
  });
const end = (params: { id: string }) =>
  app.call(calls.endRestriction, { token: moderator.token, params, body: { reason: 'A false alarm' } });
const fileOf = async (params: { id: string }) =>
  (await app.call(getCase, { token: moderator.token, params })).body.data;
const safetyOf = async (params: { id: string }) => (await fileOf(params)).safety;
const accountOf = ({ id }: TestMember) =>
  app.db
    .selectFrom('account')
    .select(['is_hidden', 'is_messaging_limited', 'is_active'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const timelineOf = async (params: { id: string }) => (await fileOf(params)).timeline.map(({ kind }) => kind);

describe('POST /admin/cases/{id}/emergency', () => {
  it('makes the case critical, restricts the person without strikes, and notifies them', async () => {
    const { person, params } = await reported();
    await mark(params);
    expect(await accountOf(person)).toEqual({ is_hidden: true, is_messaging_limited: true, is_active: true });
    const { case: of, sanctions, decisions, safety } = await fileOf(params);
    expect(safety).toMatchObject({
      emergencies: [{ kind: 'extortion' }],
      isPagerSet: true,
      restrictedUntil: expect.any(String),
    });
    expect(of).toMatchObject({ priority: 'critical', stage: 'open', hold: { cause: 'critical_case' } });
    expect(decisions).toMatchObject([{ kind: 'interim', outcome: null, source: 'notice' }]);
    expect(sanctions.map(({ kind, strikes, isLive }) => [kind, strikes, isLive])).toEqual([
      [expect.any(String), 0, true],
      [expect.any(String), 0, true],
    ]);
    const [mail] = await app.outbox(person.email);
    expect(mail?.text).toContain('This is not a final decision');
    expect(mail?.text).toContain('go to court');
    expect(mail?.text).not.toContain('Reporterella');
    const { notices: statements } = (await app.call(listStatements, { token: person.token })).body.data;
    expect(statements).toMatchObject([{ facts, appeal: { mayAppeal: true } }]);
  });

  it('can be appealed', async () => {
    const { person, params } = await reported();
    await mark(params);
    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    const appealed = await app.call(submitAppeal, {
      token: person.token,
      body: { decisionId: statement?._id ?? '', text: 'I threatened no one.' },
    });
    expect(appealed.status).toBe(201);
  });

  it('returns 400 for facts that name a reporter, and 409 once the person is restricted', async () => {
    const { params, person } = await reported();
    const named = await mark(params, { facts: `Reporterella says that this account threatened her again and again.` });
    expect(named.error.code).toBe('INVALID_INPUT');
    expect(await accountOf(person)).toMatchObject({ is_hidden: false });
    await mark(params);
    expect((await mark(params)).error.code).toBe('CONFLICT');
  });

  it('returns 400 for facts with a link to another site', async () => {
    const { params, person } = await reported();
    const linked = `${facts} Confirm your account at heartwood-help.com now.`;
    expect((await mark(params, { facts: linked })).error.errors).toMatchObject([{ field: 'facts' }]);
    const sanctions = [{ kind: 'warn' as const }];
    const body = { outcome: 'actioned' as const, ruleId: await currentRuleId(app), facts: linked, sanctions };
    const decided = await app.call(decideCase, { token: administrator.token, params, body });
    expect(decided.error.errors).toMatchObject([{ field: 'facts' }]);
    expect(await accountOf(person)).toMatchObject({ is_hidden: false });
    expect((await mark(params, { facts: `${facts} See http://localhost:3000/app/rules` })).status).toBe(200);
  });

  it('marks the case and can end the restriction while a colleague has claimed it', async () => {
    const { params } = await reported();
    await app.call(claimCase, { token: (await makeModerator(app)).token, params });
    expect([(await mark(params)).status, (await end(params)).status]).toEqual([200, 200]);
  });

  it.each([
    ['a moderator', 10, () => makeModerator(app)],
    ['a senior', 30, () => makeMember(app, { staffRole: 'senior' })],
  ])('returns 429 for %s after %s emergencies within an hour', async (_, most, makeColleague) => {
    const by = await makeColleague();
    const cases = [];
    for (let n = 0; n < most + 2; n += 1) cases.push(await reported());
    const last = cases.splice(-4);
    for (const { params } of cases) expect((await mark(params, { by })).status).toBe(200);
    const answers = await Promise.all(last.map(({ params }) => mark(params, { by })));
    expect(answers.filter(({ status: answered }) => answered === 200)).toHaveLength(2);
    const { params } = await reported();
    const refused = await mark(params, { by });
    expect(refused.error.code).toBe('TOO_MANY_REQUESTS');
    expect(refused.error.message).toMatch(new RegExp(`${most} times .* try again in 60 minutes`));
    expect((await mark(params)).status).toBe(200);
  });

  it('mentions no report when nothing was reported', async () => {
    const { params, person, reportId } = await reported();
    await app.sql`update report set source = 'automatic', reporter_id = null, opened_at = now(), opened_by_name = 'A rule',
      is_listed = false where id = ${reportId}::uuid`;
    await mark(params);
    expect((await fileOf(params)).decisions).toMatchObject([{ kind: 'interim', source: 'own_initiative' }]);
    const [mail] = await app.outbox(person.email);
    expect(mail?.text).toContain('after an automatic check');
    expect(mail?.text).not.toMatch(/a report/i);
  });

  it('is lifted by a call or by the decision, and the person is notified', async () => {
    const { person, params } = await reported();
    const ended = async () =>
      (await app.outbox(person.email)).filter(({ subject }) => subject === 'The restriction of your account has ended');
    await mark(params);
    await end(params);
    expect((await safetyOf(params)).restrictedUntil).toBeNull();
    expect((await end(params)).error.code).toBe('CONFLICT');
    expect(await accountOf(person)).toEqual({ is_hidden: false, is_messaging_limited: false, is_active: true });
    expect(await ended()).toHaveLength(1);
    await mark(params, { by: senior });
    expect(await accountOf(person)).toMatchObject({ is_hidden: true });
    await app.call(decideCase, { token: administrator.token, params, body: { outcome: 'no_violation' } });
    expect(await accountOf(person)).toEqual({ is_hidden: false, is_messaging_limited: false, is_active: true });
    expect(await ended()).toHaveLength(2);
    expect((await mark(params)).error.code).toBe('CONFLICT');
    expect(await timelineOf(params)).toEqual(expect.arrayContaining(['emergency', 'restriction_ended']));
  });

  it('can restrict a second time only for another colleague', async () => {
    const { person, params } = await reported();
    await mark(params);
    await end(params);
    expect((await mark(params)).error.code).toBe('CONFLICT');
    expect(await accountOf(person)).toMatchObject({ is_hidden: false });
    expect((await mark(params, { by: senior })).status).toBe(200);
    expect(await accountOf(person)).toMatchObject({ is_hidden: true });
  });
});

describe('the people on call', () => {
  it('are paged once for a case and kind, by a signed call and by mail without personal data', async () => {
    const { person, params } = await reported();
    await mark(params);
    await end(params);
    await mark(params, { by: senior });
    await app.drain();
    expect(pages).toHaveLength(1);
    const [page] = pages;
    expect(JSON.parse(page?.body ?? '')).toEqual({
      id: expect.any(String),
      case: params.id,
      category: 'extortion',
      at: expect.any(String),
    });
    expect(page?.signature).toBe(
      createHmac('sha256', secret)
        .update(page?.body ?? '')
        .digest('hex'),
    );
    for (const address of ['call-one@example.test', 'call-two@example.test']) {
      const mails = await app.outbox(address);
      expect(mails.filter(({ links }) => links[0]?.endsWith(`/cases/${params.id}`))).toHaveLength(1);
      expect(mails.map(({ text }) => text).join()).not.toContain(person.id);
    }
    expect((await safetyOf(params)).emergencies[0]?.pagedAt).not.toBeNull();
  });

  it('are paged for a report about someone who may be a minor', async () => {
    const { params } = await reported({ mayBeMinor: true });
    await app.drain();
    expect(pages.map(({ body }) => JSON.parse(body) as { category: string })).toMatchObject([{ category: 'minor' }]);
    expect((await safetyOf(params)).emergencies).toMatchObject([{ kind: 'minor', by: null }]);
  });

  it('are paged for another danger while the person is restricted, without a second restriction or its reasons', async () => {
    const { params } = await reported();
    const another = { token: moderator.token, params, body: { kind: 'threat_to_life' as const } };
    expect((await app.call(calls.markEmergency, another)).error.errors?.[0]?.field).toBe('ruleId');
    await mark(params);
    expect((await app.call(calls.markEmergency, another)).status).toBe(200);
    await app.drain();
    expect(pages.map(({ body }) => (JSON.parse(body) as { category: string }).category).toSorted()).toEqual([
      'extortion',
      'threat_to_life',
    ]);
    expect((await fileOf(params)).decisions).toHaveLength(1);
  });

  it('are paged for the first five reported emergencies an hour, once for all others, and for each that staff mark', async () => {
    const reporters = [await makeMember(app), await makeMember(app)];
    const people = await makeManyMembers(app, 42);
    const mails = async () => (await app.outbox('call-one@example.test')).map(({ subject }) => subject);
    const before = (await mails()).length;
    await Promise.all(
      people.map(({ id }, n) =>
        fileReport(app, reporters[n % 2] ?? senior, { problem_type: 'Other', reportedUser: id, mayBeMinor: true }),
      ),
    );
    const { params } = await reported();
    await mark(params);
    const pageGrouped = () => app.app.background.tasks['emergencies.pageGrouped']?.({}, undefined as never);
    await app.drain();
    expect(pages).toHaveLength(6);
    await pageGrouped();
    await pageGrouped();
    const bodies = pages.map(({ body }) => JSON.parse(body) as { category: string; more?: number });
    expect(bodies.map(({ more }) => more).filter(Boolean)).toEqual([37]);
    expect(bodies).toHaveLength(7);
    expect((await mails()).length - before).toBe(7);
    expect(await mails()).toContain('More emergencies need you');
  });

  it('are called again until the pager confirms, but mailed once', async () => {
    status = 500;
    const before = (await app.outbox('call-one@example.test')).length;
    const { params } = await reported();
    await mark(params);
    await app.drain();
    status = 200;
    await app.sql`update graphile_worker._private_jobs set run_at = now(), locked_at = null`;
    await app.drain();
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    expect(await app.outbox('call-one@example.test')).toHaveLength(before + 1);
    const row = app.db.selectFrom('emergency').select('paged_at').where('case_id', '=', params.id);
    expect((await row.executeTakeFirstOrThrow()).paged_at).not.toBeNull();
  });

  it('are paged again after a case was decided and reopened', async () => {
    const { person, params } = await reported({ mayBeMinor: true });
    await app.drain();
    await app.call(decideCase, { token: administrator.token, params, body: { outcome: 'no_violation' } });
    app.clock.advance(60);
    await fileReport(app, await makeMember(app), {
      problem_type: 'Harassment',
      reportedUser: person.id,
      mayBeMinor: true,
    });
    await app.drain();
    expect(pages).toHaveLength(2);
  });
});

describe('a referral to the authorities', () => {
  it('is recorded by senior moderators in the case; timeline and audit trail only mention it', async () => {
    const { params } = await reported();
    const body = { authority: 'Police Berlin', handedOver: 'Messages', legalBasis: 'StPO 95', on: '2026-01-02' };
    await app.call(calls.recordReferral, { token: senior.token, params, body });
    const { safety, timeline } = await fileOf(params);
    expect(safety.referrals).toMatchObject([{ ...body, by: expect.stringContaining('Sena') }]);
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'referred', to: null, reason: null }));
    const events = app.db.selectFrom('audit_event').select('changes').where('action', '=', 'case.referred');
    expect(JSON.stringify(await events.execute())).not.toContain('Berlin');
    const future = { ...body, on: '2099-01-01' };
    expect((await app.call(calls.recordReferral, { token: senior.token, params, body: future })).status).toBe(400);
  });
});

const setHold = (params: { id: string }, days = 30) =>
  app.call(calls.setPreservation, {
    token: senior.token,
    params,
    body: {
      reason: 'An order',
      reviewOn: secondsAfter(app.clock.now(), days * 86_400)
        .toISOString()
        .slice(0, 10),
    },
  });

describe('a legal hold', () => {
  it('is set by senior moderators and released by two people', async () => {
    const { params } = await reported();
    await setHold(params);
    expect((await safetyOf(params)).legalHold).toMatchObject({ reason: 'An order', releaseAskedBy: null });
    const why = { token: administrator.token, params, body: { reason: 'The order has ended' } };
    await app.call(calls.askForPreservationRelease, why);
    expect((await safetyOf(params)).legalHold?.releaseAskedBy).toContain('Ada');
    expect((await app.call(calls.askForPreservationRelease, why)).error.code).toBe('CONFLICT');
    const { approvals } = (await app.call(listApprovals, { token: administrator.token })).body.data;
    const approval = approvals.find(({ caseId }) => caseId === params.id);
    expect(approval).toMatchObject({ kind: 'legalHold.release', state: 'waiting' });
    const decide = (by: TestMember) =>
      app.call(decideApproval, { token: by.token, params: { id: approval?._id ?? '' }, body: { verdict: 'approved' } });
    expect((await decide(administrator)).error.code).toBe('FORBIDDEN');
    expect((await decide(senior)).status).toBe(403);
    const second = await makeAdministrator(app, { firstName: 'Bea' });
    expect((await decide(second)).body.data.approval.state).toBe('used');
    expect((await safetyOf(params)).legalHold).toBeNull();
    const row = await app.db
      .selectFrom('legal_hold')
      .select('released_by_names')
      .where('case_id', '=', params.id)
      .executeTakeFirstOrThrow();
    expect(row.released_by_names).toEqual([expect.stringContaining('Ada'), expect.stringContaining('Bea')]);
    expect(await timelineOf(params)).toEqual(expect.arrayContaining(['legal_hold_set', 'legal_hold_released']));
    const events = await app.db.selectFrom('audit_event').select('action').where('target_id', '=', params.id).execute();
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['legalHold.set', 'legalHold.releaseRequested', 'legalHold.released']),
    );
  });

  it('cannot be released by a party, who neither reads nor receives the request', async () => {
    const { params, reporter } = await reported();
    await app.db.updateTable('account').set({ staff_role: 'admin' }).where('id', '=', reporter.id).execute();
    const { token } = reporter;
    await setHold(params);
    const asked = { token: administrator.token, params, body: { reason: 'The order about them has ended' } };
    await app.call(calls.askForPreservationRelease, asked);
    const { approvals } = (await app.call(listApprovals, { token: administrator.token })).body.data;
    const id = approvals.find(({ caseId }) => caseId === params.id)?._id ?? '';
    const decided = await app.call(decideApproval, { token, params: { id }, body: { verdict: 'approved' } });
    expect(decided.error.code).toBe('FORBIDDEN');
    const seen = (await app.call(listApprovals, { token })).body.data.approvals;
    expect(seen.map(({ _id }) => _id)).not.toContain(id);
    expect((await app.outbox(reporter.email)).map(({ subject }) => subject)).not.toContain('Your approval is needed');
    expect((await safetyOf(params)).legalHold).not.toBeNull();
  });

  it('is reviewed on a day that a senior moderator chooses, and setting it again moves that day', async () => {
    const { params } = await reported();
    expect((await setHold(params, 181)).error.code).toBe('INVALID_INPUT');
    expect((await setHold(params, 0)).error.code).toBe('INVALID_INPUT');
    await setHold(params, 10);
    const waiting = async () =>
      (await app.call(getStart, { token: senior.token })).body.data.waiting.rows.filter(
        ({ _id, what }) => _id === params.id && what === 'holdReview',
      );
    expect(await waiting()).toEqual([]);
    await app.db.updateTable('legal_hold').set({ review_on: '2020-01-01' }).where('case_id', '=', params.id).execute();
    expect(await waiting()).toHaveLength(1);
    await setHold(params, 20);
    expect(await waiting()).toEqual([]);
  });

  it('can be set on a case whose account is deleted', async () => {
    const { params } = await reported();
    await app.db.updateTable('moderation_case').set({ person_id: null }).where('id', '=', params.id).execute();
    expect((await setHold(params)).status).toBe(200);
    expect((await safetyOf(params)).legalHold).not.toBeNull();
  });

  it('shows senior moderators what it kept, and records that they looked', async () => {
    const { params, person } = await reported();
    const read = () => app.call(calls.getPreservedCopies, { token: senior.token, params });
    expect((await read()).error.code).toBe('CONFLICT');
    await setHold(params);
    await keepPreserved(app.db, person.id, { kind: 'heldMessage', data: { text: 'Pay me' } });
    expect((await read()).body.data.copies).toMatchObject([{ kind: 'heldMessage', data: { text: 'Pay me' } }]);
    const events = app.db.selectFrom('audit_event').select('action').where('target_id', '=', params.id);
    expect((await events.execute()).map(({ action }) => action)).toContain('legalHold.copyRead');
  });
});
