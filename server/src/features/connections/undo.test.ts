import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { leaveService } from '#contract/auth/auth.ts';
import { makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, givePremium, likesIn, unmatchedPairs } from '../../../test/likes.ts';

const app = startAppForTests();
let ada: TestMember;
let [bo, cy, di]: TestMember[] = [];
beforeEach(async () => {
  [ada, bo, cy, di] = (await Promise.all(Array.from({ length: 4 }, () => makeMember(app)))) as [
    TestMember,
    TestMember,
    TestMember,
    TestMember,
  ];
});

const { like, pass, match, undo, block, withdraw, received, sent, matches } = likesIn(() => app);
const someone = (who: TestMember | undefined): TestMember => who ?? ada;

/** Sends passes one second apart. */
async function passAll(people: (TestMember | undefined)[]): Promise<void> {
  for (const one of people) {
    app.clock.advance(1);
    await pass(ada, someone(one));
  }
  app.clock.advance(1);
}
const codeOf = async (asked: ReturnType<typeof undo>) => {
  const answered = await asked;
  return answered.status === 200 ? answered.body.data.userId : answered.error.code;
};

describe('undo without premium', () => {
  test('reverts the last decision, like or pass', async () => {
    await passAll([bo, cy]);
    expect((await undo(ada)).body.data).toEqual({ userId: cy?.id, was: 'pass', remainingLikes: 30 });
    app.clock.advance(1);
    await like(ada, someone(di));
    expect((await undo(ada)).body.data).toEqual({ userId: di?.id, was: 'like', remainingLikes: 29 });
    expect((await sent(ada)).likes).toEqual([]);
  });

  test('reverts only one decision', async () => {
    await passAll([bo, cy]);
    await undo(ada);
    expect(await codeOf(undo(ada))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(undo(ada, bo))).toBe('PREMIUM_REQUIRED');
    await passAll([di]);
    expect(await codeOf(undo(ada))).toBe(di?.id);
  });

  test('accepts a userId if that was the last decision', async () => {
    await passAll([bo, cy]);
    expect(await codeOf(undo(ada, bo))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(undo(ada, cy))).toBe(cy?.id);
  });

  test('works on another device and for a day', async () => {
    await passAll([bo]);
    app.clock.advance(86_400 - 1);
    expect(await codeOf(undo(await signIn(app, ada.id)))).toBe(bo?.id);
    ada = { ...ada, ...(await signIn(app, ada.id)) };
    await passAll([cy]);
    app.clock.advance(86_400);
    expect(await codeOf(undo(await signIn(app, ada.id)))).toBe('NOT_FOUND');
  });

  test('happens once when twenty requests arrive in parallel', async () => {
    await passAll([bo, cy]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => codeOf(undo(ada))));
    expect(answers.filter((answer) => answer === cy?.id)).toHaveLength(1);
    expect(answers.filter((answer) => answer === bo?.id)).toEqual([]);
  });
});

describe('undo with premium', () => {
  beforeEach(() => givePremium(app, ada));

  test('reverts any decision of the last day, in any order', async () => {
    await passAll([bo, cy, di]);
    expect(await codeOf(undo(ada, bo))).toBe(bo?.id);
    expect(await codeOf(undo(ada))).toBe(di?.id);
    expect(await codeOf(undo(ada))).toBe(cy?.id);
    expect(await codeOf(undo(ada))).toBe('NOT_FOUND');
  });

  test('keeps decisions that are older than a day', async () => {
    await passAll([bo]);
    app.clock.advance(86_400 - 1);
    ada = { ...ada, ...(await signIn(app, ada.id)) };
    await passAll([cy]);
    expect(await codeOf(undo(ada, bo))).toBe('NOT_FOUND');
    expect(await codeOf(undo(ada, cy))).toBe(cy?.id);
  });

  test('is limited to the last decision after premium ends', async () => {
    await passAll([bo, cy]);
    await endPremium(app, ada);
    expect(await codeOf(undo(ada, bo))).toBe('PREMIUM_REQUIRED');
  });
});

