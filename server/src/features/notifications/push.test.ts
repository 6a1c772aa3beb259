import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMessages, sendMessage } from '#contract/messages/messages.ts';
import {
  putNotificationSettings,
  renewPushSubscription,
  subscribePush,
  unsubscribePush,
} from '#contract/notifications.ts';
import { chooseLanguage } from '#contract/auth/auth.ts';
import { logout } from '#contract/auth/session.ts';
import { getConfig } from '#contract/system.ts';
import { makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { startPushVendor, type PushVendor } from '../../../test/doubles/push-vendor/push-vendor.ts';
import { untilLocked } from '../../../test/until-locked.ts';

let vendor: PushVendor;
let app: TestApp;
let ada: TestMember;
let bo: TestMember;
let matchId: string;

beforeAll(async () => {
  vendor = await startPushVendor();
  app = await startApp({ PUSH_ALLOWED_HOSTS: `${vendor.host}, *.push.example` });
});
afterAll(async () => {
  await app.close();
  await vendor.close();
});
beforeEach(async () => {
  vendor.answers(201);
  ada = await makeMember(app, { gender: 'woman', seeking: ['man'] });
  bo = await makeMember(app, { gender: 'man', seeking: ['woman'] });
  matchId = await likesIn(() => app).match(bo, ada);
  await app.drainLater();
  vendor.delivered.length = 0;
});

const day = 86_400;
const subscribe = (who: Pick<TestMember, 'token'>, body = vendor.browser()) =>
  app.call(subscribePush, { token: who.token, body });
const write = async () =>
  await app.call(sendMessage, {
    // Some tests take longer than a token is valid.
    token: (await signIn(app, bo.id)).token,
    params: { id: matchId },
    body: { clientId: randomUUID(), text: 'CANARYWORDS' },
  });
const pathOf = ({ endpoint }: { endpoint: string }) => new URL(endpoint).pathname;
const devices = async (who: TestMember) =>
  (await app.db.selectFrom('push_subscription').select('endpoint').where('account_id', '=', who.id).execute()).length;

describe('a push device', () => {
  test('receives only the kind and the address of a notification and its language, not its text', async () => {
    await subscribe(ada);
    await app.call(chooseLanguage, { token: ada.token, body: { language: 'de' } });
    await write();
    await write();
    await app.drainLater();
    expect(vendor.delivered).toHaveLength(1);
    const [sent] = vendor.delivered;
    expect(JSON.parse(sent?.payload ?? '')).toEqual({
      kind: 'message',
      url: `/app/messages/${matchId}`,
      language: 'de',
      unread: 1,
      name: 'Heartwood',
      icon: null,
    });
    expect(sent?.headers).toMatchObject({ ttl: '86400', topic: expect.stringMatching(/^[\w-]{32}$/) as string });
  });

  test('keeps the newest push of each conversation, with the number of unread conversations', async () => {
    const cy = await makeMember(app, { gender: 'man', seeking: ['woman'] });
    const other = await likesIn(() => app).match(cy, ada);
    await app.drainLater();
    await subscribe(ada);
    for (const [from, id] of [
      [bo, matchId],
      [cy, other],
      [bo, matchId],
    ] as const) {
      const body = { clientId: randomUUID(), text: 'Hello' };
      await app.call(sendMessage, { token: from.token, params: { id }, body });
      await app.drainLater();
    }
    const topics = vendor.delivered.map(({ headers }) => headers['topic']);
    expect(topics[0]).toBe(topics[2]);
    expect(topics[0]).not.toBe(topics[1]);
    expect(vendor.delivered.map(({ payload }) => (JSON.parse(payload) as { unread: number }).unread)).toEqual([
      1, 2, 2,
    ]);
  });

  test('cannot be subscribed when its session ends in the meantime (401)', async () => {
    const ended = await app.db.selectFrom('session').select('id').where('account_id', '=', ada.id).executeTakeFirst();
    const lock = await app.pool.connect();
    await lock.query('begin');
    await lock.query('delete from session where id = $1', [ended?.id]);
    const subscribing = subscribe(ada);
    await untilLocked(app.pool);
    await lock.query('commit');
    lock.release();
    expect((await subscribing).status).toBe(401);
  });

  test.each([
    'https://elsewhere.example/device',
    'https://push.example.attacker.test/device',
    'http://a.push.example/d',
  ])('is kept and receives nothing at %s, which the configuration no longer allows', async (endpoint) => {
    await subscribe(ada);
    await app.db.updateTable('push_subscription').set({ endpoint }).where('account_id', '=', ada.id).execute();
    await write();
    await app.drainLater();
    const { rows } = await app.pool.query(
      'select endpoint, refused_since from push_subscription where account_id = $1',
      [ada.id],
    );
    expect(rows).toEqual([{ endpoint, refused_since: null }]);
    expect(vendor.delivered).toEqual([]);
  });

  test('verifies the service by its public key', async () => {
    await subscribe(ada);
    await write();
    await app.drainLater();
    const header = String(vendor.delivered[0]?.headers['authorization']);
    const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
    expect(key).toBe((await app.call(getConfig)).body.data.pushPublicKey);
    expect(decodeJwt(token)).toMatchObject({ aud: `https://${vendor.host}`, sub: 'mailto:support@heartwood.test' });
  });

  test('receives nothing that was already read or is switched off', async () => {
    await subscribe(ada);
    await write();
    await app.call(readMessages, { token: ada.token, params: { id: matchId }, body: { seq: 1 } });
    await app.drainLater();
    const body = { settings: { message: { mail: 'never' as const, push: false } } };
    await app.call(putNotificationSettings, { token: ada.token, body });
    await write();
    await app.drainLater();
    expect(vendor.delivered).toEqual([]);
  });

  test.each([404, 410])('is removed when its push service no longer knows it (%i)', async (status) => {
    await subscribe(ada);
    vendor.answers(status);
    await write();
    await app.drainLater();
    expect(await devices(ada)).toBe(0);
  });

  test('is notified later when its push service is busy', async () => {
    await subscribe(ada);
    vendor.answers(429);
    await write();
    await app.drainLater();
    expect([await devices(ada), vendor.delivered.length]).toEqual([1, 0]);
    vendor.answers(201);
    await app.drainLater();
    expect(vendor.delivered).toHaveLength(1);
  });

  test('does not receive a push again because another device of its account failed', async () => {
    const [phone, laptop] = [vendor.browser(), vendor.browser()];
    await subscribe(ada, phone);
    await subscribe(await signIn(app, ada.id), laptop);
    vendor.answers(503, laptop.endpoint);
    await write();
    for (let tries = 0; tries < 3; tries += 1) await app.drainLater();
    expect(vendor.delivered.map(({ path }) => path)).toEqual([pathOf(phone)]);
    vendor.answers(201, laptop.endpoint);
    await app.drainLater();
    expect(vendor.delivered.map(({ path }) => path)).toEqual([pathOf(phone), pathOf(laptop)]);
  });

  test('receives only the newest push after a failure when more was written in the meantime', async () => {
    const [phone, laptop] = [vendor.browser(), vendor.browser()];
    await subscribe(ada, phone);
    await subscribe(await signIn(app, ada.id), laptop);
    vendor.answers(503, laptop.endpoint);
    await write();
    await app.drainLater();
    app.clock.advance(1);
    vendor.answers(201, laptop.endpoint);
    await write();
    for (let tries = 0; tries < 3; tries += 1) await app.drainLater();
    const counts = [phone, laptop].map((one) => vendor.delivered.filter(({ path }) => path === pathOf(one)).length);
    expect(counts).toEqual([2, 1]);
  });

  test('is removed once its push service has refused it for seven days', async () => {
    await subscribe(ada);
    vendor.answers(403);
    await write();
    await app.drainLater();
    app.clock.advance(7 * day - 1);
    await write();
    await app.drainLater();
    expect(await devices(ada)).toBe(1);
    app.clock.advance(1);
    await write();
    await app.drainLater();
    expect(await devices(ada)).toBe(0);
  });

  test('is kept when a push arrived between two refusals', async () => {
    await subscribe(ada);
    for (const status of [403, 201, 403]) {
      vendor.answers(status);
      await write();
      await app.drainLater();
      app.clock.advance(4 * day);
    }
    await write();
    await app.drainLater();
    expect(await devices(ada)).toBe(1);
  });

  test('is removed even if its page sends the same subscription at each visit, and kept with a new one', async () => {
    const browser = vendor.browser();
    vendor.answers(403);
    for (const after of [0, 7 * day]) {
      app.clock.advance(after);
      await subscribe(await signIn(app, ada.id), browser);
      await write();
      await app.drainLater();
    }
    expect(await devices(ada)).toBe(0);
    await subscribe(await signIn(app, ada.id), browser);
    await write();
    await app.drainLater();
    app.clock.advance(7 * day);
    await subscribe(await signIn(app, ada.id), vendor.browser());
    await write();
    await app.drainLater();
    expect(await devices(ada)).toBe(1);
  });

  test('is notified until its session ends or it unsubscribes', async () => {
    await subscribe(ada);
    await app.call(unsubscribePush, { token: ada.token });
    expect(await devices(ada)).toBe(0);
    await subscribe(ada);
    await app.call(logout, { token: ada.token });
    expect(await devices(ada)).toBe(0);
    await write();
    await app.drainLater();
    expect(vendor.delivered).toEqual([]);
  });

  test('belongs to the account that signed in on it last', async () => {
    const browser = vendor.browser();
    await subscribe(ada, browser);
    await subscribe(bo, browser);
    expect([await devices(ada), await devices(bo)]).toEqual([0, 1]);
  });
});

describe('a subscription that its push service has replaced', () => {
  const renew = (former: ReturnType<PushVendor['browser']>, next = vendor.browser(), auth = former.keys.auth) =>
    app.call(renewPushSubscription, { body: { ...next, former: { endpoint: former.endpoint, auth } } });

  test('is renewed without a session, and ends with it', async () => {
    const [former, next] = [vendor.browser(), vendor.browser()];
    await subscribe(ada, former);
    expect((await renew(former, next)).status).toBe(200);
    await write();
    await app.drainLater();
    expect(vendor.delivered.map(({ path }) => path)).toEqual([pathOf(next)]);
    expect((await renew(former)).status).toBe(404);
    await app.call(logout, { token: ada.token });
    expect((await renew(next)).status).toBe(404);
  });

  test('is renewed with new keys of the same address', async () => {
    const former = vendor.browser();
    await subscribe(ada, former);
    const { keys } = vendor.browser();
    expect((await renew(former, { ...former, keys })).status).toBe(200);
    expect(await devices(ada)).toBe(1);
  });

  test('is renewed only with its secret, and to the address of a push service', async () => {
    const former = vendor.browser();
    await subscribe(ada, former);
    expect((await renew(former, vendor.browser(), vendor.browser().keys.auth)).status).toBe(404);
    expect((await renew(former, { ...vendor.browser(), endpoint: 'https://evil.example/x' })).status).toBe(400);
  });
});

describe('the address of a push service', () => {
  test.each([
    'http://a.push.example/x',
    'https://127.0.0.1/x',
    'https://push.example/x',
    'https://evil.example/?https://a.push.example',
    'https://a.push.example@evil.example/x',
    'https://a.push.example:8443/x',
    'https://apush.example/x',
    'file:///etc/passwd',
    'a.push.example',
    // The sending library reads these as the host 127.0.0.1.
    ...[...`;'"{}\``].map((mark) => `https://127.0.0.1${mark}.push.example/x`),
  ])('is rejected: %s', async (endpoint) => {
    const { keys } = vendor.browser();
    expect((await subscribe(ada, { endpoint, keys })).status).toBe(400);
    expect(await devices(ada)).toBe(0);
  });

  test('is used exactly as it was checked, however it is written', async () => {
    const browser = vendor.browser();
    const endpoint = browser.endpoint.replace('https://', 'https:/');
    expect((await subscribe(ada, { ...browser, endpoint })).status).toBe(201);
    await write();
    await app.drainLater();
    expect(vendor.delivered).toHaveLength(1);
  });

  test('is accepted for known push services', async () => {
    const { keys } = vendor.browser();
    expect((await subscribe(ada, { endpoint: 'https://a.push.example/x', keys })).status).toBe(201);
  });
});
