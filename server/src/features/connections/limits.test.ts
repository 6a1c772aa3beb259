import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freeLikesPerDay } from '#contract/constants.ts';
import { getCards } from '#contract/discovery.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, givePremium, likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
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
