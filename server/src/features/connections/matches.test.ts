import { beforeEach, describe, expect, test } from 'vitest';
import { listBlocks, listMatches } from '#contract/connections.ts';
import { getCards } from '#contract/discovery.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, refusal, unmatchedPairs, wrongMatches } from '../../../test/likes.ts';

const app = startAppForTests();
let ada: TestMember;
let bo: TestMember;
beforeEach(async () => {
  ada = await makeMember(app, { vip: true, lastActiveAt: app.clock.now() });
  bo = await makeMember(app, { vip: true, lastActiveAt: app.clock.now() });
});

const { like, pass, withdraw, undo, block, unblock, unmatch, match, received, sent, matches } = likesIn(() => app);
const hide = (who: TestMember, since: Date | null) =>
  app.db.updateTable('account').set({ leaving_since: since }).where('id', '=', who.id).execute();
const everyoneShown = async (by: TestMember) =>
  (await app.call(getCards, { token: by.token })).body.data.cards.map(({ user }) => user._id);

describe('matches', () => {
  test('are listed newest first, in pages, with both notes', async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      app.clock.advance(1);
      const other = await makeMember(app);
      await like(ada, other, { note: `Mine ${index}` });
      ids.push((await like(other, ada, { note: index === 1 ? '' : `Theirs ${index}` })).body.data.matchId);
    }
    const listed = await matches(ada);
    expect(listed.map(({ _id, myNote, theirNote }) => [_id, myNote, theirNote])).toEqual([
      [ids[2], 'Mine 2', 'Theirs 2'],
      [ids[1], 'Mine 1', null],
      [ids[0], 'Mine 0', 'Theirs 0'],
    ]);
    expect((await matches(ada, { page: '2', limit: '2' })).map(({ _id }) => _id)).toEqual([ids[0]]);
  });

  test('appear on each other’s profiles, as does an unanswered like, but never what the other decided', async () => {
    const relation = async (by: TestMember, to: TestMember) => {
      const { decision, matchId } = (await app.call(getUser, { token: by.token, params: { id: to.id } })).body.data;
      return { decision, matchId };
    };
    expect(await relation(ada, bo)).toEqual({ decision: null, matchId: null });
    await like(bo, ada);
    expect(await relation(ada, bo)).toEqual({ decision: null, matchId: null });
    expect(await relation(bo, ada)).toEqual({ decision: 'like', matchId: null });
    const { matchId } = (await like(ada, bo)).body.data;
    expect(await relation(ada, bo)).toEqual({ decision: 'like', matchId });
    expect(await relation(bo, ada)).toEqual({ decision: 'like', matchId });
    expect(await relation(ada, ada)).toEqual({});
    expect(await relation(await makeAdministrator(app), ada)).toEqual({});
  });

  test('continue after the cursor when a new match is added before it', async () => {
    const others = [];
    for (let index = 0; index < 3; index += 1) {
      app.clock.advance(1);
      const other = await makeMember(app);
      await match(ada, other);
      others.push(other.id);
    }
    const page = async (query: Record<string, string>) =>
      (await app.call(listMatches, { token: ada.token, query: { limit: '2', ...query } })).body.data;
    const first = await page({});
    app.clock.advance(1);
    await match(ada, await makeMember(app));
    const second = await page({ cursor: first.pagination.nextCursor ?? '' });
    const shown = [...first.matches, ...second.matches].map(({ user }) => user._id);
    expect([shown, second.pagination.nextCursor]).toEqual([others.toReversed(), null]);
    expect((await page({ page: '1' })).pagination).not.toHaveProperty('nextCursor');
    expect(await app.call(listMatches, { token: ada.token, query: { cursor: 'x' } })).toMatchObject({ status: 400 });
  });

  test('are hidden from everyone else', async () => {
    await match(ada, bo);
    expect(await matches(await makeMember(app))).toEqual([]);
  });

  test('are hidden while the other member is leaving, and return with them', async () => {
    const id = await match(ada, bo);
    await hide(bo, app.clock.now());
    expect(await matches(ada)).toEqual([]);
    await hide(bo, null);
    expect((await matches(ada)).map(({ _id }) => _id)).toEqual([id]);
  });

  test('are hidden while the other member is deactivated', async () => {
    await match(ada, bo);
    const change = { is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'spam' };
    await app.db.updateTable('account').set(change).where('id', '=', bo.id).execute();
    expect(await matches(ada)).toEqual([]);
  });

  test('are deleted with an account, as are all decisions about it', async () => {
    await match(ada, bo);
    await deleteAccounts(app, bo.id);
    expect([await matches(ada), (await sent(ada)).likes]).toEqual([[], []]);
    const { rows } = await app.pool.query(`select from decision where viewer_id = $1 or target_id = $1`, [bo.id]);
    expect(rows).toEqual([]);
  });

  test('return 409 to a pass', async () => {
    await match(ada, bo);
    expect((await pass(ada, bo)).status).toBe(409);
    expect(await matches(bo)).toHaveLength(1);
  });
});

