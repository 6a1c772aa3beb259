import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { onlineWindowSeconds } from '#contract/constants.ts';
import { makeMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { makeManyMembers } from '../../../test/many-members.ts';
import { createActivityLog, sweepPresence } from './activity.ts';

const test = startAppForTests();

const presenceOf = (id: string) =>
  test.db
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
    const { id } = await makeMember(test);
    const log = createActivityLog(test.pool, test.clock);
    log.note(id, -Infinity);
    await log.flush();
    expect(await presenceOf(id)).toEqual({ last_active_at: test.clock.now(), online: true, listedOnline: true });
    test.clock.advance(onlineWindowSeconds - 1);
    await sweepPresence(test.db, test.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: true, listedOnline: true });
    test.clock.advance(2);
    await sweepPresence(test.db, test.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: false, listedOnline: false });
  });

  it('is written at most every half minute and never moves backwards', async () => {
    const { id } = await makeMember(test);
    const log = createActivityLog(test.pool, test.clock);
    const first = test.clock.now();
    log.note(id, -Infinity);
    await log.flush();
    test.clock.advance(29);
    log.note(id, first);
    await log.flush();
    expect((await presenceOf(id)).last_active_at).toEqual(first);
    test.clock.advance(2);
    log.note(id, first);
    const second = test.clock.now();
    test.clock.advance(-20);
    log.note(id, -Infinity);
    test.clock.set(second);
    log.note(id, -Infinity);
    await log.flush();
    expect((await presenceOf(id)).last_active_at).toEqual(second);
  });

  it('is written in batches for many members, and the rest at once on request', async () => {
    const ids = (await makeManyMembers(test, 120)).map(({ id }) => id);
    test.clock.advance(1);
    const log = createActivityLog(test.pool, test.clock);
    for (const id of ids) log.note(id, -Infinity);
    void log.flush(60_000);
    const online = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from online_member where account_id = any (${ids})`.execute(
          test.db,
        )
      ).rows[0]?.n;
    await expect.poll(online).toBe(50);
    await log.flush();
    expect(await online()).toBe(120);
  });

  it('ends for members who were active while a clock was ahead', async () => {
    const members = [await makeMember(test, { online: true }), await makeMember(test, { online: true })];
    const [gone, here] = members.map(({ id }) => id) as [string, string];
    const log = createActivityLog(test.pool, test.clock);
    test.clock.advance(3600);
    for (const id of [gone, here]) log.note(id, -Infinity);
    await log.flush();
    test.clock.advance(-3600);
    await sweepPresence(test.db, test.clock.now());
    expect((await presenceOf(gone)).last_active_at).toEqual(test.clock.now());
    test.clock.advance(onlineWindowSeconds + 1);
    log.note(here, (await presenceOf(here)).last_active_at);
    await log.flush();
    await sweepPresence(test.db, test.clock.now());
    expect(await presenceOf(gone)).toMatchObject({ online: false, listedOnline: false });
    expect(await presenceOf(here)).toMatchObject({ online: true, last_active_at: test.clock.now() });
  });

  it('does not update the directory row with its many indexes', async () => {
    const { id } = await makeMember(test);
    const rowOf = async () =>
      (await sql`select ctid, xmin, xmax from directory where account_id = ${id}`.execute(test.db)).rows;
    const before = await rowOf();
    const log = createActivityLog(test.pool, test.clock);
    log.note(id, -Infinity);
    await log.flush();
    test.clock.advance(onlineWindowSeconds + 1);
    await sweepPresence(test.db, test.clock.now());
    expect(await presenceOf(id)).toMatchObject({ online: false, listedOnline: false });
    expect(await rowOf()).toEqual(before);
  });

  it('is preserved when a member is renamed, gets premium or leaves while online', async () => {
    const { id } = await makeMember(test, { online: true });
    const listed = () =>
      test.db
        .selectFrom('online_member')
        .select(['name_sort', 'is_vip'])
        .where('account_id', '=', id)
        .executeTakeFirst();
    await test.db.updateTable('profile').set({ first_name: 'Zoe' }).where('account_id', '=', id).execute();
    await test.db.updateTable('account').set({ is_vip: true }).where('id', '=', id).execute();
    expect(await listed()).toEqual({ name_sort: 'zoe testperson', is_vip: true });
    await test.db.updateTable('account').set({ leaving_since: test.clock.now() }).where('id', '=', id).execute();
    expect(await listed()).toBeUndefined();
    const counted = await sql<{ n: string }>`
      select sum(n) as n from (
        select value as n from statistic where kind = 'totalVip' and key = 'online'
        union all select delta from statistic_delta where kind = 'totalVip' and key = 'online') kept
      having sum(n) <> (select count(*) from online_member where is_vip)`.execute(test.db);
    expect(counted.rows).toEqual([]);
  });

  it('is written for other members even if an account was deleted in the meantime', async () => {
    const gone = await makeMember(test);
    const here = await makeMember(test);
    await test.db.deleteFrom('account').where('id', '=', gone.id).execute();
    const log = createActivityLog(test.pool, test.clock);
    log.note(gone.id, -Infinity);
    log.note(here.id, -Infinity);
    await log.flush();
    expect((await presenceOf(here.id)).online).toBe(true);
  });

  it('is written by two processes at the same time without blocking', async () => {
    const members = await Promise.all(Array.from({ length: 30 }, () => makeMember(test)));
    const logs = [createActivityLog(test.pool, test.clock), createActivityLog(test.pool, test.clock)];
    for (let round = 0; round < 5; round += 1) {
      test.clock.advance(31);
      for (const { id } of members) logs[0]?.note(id, -Infinity);
      for (const { id } of members.toReversed()) logs[1]?.note(id, -Infinity);
      await Promise.all([...logs.map((log) => log.flush()), sweepPresence(test.db, test.clock.now())]);
    }
    for (const { id } of members) expect((await presenceOf(id)).last_active_at).toEqual(test.clock.now());
  });
});
