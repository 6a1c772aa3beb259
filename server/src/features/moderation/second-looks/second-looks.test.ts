import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCare, sensitivePerDay } from '#contract/moderation/care.ts';
import { getAppeal, listAppeals } from '#contract/moderation/appeals.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { decideCase, getCase } from '#contract/moderation/cases.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import * as calls from '#contract/moderation/second-looks.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { appealAgainst, decisionAbout } from '../../../../test/moderation/decisions.ts';
import { makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { goldenCase, storeLook, takenLook } from '../../../../test/moderation/second-looks.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { drawDecisions } from './draw.ts';

const app = startAppForTests();
let decider: TestMember;
let reader: TestMember;
let senior: TestMember;
beforeAll(async () => {
  decider = await makeMember(app, { staffRole: 'moderator', firstName: 'Zoe', lastName: 'Quill' });
  reader = await makeModerator(app);
  senior = await makeMember(app, { staffRole: 'senior' });
});
beforeEach(async () => {
  await app.db.deleteFrom('second_look').execute();
  await app.db.updateTable('golden_case').set({ retired_at: app.clock.now() }).execute();
});

const take = async (by: TestMember) => (await app.call(calls.takeSecondLook, { token: by.token })).body.data;
type Judgement = { outcome: 'actioned' | 'no_violation'; clause?: string };
const judge = (by: TestMember, id: string, body: Judgement) =>
  app.call(calls.judgeSecondLook, { token: by.token, params: { id }, body });
const skip = (by: TestMember, id: string) => app.call(calls.skipSecondLook, { token: by.token, params: { id } });

const facts = 'Wrote forty insults in a row to a person who had asked for silence.';

/** A decided report, drawn for a second look. */
async function decided(person: TestMember, reporter?: TestMember) {
  const by = reporter ?? (await makeMember(app));
  const description = 'They insulted me in every message.';
  const { _id } = await fileReport(app, by, { problem_type: 'Harassment', reportedUser: person.id, description });
  const caseId = await caseIdOf(app, _id);
  const answer = await app.call(decideCase, {
    token: decider.token,
    params: { id: caseId },
    body: { outcome: 'actioned', ruleId: await currentRuleId(app), facts, sanctions: [{ kind: 'warn' }] },
  });
  const decisionId = answer.body.data.decision._id;
  return { decisionId, caseId, reportId: _id, lookId: await storeLook(app, { decisionId }) };
}

/** An outsider report that was filed as a report. */
const storeOutsiderReport = (reportId: string, type: string, name: string | null = null) =>
  sql`insert into outsider_notice (type, names_address, body, name, digest, queue_at, at, report_id)
    values (${type}, false, 'They wrote to me.', ${name}, ${Buffer.from(reportId)}, now(), now(), ${reportId})`.execute(
    app.db,
  );

describe('the draw of second looks', () => {
  it('picks about 5 % of the full decisions of the last week, and the same ones when repeated', async () => {
    const person = await makeMember(app);
    const by = { id: decider.id, name: 'Zoe Quill' };
    const at = secondsAfter(app.clock.now(), -3600);
    for (let n = 0; n < 400; n += 1) await decisionAbout(app, person.id, { by, at, clause: '2' });
    const old = secondsAfter(app.clock.now(), -8 * 86_400);
    for (let n = 0; n < 30; n += 1)
      await decisionAbout(app, person.id, { by, at: n < 15 ? at : old, outcome: n < 15 ? null : 'fixed' });
    const drawn = async () => {
      await drawDecisions(app.db, 'one key', app.clock.now());
      return await app.db
        .selectFrom('second_look')
        .innerJoin('case_decision', 'case_decision.id', 'decision_id')
        .select(['decision_id', 'kind', 'decided_at'])
        .orderBy('decision_id')
        .execute();
    };
    const first = await drawn();
    expect(first.length).toBeGreaterThan(6);
    expect(first.length).toBeLessThan(45);
    expect(first.every(({ kind, decided_at }) => kind === 'full' && decided_at > old)).toBe(true);
    expect(await drawn()).toEqual(first);
  });
});

describe('POST /admin/second-looks/next', () => {
  it('shows what was reported, and nothing of the decision', async () => {
    const { lookId, decisionId } = await decided(await makeMember(app));
    const answer = await app.call(calls.takeSecondLook, { token: reader.token });
    expect(answer.body.data.look).toMatchObject({
      _id: lookId,
      categories: ['Harassment'],
      reports: [{ text: 'They insulted me in every message.' }],
    });
    expect(answer.body.data.look?.evidence).not.toEqual([]);
    for (const secret of [facts, decisionId, decider.id, 'Quill', 'actioned', 'warn'])
      expect(answer.raw).not.toContain(secret);
    // It stays assigned to them until they judge it or return it.
    expect((await take(reader)).look?._id).toBe(lookId);
    expect((await take(senior)).look).toBeNull();
  });

  it('never offers colleagues their own decision or a case to which they are a party', async () => {
    await decided(await makeMember(app), reader);
    expect(await take(decider)).toEqual({ look: null });
    expect(await take(reader)).toEqual({ look: null });
    expect((await take(senior)).look).not.toBeNull();
  });

  it('offers each decision to one colleague when several ask at the same time', async () => {
    for (let n = 0; n < 3; n += 1) await decided(await makeMember(app));
    const readers = await Promise.all(Array.from({ length: 5 }, () => makeModerator(app)));
    const looks = (await Promise.all(readers.map(take))).flatMap(({ look }) => look?._id ?? []);
    expect(looks).toHaveLength(3);
    expect(new Set(looks).size).toBe(3);
  });

  it('offers a decision to others a day after it was taken', async () => {
    const { lookId } = await decided(await makeMember(app));
    await take(reader);
    await app.db
      .updateTable('second_look')
      .set({ taken_at: secondsAfter(app.clock.now(), -25 * 3600) })
      .execute();
    expect((await take(senior)).look?._id).toBe(lookId);
    expect((await judge(reader, lookId, { outcome: 'no_violation' })).status).toBe(404);
  });

  it('adds a training case after four decisions, once for each colleague', async () => {
    const person = await makeMember(app);
    const trainee = await makeModerator(app);
    const golden = await goldenCase(app);
    for (let n = 0; n < 4; n += 1) {
      const id = await takenLook(app, trainee.id, person.id);
      expect((await judge(trainee, id, { outcome: 'no_violation' })).status).toBe(200);
    }
    const { look } = await take(trainee);
    expect(look).toMatchObject({ categories: ['Harassment'], evidence: [] });
    expect((await judge(trainee, look?._id ?? '', { outcome: 'actioned', clause: '2' })).body.data).toEqual({
      isAgreed: true,
      decided: { outcome: 'actioned', clause: '2' },
    });
    await app.db.updateTable('second_look').set({ golden_id: golden }).where('golden_id', 'is not', null).execute();
    for (let n = 0; n < 4; n += 1) {
      const id = await takenLook(app, trainee.id, person.id);
      await judge(trainee, id, { outcome: 'no_violation' });
    }
    expect((await take(trainee)).look).toBeNull();
  });

  it('continues with decisions after a training case was skipped', async () => {
    const trainee = await makeModerator(app);
    await goldenCase(app);
    for (let n = 0; n < 4; n += 1)
      await judge(trainee, await takenLook(app, trainee.id, (await makeMember(app)).id), { outcome: 'no_violation' });
    const first = await decided(await makeMember(app));
    const training = (await take(trainee)).look?._id ?? '';
    expect(training).not.toBe(first.lookId);
    expect((await skip(trainee, training)).status).toBe(200);
    expect((await take(trainee)).look?._id).toBe(first.lookId);
  });

  it('hides everything that reveals the decision, and is not offered to colleagues who have seen it', async () => {
    const person = await makeMember(app);
    const { decisionId, caseId, reportId, lookId } = await decided(person);
    await appealAgainst(app, { decisionId, state: 'submitted', at: app.clock.now() });
    const appeal = app.db.selectFrom('appeal').select('id').where('decision_id', '=', decisionId);
    const appealId = (await appeal.executeTakeFirstOrThrow()).id;
    const { token } = reader;
    const pages = async () => [
      (await app.call(getCase, { token, params: { id: caseId } })).status,
      (await app.call(getReportFile, { token, params: { id: reportId } })).status,
      (await app.call(getAppeal, { token, params: { id: appealId } })).status,
    ];
    const kinds = async () => (await app.call(getUserFile, { token, params: { id: person.id } })).body.data.kinds;
    const listed = async (query: Record<string, string>) =>
      (await app.call(listCases, { token, query })).body.data.cases.filter(({ _id }) => _id === caseId);
    const appealIds = async () =>
      (await app.call(listAppeals, { token })).body.data.appeals.flatMap(({ _id }) => (_id === appealId ? [_id] : []));
    expect((await take(reader)).look?._id).toBe(lookId);
    expect(await appealIds()).toEqual([]);
    expect(await pages()).toEqual([403, 403, 403]);
    for (const kind of ['reported', 'case', 'decision', 'sanction', 'appeal'])
      expect(await kinds()).not.toContain(kind);
    expect(await listed({ view: 'decided' })).toMatchObject([{ decision: null }]);
    expect(await listed({ view: 'decided', person: person.id })).toEqual([]);
    await skip(reader, lookId);
    expect(await kinds()).toContain('decision');
    expect(await appealIds()).toEqual([appealId]);
    expect(await listed({ view: 'decided', person: person.id })).toMatchObject([{ decision: { _id: decisionId } }]);
    expect(await pages()).toEqual([200, 200, 200]);
    const colleague = await makeModerator(app);
    await app.call(getReportFile, { token: colleague.token, params: { id: reportId } });
    expect((await take(colleague)).look).toBeNull();
    expect((await take(reader)).look).toBeNull();
    expect((await take(senior)).look?._id).toBe(lookId);
  });
});

describe('POST /admin/second-looks/next with difficult cases', () => {
  it('counts cases that may be hard to look at, and offers no more of them after the daily limit', async () => {
    const person = await makeMember(app);
    const { lookId } = await decided(person);
    await app.db.updateTable('report').set({ may_be_minor: true }).where('reported_id', '=', person.id).execute();
    const tired = await makeModerator(app);
    const care = async () => (await app.call(getCare, { token: tired.token })).body.data;
    expect(await care()).toEqual({ opened: 0, most: sensitivePerDay, isOver: false });
    const read = async (caseIds: string[], at: Date) => {
      const event = { actor_id: tired.id, actor_name: 'T', actor_role: 'moderator', action: 'case.read' as const };
      const rows = caseIds.map((id) => ({
        ...event,
        at,
        target_type: 'case',
        target_id: id,
        reason: null,
        changes: null,
      }));
      await app.db.insertInto('audit_event').values(rows).execute();
    };
    const caseIds: string[] = [];
    for (let n = 0; n < sensitivePerDay; n += 1) {
      const about = { problem_type: 'Inappropriate Content' as const, reportedUser: (await makeMember(app)).id };
      caseIds.push(await caseIdOf(app, (await fileReport(app, await makeMember(app), about))._id));
    }
    await read(caseIds, secondsAfter(app.clock.now(), -86_400));
    expect((await care()).opened).toBe(0);
    await read([...caseIds, ...caseIds], app.clock.now());
    expect(await care()).toEqual({ opened: sensitivePerDay, most: sensitivePerDay, isOver: true });
    expect((await take(tired)).look).toBeNull();
    const milder = await decided(await makeMember(app));
    expect((await take(tired)).look?._id).toBe(milder.lookId);
    expect((await take(reader)).look?._id).toBe(lookId);
  });
});

describe('a case that may be hard to look at', () => {
  it.each([
    ['emergency', 'minor', 1],
    ['emergency', 'sexual_violence', 1],
    ['emergency', 'extortion', 0],
    ['notice', 'child_abuse', 1],
    ['notice', 'minor', 1],
    ['notice', 'intimate_pictures', 1],
    ['notice', 'scam', 0],
  ])('is recognized by its %s of the kind %s', async (what, kind, opened) => {
    const { caseId, reportId } = await decided(await makeMember(app));
    if (what === 'notice') await storeOutsiderReport(reportId, kind);
    else
      await app.sql`insert into emergency (case_id, kind, marked_at) values (${caseId}, ${kind}, ${app.clock.now()})`;
    const colleague = await makeModerator(app);
    await app.call(getCase, { token: colleague.token, params: { id: caseId } });
    expect((await app.call(getCare, { token: colleague.token })).body.data.opened).toBe(opened);
  });
});

describe('POST /admin/second-looks/{id}/judgement', () => {
  it('returns the decision, changes nothing about it, and is final', async () => {
    const person = await makeMember(app);
    const { lookId, decisionId } = await decided(person);
    await take(reader);
    expect((await judge(reader, lookId, { outcome: 'actioned', clause: '99' })).status).toBe(400);
    expect((await judge(reader, lookId, { outcome: 'no_violation', clause: '2' })).status).toBe(400);
    expect((await judge(senior, lookId, { outcome: 'no_violation' })).status).toBe(404);
    const answer = await judge(reader, lookId, { outcome: 'actioned', clause: '5' });
    expect(answer.body.data).toEqual({ isAgreed: false, decided: { outcome: 'actioned', clause: '2' } });
    expect((await judge(reader, lookId, { outcome: 'no_violation' })).status).toBe(404);
    const decision = await app.db
      .selectFrom('case_decision')
      .selectAll()
      .where('id', '=', decisionId)
      .executeTakeFirst();
    expect(decision).toMatchObject({ outcome: 'actioned', decided_by: decider.id, undone_at: null });
  });
});

describe('POST /admin/second-looks/{id}/skip', () => {
  it('puts the decision back at the end, and does not record who skipped it', async () => {
    const { lookId } = await decided(await makeMember(app));
    app.clock.advance(1);
    const later = await decided(await makeMember(app));
    expect((await take(reader)).look?._id).toBe(lookId);
    app.clock.advance(1);
    expect((await skip(reader, lookId)).status).toBe(200);
    expect((await take(reader)).look?._id).toBe(later.lookId);
    const row = await app.db.selectFrom('second_look').selectAll().where('id', '=', lookId).executeTakeFirst();
    expect(row).toMatchObject({ reviewer_id: null, taken_at: null });
    expect((await skip(reader, lookId)).status).toBe(404);
  });
});

describe('GET /admin/second-look-figures', () => {
  it('counts agreement by rule and by colleague, as in the rows, from ten on', async () => {
    const person = await makeMember(app);
    for (let n = 0; n < 12; n += 1) {
      const id = await takenLook(app, reader.id, person.id);
      await judge(reader, id, n < 9 ? { outcome: 'actioned', clause: '2' } : { outcome: 'no_violation' });
    }
    const { data } = (await app.call(calls.getSecondLookFigures, { token: senior.token })).body;
    expect(data.all).toEqual({ judged: 12, agreed: 9 });
    expect(data.rules).toEqual([{ clause: '2', judged: 12, agreed: 9 }]);
    expect(data.deciders).toHaveLength(12);
    expect(data.deciders[0]).toMatchObject({ name: 'Zoe Quill', judged: 1, agreed: null });
    expect(data.training).toEqual([]);
  });
});

describe('training cases', () => {
  const add = (decisionId: string, story: string) =>
    app.call(calls.addGoldenCase, { token: senior.token, body: { decisionId, story } });

  it('use the outcome of a decision, and reject the names of people in it', async () => {
    const person = await makeMember(app, { firstName: 'Willibald', lastName: 'Gluck' });
    const { decisionId } = await decided(person);
    expect(
      (await add(decisionId, 'Willibald wrote forty insults in a row to someone who asked for silence.')).status,
    ).toBe(400);
    const added = await add(decisionId, 'Someone wrote forty insults in a row to a person who asked for silence.');
    expect(added.status).toBe(201);
    const list = async () => (await app.call(calls.listGoldenCases, { token: senior.token })).body.data.cases;
    const [kept] = await list();
    expect(kept).toMatchObject({ problem_type: 'Harassment', outcome: 'actioned', clause: '2' });
    const id = kept?._id ?? '';
    const retire = () => app.call(calls.retireGoldenCase, { token: senior.token, params: { id } });
    expect((await retire()).status).toBe(200);
    expect((await retire()).status).toBe(404);
    expect(await list()).toEqual([]);
    const row = await app.db.selectFrom('golden_case').select('story').where('id', '=', id).executeTakeFirst();
    expect(row?.story).toBe('');
  });

  it('reject an outsider’s name, and cases with a deleted account', async () => {
    const { decisionId, caseId, reportId } = await decided(await makeMember(app));
    await storeOutsiderReport(reportId, 'scam', 'Ottokar Aussen');
    const named = 'Ottokar Aussen wrote to us that someone had sent forty insults in a row to a friend.';
    expect((await add(decisionId, named)).raw).toContain('This names someone of the case');
    const story = 'Someone wrote forty insults in a row to a person who asked for silence.';
    await app.db.updateTable('moderation_case').set({ person_id: null }).where('id', '=', caseId).execute();
    expect((await add(decisionId, story)).raw).toContain('can no longer be checked for names');
  });
});
