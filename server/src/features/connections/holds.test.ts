import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { freeLikesPerDay } from '#contract/constants.ts';
import { getConversation, sendMessage } from '#contract/messages/messages.ts';
import { listNotifications } from '#contract/notifications.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { cardsIn } from '../../../test/cards.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { deliverReleased, endHold, endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { givePremium, likesIn, placeMatch } from '../../../test/likes.ts';
import { likesData } from './public.ts';

const app = startAppForTests();

const { like, pass, withdraw, undo, block, received, sent, matches } = likesIn(() => app);
const { meet, idsFor } = cardsIn(() => app);
const newsOf = async ({ token }: TestMember) =>
  (await app.call(listNotifications, { token })).body.data.notifications.map(({ kind }) => kind);
const decisionOn = async ({ token }: TestMember, { id }: TestMember) =>
  (await app.call(getUser, { token, params: { id } })).body.data.decision;
const kindOf = async (one: TestMember, other: TestMember) =>
  (
    await app.db
      .selectFrom('decision')
      .select('kind')
      .where('viewer_id', '=', one.id)
      .where('target_id', '=', other.id)
      .executeTakeFirst()
  )?.kind;
/** What discovery has to learn about a member. */
const lessons = async ({ id }: TestMember) =>
  await app.db.selectFrom('training_event').select(['liked']).where('viewer_id', '=', id).execute();

let held: TestMember;
let other: TestMember;
beforeEach(async () => {
  [held, other] = [await makeMember(app), await makeMember(app)];
  await holdAccount(app, held);
});

describe('a like of a held account', () => {
  it('is returned as sent, counts towards the limit, and appears in the sender’s list and profile view', async () => {
    const { data } = (await like(held, other, { note: 'Hello you' })).body;
    expect(data).toEqual({ outcome: 'sent', remainingLikes: freeLikesPerDay - 1 });
    expect((await like(held, other)).body.data).toEqual(data);
    const list = await sent(held);
    expect(list.likes).toMatchObject([{ user: { _id: other.id }, note: 'Hello you' }]);
    expect(list).toMatchObject({ pagination: { total: 1 }, remainingLikes: freeLikesPerDay - 1 });
    expect(await decisionOn(held, other)).toBe('like');
  });

  it('is invisible to the other person, with premium and without', async () => {
    await like(held, other, { note: 'Hello you' });
    expect((await received(other)).count).toBe(0);
    await givePremium(app, other);
    expect(await received(other)).toMatchObject({ count: 0, likes: [] });
    expect(await newsOf(other)).toEqual([]);
  });

  it('does not count as a pass: the sender stays among the other person’s cards', async () => {
    const [viewer, sender] = [await meet(), await meet()];
    await holdAccount(app, sender);
    await like(sender, viewer);
    expect(await idsFor(viewer)).toContain(sender.id);
    // Decisions count for others from the next day.
    const before = new Date(app.clock.now().getTime() - 2 * 86_400_000);
    await app.db.updateTable('decision').set({ decided_at: before }).where('viewer_id', '=', sender.id).execute();
    expect(await idsFor(viewer)).toContain(sender.id);
    await pass(sender, viewer);
    await app.db.updateTable('decision').set({ decided_at: before }).where('viewer_id', '=', sender.id).execute();
    expect(await idsFor(viewer)).not.toContain(sender.id);
  });

  it('does not reveal a sender who is incognito', async () => {
    await givePremium(app, held);
    await app.db.updateTable('profile').set({ incognito: true }).where('account_id', '=', held.id).execute();
    await like(held, other);
    expect((await app.call(getUser, { token: other.token, params: { id: held.id } })).status).toBe(404);
    await endHoldOf(app, held, 'released');
    expect((await app.call(getUser, { token: other.token, params: { id: held.id } })).status).toBe(200);
  });

  it('makes a match as usual if it answers a delivered like, but its note waits', async () => {
    await givePremium(app, held);
    await like(other, held);
    expect((await received(held)).likes).toHaveLength(1);
    expect((await like(held, other, { note: 'Hello you' })).body.data.outcome).toBe('matched');
    const notes = async (one: TestMember) => {
      const [found] = await matches(one);
      const { token } = one;
      const { conversation } = (await app.call(getConversation, { token, params: { id: found?._id ?? '' } })).body.data;
      return [found?.myNote, found?.theirNote, conversation.likes.map(({ note }) => note)];
    };
    const own = ['Hello you', null, ['Hello you']];
    expect([await notes(held), await notes(other)]).toEqual([own, [null, null, []]]);
    await endHoldOf(app, held, 'dropped');
    expect([await notes(held), await notes(other)]).toEqual([own, [null, null, []]]);
  });

  it('shows its note once the hold is released, if it answered a delivered like', async () => {
    await like(other, held);
    await like(held, other, { note: 'Hello you' });
    await endHoldOf(app, held, 'released');
    expect(await matches(other)).toMatchObject([{ theirNote: 'Hello you' }]);
    expect(await matches(held)).toMatchObject([{ myNote: 'Hello you', theirNote: null }]);
  });

  it('does not become a match when the other person likes back, and the sender is not notified', async () => {
    await like(held, other);
    expect((await like(other, held)).body.data.outcome).toBe('sent');
    expect(await newsOf(held)).toEqual([]);
    expect(await matches(other)).toEqual([]);
  });

  it('can be undone and withdrawn like any other', async () => {
    await like(held, other);
    expect((await undo(held)).body.data).toMatchObject({ userId: other.id, was: 'like' });
    await like(held, other);
    expect((await withdraw(held, other)).body.data.withdrawn).toBe(true);
    expect(await kindOf(held, other)).toBeUndefined();
  });

  it('teaches discovery only once it is delivered', async () => {
    await like(held, other);
    expect(await lessons(held)).toEqual([]);
    await endHoldOf(app, held, 'released');
    expect(await lessons(held)).toEqual([{ liked: true }]);
  });
});

describe('a like for a held person who likes the sender', () => {
  /** What the held person learns from their own calls about a like that came after theirs. */
  const learned = async () => {
    const answers = [await received(held), await newsOf(held), (await like(held, other)).body.data.outcome];
    const undone = (await withdraw(held, other)).body.data.withdrawn;
    return [...answers, undone, (await like(held, other)).body.data.outcome, await matches(held)];
  };

  for (const vip of [true, false])
    it(`changes nothing of what they see, withdraw and repeat ${vip ? 'with' : 'without'} premium`, async () => {
      if (vip) await givePremium(app, held);
      await like(held, other);
      const before = await learned();
      await like(other, held, { note: 'Hello yourself' });
      expect(await learned()).toEqual(before);
      expect((await sent(other)).likes).toMatchObject([{ note: 'Hello yourself' }]);
      await endHoldOf(app, held, 'released');
      for (const one of [held, other]) {
        expect(await matches(one)).toHaveLength(1);
        expect((await newsOf(one)).filter((kind) => kind === 'match')).toHaveLength(1);
      }
    });

  it.each([
    ['withdraws theirs', withdraw, ['like']],
    ['passes on them', pass, ['like']],
    ['blocks them', block, []],
  ] as const)('is delivered as a like at the end of the hold if the held person %s', async (_, act, news) => {
    await like(held, other);
    await like(other, held);
    await act(held, other);
    await endHoldOf(app, held, 'released');
    expect(await newsOf(held)).toEqual(news);
    expect(await matches(other)).toEqual([]);
  });

  it('makes a match at the end of the hold if they like the sender once more after it, before the turn of the pair', async () => {
    await like(held, other);
    await like(other, held);
    await withdraw(held, other);
    await endHold(app, held);
    expect((await like(held, other)).body.data.outcome).toBe('sent');
    await deliverReleased(app);
    expect(await matches(held)).toHaveLength(1);
  });

  it('matches at the next like of a held person who was sanctioned, or is delivered if theirs was withdrawn', async () => {
    const second = await makeMember(app);
    for (const one of [other, second]) {
      await like(held, one);
      await like(one, held);
    }
    await withdraw(held, second);
    await endHoldOf(app, held, 'dropped');
    expect(await matches(held)).toEqual([]);
    expect((await like(held, second)).body.data.outcome).toBe('matched');
    await withdraw(held, other);
    expect((await like(held, other)).body.data.outcome).toBe('matched');
  });

  it('makes no match if the hold ends with a sanction, even when it was sent as that was decided', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => makeMember(app)));
    for (const one of [other, ...people]) await like(held, one);
    await like(other, held);
    await Promise.all([...people.map((one) => like(one, held)), endHoldOf(app, held, 'dropped')]);
    await deliverReleased(app);
    for (const one of [other, ...people]) expect(await matches(one)).toEqual([]);
    const { rows } = await app.pool.query(`select from decision where kind = 'held' and $1 in (viewer_id, target_id)`, [
      held.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('waits for the other hold if both were held and one is released', async () => {
    await holdAccount(app, other);
    await like(held, other);
    await like(other, held);
    await endHoldOf(app, held, 'released');
    await withdraw(other, held);
    expect((await like(other, held)).body.data.outcome).toBe('sent');
    expect((await received(other)).count).toBe(0);
    await endHoldOf(app, other, 'released');
    expect(await matches(other)).toHaveLength(1);
  });
});

/** The caller's own likes as they see them: the list and the data export. */
const ownViews = async (one: TestMember) => [await sent(one), await likesData(app.db, one.id)];

describe('releasing held likes', () => {
  it('delivers them with the time of the release and a notification, and changes nothing for the sender', async () => {
    const others = [other, await makeMember(app, { vip: true })];
    for (const one of others) {
      await like(held, one, { note: 'Hello you' });
      app.clock.advance(60);
    }
    await like(held, await makeMember(app));
    app.clock.advance(600);
    const before = await ownViews(held);
    await endHoldOf(app, held, 'released');
    expect(await ownViews(held)).toEqual(before);
    const [one, premium] = others as [TestMember, TestMember];
    expect((await received(one)).count).toBe(1);
    const likedAt = app.clock.now().toISOString();
    expect((await received(premium)).likes).toMatchObject([{ user: { _id: held.id }, note: 'Hello you', likedAt }]);
    expect(await newsOf(one)).toEqual(['like']);
    expect(await newsOf(premium)).toEqual(['like']);
  });

  it('makes the match that a held like would have made', async () => {
    await like(held, other);
    await like(other, held);
    expect(await matches(held)).toEqual([]);
    await endHoldOf(app, held, 'released');
    for (const one of [held, other]) {
      expect(await matches(one)).toHaveLength(1);
      expect(await newsOf(one)).toContain('match');
    }
  });

  it('spreads matches, notifications and first messages over two hours', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => makeMember(app)));
    for (const one of people) {
      await like(held, one);
      await like(one, held);
      const params = { id: await placeMatch(app, held, await makeMember(app)) };
      await app.call(sendMessage, { token: held.token, params, body: { clientId: randomUUID(), text: 'Hello' } });
    }
    await endHold(app, held);
    const counts: { matches: number; messages: number }[] = [];
    for (let quarter = 0; quarter <= 8; quarter += 1) {
      await app.app.background.tasks['holds.release']?.({}, undefined as never);
      const { rows } = await app.pool.query<{ matches: number; messages: number }>(
        `select (select count(*) from match where $1 in (low_id, high_id))::int - 8 as matches,
          (select count(*) from message where sender_id = $1)::int as messages`,
        [held.id],
      );
      counts.push(...rows);
      app.clock.advance(900);
    }
    for (const what of ['matches', 'messages'] as const) {
      const each = counts.map((count) => count[what]);
      expect([each[0], each.at(-1)]).toEqual([0, people.length]);
      expect(new Set(each).size).toBeGreaterThan(3);
    }
  });

  it('makes one match of two people whose likes were both held', async () => {
    await holdAccount(app, other);
    await like(held, other);
    await like(other, held);
    await endHoldOf(app, held, 'released');
    expect(await matches(held)).toEqual([]);
    expect(await newsOf(other)).toEqual([]);
    await endHoldOf(app, other, 'released');
    expect(await matches(held)).toHaveLength(1);
  });

  it('skips people who have blocked the sender', async () => {
    await like(held, other);
    await block(other, held);
    await endHoldOf(app, held, 'released');
    expect(await kindOf(held, other)).toBe('dropped');
    expect((await received(other)).count).toBe(0);
  });

  it('reveals no more to someone who passed on the sender than a later like would', async () => {
    await like(held, other);
    await pass(other, held);
    await endHoldOf(app, held, 'released');
    expect(await kindOf(held, other)).toBe('like');
    expect((await received(other)).count).toBe(1);
  });

  it('resumes where it was interrupted', async () => {
    const second = await makeMember(app);
    await like(held, other);
    await like(held, second);
    // A crash after the first delivery: the job starts again.
    await app.db
      .updateTable('account_hold')
      .set({ ended_at: app.clock.now(), outcome: 'released', releasing_since: app.clock.now() })
      .execute();
    await app.db
      .updateTable('decision')
      .set({ kind: 'like', is_pending: true })
      .where('target_id', '=', other.id)
      .execute();
    await deliverReleased(app);
    expect((await received(other)).count).toBe(1);
    expect((await received(second)).count).toBe(1);
  });

  it('stops if the account is held again', async () => {
    await like(held, other);
    await app.db
      .updateTable('account_hold')
      .set({ ended_at: app.clock.now(), outcome: 'released', releasing_since: app.clock.now() })
      .execute();
    await holdAccount(app, held);
    await deliverReleased(app);
    expect(await kindOf(held, other)).toBe('held');
  });
});

describe('the likes of a sanctioned account', () => {
  it('are never delivered, stay in its own list, and never match', async () => {
    await like(held, other, { note: 'Hello you' });
    await endHoldOf(app, held, 'dropped');
    expect(await kindOf(held, other)).toBe('dropped');
    expect((await received(other)).count).toBe(0);
    expect((await sent(held)).likes).toMatchObject([{ note: 'Hello you' }]);
    expect((await like(other, held)).body.data.outcome).toBe('sent');
    expect((await like(held, other)).body.data.outcome).toBe('sent');
    expect(await matches(other)).toEqual([]);
    expect(await newsOf(other)).toEqual([]);
  });

  it('are delivered again once the hold has ended', async () => {
    await endHoldOf(app, held, 'dropped');
    await like(held, other);
    expect((await received(other)).count).toBe(1);
  });
});

describe('likes at the same time as the end of a hold', () => {
  it('are all delivered', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => makeMember(app)));
    await Promise.all([...people.map((one) => like(held, one)), endHoldOf(app, held, 'released')]);
    await app.drain();
    for (const one of people) expect((await received(one)).count).toBe(1);
  });
});
