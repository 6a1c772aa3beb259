import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cardsIn, deleteAllMembers } from '../../../../test/cards.ts';
import { deleteAccounts, signIn, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { makeDeck } from './deck.ts';
import { createCells, createMarketStats } from './market.reads.ts';

let app: TestApp;
let viewer: TestMember;
let other: TestMember;
let people: TestMember[];
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  await deleteAllMembers(app);
  await app.drain();
  app.clock.advance(301);
  viewer = await meet();
  other = await meet();
  people = await Promise.all([meet(), meet(), meet()]);
});
afterAll(() => app.close());

const { meet, idsFor, prefer } = cardsIn(() => app);
const { like, pass } = likesIn(() => app);
const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);

/** Stores a deck with these likes (in thousandths) expected of the first of the people, in order. */
const deal = async (of: TestMember, likes: number[], targets = people) => {
  const ids = likes.map((_, place) => targets[place]?.id);
  const cards = JSON.stringify(likes.map(() => ({ reasons: [], isExploration: false })));
  await sql`
    select logic.keep_deck(${of.id}::uuid, ${ids}::uuid[], ${cards}::jsonb, ${likes}::smallint[], ${app.clock.now()}::timestamptz,
      'shipped', 0)`.execute(app.db);
};
const settle = async (of: TestMember, ...targets: (TestMember | undefined)[]) => {
  const viewers = targets.map(() => of.id);
  await sql`select logic.settle_cards(${viewers}::uuid[], ${targets.map((one) => one?.id)}::uuid[])`.execute(app.db);
};

/** The exposure of each of the people, in thousandths. */
async function exposures(): Promise<number[]> {
  const rows = await app.db.selectFrom('exposure').selectAll().execute();
  const of = new Map(rows.map((row) => [row.member_id, row.expected]));
  return people.map(({ id }) => of.get(id) ?? -1);
}

/** What all decks add up to. */
async function dealt(): Promise<number[]> {
  const { rows } = await sql<{ id: string; likes: number }>`
    select c.id, sum(c.n)::int as likes from deck cross join unnest(targets, expected) as c (id, n) group by 1`.execute(
    app.db,
  );
  const of = new Map(rows.map(({ id, likes }) => [id, likes]));
  return people.map(({ id }) => of.get(id) ?? 0);
}

describe('the exposure of a member', () => {
  test('is the sum over all decks', async () => {
    await deal(viewer, [500, 250]);
    await deal(other, [125]);
    expect(await exposures()).toEqual([625, 250, 0]);
  });

  test('falls when a deck is replaced', async () => {
    await deal(viewer, [500, 250]);
    await deal(viewer, [125]);
    expect(await exposures()).toEqual([125, 0, 0]);
  });

  test('falls by each decided card, once', async () => {
    await deal(viewer, [500, 250, 125]);
    await deal(other, [100, 100, 100]);
    await settle(viewer, people[0], people[2], people[0], other);
    await settle(viewer, people[0]);
    expect(await exposures()).toEqual([100, 350, 100]);
    await deal(viewer, []);
    expect(await exposures()).toEqual([100, 100, 100]);
  });

  test('comes from the decks members get, and goes as their decisions are learned from', async () => {
    const [first, second, third] = people;
    await idsFor(viewer);
    expect(await exposures()).toEqual([120, 120, 120]);
    await like(viewer, first ?? viewer);
    await pass(viewer, second ?? viewer);
    await run('discovery.learn');
    expect(await exposures()).toEqual([0, 0, 120]);
    await prefer(viewer, { order: 'newest' });
    await idsFor(viewer);
    expect(await exposures()).toEqual([0, 0, expect.closeTo(200, -2)]);
    await like(third ?? viewer, viewer);
    app.clock.advance(86_400);
    viewer = { ...viewer, ...(await signIn(app, viewer.id)) };
    await prefer(viewer, { order: 'matching' });
    expect(await idsFor(viewer)).toContain(third?.id);
    expect(await exposures()).toEqual([0, 0, 0]);
  });

  test('lowers the rank in the decks of others, but not in the viewer’s own next deck', async () => {
    await deal(other, [0, 3000]);
    await deal(viewer, [3000, 0]);
    const { db } = app;
    const nowMs = () => app.clock.now().getTime();
    const [cells, marketStats] = [createCells(nowMs), createMarketStats(nowMs)];
    const decoySecret = () => Promise.resolve('secret');
    await makeDeck(
      { db, reads: { from: (work) => work(db) }, cells, marketStats, decoySecret, logShare: 1 },
      viewer.id,
      app.clock.now(),
    );
    const logged = await app.db.selectFrom('deck_log').select(['person_id', 'rest']).execute();
    const rests = people.map(({ id }) => logged.find(({ person_id }) => person_id === id)?.rest ?? NaN);
    expect(rests.map((rest) => Math.round(100 * rest))).toEqual([0, -24, 0]);
  });

  test('loses no update when decks are made and cards decided at the same time', async () => {
    const viewers = [viewer, other, ...(await Promise.all([meet(), meet()]))];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 16 }, async (_, turn) => {
          const who = viewers[turn % viewers.length] ?? viewer;
          const order = turn % 2 === 0 ? people : people.toReversed();
          if (turn % 5 === 4) await settle(who, people[turn % 2], people[2]);
          else await deal(who, [500, 250, 10 * turn + round], order);
        }),
      );
      expect(await exposures()).toEqual(await dealt());
    }
  });

  test('loses no update when a viewer’s first two decks are made at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      await sql`delete from deck`.execute(app.db);
      await sql`update exposure set expected = 0`.execute(app.db);
      await Promise.all([deal(viewer, [500, 250]), deal(viewer, [300, 0, 100]), deal(other, [1, 1, 1])]);
      expect(await exposures()).toEqual(await dealt());
    }
  });

  test('ends with the account, also while decks are made', async () => {
    const [gone] = people;
    await Promise.all([deal(viewer, [500, 250]), deleteAccounts(app, gone?.id ?? ''), deal(other, [500, 250])]);
    await deal(viewer, [500, 250]);
    expect(await exposures()).toEqual([-1, 500, 0]);
    await deleteAccounts(app, viewer.id);
    await deal(viewer, [500, 250]);
    expect(await app.db.selectFrom('deck').select('viewer_id').execute()).toEqual([{ viewer_id: other.id }]);
  });

  test('is corrected at night, since a deck ends with its viewer’s account or after two days', async () => {
    await deal(viewer, [500, 250]);
    await deal(other, [125]);
    await deleteAccounts(app, viewer.id);
    await sql`delete from exposure where member_id = ${people[2]?.id ?? ''}::uuid`.execute(app.db);
    expect(await exposures()).toEqual([625, 250, -1]);
    await run('discovery.recountExposure');
    expect(await exposures()).toEqual([125, 0, 0]);
    app.clock.advance(3 * 86_400);
    await run('discovery.cleanUp');
    await run('discovery.recountExposure');
    expect(await exposures()).toEqual([0, 0, 0]);
  });

  test('is compared with the tenth of the segment that has the least', async () => {
    await sql`update discovery_row set gender = 2, birth_date = current_date - interval '30 years'`.execute(app.db);
    await sql`update exposure set expected = case when member_id = ${viewer.id}::uuid then 0 else 1000 end`.execute(
      app.db,
    );
    await run('discovery.sampleInterests');
    const { rows } = await sql`select * from least_exposed where gender = 2 and age_band = 1`.execute(app.db);
    expect(rows).toEqual([{ gender: 2, age_band: 1, expected: 400 }]);
  });
});
