import { beforeEach, describe, expect, it } from 'vitest';
import { exactTotalMax } from '#contract/constants.ts';
import {
  type Approval,
  approvalsOpenMax,
  decideApproval,
  listApprovals,
  requestApproval,
} from '#contract/profiles/approvals.ts';
import { changeAdminUser, exportUsers } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { newTag } from '../../../../test/user-files.ts';
import { forgetChosen, mostRows } from './approvals.ts';

const app = startAppForTests();
let ada: TestMember;
beforeEach(async () => {
  await app.db.deleteFrom('account').where('staff_role', 'is not', null).execute();
  ada = await makeAdministrator(app, { firstName: 'Ada', lastName: 'Min' });
});

const reason = 'The yearly figures';
type Filters = Record<string, string>;
function request(filters: Filters = { type: 'free' }, by = ada, ids?: string[]) {
  const body = { kind: 'users.export' as const, columns: ['id' as const], filters, reason, ...(ids && { ids }) };
  return app.call(requestApproval, { token: by.token, body });
}
const requested = async (filters?: Filters): Promise<Approval> => (await request(filters)).body.data.approval;
const decide = (by: TestMember, { _id: id }: Approval, verdict: 'approved' | 'rejected' = 'approved') =>
  app.call(decideApproval, { token: by.token, params: { id }, body: { verdict, reason: 'Checked' } });
const download = (by: TestMember, { _id: approval }: Approval) =>
  app.call(exportUsers, { token: by.token, query: { approval } });
const listed = async (by: TestMember) => (await app.call(listApprovals, { token: by.token })).body.data.approvals[0];
const templatesTo = async (email: string) => (await app.outbox(email)).map(({ subject }) => subject);

describe('an approval', () => {
  it('is given by another administrator, who is emailed, and is used once by the requester', async () => {
    const ben = await makeAdministrator(app, { firstName: 'Ben' });
    await makeMember(app, { firstName: 'Exported' });
    const approval = await requested();
    expect(approval).toMatchObject({
      state: 'waiting',
      reason,
      rows: expect.any(Number),
      filters: { type: 'free' },
      usableFrom: null,
      can: { decide: false, use: false },
    });
    expect(await templatesTo(ben.email)).toEqual(['Your approval is needed']);
    expect((await download(ada, approval)).status).toBe(409);
    expect((await decide(ada, approval)).error.code).toBe('FORBIDDEN');
    expect((await listed(ben))?.can).toEqual({ decide: true, use: false });
    expect((await decide(ben, approval)).status).toBe(200);
    expect((await decide(ben, approval, 'rejected')).error.code).toBe('CONFLICT');
    expect((await listed(ada))?.can).toEqual({ decide: false, use: true });
    expect((await download(ben, approval)).status).toBe(404);
    const file = await download(ada, approval);
    expect(file.raw.split('\r\n')[0]).toContain('User ID');
    expect((await download(ada, approval)).error.code).toBe('CONFLICT');
    expect(await listed(ada)).toMatchObject({ state: 'used', can: { decide: false, use: false } });
    const events = await app.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name', 'reason'])
      .orderBy('id')
      .execute();
    expect(events.filter(({ action }) => /^approval|^users/.test(action)).slice(-4)).toEqual([
      { action: 'approval.requested', actor_name: expect.stringContaining('Ada'), reason },
      { action: 'approval.decided', actor_name: expect.stringContaining('Ben'), reason: 'Checked' },
      { action: 'users.exported', actor_name: expect.stringContaining('Ada'), reason },
      { action: 'users.downloaded', actor_name: expect.stringContaining('Ada'), reason },
    ]);
  });

  it('is useless after a rejection, and after seven days', async () => {
    const ben = await makeAdministrator(app);
    const rejected = await requested();
    await decide(ben, rejected, 'rejected');
    expect((await download(ada, rejected)).error.code).toBe('CONFLICT');
    const told = (await app.outbox(ada.email)).find(({ subject }) => subject === 'Your request was decided');
    expect(told?.text).toContain('Their reason: Checked');
    expect(told?.text).not.toContain('download');
    const late = await requested();
    await decide(ben, late);
    await app.db
      .updateTable('approval')
      .set({ requested_at: new Date(app.clock.now().getTime() - 7 * 86_400_000) })
      .where('id', '=', late._id)
      .execute();
    expect((await download(ada, late)).error.code).toBe('CONFLICT');
  });

  it('takes a day if no one else could give it, which is emailed to the requester', async () => {
    await makeAdministrator(app, { deactivated: 'Left' });
    const approval = await requested();
    expect(await templatesTo(ada.email)).toEqual(['An export was requested with your account']);
    expect(Date.parse(approval.usableFrom ?? '') - Date.parse(approval.requestedAt)).toBe(24 * 3_600_000);
    expect((await download(ada, approval)).error.code).toBe('CONFLICT');
    const dayBefore = new Date(app.clock.now().getTime() - 24 * 3_600_000);
    await app.db
      .updateTable('approval')
      .set({ requested_at: dayBefore, usable_from: app.clock.now() })
      .where('id', '=', approval._id)
      .execute();
    expect((await download(ada, approval)).status).toBe(200);
  });

  it('cannot be given by someone the requester has just made an administrator', async () => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const { id } = await makeMember(app);
    const body = { staffRole: 'admin' as const, reason };
    expect((await app.call(changeAdminUser, { token: owner.token, params: { id }, body })).status).toBe(200);
    const puppet = { id, email: '', ...(await signIn(app, id, true)) };
    const { approval } = (await request({}, owner)).body.data;
    expect((await decide(puppet, approval)).status).toBe(403);
  });

  it('of one’s own request is refused by the database', async () => {
    const { _id: id } = await requested();
    const own = {
      verdict: 'approved' as const,
      decided_by: ada.id,
      decided_by_name: 'Ada',
      decided_at: app.clock.now(),
    };
    await expect(app.db.updateTable('approval').set(own).where('id', '=', id).execute()).rejects.toThrow(/by_another/);
  });
});

