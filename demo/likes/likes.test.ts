import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, createTestPool, type TestDatabase } from '../../server/test/harness.ts';
import { demoDecisions, demoMatches, isOnCards } from './likes.ts';
import { demoMember } from '../members/member.ts';
import { seedDemo } from '../seed.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const members = 500;
const demoMembers = Array.from({ length: members }, (_, number) => demoMember(number, now, []));
const decisions = demoDecisions(demoMembers, now);

describe('demoDecisions', () => {
  test('always returns the same hundreds of likes, passes and matches', () => {
    expect(demoDecisions(demoMembers, now)).toEqual(decisions);
    const count = (kind: string) => decisions.filter((each) => each.kind === kind).length;
    expect(count('like')).toBeGreaterThan(200);
    expect(count('pass')).toBeGreaterThan(100);
    expect(demoMatches(decisions).length).toBeGreaterThan(40);
    expect(decisions.filter(({ isPending }) => isPending).length).toBeGreaterThan(100);
  });

  test('contains each pair of active members who fit both ways at most once, after both joined', () => {
    const pairs = new Set(decisions.map(({ viewer, target }) => `${viewer.id} ${target.id}`));
    expect(pairs.size).toBe(decisions.length);
    for (const { viewer, target, decidedAt, isPending, kind } of decisions) {
      expect([isOnCards(viewer, now), isOnCards(target, now), viewer === target]).toEqual([true, true, false]);
      expect(viewer.seeking).toContain(target.gender);
      expect(target.seeking).toContain(viewer.gender);
      expect(decidedAt >= viewer.createdAt && decidedAt >= target.createdAt && decidedAt <= now).toBe(true);
      expect(isPending).toBe(kind === 'like' && !pairs.has(`${target.id} ${viewer.id}`));
    }
  });

  test('produces no decisions for three members who don’t fit each other', () => {
    expect(demoDecisions(demoMembers.slice(0, 3), now)).toEqual([]);
  });
});

describe('the likes and matches in the database', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await cloneDatabase();
    pool = createTestPool(database.url);
    await seedDemo(pool, { members, now });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  const number = async (sqlText: string): Promise<number> =>
    (await pool.query<{ n: number }>(`select (${sqlText})::int as n`)).rows[0]?.n ?? NaN;

  test.each(['ada', 'bo'])('include unanswered likes, notes, matches and undecided cards of %s', async (name) => {
    const me = `(select id from account where email = '${name}@heartwood.test')`;
    const shown = 'join directory d on d.is_shown and d.account_id';
    const expected: [atLeast: number, sqlText: string][] = [
      [4, `select count(*) from decision l ${shown} = l.viewer_id where l.target_id = ${me} and l.is_pending`],
      [1, `select count(note) from decision where target_id = ${me} and is_pending`],
      [3, `select count(*) from match where ${me} in (low_id, high_id)`],
      [2, `select count(distinct kind) from notification where account_id = ${me}`],
      [1, `select count(*) from decision where viewer_id = ${me} and kind = 'pass'`],
      [
        41,
        `select count(*) from discovery_row v join discovery_row t on t.visible and v.seeking & t.gender <> 0
          and t.seeking & v.gender <> 0 and not exists (select from decision o where o.viewer_id = v.account_id and o.target_id = t.account_id)
          where v.account_id = ${me}`,
      ],
    ];
    for (const [atLeast, sqlText] of expected) expect(await number(sqlText), sqlText).toBeGreaterThanOrEqual(atLeast);
  });

  test('include comments on the prompts of Ada, a recent message and an attempted scam', async () => {
    const ada = `(select id from account where email = 'ada@heartwood.test')`;
    expect(
      await number(`select count(*) from decision d join profile p on p.account_id = d.target_id
        where target_id = ${ada} and is_pending and note is not null
          and jsonb_path_exists(p.details::jsonb, '$.prompts[*] ? (@.prompt == $key)', jsonb_build_object('key', liked_prompt))`),
    ).toBeGreaterThanOrEqual(2);
    const received = `from message m join conversation c on c.id = m.conversation_id
      where ${ada} in (c.low_id, c.high_id) and m.sender_id <> ${ada} and m.read_at is null`;
    expect(
      await number(
        `select count(*) ${received} and m.sent_at > '${now.toISOString()}'::timestamptz - interval '10 minutes'`,
      ),
    ).toBeGreaterThanOrEqual(1);
    expect(await number(`select count(*) ${received} and m.caution = 'money'`)).toBe(1);
  });

  test.each(['ada', 'bo'])('leave mostly people within 30 km on the cards of %s', async (name) => {
    const from = `from discovery_row v join discovery_row t on t.visible and v.seeking & t.gender <> 0 and t.seeking & v.gender <> 0
      join profile p on p.account_id = t.account_id join profile me on me.account_id = v.account_id
      where v.account_id = (select id from account where email = '${name}@heartwood.test')`;
    const isNear = `and abs(p.latitude - me.latitude) < 0.27 and abs(p.longitude - me.longitude) < 0.43`;
    expect(
      await number(`select 100 * (select count(*) ${from} ${isNear}) / (select count(*) ${from})`),
    ).toBeGreaterThan(85);
  });

  test('contain a match for each mutual like, and none between people with a block', async () => {
    const mutual = `select count(*) from decision one join decision other on other.viewer_id = one.target_id
      and other.target_id = one.viewer_id and one.viewer_id < other.viewer_id where one.kind = 'like' and other.kind = 'like'`;
    expect(await number('select count(*) from match')).toBe(await number(mutual));
    expect(
      await number(`select count(*) from match m join block b
        on (b.blocker_id, b.blocked_id) in ((m.low_id, m.high_id), (m.high_id, m.low_id))`),
    ).toBe(0);
  });

  test('come with a visible discovery row for every complete profile, spread over the buckets, and no pending training event', async () => {
    expect(await number('select count(*) from discovery_row where visible')).toBe(
      await number('select count(*) from directory where is_shown'),
    );
    expect(await number('select count(distinct bucket) from discovery_row')).toBeGreaterThan(12);
    expect(await number('select count(*) from discovery_row where is_newcomer and visible')).toBeGreaterThan(20);
    expect(await number('select count(*) from discovery_row where not is_newcomer')).toBeGreaterThan(100);
    expect(await number('select count(*) from standing where appeal <> 0')).toBeGreaterThan(100);
    expect(await number('select count(*) from training_event')).toBe(0);
  });
});
