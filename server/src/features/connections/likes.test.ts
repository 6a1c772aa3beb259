import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { likeUser, listBlocks, passUser } from '#contract/connections.ts';
import { setProfilePicture } from '#contract/media.ts';
import { editProfile, getUser } from '#contract/profiles/profiles.ts';
import { freeLikesPerDay } from '#contract/constants.ts';
import { getCards } from '#contract/discovery.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, givePremium, likesIn, newsOfMatches, unmatchedPairs, wrongMatches } from '../../../test/likes.ts';
import { placeUpload } from '../../../test/pictures.ts';

const app = startAppForTests();

describe('likes', () => {
  const { like, pass, withdraw, block, received, sent, matches } = likesIn(() => app);
  const pair = async () => [await makeMember(app), await makeMember(app)] as const;

  describe('a like', () => {
    test('is sent and stays pending until the other member decides', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app, { vip: true })];
      const liked = await like(ada, bo);
      expect([liked.status, liked.body.data]).toEqual([201, { outcome: 'sent', remainingLikes: 29 }]);
      expect((await received(bo)).likes.map(({ user }) => user._id)).toEqual([ada.id]);
      expect((await sent(ada)).likes.map(({ user }) => user._id)).toEqual([bo.id]);
      expect([await matches(ada), await matches(bo)]).toEqual([[], []]);
    });

    test('creates a match that looks the same to both when the other person likes back', async () => {
      const [ada, bo] = await pair();
      await like(ada, bo);
      const { data } = (await like(bo, ada)).body;
      expect(data).toEqual({ outcome: 'matched', matchId: expect.any(String) as string, remainingLikes: 29 });
      expect((await matches(ada)).map(({ _id, user }) => [_id, user._id])).toEqual([[data.matchId, bo.id]]);
      expect((await matches(bo)).map(({ _id, user }) => [_id, user._id])).toEqual([[data.matchId, ada.id]]);
      for (const one of [ada, bo]) expect([(await received(one)).count, (await sent(one)).likes]).toEqual([0, []]);
    });

    test('changes nothing when it is repeated: one like, one match', async () => {
      const [ada, bo] = await pair();
      await like(ada, bo, { note: 'The first' });
      expect((await like(ada, bo, { note: 'The second' })).body.data).toEqual({ outcome: 'sent', remainingLikes: 29 });
      const { matchId } = (await like(bo, ada)).body.data;
      expect((await like(ada, bo)).body.data).toEqual({ outcome: 'matched', matchId, remainingLikes: 29 });
      expect((await matches(bo)).map(({ theirNote }) => theirNote)).toEqual(['The first']);
    });

    test('creates one match and one notification when both sides send it five times at once', async () => {
      const [ada, bo] = await pair();
      const before = await newsOfMatches(app);
      const answers = await Promise.all(Array.from({ length: 5 }, () => [like(ada, bo), like(bo, ada)]).flat());
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      const ids = answers.flatMap(({ body }) => body.data.matchId ?? []);
      expect(new Set(ids).size).toBe(1);
      expect([await matches(ada), await matches(bo)].map((list) => list.map(({ _id }) => _id))).toEqual([
        [ids[0]],
        [ids[0]],
      ]);
      expect((await newsOfMatches(app)) - before).toBe(2);
      expect([await unmatchedPairs(app), await wrongMatches(app)]).toEqual([0, 0]);
    });

    test('still leads to a match after both passed on each other', async () => {
      const [ada, bo] = await pair();
      await pass(ada, bo);
      await pass(bo, ada);
      expect((await like(ada, bo)).body.data.outcome).toBe('sent');
      expect((await like(bo, ada)).body.data.outcome).toBe('matched');
      const [cy, di] = await pair();
      await like(cy, di);
      await pass(di, cy);
      expect((await like(di, cy)).body.data.outcome).toBe('matched');
      expect([await unmatchedPairs(app), await wrongMatches(app)]).toEqual([0, 0]);
    });
  });

  describe('a like with a note and a part of the profile', () => {
    test('shows the note and the picture or prompt to the other member', async () => {
      const bo = await makeMember(app, { vip: true });
      const prompts = [{ prompt: 'small-joy' as const, answer: 'Snow' }];
      await app.call(editProfile, { token: bo.token, body: { prompts } });
      const [ada, cy, di] = [await makeMember(app), await makeMember(app), await makeMember(app)];
      const seen = await app.call(getUser, { token: ada.token, params: { id: bo.id } });
      const publicId = seen.body.data.user.pictures[0]?.publicId ?? '';
      await like(ada, bo, { note: '  Where is this?  ', on: { kind: 'picture', publicId } });
      app.clock.advance(1);
      await like(cy, bo, { note: 'Snow!', on: { kind: 'prompt', prompt: 'small-joy' } });
      app.clock.advance(1);
      await like(di, bo, { note: '   ' });
      expect((await received(bo)).likes.map(({ note, on }) => ({ note, on }))).toEqual([
        { note: null, on: null },
        { note: 'Snow!', on: { kind: 'prompt', prompt: 'small-joy' } },
        { note: 'Where is this?', on: { kind: 'picture', publicId } },
      ]);
      expect((await received(bo)).likes.map(({ part }) => part)).toMatchObject([
        null,
        { kind: 'prompt', prompt: 'small-joy', answer: 'Snow' },
        { kind: 'picture', picture: { publicId } },
      ]);
      await app.call(editProfile, { token: bo.token, body: { prompts: [] } });
      expect((await received(bo)).likes[1]).toMatchObject({ on: { kind: 'prompt' }, part: null });
    });

    test('is rejected for another member’s picture, a hidden picture and an unanswered prompt', async () => {
      const [ada, bo] = await pair();
      const others = await app.call(getUser, { token: ada.token, params: { id: (await makeMember(app)).id } });
      await app.db.deleteFrom('picture').where('account_id', '=', bo.id).execute();
      const { publicId: handle } = await placeUpload(app, bo.id);
      await app.call(setProfilePicture, { token: bo.token, body: { imageData: { publicId: handle } } });
      const pending = await app.db
        .selectFrom('picture')
        .select('id')
        .where('account_id', '=', bo.id)
        .executeTakeFirstOrThrow();
      for (const publicId of [
        others.body.data.user.pictures[0]?.publicId ?? '',
        pending.id,
        handle,
        randomUUID(),
        'x',
      ]) {
        const refused = await like(ada, bo, { on: { kind: 'picture', publicId } });
        expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'on.publicId']);
      }
      const refused = await like(ada, bo, { on: { kind: 'prompt', prompt: 'teach-me' } });
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'on.prompt']);
      expect((await sent(ada)).remainingLikes).toBe(30);
    });

    test.each<[Record<string, unknown>, string]>([
      [{ note: 'x'.repeat(141) }, 'note'],
      [{ note: 7 }, 'note'],
      [{ on: { kind: 'bio' } }, 'on'],
      [{ on: { kind: 'prompt', prompt: 'unheard-of' } }, 'on'],
    ])('is rejected for the malformed body %j', async (body, field) => {
      const [ada, bo] = await pair();
      const refused = await like(ada, bo, body);
      expect(refused.status).toBe(400);
      expect(refused.error.errors?.[0]?.field).toMatch(new RegExp(`^${field}`));
    });
  });

  describe('liking and passing', () => {
    const both = [likeUser, passUser] as const;
    const decide = (endpoint: (typeof both)[number], token: string | undefined, userId: string) => {
      const options = { ...(token === undefined ? {} : { token }), params: { userId } };
      return endpoint === likeUser ? app.call(likeUser, { ...options, body: {} }) : app.call(passUser, options);
    };

    test('return 400 for one’s own id', async () => {
      const ada = await makeMember(app);
      for (const endpoint of both) expect((await decide(endpoint, ada.token, ada.id)).status).toBe(400);
    });
  });

  describe('an incognito member', () => {
    const hide = (who: TestMember) =>
      app.db.updateTable('profile').set({ incognito: true }).where('account_id', '=', who.id).execute();

    test('is visible only to people they like, and neither an earlier like nor a block reveals them', async () => {
      const [ada, bo, cy] = [await makeMember(app, { vip: true }), await makeMember(app), await makeMember(app)];
      await like(cy, ada);
      await hide(ada);
      expect((await sent(cy)).likes).toEqual([]);
      expect((await like(bo, ada)).status).toBe(404);
      await block(cy, ada);
      const { blocks } = (await app.call(listBlocks, { token: cy.token })).body.data;
      expect(blocks.map(({ user }) => user)).toEqual([{ _id: ada.id, name: null, profilePicture: null }]);
      await like(ada, bo);
      expect((await like(bo, ada)).body.data.outcome).toBe('matched');
      expect((await matches(bo)).map(({ user }) => user._id)).toEqual([ada.id]);
    });
  });

  describe('a withdrawn like', () => {
    test('disappears for both and cannot be withdrawn twice', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app, { vip: true })];
      await like(ada, bo, { note: 'Hello' });
      expect((await withdraw(ada, bo)).body.data).toEqual({ withdrawn: true, remainingLikes: 29 });
      expect([(await received(bo)).count, (await sent(ada)).likes]).toEqual([0, []]);
      expect((await withdraw(ada, bo)).body.data.withdrawn).toBe(false);
      expect((await like(bo, ada)).body.data.outcome).toBe('sent');
    });

    test('returns an error for matches, passes, unknown members and invalid ids', async () => {
      const [ada, bo] = await pair();
      await like(ada, bo);
      await like(bo, ada);
      expect((await withdraw(ada, bo)).status).toBe(409);
      const cy = await makeMember(app);
      await pass(ada, cy);
      for (const id of [cy.id, randomUUID(), 'x', ada.id])
        expect((await withdraw(ada, { id })).body.data.withdrawn, id).toBe(false);
      for (const staff of [await makeAdministrator(app), await makeModerator(app)])
        expect((await withdraw(staff, bo)).status).toBe(403);
    });

    test('becomes either a match or nothing when the other person likes back at the same time', async () => {
      for (let round = 0; round < 12; round += 1) {
        const [ada, bo] = await pair();
        await like(ada, bo);
        const [back, taken] = await Promise.all([like(bo, ada), withdraw(ada, bo)]);
        const isMatch = back.body.data.outcome === 'matched';
        expect(taken.status).toBe(isMatch ? 409 : 200);
        expect(await matches(ada)).toHaveLength(isMatch ? 1 : 0);
      }
      expect([await unmatchedPairs(app), await wrongMatches(app)]).toEqual([0, 0]);
    });
  });
});