describe('an approval of chosen users', () => {
  it('contains exactly those users, and no answer names them', async () => {
    const ben = await makeAdministrator(app);
    const ids = [await makeMember(app), await makeMember(app), await makeMember(app)].map(({ id }) => id);
    const chosen = ids.slice(0, 2);
    const { status, raw, body } = await request({}, ada, chosen);
    expect(status).toBe(201);
    const { approval } = body.data;
    expect(approval).toMatchObject({ rows: 2, filters: {}, isChosen: true });
    expect((await request({}, ada, chosen.toReversed())).error.code).toBe('CONFLICT');
    expect((await request({}, ada, ids)).status).toBe(201);
    const seen = [raw, (await app.call(listApprovals, { token: ben.token })).raw].join();
    expect(ids.filter((id) => seen.includes(id))).toEqual([]);
    await decide(ben, approval);
    const file = await download(ada, approval);
    expect(file.raw.trim().split('\r\n').slice(1).sort()).toEqual(chosen.map((id) => `"${id}"`).sort());
    const { changes } = await app.db
      .selectFrom('audit_event')
      .select('changes')
      .where('action', '=', 'approval.requested')
      .orderBy('id', 'desc')
      .offset(1)
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(changes).toMatchObject({ rows: { to: 2 }, people: { to: chosen.toSorted() } });
  });

  it('deletes the list once they can no longer be exported', async () => {
    const [one, other] = [await makeMember(app), await makeMember(app)];
    await request({}, ada, [one.id]);
    const week = 7 * 86_400_000;
    await app.db
      .updateTable('approval')
      .set({ requested_at: new Date(app.clock.now().getTime() - week) })
      .execute();
    await request({}, ada, [other.id]);
    await forgetChosen(app.db, app.clock.now());
    const kept = JSON.stringify(await app.db.selectFrom('approval').select('payload').execute());
    expect([one, other].map(({ id }) => kept.includes(id))).toEqual([false, true]);
  });
});

const tagPerson = async (tag: string, { id }: TestMember) => {
  const values = {
    tag_id: tag,
    account_id: id,
    added_at: app.clock.now(),
    added_by: ada.id,
    added_by_name: 'Ada',
    added_by_role: 'admin',
  };
  await app.db.insertInto('account_tag').values(values).execute();
};

describe('an approval of a list', () => {
  it('covers people who were on the list when it was requested and still are', async () => {
    const ben = await makeAdministrator(app);
    const [tag, stays, leaves] = [await newTag(app), await makeMember(app), await makeMember(app)];
    for (const one of [stays, leaves]) await tagPerson(tag, one);
    const approval = await requested({ tag });
    expect([approval.rows, approval.isChosen]).toEqual([2, false]);
    await tagPerson(tag, await makeMember(app));
    await decide(ben, approval);
    await app.db.deleteFrom('account_tag').where('account_id', '=', leaves.id).execute();
    expect((await download(ada, approval)).raw.trim().split('\r\n').slice(1)).toEqual([`"${stays.id}"`]);
  });
});

describe('an approved export', () => {
  it('may grow by 20 people or five percent, and any number if it is too large to be counted', () => {
    expect([1, 400, 401, 2000, exactTotalMax].map((rows) => mostRows(rows))).toEqual([21, 420, 421, 2100, 10_500]);
    expect(mostRows(exactTotalMax + 1)).toBe(Infinity);
  });
});

describe('a request for approval', () => {
  it('is rejected while the same person has an equal one open', async () => {
    const ben = await makeAdministrator(app);
    const first = await requested({ type: 'free', status: 'active' });
    expect((await request({ status: 'active', type: 'free' })).error.code).toBe('CONFLICT');
    expect((await request({ status: 'active', type: 'free' }, ben)).status).toBe(201);
    await decide(ben, first, 'rejected');
    expect((await request({ status: 'active', type: 'free' })).status).toBe(201);
  });

  it('is rejected while the same person has five open, even with parallel requests', async () => {
    await makeAdministrator(app);
    const answers = await Promise.all(
      Array.from({ length: approvalsOpenMax + 2 }, (_, at) => request({ city: `City ${at}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(approvalsOpenMax).fill(201),
      409,
      409,
    ]);
    await app.db
      .updateTable('approval')
      .set({ requested_at: new Date(app.clock.now().getTime() - 7 * 86_400_000) })
      .execute();
    expect((await request()).status).toBe(201);
  });

  it.each([
    ['search', { search: 'ann@post.test' }],
    ['city', { city: 'ann＠post.test' }],
    ['country', { country: 'ann%40post.test' }],
  ])('never shows an address as its %s', async (field, filters) => {
    const refused = await request(filters);
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, `filters.${field}`]);
  });
});