describe('ending a match', () => {
  test('removes it for both without a notification', async () => {
    const id = await match(ada, bo);
    await app.drain();
    const mails = async () => (await app.outbox(bo.email)).length + (await app.outbox(ada.email)).length;
    const before = await mails();
    expect((await unmatch(ada, id)).body.data).toEqual({ unmatched: true });
    await app.drain();
    expect([await matches(ada), await matches(bo), await mails()]).toEqual([[], [], before]);
  });

  test('is final: no like, pass or undo brings it back, and no card appears', async () => {
    await unmatch(ada, await match(ada, bo));
    for (const [one, other] of [
      [ada, bo],
      [bo, ada],
    ] as const) {
      expect((await like(one, other)).status).toBe(404);
      expect((await pass(one, other)).status).toBe(404);
      expect((await undo(one, other)).status).toBe(404);
      expect((await withdraw(one, other)).body.data.withdrawn).toBe(false);
      expect((await app.call(getUser, { token: one.token, params: { id: other.id } })).status).toBe(404);
      expect((await app.call(listBlocks, { token: one.token })).body.data.blocks).toEqual([]);
      expect(await everyoneShown(one)).not.toContain(other.id);
      expect([await matches(one), (await sent(one)).likes, (await received(one)).likes]).toEqual([[], [], []]);
    }
  });

  test('happens once when both sides end it at the same time', async () => {
    const id = await match(ada, bo);
    const statuses = (await Promise.all([unmatch(ada, id), unmatch(bo, id), unmatch(ada, id)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 404, 404]);
    expect(await wrongMatches(app)).toBe(0);
  });
});

describe('a block', () => {
  test('ends a match for both, for good', async () => {
    await match(ada, bo);
    await block(bo, ada);
    expect([await matches(ada), await matches(bo), await wrongMatches(app)]).toEqual([[], [], 0]);
    await unblock(bo, ada);
    expect([await matches(ada), await matches(bo)]).toEqual([[], []]);
    expect((await like(ada, bo)).status).toBe(409);
    expect(await unmatchedPairs(app)).toBe(0);
  });

  test('hides a like while it lasts; once removed, the like is pending again', async () => {
    await like(ada, bo);
    await block(bo, ada);
    expect([(await received(bo)).count, (await sent(ada)).likes]).toEqual([0, []]);
    await unblock(bo, ada);
    expect([(await received(bo)).count, (await sent(ada)).likes.length]).toEqual([1, 1]);
    expect((await like(bo, ada)).body.data.outcome).toBe('matched');
  });

  test('never coexists with a match when it is made during the second like', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [await makeMember(app), await makeMember(app)];
      await like(one, other);
      const [back] = await Promise.all([like(other, one), block(one, other)]);
      expect([201, 404]).toContain(back.status);
      expect([await matches(one), await matches(other)]).toEqual([[], []]);
    }
    expect([await wrongMatches(app), await unmatchedPairs(app)]).toEqual([0, 0]);
  });
});

describe('a member who disappears', () => {
  /** All answers that mention a member and a former match, as one text. */
  async function everythingAbout(by: TestMember, other: TestMember, matchId: string): Promise<string> {
    const answers = [
      refusal(await app.call(getUser, { token: by.token, params: { id: other.id } })),
      refusal(await like(by, other)),
      refusal(await pass(by, other)),
      refusal(await unmatch(by, matchId)),
      refusal(await undo(by, other)),
      JSON.stringify((await withdraw(by, other)).body.data.withdrawn),
      refusal(await undo(by)),
      JSON.stringify([await matches(by), (await sent(by)).likes, (await received(by)).likes]),
    ];
    return answers.join('\n');
  }

  test('looks the same after a match, whether they blocked the viewer or left', async () => {
    const blocked = await match(ada, bo);
    await block(bo, ada);
    const [cy, di] = [await makeMember(app, { vip: true }), await makeMember(app)];
    const left = await match(cy, di);
    await hide(di, app.clock.now());
    expect(await everythingAbout(ada, bo, blocked)).toBe(await everythingAbout(cy, di, left));
  });

  test('looks the same before a match, whether they blocked the viewer or left, and the like can be withdrawn', async () => {
    const [cy, di] = [await makeMember(app, { vip: true }), await makeMember(app)];
    await like(ada, bo);
    await like(cy, di);
    await block(bo, ada);
    await hide(di, app.clock.now());
    expect([(await withdraw(ada, bo)).body, (await withdraw(cy, di)).body]).toEqual([
      expect.objectContaining({ data: { withdrawn: true, remainingLikes: null } }),
      expect.objectContaining({ data: { withdrawn: true, remainingLikes: null } }),
    ]);
  });
});
