import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { accessTokenTtlSeconds, onlineWindowSeconds } from '#contract/constants.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { secondsAfter } from '../process/clock.ts';
import { createAccessTokens } from './access-tokens.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { deviceName } from './sessions.ts';
import { makeManyMembers } from '../../../test/many-members.ts';
import { createActivityLog, sweepPresence } from './activity.ts';

const app = startAppForTests();

const now = new Date('2026-05-04T12:00:00Z');
const [accountId, sessionId] = [randomUUID(), randomUUID()];
const tokens = createAccessTokens('x'.repeat(43));

describe('an access token', () => {
  it('contains its account, its session and its expiry', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    const claims = { accountId, sessionId, endsAt: secondsAfter(now, accessTokenTtlSeconds) };
    expect(await tokens.read(token, now)).toEqual(claims);
    expect(await tokens.read(token, now)).toEqual(claims);
  });

  it('expires, whether or not it was verified before', async () => {
    const read = await tokens.sign(accountId, sessionId, now);
    const unread = await tokens.sign(accountId, randomUUID(), now);
    expect(await tokens.read(read, now)).not.toBeNull();
    const expired = secondsAfter(now, accessTokenTtlSeconds + 5);
    for (const token of [read, unread]) expect(await tokens.read(token, expired)).toBeNull();
  });

  it('is rejected with another secret', async () => {
    const token = await tokens.sign(accountId, sessionId, now);
    expect(await createAccessTokens('y'.repeat(43)).read(token, now)).toBeNull();
  });
});

describe('a caller', () => {
  let member: TestMember;
  beforeEach(async () => {
    member = await makeMember(app);
  });

  const ask = () => app.call(getProfile, { token: member.token });

  const changes: [string, string, Partial<OwnUser>][] = [
    ['account', `update account set is_vip = true where id = $1`, { isVIP: true }],
    ['role', `update account set staff_role = 'moderator' where id = $1`, { staffRole: 'moderator' }],
    ['address', `update account set email_verified_at = null where id = $1`, { isEmailVerified: false }],
    ['profile', `update profile set bio = 'after' where account_id = $1`, { bio: 'after' }],
    ['pictures', `delete from picture where account_id = $1`, { pictures: [], profilePicture: null }],
  ];

  it.each(changes)('reflects a changed %s on the next request', async (_, change, seen) => {
    expect((await ask()).body.userData.user).not.toMatchObject(seen);
    await app.pool.query(change, [member.id]);
    expect((await ask()).body.userData.user).toMatchObject(seen);
  });

  it.each([
    ['the session ended', 'delete from session where account_id = $1'],
    ['the session expired', `update session set expires_at = '2000-01-01' where account_id = $1`],
    ['the account was deactivated', 'update account set is_active = false, deactivated_at = now() where id = $1'],
    ['the owner started leaving', 'update account set leaving_since = now() where id = $1'],
  ])('is refused on the next request after %s', async (_, change) => {
    await ask();
    await app.pool.query(change, [member.id]);
    const { statusCode } = await app.app.inject({
      url: '/api/v1/auth/profile',
      headers: { authorization: `Bearer ${member.token}` },
    });
    expect(statusCode).toBe(401);
  });
});

describe('deviceName', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0';

  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/150.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/19.0 Safari/605.1.15`, 'Safari on macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Linux; Android 16; Pixel 9) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} CriOS/150.0 Mobile/15E148 Safari/604.1`,
      'Chrome on iOS',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome on ChromeOS'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/120.0`, 'Opera on Linux'],
    ['HeartwoodApp/3 (Android)', 'App on Android'],
    ['curl/8.5.0', 'Unknown device'],
    ['', 'Unknown device'],
  ])('turns the user agent %s into “%s”', (header, words) => {
    expect(deviceName(header)).toBe(words);
  });

  it('is unknown without a header, and never contains text from the header', () => {
    expect(deviceName(undefined)).toBe('Unknown device');
    expect(deviceName('<script>alert(1)</script> Firefox/1')).toBe('Firefox');
  });
});

const presenceOf = (id: string) =>
  app.db
    .selectFrom('presence')
    .leftJoin('online_member', 'online_member.account_id', 'presence.account_id')
    .select(({ eb }) => [
      'presence.last_active_at',
      'presence.online',
      eb('online_member.account_id', 'is not', null).as('listedOnline'),
    ])
    .where('presence.account_id', '=', id)
    .executeTakeFirstOrThrow();

