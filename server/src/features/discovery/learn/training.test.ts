import { beforeEach, describe, expect, test } from 'vitest';
import { editProfile } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../../test/cards.ts';
import { deleteAccounts, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { givePremium, likesIn } from '../../../../test/likes.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { matchSegment } from '../score/score.ts';
import { appealSd, selectivitySd, warmthSd } from './learning.ts';

const app = startAppForTests();
let ada: TestMember;
let bo: TestMember;
beforeEach(async () => {
  await deleteAllMembers(app);
  await app.pool.query('truncate segment_base, interest_share, training_event');
  app.clock.advance(301);
  ada = await meet({ gender: 'woman' });
  bo = await meet({ gender: 'man' });
});

const { meet, prefer, cardsOf, idsFor } = cardsIn(() => app);
const { like, pass, undo, withdraw, unmatch, block, match } = likesIn(() => app);
const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);
const learn = () => run('discovery.learn');
const [woman, man] = [1, 2];

/** What was learned about a member towards a gender; null if nothing was learned. */
async function standingOf({ id }: TestMember, gender: number): Promise<{ appeal: number; selectivity: number } | null> {
  const row = await app.db
    .selectFrom('standing')
    .select(['appeal', 'selectivity'])
    .where('account_id', '=', id)
    .where('gender', '=', gender)
    .executeTakeFirst();
  return row ?? null;
}
const countsOf = async ({ id }: TestMember) =>
  await app.db
    .selectFrom('discovery_row')
    .select(['decisions_received', 'impressions', 'cards_decided', 'pending'])
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
const segments = async () =>
  await app.db
    .selectFrom('segment_base')
    .selectAll()
    .where('segment', 'not like', 'alike%')
    .orderBy('segment')
    .execute();

/** S or A after one decision at chance 0.2, the default base. */
const after = (y: 0 | 1, sd: number) => expect.closeTo((y - 0.2) / (0.16 + 1 / sd ** 2), 4) as number;

