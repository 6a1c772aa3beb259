import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendMessage } from '#contract/messages/messages.ts';
import {
  getNotificationSettings,
  putNotificationSettings,
  type QuietHours,
  subscribePush,
} from '#contract/notifications.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { agree, letBothWrite } from '../../../test/dates.ts';
import { makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { startPushVendor, type PushVendor } from '../../../test/doubles/push-vendor/push-vendor.ts';
import { endOfQuiet } from './quiet-hours.ts';

let vendor: PushVendor;
let app: TestApp;
let ada: TestMember;
let bo: TestMember;
let matchId: string;
beforeAll(async () => {
  vendor = await startPushVendor();
  app = await startApp({ PUSH_ALLOWED_HOSTS: vendor.host });
});
afterAll(async () => {
  await app.close();
  await vendor.close();
});
beforeEach(async () => {
  app.clock.set(new Date('2026-06-16T21:00:00.000Z'));
  [ada, bo] = [await makeMember(app), await makeMember(app)];
  matchId = await likesIn(() => app).match(bo, ada);
  await app.drainLater();
  vendor.delivered.length = 0;
});

const night = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' };
const choose = (who: { token?: string }, quiet: QuietHours | null) =>
  app.call(putNotificationSettings, { ...who, body: { quiet } });
const write = async () =>
  app.call(sendMessage, {
    token: (await signIn(app, bo.id)).token,
    params: { id: matchId },
    body: { clientId: randomUUID(), text: 'Hello' },
  });

describe('PUT /notifications/settings', () => {
  it('sets and ends quiet hours without changing the other settings', async () => {
    const read = async () => (await app.call(getNotificationSettings, { token: ada.token })).body.data;
    const before = await read();
    expect(before.quiet).toBeNull();
    expect((await choose(ada, night)).body.data).toEqual({ ...before, quiet: night });
    await app.call(putNotificationSettings, {
      token: ada.token,
      body: { settings: { like: { mail: 'never', push: false } } },
    });
    expect((await read()).quiet).toEqual(night);
    await choose(ada, null);
    expect((await read()).quiet).toBeNull();
  });

  it.each([
    { from: '24:00' },
    { to: '7:00' },
    { to: '22:00' },
    { zone: 'Nowhere/Town' },
    { zone: '' },
    { zone: "UTC'; drop table account" },
  ])('rejects %o', async (change) => {
    expect((await choose(ada, { ...night, ...change })).status).toBe(400);
  });
});

describe('quiet hours', () => {
  it.each([
    ['2026-06-16T19:59:00Z', null],
    ['2026-06-16T20:00:00Z', '2026-06-17T05:00:00.000Z'],
    ['2026-06-17T04:59:30Z', '2026-06-17T05:00:00.000Z'],
    ['2026-06-17T05:00:00Z', null],
    ['2026-12-16T21:30:00Z', '2026-12-17T06:00:00.000Z'],
  ])('at %s end at %s', (now, end) => {
    expect(endOfQuiet(night, new Date(now))?.toISOString() ?? null).toBe(end);
  });

  it('can lie within one day', () => {
    const lunch = { from: '12:00', to: '13:30', zone: 'Asia/Kathmandu' };
    expect(endOfQuiet(lunch, new Date('2026-06-16T06:30:00Z'))?.toISOString()).toBe('2026-06-16T07:45:00.000Z');
    expect(endOfQuiet(lunch, new Date('2026-06-16T07:45:00Z'))).toBeNull();
  });

  it('hold back a push until they end, and send it once', async () => {
    await app.call(subscribePush, { token: ada.token, body: vendor.browser() });
    await choose(ada, night);
    await write();
    await app.drainLater();
    await write();
    await app.drainLater();
    expect(vendor.delivered).toEqual([]);
    app.clock.set(new Date('2026-06-17T05:00:00.000Z'));
    await app.drainLater();
    expect(vendor.delivered).toHaveLength(1);
  });

  it('delay notifications about a date, but not the question how it went', async () => {
    await app.call(subscribePush, { token: ada.token, body: vendor.browser() });
    await choose(ada, night);
    await letBothWrite(app, matchId);
    const id = await agree(app, ada, bo, matchId);
    const sweep = async () => {
      await app.pool.query(`update presence set last_active_at = '2026-01-01' where account_id = $1`, [ada.id]);
      app.clock.advance(121);
      await addJob(app.db, 'notifications.mail', {});
      await app.drainLater();
      return [vendor.delivered.length, (await app.outbox(ada.email)).length];
    };
    expect(await sweep()).toEqual([0, 0]);
    await app.db.updateTable('date_check_in').set({ due_at: app.clock.now() }).where('plan_id', '=', id).execute();
    await app.app.background.tasks['dates.ask']?.({}, {} as never);
    expect(await sweep()).toEqual([1, 1]);
  });

  it('hold back emails until they end', async () => {
    await app.call(putNotificationSettings, {
      token: ada.token,
      body: { quiet: night, settings: { message: { mail: 'now', push: false } } },
    });
    await write();
    const sweep = async (at: string) => {
      app.clock.set(new Date(at));
      await app.pool.query(`update presence set last_active_at = '2026-01-01' where account_id = $1`, [ada.id]);
      await addJob(app.db, 'notifications.mail', {});
      await app.drain();
      return (await app.outbox(ada.email)).length;
    };
    const before = await sweep('2026-06-16T21:01:00.000Z');
    expect(await sweep('2026-06-16T22:00:00.000Z')).toBe(before);
    expect(await sweep('2026-06-17T05:01:00.000Z')).toBe(before + 1);
  });
});
