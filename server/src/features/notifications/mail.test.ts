import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { readMessages, sendMessage } from '#contract/messages.ts';
import {
  getNotificationSettings,
  putNotificationSettings,
  unsubscribe,
  type NotificationSettings,
} from '#contract/notifications.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
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