describe('a decision', () => {
  test('raises, for a like, A of the shown and S of the deciding member, each towards the other’s gender', async () => {
    await like(ada, bo);
    await learn();
    expect(await standingOf(bo, woman)).toEqual({ appeal: after(1, appealSd), selectivity: 0 });
    expect(await standingOf(ada, man)).toEqual({ appeal: 0, selectivity: after(1, selectivitySd) });
    expect([await standingOf(bo, man), await standingOf(ada, woman)]).toEqual([null, null]);
  });

  test('lowers, for a pass, A of the shown and S of the deciding member', async () => {
    await pass(ada, bo);
    await learn();
    expect(await standingOf(bo, woman)).toEqual({ appeal: after(0, appealSd), selectivity: 0 });
    expect(await standingOf(ada, man)).toEqual({ appeal: 0, selectivity: after(0, selectivitySd) });
  });

  test('updates the counts of both members, the waiting likes and the segment', async () => {
    await like(ada, bo);
    await pass(bo, await meet({ gender: 'woman', birthDate: '2000-01-01' }));
    await learn();
    expect(await countsOf(bo)).toEqual({ decisions_received: 1, impressions: 1, cards_decided: 1, pending: 1 });
    expect(await countsOf(ada)).toEqual({ decisions_received: 0, impressions: 0, cards_decided: 1, pending: 0 });
    const kept = await segments();
    expect(kept.map(({ segment }) => segment.split(':')[0])).toEqual(['man>woman', 'woman>man']);
    expect(kept.map(({ shown, liked }) => [shown, liked])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    await like(bo, ada);
    await learn();
    expect((await countsOf(bo)).pending).toBe(0);
  });

  test('counts once in learning, even with concurrent processes', async () => {
    await Promise.all(
      (await Promise.all(Array.from({ length: 12 }, () => meet({ gender: 'man' })))).map((one) => like(ada, one)),
    );
    await Promise.all(Array.from({ length: 6 }, () => Promise.resolve(learn())));
    await learn();
    expect((await countsOf(ada)).cards_decided).toBe(12);
    expect((await segments()).map(({ shown, liked }) => [shown, liked])).toEqual([[12, 12]]);
  });

  test('is ignored by learning if it was undone before', async () => {
    await givePremium(app, ada);
    await like(ada, bo);
    await undo(ada);
    await like(ada, bo);
    await withdraw(ada, bo);
    await pass(ada, bo);
    await undo(ada);
    await learn();
    expect([await standingOf(ada, man), await standingOf(bo, woman), await segments()]).toEqual([null, null, []]);
    expect(await countsOf(bo)).toEqual({ decisions_received: 0, impressions: 0, cards_decided: 0, pending: 0 });
  });

  test('counts in its final form if it was changed before learning', async () => {
    await pass(ada, bo);
    await like(ada, bo);
    await learn();
    expect((await segments()).map(({ shown, liked }) => [shown, liked])).toEqual([[1, 1]]);
  });

  test('counts once in learning when it is repeated for the same person', async () => {
    await givePremium(app, ada);
    await pass(ada, bo);
    await learn();
    const once = await standingOf(bo, woman);
    for (let round = 0; round < 5; round += 1) {
      await undo(ada, bo);
      await pass(ada, bo);
      await learn();
      await like(ada, bo);
      await learn();
      await pass(ada, bo);
      await learn();
    }
    expect(await standingOf(bo, woman)).toEqual(once);
    expect((await countsOf(bo)).decisions_received).toBe(1);
  });

  test('is ignored by learning if it is an unmatch', async () => {
    const id = await match(ada, bo);
    await learn();
    const before = [await standingOf(ada, man), await standingOf(bo, woman), await segments()];
    await unmatch(ada, id);
    await learn();
    expect([await standingOf(ada, man), await standingOf(bo, woman), await segments()]).toEqual(before);
  });

  test('is ignored by learning and leaves no data if it is about a deleted account', async () => {
    await like(ada, bo);
    await like(bo, ada);
    await deleteAccounts(app, bo.id);
    expect(await app.db.selectFrom('training_event').selectAll().execute()).toEqual([]);
    await learn();
    expect(await standingOf(ada, man)).toBeNull();
  });

  test('changes the order: the liked member comes before the passed one', async () => {
    const crowd = await Promise.all(Array.from({ length: 14 }, () => meet({ gender: 'woman', seeking: ['man'] })));
    const [liked, passed] = [
      await meet({ gender: 'man', seeking: ['woman'] }),
      await meet({ gender: 'man', seeking: ['woman'] }),
    ];
    for (const one of crowd) {
      await like(one, liked);
      await pass(one, passed);
    }
    await learn();
    // Waiting likes lower the rank, so they are marked as read.
    for (const one of crowd) await pass(liked, one);
    await learn();
    const { rows } = await app.pool.query<{ account_id: string }>(
      'select account_id from discovery_row where account_id = any ($1) order by bucket desc',
      [[passed.id, liked.id]],
    );
    expect(rows.map(({ account_id }) => account_id)).toEqual([liked.id, passed.id]);
  });
});

describe('the tendency to like people of similar appeal', () => {
  const alike = async () =>
    (await app.db.selectFrom('segment_base').selectAll().where('segment', 'like', 'alike%').execute()).map(
      ({ segment, shown, liked }) => [segment, shown > 0, liked > 0],
    );

  test('is learned from decisions, separately for each pair of genders', async () => {
    await like(ada, bo);
    await pass(bo, ada);
    await learn();
    expect(await alike()).toEqual(
      expect.arrayContaining([
        ['alike woman>man', true, true],
        ['alike man>woman', true, false],
      ]),
    );
  });
});

describe('a match that is a week old', () => {
  const warmthOf = async ({ id }: TestMember, gender: number) =>
    (await app.db
      .selectFrom('standing')
      .select('warmth')
      .where('account_id', '=', id)
      .where('gender', '=', gender)
      .executeTakeFirst()) ?? null;
  const counted = async () => (await segments()).filter(({ segment }) => segment === matchSegment);
  /** T after one outcome at the default base. */
  const warmthAfter = (y: 0 | 1) => ({ warmth: expect.closeTo((y - 0.2) / (0.16 + 1 / warmthSd ** 2), 4) as number });
  const talk = async (matchId: string) =>
    await app.db
      .updateTable('conversation')
      .set({ last_seq: 6, is_answered: true })
      .where('id', '=', matchId)
      .execute();
  const days = (count: number) => app.clock.advance(count * 86_400);

  test('raises T of both if it has a conversation, each towards the other’s gender, and nothing else', async () => {
    await talk(await match(ada, bo));
    await learn();
    const before = [await standingOf(ada, man), await standingOf(bo, woman)];
    days(7);
    await learn();
    expect([await warmthOf(ada, man), await warmthOf(bo, woman)]).toEqual([warmthAfter(1), warmthAfter(1)]);
    expect([await standingOf(ada, man), await standingOf(bo, woman)]).toEqual(before);
    expect(await counted()).toEqual([{ segment: matchSegment, shown: 2, liked: 2 }]);
  });

  test('counts once in learning, and not earlier, even with concurrent processes', async () => {
    await match(ada, bo);
    days(6);
    await learn();
    expect(await counted()).toEqual([]);
    days(1);
    await Promise.all(Array.from({ length: 5 }, () => Promise.resolve(learn())));
    const once = await warmthOf(ada, man);
    expect(once).toEqual(warmthAfter(0));
    days(1);
    await learn();
    expect(await warmthOf(ada, man)).toEqual(once);
    expect(await counted()).toEqual([{ segment: matchSegment, shown: 2, liked: 0 }]);
  });

  test.each([
    ['an unmatch', (id: string) => unmatch(ada, id)],
    ['a block', () => block(ada, bo)],
    ['a report', () => fileReport(app, ada, { problem_type: 'Other', reportedUser: bo.id })],
  ])('counts against the member who stopped writing by %s, and changes nothing for the other', async (_, leave) => {
    const id = await match(ada, bo);
    await talk(id);
    await leave(id);
    expect(await app.db.selectFrom('match').select('id').where('id', '=', id).execute()).toEqual([]);
    await learn();
    expect((await warmthOf(bo, woman))?.warmth ?? 0).toBe(0);
    days(7);
    await learn();
    expect((await warmthOf(ada, man))?.warmth ?? 0).toBe(0);
    expect(await warmthOf(bo, woman)).toEqual(warmthAfter(0));
  });

  test('is ignored by learning if one account was deleted', async () => {
    await talk(await match(ada, bo));
    await learn();
    await deleteAccounts(app, bo.id);
    days(7);
    await learn();
    expect((await warmthOf(ada, man))?.warmth).toBe(0);
  });
});

describe('an answer to "Did you meet?"', () => {
  const warmths = async () =>
    (await app.db.selectFrom('standing').select(['account_id', 'warmth']).where('warmth', '<>', 0).execute()).map(
      ({ account_id, warmth }) => [account_id, Math.sign(warmth)],
    );
  const answer = async (meetAgain: boolean | null) => {
    const id = await match(ada, bo);
    const at = app.clock.now();
    await app.db.updateTable('conversation').set({ is_outcome_learned: true }).where('id', '=', id).execute();
    const given = { answer: 'yes' as const, meet_again: meetAgain, first_answered_at: at, answered_at: at };
    await app.db
      .insertInto('meeting_answer')
      .values({ conversation_id: id, account_id: ada.id, ...given })
      .execute();
    return id;
  };

  test('raises T of the other person once, a day later, if they met and would meet again', async () => {
    await answer(true);
    await learn();
    expect(await warmths()).toEqual([]);
    app.clock.advance(86_400);
    await Promise.all(Array.from({ length: 4 }, () => Promise.resolve(learn())));
    const rows = () => app.db.selectFrom('standing').select(['account_id', 'gender', 'warmth']).execute();
    const once = await rows();
    const first = 0.8 / (0.16 + 1 / warmthSd ** 2);
    expect(once.find(({ account_id }) => account_id === bo.id)?.warmth).toBeGreaterThan(first);
    expect(await warmths()).toEqual([[bo.id, 1]]);
    await learn();
    expect(await rows()).toEqual(once);
  });

  test.each([false, null])('changes nothing if they would not, or did not say (%s)', async (meetAgain) => {
    await answer(meetAgain);
    app.clock.advance(86_400);
    await learn();
    expect(await warmths()).toEqual([]);
  });

  test('is ignored by learning after the match ends', async () => {
    await unmatch(ada, await answer(true));
    app.clock.advance(86_400);
    await learn();
    expect(await warmths()).toEqual([]);
  });
});

describe('learned scores', () => {
  test('stay when a profile is emptied and filled in again', async () => {
    await like(ada, bo);
    await learn();
    const before = [await standingOf(bo, woman), await countsOf(bo)];
    await prefer(bo, { seeking: [] });
    expect(await idsFor(ada)).toEqual([]);
    await app.call(editProfile, { token: bo.token, body: { gender: null } });
    await app.call(editProfile, { token: bo.token, body: { gender: 'man', seeking: ['woman'] } });
    expect([await standingOf(bo, woman), await countsOf(bo)]).toEqual(before);
  });

  test('decay: impressions over a week, cards over a month, decisions over half a year', async () => {
    await app.pool.query(
      'update discovery_row set impressions = 70, cards_decided = 280, decisions_received = 100 where account_id = $1',
      [bo.id],
    );
    for (let day = 0; day < 90; day += 1) await run('discovery.fade');
    const counts = await countsOf(bo);
    expect(counts.decisions_received).toBeCloseTo(50, 1);
    expect(counts.impressions).toBeLessThan(0.02);
    expect(counts.cards_decided).toBeLessThan(280 * 0.04);
  });

  test('decay once for each member, even in a night that is interrupted', async () => {
    await app.pool.query(`
      with made as (
        insert into account (id, email, created_at)
        select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@many.test', now()
        from generate_series(1, 1200) n returning id
      ), named as (insert into profile (account_id) select id from made)
      insert into presence (account_id, last_active_at) select id, now() from made`);
    await app.pool.query(`
      insert into discovery_row (account_id, gender, seeking, birth_date, cell, visible, incognito, is_vip, shows_activity, joined_at,
        interests, languages, cards_decided)
      select id, 1, 2, '1990-01-01', 0, false, false, false, false, now(), '{}', '{}', 28 from account where email like '%@many.test'
      on conflict (account_id) do update set cards_decided = 28`);
    await app.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'cut short'; end $$;
      create trigger refuse before update on discovery_row for each row
        when (old.account_id = '00000000-0000-4000-8000-000000001200') execute function refuse()`);
    const decided = async () => {
      const { rows } = await app.pool.query(
        `select cards_decided, count(*)::int from discovery_row where account_id::text like '00000000-0000-4000-8000-%' group by 1 order by 1`,
      );
      return rows as unknown[];
    };
    for (const _ of [1, 2]) await expect(run('discovery.fade')).rejects.toThrow('cut short');
    expect(await decided()).toEqual([
      { cards_decided: 27, count: 1000 },
      { cards_decided: 28, count: 200 },
    ]);
    await app.pool.query('drop trigger refuse on discovery_row');
    await run('discovery.fade');
    expect(await decided()).toEqual([{ cards_decided: 27, count: 1200 }]);
  });
});

describe('exploration slots', () => {
  test('show newcomers in two of twenty places, whatever their rank', async () => {
    const viewer = await meet({ details: { goal: 'long-term' } });
    const known = await Promise.all(Array.from({ length: 30 }, () => meet({ details: { goal: 'long-term' } })));
    await app.pool.query(
      'update discovery_row set decisions_received = 40, impressions = 3, bucket = 60, is_newcomer = false where account_id = any ($1)',
      [known.map(({ id }) => id)],
    );
    const newcomers = await Promise.all(Array.from({ length: 6 }, () => meet({ details: { goal: 'short-term' } })));
    const cards = await cardsOf(viewer);
    const explored = cards.filter(({ reasons }) => reasons[0]?.kind === 'new-here').map(({ user }) => user._id);
    expect(cards).toHaveLength(20);
    expect(explored).toHaveLength(2);
    const isNew = new Set([...newcomers, ada, bo].map(({ id }) => id));
    expect(explored.every((id) => isNew.has(id))).toBe(true);
  });

  test('are no longer given to a member once enough people have decided', async () => {
    const viewer = await meet();
    const one = await meet();
    await idsFor(viewer);
    await app.pool.query(
      `update deck set targets = array[$2::uuid], cards = '[{"reasons":["new-here"],"isExploration":true}]' where viewer_id = $1`,
      [viewer.id, one.id],
    );
    expect((await cardsOf(viewer)).map(({ reasons }) => reasons)).toEqual([[{ kind: 'new-here' }]]);
    await app.pool.query('update discovery_row set decisions_received = 10 where account_id = $1', [one.id]);
    const kinds = (await cardsOf(viewer)).flatMap(({ reasons }) => reasons.map(({ kind }) => kind));
    expect(kinds).not.toContain('new-here');
  });
});

describe('the background jobs of discovery', () => {
  test('update activity, so that returning members are shown again', async () => {
    const silent = await meet({ lastActiveAt: new Date(app.clock.now().getTime() - 40 * 86_400_000) });
    expect(await idsFor(ada)).not.toContain(silent.id);
    const change = { last_active_at: app.clock.now() };
    await app.db.updateTable('presence').set(change).where('account_id', '=', silent.id).execute();
    await run('discovery.noteActivity');
    await app.drain();
    await idsFor(ada);
    await app.drain();
    expect(await idsFor(ada)).toContain(silent.id);
  });

  test('compute which interests are rare', async () => {
    const details = { interests: ['tea' as const] };
    // With Ada, Bo and the other jazz fan, this is as many as one page shows.
    await Promise.all(Array.from({ length: 17 }, () => meet({ details })));
    const rare = { interests: ['jazz' as const] };
    const [viewer, other] = [await meet({ details: rare }), await meet({ details: rare })];
    await run('discovery.sampleInterests');
    // Global figures are cached for a minute.
    app.clock.advance(61);
    const shownReasons = (await cardsOf(viewer)).find(({ user }) => user._id === other.id)?.reasons;
    expect(shownReasons).toContainEqual({ kind: 'interests', interests: ['jazz'], areRare: true });
  });
});
