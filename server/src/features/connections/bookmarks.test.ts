import { describe, expect, it } from 'vitest';
import { addBookmark, bookmarksMax, listBookmarks, removeBookmark } from '#contract/bookmarks.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { deleteAccounts, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

const { block } = likesIn(() => app);
const add = (who: { token?: string }, userId: string) => app.call(addBookmark, { ...who, params: { userId } });
const remove = (who: TestMember, userId: string) => app.call(removeBookmark, { token: who.token, params: { userId } });
const page = async (who: TestMember, query: { cursor?: string; limit?: string } = {}) =>
  (await app.call(listBookmarks, { token: who.token, query })).body.data;
const ids = async (who: TestMember) => (await page(who)).bookmarks.map(({ user }) => user._id);

describe('PUT /bookmarks/{userId}', () => {
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

  it('changes nothing when repeated, also at once', async () => {
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

  it('refuses more than the limit, also at once', async () => {
    const [ada, bo, cy] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    await app.pool.query(
      `insert into bookmark (account_id, target_id, created_at)
        select $1, gen_random_uuid(), now() from generate_series(1, $2::int)`,
      [ada.id, bookmarksMax - 1],
    );
    const all = await Promise.all([add(ada, bo.id), add(ada, cy.id)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('refuses the own profile, hidden and unknown people, staff and visitors', async () => {
    const ada = await makeMember(app);
    expect((await add(ada, ada.id)).status).toBe(400);
    const hidden = await makeMember(app, { leaving: true });
    for (const id of [hidden.id, 'nothing', "' or 1=1"]) expect((await add(ada, id)).status).toBe(404);
    expect((await add({}, hidden.id)).status).toBe(401);
    expect((await add(await makeModerator(app), ada.id)).status).toBe(403);
  });
});