describe('undo', () => {
  test('returns 409 once the like has become a match', async () => {
    await like(someone(bo), ada);
    await like(ada, someone(bo));
    const refused = await undo(ada);
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
    await givePremium(app, ada);
    expect((await undo(ada, bo)).status).toBe(409);
    expect(await matches(ada)).toHaveLength(1);
  });

  test('returns 404 without a decision, the second time, and for an unknown member', async () => {
    expect(await codeOf(undo(ada))).toBe('NOT_FOUND');
    await passAll([bo]);
    await undo(ada);
    expect(await codeOf(undo(ada))).toBe('NOT_FOUND');
    await givePremium(app, ada);
    for (const id of [bo?.id ?? '', randomUUID(), 'x', ada.id])
      expect(await codeOf(undo(ada, { id })), id).toBe('NOT_FOUND');
  });

  test('returns 404 for another member’s decision', async () => {
    await pass(someone(bo), ada);
    await givePremium(app, ada);
    expect(await codeOf(undo(ada, bo))).toBe('NOT_FOUND');
  });
});

describe('an undone decision', () => {
  test('leaves the other person’s like pending, so that it can still become a match', async () => {
    await givePremium(app, ada);
    await like(someone(bo), ada, { note: 'Hello' });
    await pass(ada, someone(bo));
    expect((await received(ada)).count).toBe(0);
    await undo(ada);
    expect((await received(ada)).likes.map(({ user, note }) => [user._id, note])).toEqual([[bo?.id, 'Hello']]);
    expect((await like(ada, someone(bo))).body.data.outcome).toBe('matched');
    expect(await unmatchedPairs(app)).toBe(0);
  });

  test('keeps the other person’s pass', async () => {
    await givePremium(app, someone(bo));
    await pass(someone(bo), ada);
    await like(ada, someone(bo));
    expect((await received(someone(bo))).count).toBe(0);
    await undo(ada);
    await like(ada, someone(bo));
    expect((await received(someone(bo))).count).toBe(0);
  });

  test('can be about a member who is no longer visible', async () => {
    await passAll([bo]);
    await block(someone(bo), ada);
    expect(await codeOf(undo(ada))).toBe(bo?.id);
  });

  test('leads to either a match or nothing when the like is returned at the same time', async () => {
    for (let round = 0; round < 12; round += 1) {
      const [one, other] = [await makeMember(app), await makeMember(app)];
      await like(one, other);
      const [back, taken] = await Promise.all([like(other, one), undo(one)]);
      const isMatch = back.body.data.outcome === 'matched';
      expect(taken.status).toBe(isMatch ? 409 : 200);
      expect(await matches(one)).toHaveLength(isMatch ? 1 : 0);
    }
  });

  test('cannot be withdrawn as well', async () => {
    await like(ada, someone(bo));
    await undo(ada);
    expect((await withdraw(ada, someone(bo))).body.data.withdrawn).toBe(false);
  });
});

const ways = {
  blocked: (one: TestMember, other: TestMember) => block(other, one),
  left: (_: TestMember, other: TestMember) => app.call(leaveService, { token: other.token, body: {} }),
};

/** The kinds of database notifications sent while `work` runs. */
async function notificationsOf(work: () => Promise<unknown>): Promise<string[]> {
  const listener = await app.pool.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push((JSON.parse(payload) as { what: string }).what));
  await listener.query('listen heartwood');
  await work();
  // Notifications arrive with the next query result at the latest.
  await listener.query('unlisten heartwood');
  listener.release(true);
  return heard.filter((what) => what.startsWith('match'));
}

describe.each(Object.entries(ways))('a match where one of the two has %s', (_, happens) => {
  it('looks the same to undo, and a block in return sends no second notification', async () => {
    const [one, other, third] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    await like(other, one);
    app.clock.advance(1);
    await match(one, other);
    app.clock.advance(1);
    await pass(one, third);
    expect(await notificationsOf(() => happens(one, other))).toEqual(['match-ended']);
    const named = await undo(one, other);
    expect([named.status, named.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(await notificationsOf(() => block(one, other))).toEqual([]);
    const last = await undo(one);
    expect(last.body.data.userId).toBe(third.id);
  });
});
