import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteMessage, readMessages, sendMessage } from '#contract/messages/messages.ts';
import {
  getNotificationSettings,
  listNotifications,
  type NotificationSettings,
  putNotificationSettings,
  readNotifications,
  unsubscribe,
} from '#contract/notifications.ts';
import { apiBasePath } from '#contract/constants.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

describe('notifications', () => {
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
});

describe('notification mails', () => {
  let ada: TestMember;
  let bo: TestMember;

  /** A Tuesday noon. */
  const noon = new Date('2026-06-16T12:00:00.000Z');
  const day = 86_400;

  beforeEach(async () => {
    app.clock.set(noon);
    const long = new Date('2026-01-01T00:00:00.000Z');
    ada = await makeMember(app, { gender: 'woman', seeking: ['man'], lastActiveAt: long });
    bo = await makeMember(app, { gender: 'man', seeking: ['woman'], firstName: 'Bomail', lastActiveAt: long });
  });

  const { like, match, unmatch } = likesIn(() => app);

  async function sweep(): Promise<void> {
    // The calls of this test must not count as activity.
    await app.pool.query(`update presence set last_active_at = '2026-01-01' where account_id = $1`, [ada.id]);
    await addJob(app.db, 'notifications.mail', {});
    await app.drain();
  }

  const later = async (seconds: number) => {
    app.clock.advance(seconds);
    await sweep();
  };

  const mails = async () => (await app.outbox(ada.email)).filter(({ subject }) => !subject.includes('received'));
  const set = (settings: Partial<NotificationSettings>) =>
    app.call(putNotificationSettings, { token: ada.token, body: { settings } });
  const settings = async () => (await app.call(getNotificationSettings, { token: ada.token })).body.data.settings;
  const write = (id: string, text = 'CANARYWORDS') =>
    app.call(sendMessage, { token: bo.token, params: { id }, body: { clientId: randomUUID(), text } });

  describe('a notification mail', () => {
    test('about a match is sent once, two minutes later, without a name', async () => {
      await match(ada, bo);
      await sweep();
      expect(await mails()).toEqual([]);
      await later(121);
      await later(day);
      const [mail, ...more] = await mails();
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ subject: 'You have new notifications' });
      expect(mail?.links[0]).toMatch(/\/app\/matches$/);
      expect(JSON.stringify(mail)).not.toMatch(/Bomail|heart|love|dating/i);
      expect(await app.outbox(bo.email)).toEqual([]);
    });

    test('is not sent for a match that has ended', async () => {
      const id = await match(ada, bo);
      await unmatch(bo, id);
      await later(day);
      expect(await mails()).toEqual([]);
    });

    test('is not sent for something the member has already seen', async () => {
      await set({ message: { mail: 'now', push: true }, match: { mail: 'never', push: true } });
      const id = await match(ada, bo);
      await write(id);
      await app.call(readMessages, { token: ada.token, params: { id }, body: { seq: 1 } });
      await later(day);
      expect(await mails()).toEqual([]);
    });

    test('is not sent if the setting is switched off in the meantime', async () => {
      await set({ like: { mail: 'now', push: true } });
      await like(bo, ada);
      await set({ like: { mail: 'never', push: true } });
      await later(8 * day);
      expect(await mails()).toEqual([]);
    });

    test('waits while the member is online and sees it in the app', async () => {
      await match(ada, bo);
      app.clock.advance(200);
      await app.pool.query('update presence set last_active_at = $2 where account_id = $1', [ada.id, app.clock.now()]);
      await addJob(app.db, 'notifications.mail', {});
      await app.drain();
      expect(await mails()).toEqual([]);
      await later(301);
      expect(await mails()).toHaveLength(1);
    });

    test('combines everything that is due, without any message text', async () => {
      const id = await match(ada, bo);
      await set({ match: { mail: 'daily', push: true } });
      await write(id);
      await match(ada, await makeMember(app, { gender: 'man', seeking: ['woman'] }));
      await later(180);
      await later(day);
      const all = await mails();
      expect(all).toHaveLength(2);
      const [digest] = all;
      expect(digest?.text).toContain('wrote to you');
      expect(digest?.text).toContain("It's a match");
      expect(JSON.stringify(all)).not.toContain('CANARYWORDS');
    });

    test('is sent the next morning or the next Monday, depending on the setting', async () => {
      await set({ like: { mail: 'weekly', push: true }, message: { mail: 'daily', push: true } });
      await like(bo, ada);
      const due = async () =>
        (await app.db.selectFrom('notification').selectAll().where('account_id', '=', ada.id).execute()).map(
          ({ kind, mail_due_at }) => `${kind} ${mail_due_at?.toISOString().slice(0, 11) ?? ''}`,
        );
      expect(await due()).toEqual(['like 2026-06-22T']);
      const cy = await makeMember(app, { gender: 'man', seeking: ['woman'] });
      const withCy = await match(ada, cy);
      await app.call(sendMessage, {
        token: cy.token,
        params: { id: withCy },
        body: { clientId: randomUUID(), text: 'Hi' },
      });
      expect(await due()).toContain('message 2026-06-17T');
    });

    test('is not sent to deactivated or leaving accounts', async () => {
      await match(ada, bo);
      await app.pool.query('update account set leaving_since = now() where id = $1', [ada.id]);
      await later(day);
      expect(await mails()).toEqual([]);
    });
  });

  describe('unsubscribing from notification mails', () => {
    const oneClick = async () => {
      await match(ada, bo);
      await later(121);
      const [mail] = await mails();
      const token = /\/app\/unsubscribe#([\w.%-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      return decodeURIComponent(token);
    };

    const form = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    test.each([
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=b', form],
      ['text/plain', 'List-Unsubscribe=One-Click'],
      ['application/json', '{"List-Unsubscribe":'],
      [undefined, 'List-Unsubscribe=One-Click'],
      [undefined, undefined],
    ])(
      'works with one click in a mail program that sends %s, without signing in, and only for the kind of mail',
      async (type, payload) => {
        const token = await oneClick();
        const response = await app.app.inject({
          method: 'POST',
          url: `${apiBasePath}${unsubscribe.path}?token=${encodeURIComponent(token)}`,
          headers: type === undefined ? {} : { 'content-type': type },
          ...(payload !== undefined && { payload }),
        });
        expect(response.statusCode).toBe(200);
        expect(await settings()).toMatchObject({ match: { mail: 'never', push: true }, like: { mail: 'weekly' } });
        expect((await app.call(unsubscribe, { query: { token } })).body.data.kinds).toEqual(['match']);
      },
    );

    test('requires a link from a mail', async () => {
      const token = await oneClick();
      const forged = [
        token.replace(ada.id, bo.id),
        token.replace(/^\d/, '0123'),
        `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
        '..',
        'é',
      ];
      for (const each of forged) expect((await app.call(unsubscribe, { query: { token: each } })).status).toBe(404);
      expect((await settings()).match.mail).toBe('now');
    });
  });

  test('unsubscribing is stored for each kind of mail', async () => {
    await set({ like: { mail: 'never', push: false } });
    await set({ match: { mail: 'weekly', push: true } });
    expect(await settings()).toEqual({
      message: { mail: 'daily', push: true },
      match: { mail: 'weekly', push: true },
      like: { mail: 'never', push: false },
      report: { mail: 'now', push: true },
      date: { mail: 'now', push: true },
      fit: { mail: 'never', push: false },
    });
    const body = { settings: { like: { mail: 'hourly' } } } as never;
    expect((await app.call(putNotificationSettings, { token: ada.token, body })).status).toBe(400);
  });
});
