import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import {
  type BulkAct,
  cancelBulk,
  getBulkAct,
  messageAloneMax,
  messageWaitsMinutes,
  previewBulk,
  requestBulkApproval,
  sendApproved,
  startBulk,
} from '#contract/moderation/bulk.ts';
import { listMyReports, markReportRead } from '#contract/moderation/reports.ts';
import { decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { mergeTag, tagUser } from '#contract/moderation/tags.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { newTag } from '../../../../test/user-files.ts';
import { untilLocked } from '../../../../test/until-locked.ts';
import { addJob } from '#platform/jobs/jobs.ts';

const app = startAppForTests();
let administrator: TestMember;
let senior: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app, { firstName: 'Chief' });
  senior = await makeMember(app, { staffRole: 'senior' });
  moderator = await makeModerator(app);
});

type Selection = BodyInput<typeof startBulk>['selection'];

const reason = 'The spring campaign';
const preview = (by: TestMember, selection: Selection, { kind, tagId }: { kind: BulkAct['kind']; tagId?: string }) =>
  app.call(previewBulk, { token: by.token, body: { selection, kind, ...(tagId !== undefined && { tagId }) } });
const start = (by: TestMember, selection: Selection, act: BulkAct) =>
  app.call(startBulk, { token: by.token, body: { selection, act, reason } });
const progress = (by: TestMember, id: string) => app.call(getBulkAct, { token: by.token, params: { id } });
async function ran(by: TestMember, selection: Selection, act: BulkAct) {
  const { _id: id } = (await start(by, selection, act)).body.data.act;
  await app.drain();
  return (await progress(by, id)).body.data.act;
}
const members = async (count: number, more = {}) => {
  const all = [];
  for (let at = 0; at < count; at += 1) all.push(await makeMember(app, more));
  return all.map(({ id }) => id);
};
const tagsOf = async (id: string) =>
  (await app.call(getUserFile, { token: moderator.token, params: { id } })).body.data.tags.map(({ _id }) => _id);

describe('POST /admin/users/bulk/preview', () => {
  it('counts the affected people with examples, and says who is left out and why', async () => {
    const tagId = await newTag(app);
    const fresh = await members(7);
    const tagged = await members(1);
    await ran(moderator, { ids: tagged }, { kind: 'tag', tagId });
    const [reported = ''] = await members(1);
    await fileReport(app, moderator, { reportedUser: reported, hideFromEachOther: false });
    const ids = [...fresh, ...tagged, reported, administrator.id, crypto.randomUUID()];
    const { total, fitting, examples, skipped } = (await preview(moderator, { ids }, { kind: 'tag', tagId })).body.data;
    expect([total, fitting, examples.map(({ _id }) => _id)]).toEqual([11, 7, fresh.slice(0, 5)]);
    expect(skipped).toEqual([
      { why: 'notAllowed', count: 2 },
      { why: 'gone', count: 1 },
      { why: 'already', count: 1 },
    ]);
  });

  it('counts a person once, in any spelling of their id', async () => {
    const [id = ''] = await members(1);
    const tagId = await newTag(app);
    const ids = [id, id.toUpperCase(), id];
    const { total, fitting, skipped } = (await preview(moderator, { ids }, { kind: 'tag', tagId })).body.data;
    expect([total, fitting, skipped]).toEqual([1, 1, []]);
    const act = await ran(moderator, { ids }, { kind: 'tag', tagId: tagId.toUpperCase() });
    expect(act).toMatchObject({ total: 1, done: 1, failed: 0 });
  });

  it('leaves out people who cannot read a message, and those without a session to end', async () => {
    const [active = '', inactive = ''] = [...(await members(1)), ...(await members(1, { deactivated: 'Spam' }))];
    const ids = [active, inactive, moderator.id];
    const message = (await preview(senior, { ids }, { kind: 'notice' })).body.data;
    expect([message.fitting, message.skipped]).toEqual([
      1,
      [
        { why: 'staff', count: 1 },
        { why: 'inactive', count: 1 },
      ],
    ]);
    await app.db.deleteFrom('session').where('account_id', '=', active).execute();
    const sessions = (await preview(administrator, { ids: [active] }, { kind: 'endSessions' })).body.data;
    expect(sessions.skipped).toEqual([{ why: 'already', count: 1 }]);
  });

  it('requires the permission for the act, and rejects misspelt and forbidden filters', async () => {
    const ids = await members(1);
    expect((await preview(moderator, { ids }, { kind: 'endSessions' })).status).toBe(403);
    expect((await preview(moderator, { ids }, { kind: 'notice' })).status).toBe(403);
    expect((await preview(moderator, { ids }, { kind: 'tag' })).error.errors?.[0]?.field).toBe('tagId');
    const misspelt = { filters: { contry: 'Norway' } } as unknown as Selection;
    expect((await preview(moderator, misspelt, { kind: 'note' })).status).toBe(400);
    expect((await preview(moderator, { filters: { plan: 'monthly' } }, { kind: 'note' })).status).toBe(403);
    const auditor = await makeMember(app, { staffRole: 'auditor' });
    expect((await preview(auditor, { ids }, { kind: 'note' })).status).toBe(403);
  });
});

