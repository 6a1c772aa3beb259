import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteMessage, readMessages, sendMessage } from '#contract/messages.ts';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
let ada: TestMember;
let bo: TestMember;
beforeEach(async () => {
  app.clock.advance(60);
  ada = await makeMember(app, { gender: 'woman', seeking: ['man'], firstName: 'Ada' });
  bo = await makeMember(app, { gender: 'man', seeking: ['woman'], firstName: 'Bo' });
});

const { like, pass, match, unmatch, block, withdraw } = likesIn(() => app);
const notificationsOf = async (who: TestMember, query: { cursor?: string; limit?: string } = {}) =>
  (await app.call(listNotifications, { token: who.token, query })).body.data;
const kinds = async (who: TestMember) => (await notificationsOf(who)).notifications.map(({ kind }) => kind);
const read = (who: TestMember, body: { ids?: string[]; kind?: 'match' | 'like' | 'report' | 'message' } = {}) =>
  app.call(readNotifications, { token: who.token, body });

describe('the notifications of a member', () => {
  test('announce likes once, without saying who sent them', async () => {
    await like(bo, ada);
    await like(await makeMember(app, { gender: 'man', seeking: ['woman'] }), ada);
    const answer = await app.call(listNotifications, { token: ada.token });
    expect(answer.body.data).toMatchObject({
      unread: 1,
      notifications: [{ kind: 'like', subjectId: null, user: null, isRead: false }],
    });
    expect(answer.raw).not.toContain(bo.id);
  });

  test('announce a match as unread to the member who liked first, and as already read to the other', async () => {
    const id = await match(bo, ada);
    const [bos] = (await notificationsOf(bo)).notifications;
    expect(bos).toMatchObject({ kind: 'match', subjectId: id, isRead: false, user: { firstName: 'Ada' } });
    expect((await notificationsOf(ada)).notifications[0]).toMatchObject({ kind: 'match', isRead: true });
    expect((await notificationsOf(ada)).unread).toBe(0);
  });

  test('disappear for a withdrawn like, an ended match and a member who left', async () => {
    await like(bo, ada);
    await withdraw(bo, ada);
    expect(await kinds(ada)).toEqual([]);
    await unmatch(ada, await match(bo, ada));
    expect([await kinds(ada), await kinds(bo)]).toEqual([[], []]);
    const cy = await makeMember(app, { gender: 'man', seeking: ['woman'] });
    await match(ada, cy);
    await app.pool.query('update account set leaving_since = now() where id = $1', [cy.id]);
    expect(await kinds(ada)).toEqual([]);
    expect((await notificationsOf(ada)).unread).toBe(0);
  });

  test('include only pending likes with premium, and without it also likes from passed members', async () => {
    await pass(ada, bo);
    await like(bo, ada);
    expect(await kinds(ada)).toEqual(['like']);
    const vip = await makeMember(app, { gender: 'woman', seeking: ['man'], vip: true });
    await pass(vip, bo);
    await like(bo, vip);
    expect(await kinds(vip)).toEqual([]);
  });

  test('never concern members blocked in either direction', async () => {
    await like(bo, ada);
    await block(bo, ada);
    expect(await kinds(ada)).toEqual([]);
  });
});

describe('the notification list', () => {
  test('can be paged, and marked as read by id, by kind or completely, but never for another member', async () => {
    const men = await Promise.all([1, 2, 3].map(() => makeMember(app, { gender: 'man', seeking: ['woman'] })));
    for (const man of men) {
      app.clock.advance(1);
      await match(ada, man);
    }
    const first = await notificationsOf(ada, { limit: '2' });
    expect(first).toMatchObject({ unread: 3, notifications: [{}, {}] });
    const second = await notificationsOf(ada, { limit: '2', cursor: first.nextCursor ?? '' });
    expect(second.notifications).toHaveLength(1);
    expect(second.nextCursor).toBeNull();
    const [newest] = first.notifications;
    await read(bo, { ids: [newest?._id ?? ''] });
    expect((await notificationsOf(ada)).unread).toBe(3);
    expect((await read(ada, { ids: [newest?._id ?? '', 'nonsense'] })).body.data.unread).toBe(2);
    expect((await read(ada, { kind: 'like' })).body.data.unread).toBe(2);
    expect((await read(ada)).body.data.unread).toBe(0);
    expect((await notificationsOf(ada)).notifications).toHaveLength(3);
  });

  test('rejects an invalid cursor', async () => {
    const query = { cursor: 'nonsense' };
    expect((await app.call(listNotifications, { token: ada.token, query })).status).toBe(400);
    const early = Buffer.from(`-271821-04-20T00:00:00.000Z ${ada.id}`).toString('base64url');
    expect((await app.call(listNotifications, { token: ada.token, query: { cursor: early } })).status).toBe(400);
  });

  test('shows messages only in the conversation list until they are read', async () => {
    const id = await match(ada, bo);
    await read(ada);
    const write = () =>
      app.call(sendMessage, {
        token: bo.token,
        params: { id },
        body: { clientId: randomUUID(), text: 'CANARYWORDS of Bo' },
      });
    await write();
    await write();
    const rows = () =>
      app.db
        .selectFrom('notification')
        .selectAll()
        .where('account_id', '=', ada.id)
        .where('kind', '=', 'message')
        .execute();
    expect(await rows()).toHaveLength(1);
    expect(await notificationsOf(ada)).toMatchObject({ unread: 0, notifications: [{ kind: 'match' }] });
    await app.call(readMessages, { token: ada.token, params: { id }, body: { seq: 1 } });
    expect(await rows()).toHaveLength(1);
    await app.call(readMessages, { token: ada.token, params: { id }, body: { seq: 2 } });
    expect(await rows()).toEqual([]);
  });

  test('drops message notifications once everything is read or the unread messages are deleted', async () => {
    const id = await match(ada, bo);
    const write = async (who: TestMember) => {
      const body = { clientId: randomUUID(), text: 'Hello' };
      return (await app.call(sendMessage, { token: who.token, params: { id }, body })).body.data.message.seq;
    };
    const rows = async () =>
      (
        await app.db
          .selectFrom('notification')
          .select('id')
          .where('kind', '=', 'message')
          .where('account_id', '=', ada.id)
          .execute()
      ).length;
    const first = await write(bo);
    await write(ada);
    await app.call(readMessages, { token: ada.token, params: { id }, body: { seq: first } });
    expect(await rows()).toBe(0);
    const [second, third] = [await write(bo), await write(bo)];
    const remove = (seq: number) => app.call(deleteMessage, { token: bo.token, params: { id, seq: String(seq) } });
    await remove(second);
    expect(await rows()).toBe(1);
    await remove(third);
    expect(await rows()).toBe(0);
  });
});
