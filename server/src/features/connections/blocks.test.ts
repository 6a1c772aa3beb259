import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { blockUser, listBlocks, unblockUser } from '#contract/connections.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { addBookmark, bookmarksMax, listBookmarks, removeBookmark } from '#contract/bookmarks.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  type TestMember,
} from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

describe('blocks', () => {
  const block = (by: TestMember, userId: string) => app.call(blockUser, { token: by.token, params: { userId } });
  const unblock = (by: TestMember, userId: string) => app.call(unblockUser, { token: by.token, params: { userId } });
  const blocksOf = async (by: TestMember) => (await app.call(listBlocks, { token: by.token })).body.data.blocks;
  const sees = async (viewer: TestMember, other: TestMember) =>
    (await app.call(getUser, { token: viewer.token, params: { id: other.id } })).status === 200;
  const finds = async (viewer: TestMember, search: string) =>
    (await app.call(searchUsers, { token: viewer.token, query: { search } })).body.data;

  describe('a block', () => {
    test('hides both from each other immediately, in profiles, in search and in its total', async () => {
      const [ada, bo] = [
        await makeMember(app, { firstName: 'Adablock' }),
        await makeMember(app, { firstName: 'Boblock' }),
      ];
      expect(await sees(ada, bo)).toBe(true);
      expect((await block(ada, bo.id)).status).toBe(201);
      expect([await sees(ada, bo), await sees(bo, ada)]).toEqual([false, false]);
      for (const [viewer, name] of [
        [ada, 'Boblock'],
        [bo, 'Adablock'],
      ] as const) {
        const { users, pagination } = await finds(viewer, name);
        expect([users, pagination.total]).toEqual([[], 0]);
      }
    });

    test('is silent: the blocked member gets the same answer as for an unknown id', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app)];
      await block(ada, bo.id);
      const blocked = await app.call(getUser, { token: bo.token, params: { id: ada.id } });
      const missing = await app.call(getUser, { token: bo.token, params: { id: randomUUID() } });
      const { requestId: _a, ...one } = blocked.error;
      const { requestId: _b, ...other } = missing.error;
      expect(one).toEqual(other);
      expect(await blocksOf(bo)).toEqual([]);
    });

    test('can only be removed by the member who made it', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app)];
      await block(ada, bo.id);
      expect((await unblock(bo, ada.id)).status).toBe(200);
      expect(await sees(bo, ada)).toBe(false);
      await unblock(ada, bo.id);
      expect([await sees(ada, bo), await sees(bo, ada)]).toEqual([true, true]);
    });

    test('lasts until both have removed it, if both made one', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app)];
      await Promise.all([block(ada, bo.id), block(bo, ada.id)]);
      await unblock(ada, bo.id);
      expect([await sees(ada, bo), await sees(bo, ada)]).toEqual([false, false]);
      await unblock(bo, ada.id);
      expect(await sees(ada, bo)).toBe(true);
    });

    test('is stored once when it is repeated or sent in parallel', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app)];
      const answers = await Promise.all(Array.from({ length: 8 }, () => block(ada, bo.id)));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
      expect(await blocksOf(ada)).toHaveLength(1);
    });

    test("returns 400 for one's own id, and 403 to staff", async () => {
      const ada = await makeMember(app);
      expect((await block(ada, ada.id)).status).toBe(400);
      for (const staff of [await makeAdministrator(app), await makeModerator(app)]) {
        expect((await block(staff, ada.id)).status).toBe(403);
        expect((await unblock(staff, ada.id)).status).toBe(403);
        expect((await app.call(listBlocks, { token: staff.token })).status).toBe(403);
      }
    });
  });

  describe('GET /blocks', () => {
    test('lists blocked members newest first, with a name only while the two could see each other without the block', async () => {
      const me = await makeMember(app);
      const shown = await makeMember(app, { firstName: 'Shown' });
      const hidden = await makeMember(app, { firstName: 'Hidden', deactivated: 'spam' });
      const blocksMe = await makeMember(app, { firstName: 'Blocksme' });
      await block(blocksMe, me.id);
      for (const { id } of [shown, hidden, blocksMe]) {
        await block(me, id);
        app.clock.advance(1);
      }
      expect((await blocksOf(me)).map(({ user }) => [user._id, user.name])).toEqual([
        [blocksMe.id, null],
        [hidden.id, null],
        [shown.id, 'Shown'],
      ]);
    });

    test('leaves out deleted accounts', async () => {
      const [me, gone] = [await makeMember(app), await makeMember(app)];
      await block(me, gone.id);
      await deleteAccounts(app, gone.id);
      expect(await blocksOf(me)).toEqual([]);
    });
  });
});