describe('POST /admin/users/bulk', () => {
  it('changes everyone who matches the filters, and writes one audit event with all of them', async () => {
    const people = await members(3, { city: 'Bodø', country: 'Norway' });
    const tagId = await newTag(app, 'From Bodø');
    const act = await ran(moderator, { filters: { city: 'Bodø' } }, { kind: 'tag', tagId });
    expect(act).toMatchObject({ state: 'done', total: 3, done: 3, failed: 0, failures: [] });
    for (const id of people) expect(await tagsOf(id)).toEqual([tagId]);
    const { events } = (await app.call(listAudit, { token: administrator.token, query: { action: 'users.bulk' } })).body
      .data;
    expect(events[0]).toMatchObject({
      actor: { _id: moderator.id },
      reason,
      changes: { bulk: { to: 'tag' }, tag: { to: 'From Bodø' }, filters: { to: { city: 'Bodø' } } },
    });
    const listed = events[0]?.changes?.['people']?.to;
    expect(listed).toHaveLength(3);
    expect(listed).toEqual(expect.arrayContaining(people));
    const taken = await ran(moderator, { filters: { tag: tagId } }, { kind: 'untag', tagId });
    expect([taken.done, await tagsOf(people[0] ?? '')]).toEqual([3, []]);
    const { body } = await app.call(listAudit, { token: administrator.token, query: { action: 'users.bulk' } });
    expect(body.data.events[0]?.changes).toMatchObject({ tag: { to: 'From Bodø' }, filters: { to: { tag: tagId } } });
  });

  it('writes notes, ends sessions and sends messages', async () => {
    const ids = await members(2);
    expect((await ran(moderator, { ids }, { kind: 'note', text: 'Called in spring.' })).done).toBe(2);
    expect((await ran(senior, { ids }, { kind: 'notice', text: 'We will be closed on Monday.' })).done).toBe(2);
    expect((await ran(administrator, { ids }, { kind: 'endSessions' })).done).toBe(2);
    const notes = await app.db.selectFrom('staff_note').select('text').where('account_id', 'in', ids).execute();
    expect(notes).toEqual([{ text: 'Called in spring.' }, { text: 'Called in spring.' }]);
    const reports = await app.db
      .selectFrom('report')
      .select(['source', 'opened_by'])
      .where('reporter_id', 'in', ids)
      .execute();
    expect(reports).toEqual(ids.map(() => ({ source: 'staff_message', opened_by: senior.id })));
    expect(await app.db.selectFrom('session').select('id').where('account_id', 'in', ids).execute()).toEqual([]);
  });

  it('continues after a failure for one person, and names those it failed for', async () => {
    const [first = '', full = '', last = ''] = await members(3);
    const many = await Promise.all(Array.from({ length: 20 }, () => newTag(app)));
    for (const tagId of many) await ran(moderator, { ids: [full] }, { kind: 'tag', tagId });
    const tagId = await newTag(app);
    const act = await ran(moderator, { ids: [first, full, last] }, { kind: 'tag', tagId });
    expect(act).toMatchObject({ state: 'done', total: 3, done: 2, failed: 1 });
    expect(act.failures).toMatchObject([{ _id: full, problem: 'A person can have 20 tags at most' }]);
    expect(await tagsOf(last)).toEqual([tagId]);
  });

  it('can be undone for exactly the people it changed, by its starter only', async () => {
    const tagId = await newTag(app);
    const [tagged = '', fresh = '', late = ''] = await members(3);
    await ran(moderator, { ids: [tagged] }, { kind: 'tag', tagId });
    const { _id: changedBy } = (await start(moderator, { ids: [tagged, fresh, late] }, { kind: 'tag', tagId })).body
      .data.act;
    await app.call(tagUser, { token: senior.token, params: { id: late }, body: { add: [tagId] } });
    await app.drain();
    const act = (await progress(moderator, changedBy)).body.data.act;
    expect(act).toMatchObject({ total: 2, done: 1, failed: 1, tagId });
    expect(act.failures).toMatchObject([{ _id: late, problem: 'They have the tag by now' }]);

    expect((await start(senior, { changedBy }, { kind: 'untag', tagId })).error.code).toBe('CONFLICT');
    const undone = await ran(moderator, { changedBy }, { kind: 'untag', tagId });
    expect(undone).toMatchObject({ total: 1, done: 1, failed: 0, tagId });
    expect(await Promise.all([tagged, fresh, late].map(tagsOf))).toEqual([[tagId], [], [tagId]]);
    const again = await ran(moderator, { changedBy: undone._id }, { kind: 'tag', tagId });
    expect([again.done, await tagsOf(fresh)]).toEqual([1, [tagId]]);
  });

  it('adds and removes the tag that replaced its own after a merge', async () => {
    const [tagId, into, ids] = [await newTag(app), await newTag(app), await members(2)];
    const { _id: running } = (await start(moderator, { ids }, { kind: 'tag', tagId })).body.data.act;
    await app.call(mergeTag, { token: administrator.token, params: { id: tagId }, body: { into } });
    await app.drain();
    expect(await Promise.all(ids.map(tagsOf))).toEqual([[into], [into]]);
    const undone = await ran(moderator, { changedBy: running }, { kind: 'untag', tagId });
    expect([undone.done, await Promise.all(ids.map(tagsOf))]).toEqual([2, [[], []]]);
    const again = await ran(moderator, { changedBy: undone._id }, { kind: 'tag', tagId });
    expect([again.done, await Promise.all(ids.map(tagsOf))]).toEqual([2, [[into], [into]]]);
  });

  it('changes each person once when several acts run at the same time', async () => {
    const tagId = await newTag(app);
    const ids = await members(8);
    const acts = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await start(moderator, { ids }, { kind: 'tag', tagId })).body.data.act._id,
      ),
    );
    await Promise.all(acts.map(async (id) => app.app.background.tasks['users.bulk']?.({ id }, {} as never)));
    const ended = await Promise.all(acts.map(async (id) => (await progress(moderator, id)).body.data.act));
    expect(ended.reduce((sum, { done }) => sum + done, 0)).toBe(ids.length);
    await app.drain();
  });

  it('leaves room for other jobs, and resumes after its worker stopped without repeating anyone', async () => {
    const ids = await members(3);
    const acts: string[] = [];
    for (const text of ['One', 'Two', 'Three', 'Four'])
      acts.push((await start(moderator, { ids }, { kind: 'note', text })).body.data.act._id);
    const holder = await app.pool.connect();
    await holder.query(`begin; select from account where id = (
      select account_id from bulk_act_item where act_id = '${acts[0]}' and position = 2) for update`);
    const left = async (condition: string) => (await app.pool.query(`select from ${condition}`)).rowCount;
    const worker = await app.app.background.startWorker();
    await untilLocked(app.pool, 2);
    await addJob(app.db, 'dates.ask', {});
    const checkIns = `graphile_worker.jobs where task_identifier = 'dates.ask'`;
    await vi.waitFor(async () => expect(await left(checkIns)).toBe(0), { timeout: 60_000, interval: 50 });
    const stopped = worker.stop();
    await holder.query('commit');
    holder.release();
    await stopped;
    const states = async () => await Promise.all(acts.map(async (id) => (await progress(moderator, id)).body.data.act));
    expect((await states()).map(({ state }) => state)).toEqual(acts.map(() => 'running'));
    await app.drain();
    expect(await states()).toMatchObject(acts.map(() => ({ state: 'done', done: 3, failed: 0 })));
    expect(await left(`staff_note where account_id = any ('{${ids.join()}}')`)).toBe(12);
  });

  it('is a piece of a second, which queues the next one', async () => {
    const ids = await members(3);
    const { _id: id } = (await start(moderator, { ids }, { kind: 'note', text: 'One' })).body.data.act;
    vi.useFakeTimers({ toFake: ['performance'] });
    const holder = await app.pool.connect();
    await holder.query(`begin; select from account where id = '${ids[1]}' for update`);
    const piece = app.app.background.tasks['users.bulk']?.({ id }, {} as never);
    await untilLocked(app.pool, 1);
    vi.advanceTimersByTime(1000);
    await holder.query('commit');
    holder.release();
    await piece;
    vi.useRealTimers();
    expect((await progress(moderator, id)).body.data.act).toMatchObject({ state: 'running', done: 2 });
    await app.drain();
    expect((await progress(moderator, id)).body.data.act).toMatchObject({ state: 'done', done: 3 });
  });

  it('stops when it is canceled, or when its starter has left the team', async () => {
    const ids = await members(2);
    const act = { kind: 'note', text: 'Never written.' } as const;
    const { _id: id } = (await start(moderator, { ids }, act)).body.data.act;
    expect((await app.call(cancelBulk, { token: senior.token, params: { id } })).status).toBe(404);
    const canceled = await app.call(cancelBulk, { token: moderator.token, params: { id } });
    await app.drain();
    expect(canceled.body.data.act.state).toBe('canceled');
    expect((await progress(moderator, id)).body.data.act).toMatchObject({ state: 'canceled', done: 0, failed: 0 });

    const now = app.clock.now();
    const departures = [
      { staff_role: null },
      { is_active: false, deactivated_at: now, deactivation_reason: 'Left the team' },
      { leaving_since: now },
    ];
    for (const departure of departures) {
      const leaver = await makeModerator(app);
      const { _id: theirs } = (await start(leaver, { ids }, act)).body.data.act;
      await app.db.updateTable('account').set(departure).where('id', '=', leaver.id).execute();
      await app.drain();
      const items = app.db.selectFrom('bulk_act_item').select('outcome').where('act_id', '=', theirs);
      expect(await items.execute()).toEqual([{ outcome: 'failed' }, { outcome: 'failed' }]);
    }
    expect(await app.db.selectFrom('staff_note').select('id').where('account_id', 'in', ids).execute()).toEqual([]);
  });

  it('writes one audit event when it is canceled, with the number of people already changed', async () => {
    const [ids, by] = [await members(3), await makeModerator(app)];
    const { _id: id } = (await start(by, { ids }, { kind: 'note', text: 'Called.' })).body.data.act;
    await app.db
      .updateTable('bulk_act_item')
      .set({ outcome: 'done' })
      .where('act_id', '=', id)
      .where('position', '=', 1)
      .execute();
    for (let times = 0; times < 2; times += 1) await app.call(cancelBulk, { token: by.token, params: { id } });
    const query = { action: 'users.bulkCanceled' as const, actorId: by.id };
    const { events } = (await app.call(listAudit, { token: administrator.token, query })).body.data;
    expect(events).toMatchObject([
      { changes: { bulk: { to: 'note' }, total: { to: 3 }, done: { to: 1 }, failed: { to: 0 } } },
    ]);
    // A person in the act would read it here.
    expect(events[0]).not.toHaveProperty('reason');
  });

  it('rejects an act that affects no one, and retired tags', async () => {
    const ids = await members(1);
    const tagId = await newTag(app);
    expect((await start(moderator, { ids: [administrator.id] }, { kind: 'tag', tagId })).error.code).toBe('CONFLICT');
    await app.db.updateTable('user_tag').set({ retired_at: app.clock.now() }).where('id', '=', tagId).execute();
    expect((await start(moderator, { ids }, { kind: 'tag', tagId })).error.code).toBe('CONFLICT');
    expect((await start(moderator, { ids }, { kind: 'endSessions' })).status).toBe(403);
  });
});

