import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as calls from '#contract/messages.ts';
import { makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

const { match, unmatch, block } = likesIn(() => app);
const write = (who: TestMember, id: string, text = 'Hello') =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
const snooze = (who: { token?: string }, id: string, days: 0 | 1 | 7 | 30) =>
  app.call(calls.snoozeConversation, { ...who, params: { id }, body: { days } });
const list = async (who: TestMember, query: { only?: 'snoozed' } = {}) =>
  (await app.call(calls.listConversations, { token: who.token, query })).body.data.conversations;
const listed = async (who: TestMember, query: { only?: 'snoozed' } = {}) =>
  (await list(who, query)).map(({ _id }) => _id);
const unread = async (who: TestMember) =>
  (await app.call(calls.countUnread, { token: who.token })).body.data.conversations;
const notified = async (who: TestMember) =>
  (
    await app.db
      .selectFrom('notification')
      .select('id')
      .where('account_id', '=', who.id)
      .where('kind', '=', 'message')
      .execute()
  ).length;

async function pair(): Promise<{ ada: TestMember; bo: TestMember; id: string }> {
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  return { ada, bo, id: await match(ada, bo) };
}

describe('PUT /matches/{id}/snooze', () => {
  it('moves a conversation to the snoozed ones until the time is over', async () => {
    const { ada, bo, id } = await pair();
    await write(bo, id);
    const { body } = await snooze(ada, id, 1);
    const until = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    expect(body.data.snoozedUntil).toBe(until);
    expect(await listed(ada)).toEqual([]);
    expect(await list(ada, { only: 'snoozed' })).toMatchObject([{ _id: id, snoozedUntil: until, unread: 1 }]);
    const one = await app.call(calls.getConversation, { token: ada.token, params: { id } });
    expect(one.body.data.conversation.snoozedUntil).toBe(until);
    app.clock.advance(86_400);
    const later = { ...ada, ...(await signIn(app, ada.id)) };
    expect(await list(later)).toMatchObject([{ _id: id, unread: 1 }]);
    expect((await list(later))[0]?.snoozedUntil).toBeUndefined();
    expect(await listed(later, { only: 'snoozed' })).toEqual([]);
  });

  it('changes nothing for the other person', async () => {
    const { ada, bo, id } = await pair();
    await write(ada, id);
    const before = await list(bo);
    const history = () => app.call(calls.listMessages, { token: bo.token, params: { id } });
    const messages = (await history()).raw;
    await snooze(ada, id, 7);
    expect(await list(bo)).toEqual(before);
    expect((await history()).raw).toBe(messages);
    expect(await unread(bo)).toBe(1);
  });

  it('neither counts nor notifies of messages, also of those before it', async () => {
    const { ada, bo, id } = await pair();
    await write(bo, id);
    expect([await unread(ada), await notified(ada)]).toEqual([1, 1]);
    await snooze(ada, id, 7);
    await write(bo, id, 'Are you there?');
    expect([await unread(ada), await notified(ada)]).toEqual([0, 0]);
    await snooze(ada, id, 0);
    expect([await unread(ada), await listed(ada)]).toEqual([1, [id]]);
    await write(bo, id, 'Hello again');
    expect(await notified(ada)).toBe(1);
  });

  it('ends when the member writes', async () => {
    const { ada, id } = await pair();
    await snooze(ada, id, 30);
    await write(ada, id);
    expect([await listed(ada), await listed(ada, { only: 'snoozed' })]).toEqual([[id], []]);
  });

  it('can be repeated and changed, also at once', async () => {
    const { ada, id } = await pair();
    const all = await Promise.all([snooze(ada, id, 7), snooze(ada, id, 7), snooze(ada, id, 7)]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await snooze(ada, id, 0)).body.data.snoozedUntil).toBeNull();
    expect((await snooze(ada, id, 0)).status).toBe(200);
    expect(await listed(ada)).toEqual([id]);
  });

  it('refuses strangers, ended matches, visitors and other numbers of days', async () => {
    const { ada, bo, id } = await pair();
    expect((await snooze(await makeMember(app), id, 1)).status).toBe(404);
    expect((await snooze({}, id, 1)).status).toBe(401);
    expect((await snooze(ada, 'nothing', 1)).status).toBe(404);
    for (const days of [2, -1, 1.5, '1', null])
      expect((await snooze(ada, id, days as 1)).status, String(days)).toBe(400);
    await unmatch(ada, id);
    expect((await snooze(bo, id, 1)).status).toBe(404);
    const other = await pair();
    await block(other.ada, other.bo);
    expect((await snooze(other.bo, other.id, 1)).status).toBe(404);
  });
});
