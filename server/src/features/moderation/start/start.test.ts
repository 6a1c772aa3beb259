import { beforeAll, describe, expect, it } from 'vitest';
import { decideAppeal, reviewAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import { startBulk } from '#contract/moderation/bulk.ts';
import { claimCase, decideCase, handleCase } from '#contract/moderation/cases.ts';
import { openCase } from '#contract/moderation/own-cases.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import { getStart, markStartSeen, type Start, type StartSection } from '#contract/moderation/start.ts';
import { addNote } from '#contract/moderation/user-file.ts';
import { decideApproval, requestApproval } from '#contract/profiles/approvals.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { placeUpload } from '../../../../test/pictures.ts';
import { answer, caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let staff: Record<StaffRole, TestMember>;
let ruleId: string;
beforeAll(async () => {
  const made = [];
  for (const staffRole of staffRoles)
    made.push([staffRole, await makeMember(app, { staffRole, firstName: 'Colleague', lastName: staffRole })]);
  staff = Object.fromEntries(made) as typeof staff;
  ruleId = await currentRuleId(app);
});

const read = async (by: TestMember): Promise<Start> => (await app.call(getStart, { token: by.token })).body.data;
const seen = async (by: TestMember, until: string) =>
  (await app.call(markStartSeen, { token: by.token, body: { until } })).body.data.since;
/** Why a section has this object. */
const whyIn = ({ rows }: StartSection, id: string) => rows.filter(({ _id }) => _id === id).map(({ what }) => what);
/** The sections of someone's page that list this object, and why. */
async function placesOf(by: TestMember, id: string) {
  const { mine, due, waiting, unassigned, changed } = await read(by);
  const found = Object.entries({ mine, due, waiting, unassigned, changed }).map(([name, section]) => [
    name,
    whyIn(section, id),
  ]);
  return Object.fromEntries(found.filter(([, whys]) => whys?.length !== 0)) as Partial<Record<keyof Start, string[]>>;
}

/** A member for more than a day, so that a report about them isn't raised. */
const aged = (options = {}) => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z'), ...options });
/** A case about someone, which is due soon if they may be a minor. */
async function reported({ person, isDue = false }: { person?: TestMember; isDue?: boolean } = {}) {
  const reportedUser = (person ?? (await aged({ firstName: 'Bo', lastName: 'Ek' }))).id;
  const given = { problem_type: 'Account Issue' as const, reportedUser, ...(isDue && { mayBeMinor: true }) };
  return await caseIdOf(app, (await fileReport(app, await aged(), given))._id);
}
const claim = (by: TestMember, id: string) => app.call(claimCase, { token: by.token, params: { id } });
const step = (by: TestMember, id: string, body: { step: 'escalate' | 'reopen'; reason: string }) =>
  app.call(handleCase, { token: by.token, params: { id }, body });
const warn = async (by: TestMember, id: string) =>
  (
    await app.call(decideCase, {
      token: by.token,
      params: { id },
      body: {
        outcome: 'actioned',
        ruleId,
        facts: 'Sent nine insulting messages after being asked to stop.',
        sanctions: [{ kind: 'warn' }],
      },
    })
  ).body.data.decision;
/** A colleague's decision that the person appealed. */
async function appealed(by: TestMember, person?: TestMember) {
  const warned = person ?? (await aged());
  const caseId = await reported({ person: warned });
  const { _id: decisionId } = await warn(by, caseId);
  await app.call(submitAppeal, { token: warned.token, body: { decisionId, text: 'These were lines of a song.' } });
  const { id } = await app.db
    .selectFrom('appeal')
    .select('id')
    .where('decision_id', '=', decisionId)
    .executeTakeFirstOrThrow();
  return { id, caseId, warned };
}
const write = async (by: TestMember, to: TestMember) =>
  (await app.call(writeToMember, { token: by.token, params: { id: to.id }, body: { text: 'Is this still you?' } })).body
    .data.reportId;
const setDue = (id: string, hours: number) =>
  app.db
    .updateTable('appeal')
    .set({ due_at: new Date(app.clock.now().getTime() + hours * 3_600_000) })
    .where('id', '=', id)
    .execute();

describe('GET /admin/start', () => {
  it('shows a held case with its time left to its holder, and to colleagues as due', async () => {
    const id = await reported({ isDue: true });
    await claim(staff.moderator, id);
    expect(await placesOf(staff.moderator, id)).toEqual({ mine: ['held'] });
    const { mine } = await read(staff.moderator);
    expect(mine.rows.find(({ _id }) => _id === id)).toMatchObject({
      opens: 'case',
      name: 'Bo Ek',
      priority: 'critical',
      due: { at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(), what: 'response' },
    });
    expect(await placesOf(staff.senior, id)).toEqual({ due: ['due'] });
    for (const role of ['analyst', 'support', 'billing', 'auditor'] as const)
      expect(await placesOf(staff[role], id), role).toEqual({});
  });

  it('shows a case to the colleague who opened it until it is decided, even after they released it', async () => {
    const person = await aged();
    const body = { problem_type: 'Account Issue' as const, reason: 'The profile offers paid chats elsewhere.' };
    const opened = await app.call(openCase, { token: staff.moderator.token, params: { id: person.id }, body });
    const id = opened.body.data.case._id;
    expect(await placesOf(staff.moderator, id)).toEqual({ mine: ['held'] });
    const step = { params: { id }, body: { step: 'release' as const } };
    await app.call(handleCase, { token: staff.moderator.token, ...step });
    expect(await placesOf(staff.moderator, id)).toEqual({ mine: ['opened'] });
    expect(await placesOf(staff.senior, id)).toEqual({});
    await warn(staff.moderator, id);
    expect(await placesOf(staff.moderator, id)).toEqual({});
  });

  it('shows an assigned report to its holder, and its answer as waiting until staff reply', async () => {
    const member = await aged({ firstName: 'Cy', lastName: 'Ro' });
    const id = await write(staff.support, member);
    expect(await placesOf(staff.support, id)).toEqual({});
    app.clock.advance(10);
    await answer(app, member, id, 'Yes, it is.');
    expect(await placesOf(staff.support, id)).toEqual({
      mine: ['assigned'],
      waiting: ['reply'],
      changed: ['replied'],
    });
    const { waiting } = await read(staff.support);
    expect(waiting.rows.find(({ _id }) => _id === id)).toMatchObject({ name: 'Cy Ro', types: ['Account Issue'] });
    await answer(app, staff.support, id, 'Thank you.');
    expect(await placesOf(staff.support, id)).toEqual({ mine: ['answered'], changed: ['replied'] });
    expect(await placesOf(staff.senior, id)).toEqual({});
  });

  it('shows reports that wait for the member last', async () => {
    const support = await makeMember(app, { staffRole: 'support' });
    const answered = async () => {
      const member = await aged();
      const id = await write(support, member);
      app.clock.advance(10);
      await answer(app, member, id, 'Which account is it?');
      return id;
    };
    const first = await answered();
    await answer(app, support, first, 'This one.');
    const second = await answered();
    const { mine, waiting } = await read(support);
    expect(mine.rows.map(({ _id }) => _id)).toEqual([second, first]);
    expect(waiting.rows.map(({ _id }) => _id)).toEqual([second]);
  });

  it('shows new reports to roles that handle only some, and due reports without a case to the others', async () => {
    const { _id: id } = await fileReport(app, await aged());
    expect(await placesOf(staff.support, id)).toEqual({ unassigned: ['new'] });
    expect(await placesOf(staff.billing, id)).toEqual({});
    expect(await placesOf(staff.moderator, id)).toEqual({});
    await app.db.updateTable('report').set({ due_at: app.clock.now() }).where('id', '=', id).execute();
    for (const role of ['support', 'moderator', 'senior'] as const)
      expect(await placesOf(staff[role], id), role).toEqual({ due: ['unanswered'] });
    expect(await placesOf(staff.auditor, id)).toEqual({});
    const { _id: harassment } = await fileReport(app, await aged(), { problem_type: 'Harassment' });
    await app.db.updateTable('report').set({ due_at: app.clock.now() }).where('id', '=', harassment).execute();
    expect(await placesOf(staff.support, harassment)).toEqual({});
    expect(await placesOf(staff.senior, harassment)).toEqual({ due: ['unanswered'] });
  });

  it('shows an appeal only to staff who may review it, and as due in its last hours', async () => {
    const { id } = await appealed(staff.senior);
    expect(await placesOf(staff.admin, id)).toEqual({ waiting: ['appeal'] });
    for (const role of ['senior', 'moderator', 'auditor'] as const)
      expect(await placesOf(staff[role], id), role).toEqual({});
    await setDue(id, 3);
    expect(await placesOf(staff.admin, id)).toEqual({ due: ['appeal'] });
    await app.call(reviewAppeal, { token: staff.owner.token, params: { id } });
    expect(await placesOf(staff.admin, id)).toEqual({});
    expect(await placesOf(staff.owner, id)).toEqual({ due: ['appeal'] });
  });

  it('shows an escalated case as waiting to staff who take it', async () => {
    const id = await reported({ isDue: true });
    await step(staff.moderator, id, { step: 'escalate', reason: 'Needs a senior.' });
    expect(await placesOf(staff.admin, id)).toEqual({ waiting: ['escalated'], changed: ['escalated'] });
    expect(await placesOf(staff.moderator, id)).toEqual({ due: ['due'] });
  });

  it('shows pictures, approvals and running acts to the staff concerned', async () => {
    const { publicId } = await placeUpload(app, (await aged()).id);
    await app.db
      .updateTable('picture')
      .set({ state: 'pending', claimed_at: app.clock.now(), place: 1 })
      .where('public_id', '=', publicId)
      .execute();
    const asked = { kind: 'users.export' as const, columns: ['id' as const], filters: {}, reason: 'Yearly figures' };
    const request = await app.call(requestApproval, { token: staff.owner.token, body: asked });
    const approvalId = request.body.data.approval._id;
    const started = await app.call(startBulk, {
      token: staff.admin.token,
      body: { selection: { ids: [(await aged()).id] }, act: { kind: 'note', text: 'Hello' }, reason: 'A test' },
    });
    const actId = started.body.data.act._id;
    const kinds = async (role: StaffRole) =>
      (await read(staff[role])).waiting.rows
        .filter(({ opens }) => ['pictures', 'approvals', 'bulkAct'].includes(opens))
        .map(({ what, count }) => [what, count]);
    const exported = request.body.data.approval.rows;
    expect(await kinds('admin')).toEqual(
      expect.arrayContaining([
        ['pictures', 1],
        ['approval', exported],
        ['running', 1],
      ]),
    );
    expect(await kinds('owner')).toEqual([['pictures', 1]]);
    expect(await kinds('moderator')).toEqual([['pictures', 1]]);
    expect(await kinds('support')).toEqual([]);
    app.clock.advance(10);
    await app.call(decideApproval, {
      token: staff.admin.token,
      params: { id: approvalId },
      body: { verdict: 'approved' },
    });
    await app.drain();
    expect(await placesOf(staff.owner, approvalId)).toEqual({ waiting: ['download'], changed: ['approved'] });
    expect(await placesOf(staff.admin, actId)).toEqual({ changed: ['done'] });
    expect(await placesOf(staff.owner, actId)).toEqual({});
  });

  it('shows nothing to parties', async () => {
    const person = await aged();
    const party = await makeMember(app, { staffRole: 'admin' });
    await fileReport(app, party, { reportedUser: person.id, hideFromEachOther: false });
    const { id, caseId } = await appealed(staff.senior, person);
    await setDue(id, 1);
    const dueId = await reported({ person, isDue: true });
    expect(dueId).toBe(caseId);
    expect(await placesOf(staff.owner, id)).toEqual({ due: ['appeal'] });
    expect(await placesOf(staff.owner, caseId)).toEqual({ due: ['due'] });
    await app.db.updateTable('moderation_case').set({ holder_id: party.id }).where('id', '=', caseId).execute();
    expect(await placesOf(party, id)).toEqual({});
    expect(await placesOf(party, caseId)).toEqual({});
  });

  it('contains no addresses, even for roles that may read them', async () => {
    for (const role of staffRoles) expect(JSON.stringify(await read(staff[role])), role).not.toContain('@');
  });

  it('shows ten rows of a section, the most urgent first, and counts all of them', async () => {
    for (let at = 0; at < 12; at += 1)
      await fileReport(app, await aged(), { problem_type: 'Payment Problem', description: `Paid twice, ${at}` });
    const { unassigned, due } = await read(staff.billing);
    expect([unassigned.rows.length + due.rows.length, unassigned.count + due.count]).toEqual([10, 12]);
    // Without this, they would leave no room for the items of other tests.
    await app.sql`delete from report where description like 'Paid twice, %'`;
  });
});

describe('changes since the last visit', () => {
  /** The changes shown to someone, the newest first, as event and actor. */
  const changes = async (by: TestMember) => (await read(by)).changed.rows.map(({ what, by: who }) => [what, who]);

  it('include an appeal, its result and a reopened case, for everyone who took part', async () => {
    const decider = await makeMember(app, { staffRole: 'moderator' });
    const other = await makeMember(app, { staffRole: 'moderator' });
    const { id, caseId, warned } = await appealed(decider);
    expect(await changes(decider)).toEqual([['appeal_submitted', 'The reported person']]);
    app.clock.advance(10);
    const reasons = 'The messages were quoted from a song that both had talked about.';
    const body = { outcome: 'overturned' as const, reasons };
    await app.call(decideAppeal, { token: staff.admin.token, params: { id }, body });
    app.clock.advance(10);
    await reported({ person: warned });
    expect(await changes(decider)).toEqual([
      ['reopened', null],
      ['appeal_decided', 'Colleague admin'],
      ['appeal_submitted', 'The reported person'],
    ]);
    app.clock.advance(10);
    await claim(staff.senior, caseId);
    expect((await changes(decider))[0]).toEqual(['claimed', 'Colleague senior']);
    expect(await changes(other)).toEqual([]);
  });

  it('include an assignment, an answer and a note about the person of a held case', async () => {
    const holder = await makeMember(app, { staffRole: 'moderator', firstName: 'Holder' });
    const id = await reported();
    await app.call(handleCase, {
      token: staff.senior.token,
      params: { id },
      body: { step: 'assign', assigneeId: holder.id },
    });
    const { person_id: personId } = await app.db
      .selectFrom('moderation_case')
      .select('person_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    app.clock.advance(10);
    const params = { id: personId ?? '' };
    await app.call(addNote, { token: staff.senior.token, params, body: { text: 'Seen before.' } });
    await app.call(addNote, { token: holder.token, params, body: { text: 'My own.' } });
    expect(await changes(holder)).toEqual([
      ['noted', 'Colleague senior'],
      ['assigned', 'Colleague senior'],
    ]);
    expect(await placesOf(holder, params.id)).toEqual({ changed: ['noted'] });
  });

  it('exclude notes about people above the holder’s rank, whose file is hidden', async () => {
    const person = await makeMember(app, { staffRole: 'admin' });
    const [holder, lead] = [staff.moderator, await makeMember(app, { staffRole: 'owner', firstName: 'Lead' })];
    const id = await reported({ person });
    for (const by of [holder, lead]) {
      await app.db
        .updateTable('moderation_case')
        .set({ stage: 'assigned', holder_id: by.id })
        .where('id', '=', id)
        .execute();
      app.clock.advance(10);
      const note = { params: { id: person.id }, body: { text: 'Seen before.' } };
      await app.call(addNote, { token: staff.owner.token, ...note });
      expect(await placesOf(by, person.id)).toEqual(by === lead ? { changed: ['noted', 'noted'] } : {});
    }
  });

  it('remain until they are marked as seen, including those that were not shown yet', async () => {
    const decider = await makeMember(app, { staffRole: 'moderator' });
    const first = await read(decider);
    expect(first.since).toBe(new Date(app.clock.now().getTime() - 7 * 86_400_000).toISOString());
    expect(first.isFirstVisit).toBe(true);
    expect(await seen(decider, '2020-01-01T00:00:00.000Z')).toBe(first.since);
    const { caseId } = await appealed(decider);
    app.clock.advance(10);
    const shown = await read(decider);
    expect([shown.isFirstVisit, shown.changed.count]).toEqual([false, 1]);
    app.clock.advance(10);
    await claim(staff.senior, caseId);
    await appealed(decider);
    expect(await seen(decider, shown.asOf)).toBe(shown.asOf);
    expect(await changes(decider)).toEqual([['appeal_submitted', 'The reported person']]);
    expect(await seen(decider, '2026-01-01T00:00:00.000Z')).toBe(shown.asOf);
    expect(await seen(decider, '2099-01-01T00:00:00.000Z')).toBe(app.clock.now().toISOString());
    expect(await read(decider)).toMatchObject({ changed: { rows: [], count: 0 } });
  });
});
