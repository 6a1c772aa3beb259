import { beforeEach, describe, expect, test } from 'vitest';
import { putAnswer } from '#contract/compatibility.ts';
import { changeLocation, editProfile } from '#contract/profiles/profiles.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../../test/cards.ts';
import { deleteAccounts, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { givePremium, likesIn } from '../../../../test/likes.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { createMarketStats, createCells } from './market.reads.ts';
import { makeDeck } from './deck.ts';

const app = startAppForTests();
let viewer: TestMember;
beforeEach(async () => {
  await deleteAllMembers(app);
  await app.drain();
  app.clock.advance(301);
  viewer = await meet();
});

const { meet, prefer, idsFor } = cardsIn(() => app);
const { pass } = likesIn(() => app);
const meetMany = (count: number) => Promise.all(Array.from({ length: count }, () => meet()));
const madeAt = async () => {
  const deck = await app.db.selectFrom('deck').select('made_at').where('viewer_id', '=', viewer.id).executeTakeFirst();
  return deck?.made_at.getTime();
};
/** Whether the next request finds a rebuilt deck. */
async function isRebuilt(): Promise<boolean> {
  app.clock.advance(1);
  await idsFor(viewer);
  return (await madeAt()) === app.clock.now().getTime();
}

describe('a deck', () => {
  test('is built on the first request and kept while enough cards are left', async () => {
    await meetMany(25);
    expect(await madeAt()).toBeUndefined();
    const first = await idsFor(viewer);
    expect(await isRebuilt()).toBe(false);
    await app.drain();
    expect(await isRebuilt()).toBe(false);
    expect(await idsFor(viewer)).toEqual(first);
  });

  test.each(['matching', 'newest'] as const)(
    'is refilled with people from the same place once its best members are decided on, ordered by %s',
    async (order) => {
      const people = (await makeManyMembers(app, 180)).map(({ id }) => id);
      const [decided, left] = [people.slice(0, 100), people.slice(100)];
      await app.sql`update discovery_row set is_newcomer = false, bucket = case when account_id = any (${decided}::uuid[]) then 60 else 10 end,
      joined_at = joined_at - interval '1 day' * case when account_id = any (${decided}::uuid[]) then 0 else 900 end`;
      await prefer(viewer, { order });
      await app.sql`insert into decision (viewer_id, target_id, kind, decided_at)
      select ${viewer.id}::uuid, unnest(${decided}::uuid[]), 'pass', ${app.clock.now()}`;
      await idsFor(viewer);
      const { targets } = await app.db
        .selectFrom('deck')
        .select('targets')
        .where('viewer_id', '=', viewer.id)
        .executeTakeFirstOrThrow();
      expect(targets).toHaveLength(60);
      expect(targets.filter((id) => !left.includes(id))).toEqual([]);
    },
  );

  test('is rebuilt in the background when fewer than 20 cards are left', async () => {
    await meetMany(20);
    const cards = await idsFor(viewer);
    expect(await isRebuilt()).toBe(false);
    await app.drain();
    expect(await isRebuilt()).toBe(false);
    const [latest] = await meetMany(1);
    await pass(viewer, { id: cards[0] ?? '' });
    expect(await idsFor(viewer)).not.toContain(latest?.id);
    app.clock.advance(1);
    await app.drain();
    expect(await madeAt()).toBe(app.clock.now().getTime());
    expect(await idsFor(viewer)).toContain(latest?.id);
  });

  test('is rebuilt immediately when empty', async () => {
    expect(await idsFor(viewer)).toEqual([]);
    const [newcomer] = await meetMany(1);
    expect(await idsFor(viewer)).toEqual([newcomer?.id]);
  });

  test('is rebuilt in the background after a day and deleted after two', async () => {
    await meetMany(25);
    await idsFor(viewer);
    app.clock.advance(86_400 + 1);
    viewer = { ...viewer, ...(await signIn(app, viewer.id)) };
    expect(await isRebuilt()).toBe(false);
    await app.drain();
    expect(await madeAt()).toBe(app.clock.now().getTime());
    app.clock.advance(2 * 86_400);
    await app.app.background.tasks['discovery.cleanUp']?.({}, undefined as never);
    expect(await madeAt()).toBeDefined();
    app.clock.advance(1);
    await app.app.background.tasks['discovery.cleanUp']?.({}, undefined as never);
    expect(await madeAt()).toBeUndefined();
  });

  test.each<[string, (who: TestMember) => Promise<unknown>]>([
    ['a preference', (who) => prefer(who, { interests: { values: ['tea'], required: false } })],
    ['the order', (who) => prefer(who, { order: 'newest' })],
    ['the gender they seek', (who) => prefer(who, { seeking: ['woman'] })],
    ['their profile', (who) => app.call(editProfile, { token: who.token, body: { smoking: 'never' } })],
    ['their place', (who) => app.call(changeLocation, { token: who.token, body: brno })],
    ['premium', (who) => givePremium(app, who)],
  ])('is rebuilt immediately when its viewer changes %s', async (_, change) => {
    await meetMany(25);
    await idsFor(viewer);
    await change(viewer);
    expect(await isRebuilt()).toBe(true);
    expect(await isRebuilt()).toBe(false);
  });

  test('is kept when others change their preferences, but never violates a filter', async () => {
    const others = await meetMany(25);
    const [first] = await idsFor(viewer);
    const one = others.find(({ id }) => id === first);
    await prefer(one ?? viewer, { seeking: ['man'] });
    expect(await isRebuilt()).toBe(false);
    expect(await idsFor(viewer)).not.toContain(first);
  });

  test('is not rebuilt for a new compatibility answer, because answers count from the next day', async () => {
    await meetMany(25);
    await idsFor(viewer);
    const body = { answer: 'relaxed', accepted: ['relaxed'], importance: 'very' as const };
    await app.call(putAnswer, { token: viewer.token, params: { questionId: 'tidiness' }, body });
    expect(await isRebuilt()).toBe(false);
  });

  test('is built from a read-only replica', async () => {
    const [other] = await meetMany(1);
    await app.db.deleteFrom('secret').where('name', '=', 'decoys').execute();
    const nowMs = () => app.clock.now().getTime();
    const replica = createPool(app.pool.options.connectionString ?? '', { max: 1 });
    await replica.query('set default_transaction_read_only = on');
    await makeDeck(
      {
        db: app.db,
        reads: { from: (work) => work(createDb(replica)) },
        cells: createCells(nowMs),
        marketStats: createMarketStats(nowMs),
        decoySecret: (db) => installationSecret(db, 'decoys', null),
      },
      viewer.id,
      app.clock.now(),
    );
    await replica.end();
    const deck = await app.db
      .selectFrom('deck')
      .select('targets')
      .where('viewer_id', '=', viewer.id)
      .executeTakeFirst();
    expect(deck?.targets).toEqual([other?.id]);
  });

  test('is rebuilt again if a filter changes during the build', async () => {
    await meetMany(25);
    await idsFor(viewer);
    const nowMs = () => app.clock.now().getTime();
    const marketStats = createMarketStats(nowMs);
    const db = createDb(app.pool);
    // Changes the filter after the viewer was read.
    const slow = async (of: typeof db) => {
      await prefer(viewer, { interests: { values: ['tea'], required: false } });
      return await marketStats(of);
    };
    await makeDeck(
      {
        db,
        reads: { from: (work) => work(db) },
        cells: createCells(nowMs),
        marketStats: slow,
        decoySecret: () => Promise.resolve('secret'),
      },
      viewer.id,
      app.clock.now(),
    );
    expect(await isRebuilt()).toBe(true);
  });

  test('is deleted with its viewer', async () => {
    await idsFor(viewer);
    await deleteAccounts(app, viewer.id);
    expect(await madeAt()).toBeUndefined();
    await makeDeckOf(viewer.id);
    expect(await madeAt()).toBeUndefined();
  });
});

const makeDeckOf = (accountId: string) =>
  app.app.background.tasks['discovery.refill']?.({ accountId }, undefined as never);
