import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { type CaseFilters, listCases, listCaseViews } from '#contract/moderation/case-list.ts';
import { changeCaseView, deleteCaseView, saveCaseView } from '#contract/moderation/case-views.ts';
import { caseIdsMax, handleCase, listColleagues, noteOnCase } from '#contract/moderation/cases.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { connect, listenTo } from '../../../../test/sockets.ts';
import { appealedBy, caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let lead: TestMember;
let moderator: TestMember;
let colleague: TestMember;
beforeEach(async () => {
  await app.sql`truncate moderation_case cascade`;
  lead = await makeAdministrator(app, { firstName: 'Lea', lastName: 'Dahl' });
  moderator = await makeModerator(app);
  colleague = await makeModerator(app);
});

/** Opens a case with a report of this type. Returns its id. */
async function caseOf(problem_type: ReportType): Promise<string> {
  // The account isn't new, because reports about new accounts are more urgent.
  const createdAt = new Date('2026-01-01T00:00:00.000Z');
  const [reporter, person] = [await makeMember(app), await makeMember(app, { createdAt })];
  const { _id } = await fileReport(app, reporter, { problem_type, reportedUser: person.id });
  app.clock.advance(1);
  return await caseIdOf(app, _id);
}

const all: CaseFilters = { list: 'open', order: 'due' };
const list = async (query: Record<string, string>, by = moderator) => {
  const answer = await app.call(listCases, { token: by.token, query: { limit: '100', ...query } });
  return answer.body.data.cases.map(({ _id }) => _id);
};
const views = async (by = moderator) => (await app.call(listCaseViews, { token: by.token })).body.data.views;
const save = (name: string, filters = all, by = moderator) =>
  app.call(saveCaseView, { token: by.token, body: { name, filters } });
const saved = async (...given: Parameters<typeof save>) => (await save(...given)).body.data.view._id;
const change = (id: string, body: BodyInput<typeof changeCaseView>, by = moderator) =>
  app.call(changeCaseView, { token: by.token, params: { id }, body });
const remove = (id: string, by = moderator) => app.call(deleteCaseView, { token: by.token, params: { id } });
const eventsOf = async (targetId: string) => {
  const { events } = (await app.call(listAudit, { token: lead.token, query: { targetId } })).body.data;
  return events.map(({ action }) => action).reverse();
};

describe('the case queue', () => {
  it('can be filtered by priority and type, and ordered by when cases were opened', async () => {
    const [bug, harassment, second] = [
      await caseOf('Bug Report'),
      await caseOf('Harassment'),
      await caseOf('Bug Report'),
    ];
    expect(await list({ type: 'Bug Report', order: 'oldest' })).toEqual([bug, second]);
    expect(await list({ type: 'Bug Report', order: 'newest' })).toEqual([second, bug]);
    expect(await list({ priority: 'high' })).toEqual([harassment]);
    expect(await list({ priority: 'high', type: 'Bug Report' })).toEqual([]);
    expect(await list({ priority: 'other,high', type: 'Harassment,Other' })).toEqual([harassment]);
    expect(await list({ type: 'Harassment,Bug Report', order: 'oldest' })).toEqual([bug, harassment, second]);
    for (const priority of ['high,lowest', ',', 'high,'])
      expect((await app.call(listCases, { token: moderator.token, query: { priority } })).status).toBe(400);
    const page = async (cursor?: string) => {
      const query = { order: 'newest', limit: '1', ...(cursor !== undefined && { cursor }) } as const;
      return (await app.call(listCases, { token: moderator.token, query })).body.data;
    };
    const first = await page();
    const next = await page(first.nextCursor ?? '');
    expect([first, next].map(({ cases }) => cases[0]?._id)).toEqual([second, harassment]);
  });

  it('lists cases that are due within four hours and not overdue, and cases with an open appeal', async () => {
    const id = await caseOf('Harassment');
    expect(await list({ view: 'due_soon' })).toContain(id);
    const due = { due_at: new Date(app.clock.now().getTime() - 1000) };
    await app.db.updateTable('moderation_case').set(due).where('id', '=', id).execute();
    expect(await list({ view: 'due_soon' })).not.toContain(id);
    const person = await makeMember(app);
    await appealedBy(app, person.id);
    const row = app.db.selectFrom('moderation_case').select('id').where('person_id', '=', person.id);
    expect(await list({ view: 'appealed' })).toEqual([(await row.executeTakeFirstOrThrow()).id]);
  });

  it('finds the given cases in any stage, but not those to which the viewer is a party', async () => {
    const [open, closed, own] = [await caseOf('Bug Report'), await caseOf('Bug Report'), await caseOf('Bug Report')];
    await app.db
      .updateTable('moderation_case')
      .set({ stage: 'decided', decided_at: app.clock.now(), due_at: null, open_reports: 0 })
      .where('id', '=', closed)
      .execute();
    await app.db.updateTable('moderation_case').set({ person_id: moderator.id }).where('id', '=', own).execute();
    const ids = (named: readonly string[]) =>
      app.call(listCases, { token: moderator.token, query: { ids: named.join(',') } });
    const { data } = (await ids([closed, own, open, open, 'nonsense', randomUUID()])).body;
    expect(data.cases.map(({ _id }) => _id).toSorted()).toEqual([open, closed].toSorted());
    expect(data.nextCursor).toBeNull();
    expect((await ids(Array.from({ length: caseIdsMax }, () => randomUUID()))).status).toBe(200);
    expect((await ids(Array.from({ length: caseIdsMax + 1 }, () => randomUUID()))).status).toBe(400);
    for (const hostile of [',', '\u0000', 'x'.repeat(65), "' or true --".repeat(5)])
      expect([200, 400]).toContain((await ids([hostile])).status);
  });

  it('rejects a cursor with a year outside the database’s range', async () => {
    const cursor = Buffer.from(`0000-01-01 00:00:00+00|${randomUUID()}`).toString('base64url');
    expect((await app.call(listCases, { token: moderator.token, query: { cursor } })).status).toBe(400);
  });
});

describe('several cases at once', () => {
  it('can receive a note and be assigned to colleagues who may handle cases, found by name', async () => {
    const [first, second] = [await caseOf('Bug Report'), await caseOf('Bug Report')];
    const note = (id: string) =>
      app.call(noteOnCase, { token: moderator.token, params: { id }, body: { text: 'One ring of scammers.' } });
    expect([(await note(first)).status, (await note(second)).status]).toEqual([201, 201]);
    const rows = await app.db
      .selectFrom('report_reply')
      .innerJoin('report', 'report.id', 'report_id')
      .select('is_internal')
      .where('case_id', 'in', [first, second])
      .execute();
    expect(rows).toEqual([{ is_internal: true }, { is_internal: true }]);
    expect((await note(randomUUID())).status).toBe(404);
    await makeModerator(app, { firstName: 'Zoe', lastName: 'Quill' });
    await makeModerator(app, { firstName: 'Zoe', lastName: 'Reader', staffRole: 'auditor' });
    const { colleagues } = (await app.call(listColleagues, { token: lead.token, query: { search: 'quill zoe ' } })).body
      .data;
    expect(colleagues.map(({ name, role }) => [name, role])).toEqual([['Zoe Quill', 'moderator']]);
  });
});

describe('a saved list', () => {
  it('shows its filters, order and size to its owner only', async () => {
    const mine = await caseOf('Payment Problem');
    await app.call(handleCase, { token: moderator.token, params: { id: mine }, body: { step: 'assign' } });
    await caseOf('Payment Problem');
    const filters = { list: 'mine', type: ['Payment Problem'], order: 'newest' } satisfies CaseFilters;
    const id = await saved('My payments', filters);
    expect(await list({ view: id })).toEqual([mine]);
    expect(await views()).toMatchObject([
      { _id: id, name: 'My payments', filters, isShared: false, sharedBy: null, canChange: true, count: 1 },
    ]);
    expect(await views(colleague)).toEqual([]);
    expect((await app.call(listCases, { token: colleague.token, query: { view: id } })).status).toBe(404);
    expect((await change(id, { name: 'Theirs', filters: all }, lead)).status).toBe(404);
    expect((await remove(id, lead)).status).toBe(404);
    expect((await change(id, { name: 'Payments', filters: all })).body.data.view.name).toBe('Payments');
    expect(await eventsOf(id)).toEqual([]);
    expect((await remove(id)).status).toBe(200);
    expect((await app.call(listCases, { token: moderator.token, query: { view: id } })).status).toBe(404);
  });

  it('is counted and shown with several priorities and types, even if it was saved with a single one', async () => {
    const owner = await makeModerator(app);
    const wanted = [await caseOf('Technical Issue'), await caseOf('Account Issue')];
    const several = await saved(
      'Both',
      { ...all, type: ['Technical Issue', 'Account Issue'], priority: ['medium', 'other'] },
      owner,
    );
    const { id: older } = await app.db
      .insertInto('case_view')
      .values({
        owner_id: owner.id,
        author_id: owner.id,
        name: 'Older',
        filters: JSON.stringify({ ...all, type: 'Account Issue', priority: 'medium' }),
        created_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await list({ view: several }, owner)).toSorted()).toEqual(wanted.toSorted());
    expect(await list({ view: older }, owner)).toEqual([wanted[1]]);
    expect(await views(owner)).toMatchObject([
      { name: 'Both', count: 2 },
      { name: 'Older', count: 1, filters: { type: ['Account Issue'], priority: ['medium'] } },
    ]);
    const given = { ...all, type: 'Account Issue' } as const;
    expect((await change(older, { name: 'Older', filters: given }, owner)).body.data.view.filters).toMatchObject({
      type: ['Account Issue'],
    });
    for (const type of [[], ['Account Issue', 'Account Issue'], 'Nothing', ['Nothing'], null, 7])
      expect((await save('Wrong', { ...all, type } as unknown as CaseFilters, owner)).status).toBe(400);
  });
});

describe('assigning a case', () => {
  it('notifies the colleague live, but not people who take the case themselves', async () => {
    const url = await listenTo(app);
    const device = await connect(url, colleague.token);
    const assign = (id: string, by: TestMember, assigneeId: string) =>
      app.call(handleCase, { token: by.token, params: { id }, body: { step: 'assign', assigneeId } });
    const [first, second, own] = [await caseOf('Harassment'), await caseOf('Harassment'), await caseOf('Harassment')];
    expect((await assign(own, colleague, colleague.id)).status).toBe(200);
    for (const id of [first, second]) await assign(id, lead, colleague.id);
    const heard = () => device.heard.flatMap((event) => (event.kind === 'assigned' ? [event] : []));
    await expect.poll(heard).toEqual([first, second].map((caseId) => ({ kind: 'assigned', caseId, by: 'Lea Dahl' })));
    device.socket.disconnect();
  });
});