describe('PUT /bookmarks/{userId}', () => {
  const { block } = likesIn(() => app);
  const add = (who: { token?: string }, userId: string) => app.call(addBookmark, { ...who, params: { userId } });
  const remove = (who: TestMember, userId: string) =>
    app.call(removeBookmark, { token: who.token, params: { userId } });
  const page = async (who: TestMember, query: { cursor?: string; limit?: string } = {}) =>
    (await app.call(listBookmarks, { token: who.token, query })).body.data;
  const ids = async (who: TestMember) => (await page(who)).bookmarks.map(({ user }) => user._id);

  it('keeps people, newest first and page by page, and only for the caller', async () => {
    const ada = await makeMember(app);
    const others = [await makeMember(app), await makeMember(app), await makeMember(app)];
    for (const { id } of others) {
      app.clock.advance(1);
      expect((await add(ada, id)).body.data.isBookmarked).toBe(true);
    }
    const newest = others.map(({ id }) => id).toReversed();
    expect(await ids(ada)).toEqual(newest);
    const first = await page(ada, { limit: '2' });
    const second = await page(ada, { limit: '2', cursor: first.nextCursor ?? '' });
    expect([...first.bookmarks, ...second.bookmarks].map(({ user }) => user._id)).toEqual(newest);
    expect(second.nextCursor).toBeNull();
    for (const other of others) expect(await ids(other)).toEqual([]);
  });

  it('changes nothing when it is repeated or sent twice at once', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    const all = await Promise.all([add(ada, bo.id), add(ada, bo.id), add(ada, bo.id)]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const profile = await app.call(getUser, { token: ada.token, params: { id: bo.id } });
    expect(profile.body.data.isBookmarked).toBe(true);
    await remove(ada, bo.id);
    await remove(ada, bo.id);
    expect(await ids(ada)).toEqual([]);
  });

  it('leaves out people the caller can no longer see', async () => {
    const [ada, bo, cy] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    for (const { id } of [bo, cy]) await add(ada, id);
    await block(bo, ada);
    expect(await ids(ada)).toEqual([cy.id]);
    await deleteAccounts(app, cy.id);
    expect(await ids(ada)).toEqual([]);
    expect(await app.db.selectFrom('bookmark').select('target_id').where('target_id', '=', cy.id).execute()).toEqual(
      [],
    );
  });

  it('rejects more than the limit, even with parallel requests', async () => {
    const [ada, bo, cy] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    await app.pool.query(
      `insert into bookmark (account_id, target_id, created_at)
        select $1, gen_random_uuid(), now() from generate_series(1, $2::int)`,
      [ada.id, bookmarksMax - 1],
    );
    const all = await Promise.all([add(ada, bo.id), add(ada, cy.id)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('rejects one’s own profile, hidden and unknown people, staff and visitors', async () => {
    const ada = await makeMember(app);
    expect((await add(ada, ada.id)).status).toBe(400);
    const hidden = await makeMember(app, { leaving: true });
    for (const id of [hidden.id, 'nothing', "' or 1=1"]) expect((await add(ada, id)).status).toBe(404);
    expect((await add({}, hidden.id)).status).toBe(401);
    expect((await add(await makeModerator(app), ada.id)).status).toBe(403);
  });
});