describe('a message to many members', () => {
  const text = 'We will be closed on Monday.';
  const message = { kind: 'notice', text } as const;
  let crowd: TestMember[];
  let ids: string[];
  beforeAll(async () => {
    crowd = await makeManyMembers(app, messageAloneMax + 1);
    ids = crowd.map(({ id }) => id);
  });

  const newSenior = () => makeMember(app, { staffRole: 'senior' });
  const ask = (
    by: TestMember,
    selection: { ids: string[] } | { filters: Record<string, string> } = { ids },
    words = text,
  ) =>
    app.call(requestBulkApproval, {
      token: by.token,
      body: { selection, act: { kind: 'notice', text: words }, reason },
    });
  const decide = (id: string, verdict: 'approved' | 'rejected' = 'approved', by = administrator) =>
    app.call(decideApproval, { token: by.token, params: { id }, body: { verdict } });
  const send = (by: TestMember, id: string) => app.call(sendApproved, { token: by.token, params: { id } });
  /** Pretends that ten minutes have passed, because sessions would end meanwhile. */
  const passTenMinutes = () => sql`update bulk_act set starts_at = starts_at - interval '10 minutes'`.execute(app.db);
  async function approved(by: TestMember): Promise<string> {
    const { _id } = (await ask(by)).body.data.approval;
    expect((await decide(_id)).status).toBe(200);
    return _id;
  }
  const messagesOf = async ({ token }: TestMember) =>
    (await app.call(listMyReports, { token, query: {} })).body.data.reports.map(({ description }) => description);

  it('requires a second person from the 101st recipient in 24 hours on, across all acts', async () => {
    const by = await newSenior();
    expect((await start(by, { ids }, message)).error.code).toBe('APPROVAL_REQUIRED');
    const halves = [ids.slice(0, 50), ids.slice(50)];
    const answers = await Promise.all(halves.map((half) => start(by, { ids: half }, message)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await app.db.deleteFrom('bulk_act').where('made_by', '=', by.id).execute();
    expect((await start(by, { ids: ids.slice(0, messageAloneMax) }, message)).status).toBe(201);
    expect((await start(by, { ids }, { kind: 'note', text })).status).toBe(201);
  });

  /** Runs the job until the act is over: each run ends after a second of work. */
  async function runToEnd(by: TestMember, id: string): Promise<void> {
    while ((await progress(by, id)).body.data.act.state === 'running')
      await app.app.background.tasks['users.bulk']?.({ id }, {} as never);
  }

  it('starts once, ten minutes after an administrator approved its text', async () => {
    const by = await newSenior();
    const { _id } = (await ask(by)).body.data.approval;
    expect((await send(by, _id)).status).toBe(409);
    expect((await decide(_id, 'approved', by)).status).toBe(403);
    const { approvals } = (await app.call(listApprovals, { token: administrator.token })).body.data;
    expect(approvals.find((one) => one._id === _id)).toMatchObject({ kind: 'users.bulk', text, rows: ids.length });
    expect((await app.call(listApprovals, { token: (await newSenior()).token })).body.data.approvals).toEqual([]);
    await decide(_id);
    const { act } = (await send(by, _id)).body.data;
    const now = app.clock.now().getTime();
    expect(act).toMatchObject({
      state: 'running',
      startsAt: new Date(now + messageWaitsMinutes * 60_000).toISOString(),
    });
    expect((await send(by, _id)).status).toBe(409);
    expect((await app.call(listApprovals, { token: by.token })).body.data.approvals[0]?.actId).toBe(act._id);
    await app.drainLater();
    expect((await progress(by, act._id)).body.data.act.done).toBe(0);
    await passTenMinutes();
    await runToEnd(by, act._id);
    expect((await progress(by, act._id)).body.data.act).toMatchObject({ state: 'done', done: ids.length });
  });

  it('can be canceled until it starts', async () => {
    const by = await newSenior();
    const { act } = (await send(by, await approved(by))).body.data;
    await app.call(cancelBulk, { token: by.token, params: { id: act._id } });
    await passTenMinutes();
    await app.drainLater();
    expect((await progress(by, act._id)).body.data.act).toMatchObject({ state: 'canceled', done: 0 });
  });

  it('waits 24 hours if no administrator could approve it, and its author is emailed', async () => {
    const by = await newSenior();
    const change = (from: string[], to: 'auditor' | 'admin') =>
      sql`update account set staff_role = ${to} where staff_role = any (${from}::text[])`.execute(app.db);
    await change(['admin', 'owner'], 'auditor');
    const { approval } = (await ask(by)).body.data;
    await change(['auditor'], 'admin');
    expect(approval.usableFrom).toBe(new Date(app.clock.now().getTime() + 86_400_000).toISOString());
    expect((await app.outbox(by.email)).map(({ subject }) => subject)).toContain(
      'A message to many people was requested with your account',
    );
    expect((await send(by, approval._id)).status).toBe(409);
    await app.sql`update approval set usable_from = ${app.clock.now()} where id = ${approval._id}::uuid`;
    expect((await send(by, approval._id)).status).toBe(201);
  });

  it('is not sent with an approval for something else, a rejected one, or a colleague’s', async () => {
    const by = await newSenior();
    const rejected = (await ask(by)).body.data.approval._id;
    await decide(rejected, 'rejected');
    expect((await send(by, rejected)).status).toBe(409);
    expect((await send(await newSenior(), await approved(by))).status).toBe(404);
  });

  it('is sent only to approved people who still match the filters', async () => {
    const by = await newSenior();
    const filters = { city: 'Lisbon' };
    const move = (id: string | undefined, city: string) =>
      sql`update profile set city = ${city} where account_id = ${id}::uuid`.execute(app.db);
    expect((await ask(by, { filters })).error.code).toBe('CONFLICT');
    const [stays, leaves, ...others] = await members(4, filters);
    for (const id of others) await move(id, 'Porto');
    const { approval } = (await ask(by, { filters })).body.data;
    expect(approval).toMatchObject({ rows: 2, filters, isChosen: false });
    await decide(approval._id);
    await move(leaves, 'Porto');
    for (const id of others) await move(id, 'Lisbon');
    const { act } = (await send(by, approval._id)).body.data;
    const items = app.db.selectFrom('bulk_act_item').select('account_id').where('act_id', '=', act._id);
    expect(await items.execute()).toEqual([{ account_id: stays }]);
  });

  it('is withdrawn where it is unread', async () => {
    const by = await newSenior();
    const [reader, other] = crowd.slice(0, 2) as [TestMember, TestMember];
    const words = 'This was a mistake.';
    const act = await ran(by, { ids: [reader.id, other.id] }, { kind: 'notice', text: words });
    const { reports } = (await app.call(listMyReports, { token: reader.token, query: {} })).body.data;
    const id = reports.find(({ description }) => description === words)?._id ?? '';
    await app.call(markReportRead, { token: reader.token, params: { id } });
    const taken = await ran(by, { changedBy: act._id }, { kind: 'takeBack' });
    expect(taken).toMatchObject({ kind: 'takeBack', total: 1, done: 1 });
    expect(await messagesOf(reader)).toContain(words);
    expect(await messagesOf(other)).not.toContain(words);
    const unsent = app.db.selectFrom('notification').select('id').where('account_id', '=', other.id);
    const due = await unsent.where('subject_id', 'is not', null).where('mail_due_at', 'is not', null).execute();
    expect(due).toEqual([]);
    expect((await start(await newSenior(), { changedBy: act._id }, { kind: 'takeBack' })).status).toBe(409);
    const { data } = (await start(by, { ids: [other.id] }, { kind: 'notice', text: words })).body;
    const early = await start(by, { changedBy: data.act._id }, { kind: 'takeBack' });
    expect(early.error).toMatchObject({ message: 'This is still being sent. Stop it first.' });
    expect((await start(by, { ids: [reader.id] }, { kind: 'takeBack' })).status).toBe(400);
  });

  it.each([
    ['Look at https://prize.example/win', false],
    ['Look at prize.com', false],
    ['Look at prize dot com', false],
    ['Look at prize.com/?from=localhost:3000', false],
    ['Look at http://localhost:3000@prize.com/', false],
    ['Look at http://localhost:3000.prize.com', false],
    ['Write to help@prize.com', false],
    ['Look at http://localhost:3000/app/premium (new).', true],
    ['Write to support@heartwood.test, please.', true],
    ['We were closed on Monday.Tuesday we are back. It is 3.30 p.m. now', true],
  ])('with %j may be sent: %s', async (words, isAllowed) => {
    const by = await newSenior();
    const answers = [
      await start(by, { ids: ids.slice(0, 2) }, { kind: 'notice', text: words }),
      await ask(by, { ids }, words),
    ];
    expect(answers.map(({ status }) => status)).toEqual(isAllowed ? [201, 201] : [400, 400]);
    if (!isAllowed) expect(answers[0]?.error.errors?.[0]?.field).toBe('act.text');
  });
});