describe('the daily limit of likes', () => {
  /** 45 people to like. */
  let crowd: TestMember[];
  let ada: TestMember;

  beforeAll(async () => {
    crowd = await Promise.all(Array.from({ length: 45 }, () => makeMember(app)));
  });

  beforeEach(async () => {
    app.clock.set(new Date('2026-06-15T23:50:00Z'));
    ada = await makeMember(app);
  });

  const { like, pass, withdraw, undo, sent } = likesIn(() => app);
  const first = (count: number) => crowd.slice(0, count);
  const someoneElse = () => crowd[crowd.length - 1] ?? ada;

  /** Likes all of them in turn and returns the statuses. */
  async function likeAll(by: TestMember, people: TestMember[]): Promise<number[]> {
    const statuses = [];
    for (const one of people) statuses.push((await like(by, one)).status);
    return statuses;
  }

  const left = async (by: TestMember) => (await sent(by)).remainingLikes;
  const accepted = (statuses: number[]) => statuses.filter((status) => status === 201).length;

  describe('a member without premium', () => {
    test('can send 30 likes per UTC day and sees how many are left', async () => {
      const remaining = [];
      for (const one of first(freeLikesPerDay)) remaining.push((await like(ada, one)).body.data.remainingLikes);
      expect(remaining).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
      const refused = await like(ada, someoneElse());
      expect([refused.status, refused.error.code]).toEqual([422, 'LIKES_USED_UP']);
      expect([await left(ada), (await sent(ada)).pagination.total]).toEqual([0, 30]);
      expect((await app.call(getCards, { token: ada.token })).body.data.remainingLikes).toBe(0);
      app.clock.advance(10 * 60 - 1);
      expect((await like(ada, someoneElse())).status).toBe(422);
      app.clock.advance(1);
      expect((await like(ada, someoneElse())).body.data.remainingLikes).toBe(29);
    });

    test('can still pass and repeat existing likes', async () => {
      await likeAll(ada, first(30));
      expect((await pass(ada, someoneElse())).status).toBe(201);
      expect((await like(ada, crowd[0] ?? ada)).status).toBe(201);
    });

    test.each<[string, (one: TestMember) => Promise<unknown>]>([
      ['taking each like back', (one) => withdraw(ada, one)],
      ['undoing each like', () => undo(ada)],
      ['passing on each of them afterwards', (one) => pass(ada, one)],
      ['passing and undoing that', async (one) => [await pass(ada, one), await undo(ada)]],
      ['undoing, and liking the same again', async (one) => [await undo(ada), await like(ada, one)]],
    ])('cannot send a 31st like by %s', async (_, then) => {
      let answered = 0;
      for (const one of crowd) {
        app.clock.advance(1);
        if ((await like(ada, one)).status === 201) answered += 1;
        app.clock.advance(1);
        await then(one);
      }
      expect(answered).toBeLessThanOrEqual(30);
      expect(answered).toBeGreaterThan(10);
      expect([await left(ada), (await like(ada, someoneElse())).status]).toEqual([0, 422]);
    });

    test('cannot send a 31st like with parallel repeats, with or without idempotency keys', async () => {
      const tries = crowd.flatMap((one, index) => {
        const headers = index % 2 === 0 ? { 'idempotency-key': randomUUID() } : {};
        return [like(ada, one, {}, headers), like(ada, one, {}, headers)];
      });
      const answers = await Promise.all(tries);
      expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([201, 422]);
      expect((await sent(ada)).pagination.total).toBe(30);
      expect(await left(ada)).toBe(0);
    });

    test('cannot send a 31st like with a used idempotency key', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      await like(ada, crowd[0] ?? ada, {}, headers);
      await likeAll(ada, first(30));
      await withdraw(ada, crowd[0] ?? ada);
      expect((await like(ada, crowd[0] ?? ada, {}, headers)).status).toBe(201);
      expect((await sent(ada)).pagination.total).toBe(29);
      expect((await like(ada, crowd[0] ?? ada)).status).toBe(422);
    });

    test('does not spend a like on a refused request', async () => {
      expect((await like(ada, { id: randomUUID() })).status).toBe(404);
      expect((await like(ada, someoneElse(), { on: { kind: 'prompt', prompt: 'teach-me' } })).status).toBe(400);
      expect(await left(ada)).toBe(30);
    });

    test('does not share the limit with other members', async () => {
      await likeAll(ada, first(30));
      const bo = await makeMember(app);
      expect(accepted(await likeAll(bo, first(30)))).toBe(30);
    });
  });

  describe('a member with premium', () => {
    test('has no limit', async () => {
      await givePremium(app, ada);
      expect(accepted(await likeAll(ada, crowd))).toBe(45);
      expect(await left(ada)).toBeNull();
    });

    test('returns to 30 likes a day when premium ends, counting those sent with premium', async () => {
      await givePremium(app, ada);
      await likeAll(ada, first(12));
      await endPremium(app, ada);
      expect(await left(ada)).toBe(18);
      await likeAll(ada, crowd.slice(12, 30));
      expect((await like(ada, someoneElse())).status).toBe(422);
      const bo = await makeMember(app, { vip: true });
      await likeAll(bo, first(40));
      await endPremium(app, bo);
      expect([await left(bo), (await like(bo, someoneElse())).status]).toEqual([0, 422]);
      app.clock.advance(600);
      expect([await left(bo), (await like(bo, someoneElse())).status]).toEqual([30, 201]);
    });
  });
});