describe('member activity', () => {
  it('shows members as online from the first request until 75 seconds after the last one', async () => {
    const { id } = await makeMember(app);
    const log = createActivityLog(app.pool, app.clock);
    log.note(id, -Infinity);
    await log.flush();
    expect(await presenceOf(id)).toEqual({ last_active_at: app.clock.now(), online: true, listedOnline: true });
    app.clock.advance(onlineWindowSeconds - 1);
    await sweepPresence(app.db, app.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: true, listedOnline: true });
    app.clock.advance(2);
    await sweepPresence(app.db, app.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: false, listedOnline: false });
  });

  it('is written at most every half minute and never moves backwards', async () => {
    const { id } = await makeMember(app);
    const log = createActivityLog(app.pool, app.clock);
    const first = app.clock.now();
    log.note(id, -Infinity);
    await log.flush();
    app.clock.advance(29);
    log.note(id, first);
    await log.flush();
    expect((await presenceOf(id)).last_active_at).toEqual(first);
    app.clock.advance(2);
    log.note(id, first);
    const second = app.clock.now();
    app.clock.advance(-20);
    log.note(id, -Infinity);
    app.clock.set(second);
    log.note(id, -Infinity);
    await log.flush();
    expect((await presenceOf(id)).last_active_at).toEqual(second);
  });

  it('is written in batches for many members, and the rest at once on request', async () => {
    const ids = (await makeManyMembers(app, 120)).map(({ id }) => id);
    app.clock.advance(1);
    const log = createActivityLog(app.pool, app.clock);
    for (const id of ids) log.note(id, -Infinity);
    void log.flush(60_000);
    const online = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from online_member where account_id = any (${ids})`.execute(
          app.db,
        )
      ).rows[0]?.n;
    await expect.poll(online).toBe(50);
    await log.flush();
    expect(await online()).toBe(120);
  });

  it('ends for members who were active while a clock was ahead', async () => {
    const members = [await makeMember(app, { online: true }), await makeMember(app, { online: true })];
    const [gone, here] = members.map(({ id }) => id) as [string, string];
    const log = createActivityLog(app.pool, app.clock);
    app.clock.advance(3600);
    for (const id of [gone, here]) log.note(id, -Infinity);
    await log.flush();
    app.clock.advance(-3600);
    await sweepPresence(app.db, app.clock.now());
    expect((await presenceOf(gone)).last_active_at).toEqual(app.clock.now());
    app.clock.advance(onlineWindowSeconds + 1);
    log.note(here, (await presenceOf(here)).last_active_at);
    await log.flush();
    await sweepPresence(app.db, app.clock.now());
    expect(await presenceOf(gone)).toMatchObject({ online: false, listedOnline: false });
    expect(await presenceOf(here)).toMatchObject({ online: true, last_active_at: app.clock.now() });
  });

  it('does not update the directory row with its many indexes', async () => {
    const { id } = await makeMember(app);
    const rowOf = async () =>
      (await sql`select ctid, xmin, xmax from directory where account_id = ${id}`.execute(app.db)).rows;
    const before = await rowOf();
    const log = createActivityLog(app.pool, app.clock);
    log.note(id, -Infinity);
    await log.flush();
    app.clock.advance(onlineWindowSeconds + 1);
    await sweepPresence(app.db, app.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: false, listedOnline: false });
    expect(await rowOf()).toEqual(before);
  });

  it('is preserved when a member is renamed, gets premium or leaves while online', async () => {
    const { id } = await makeMember(app, { online: true });
    const listed = () =>
      app.db
        .selectFrom('online_member')
        .select(['name_sort', 'is_vip'])
        .where('account_id', '=', id)
        .executeTakeFirst();
    await app.db.updateTable('profile').set({ first_name: 'Zoe' }).where('account_id', '=', id).execute();
    await app.db.updateTable('account').set({ is_vip: true }).where('id', '=', id).execute();
    expect(await listed()).toEqual({ name_sort: 'zoe testperson', is_vip: true });
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', id).execute();
    expect(await listed()).toBeUndefined();
    const counted = await sql<{ n: string }>`
      select sum(n) as n from (
        select value as n from statistic where kind = 'totalVip' and key = 'online'
        union all select delta from statistic_delta where kind = 'totalVip' and key = 'online') kept
      having sum(n) <> (select count(*) from online_member where is_vip)`.execute(app.db);
    expect(counted.rows).toEqual([]);
  });

  it('is written for other members even if an account was deleted in the meantime', async () => {
    const gone = await makeMember(app);
    const here = await makeMember(app);
    await app.db.deleteFrom('account').where('id', '=', gone.id).execute();
    const log = createActivityLog(app.pool, app.clock);
    log.note(gone.id, -Infinity);
    log.note(here.id, -Infinity);
    await log.flush();
    expect((await presenceOf(here.id)).online).toBe(true);
  });

  it('is written by two processes at the same time without blocking', async () => {
    const members = await Promise.all(Array.from({ length: 30 }, () => makeMember(app)));
    const logs = [createActivityLog(app.pool, app.clock), createActivityLog(app.pool, app.clock)];
    for (let round = 0; round < 5; round += 1) {
      app.clock.advance(31);
      for (const { id } of members) logs[0]?.note(id, -Infinity);
      for (const { id } of members.toReversed()) logs[1]?.note(id, -Infinity);
      await Promise.all([...logs.map((log) => log.flush()), sweepPresence(app.db, app.clock.now())]);
    }
    for (const { id } of members) expect((await presenceOf(id)).last_active_at).toEqual(app.clock.now());
  });
});
