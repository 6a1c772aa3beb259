import { beforeEach, describe, expect, test } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { likesReceived, likesSent, listMatches } from '#contract/connections.ts';
import { getProfile, getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { deleteAccounts, makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, givePremium, likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
let ada: TestMember;
beforeEach(async () => {
  ada = await makeMember(app, { lastActiveAt: app.clock.now() });
});

const { like, pass, undo, withdraw, block, unblock, received, sent } = likesIn(() => app);
const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeMember(app, { lastActiveAt: app.clock.now() })));
const idsOf = async (by: TestMember) => (await received(by)).likes.map(({ user }) => user._id);
/** A new member who likes Ada. */
async function liker(): Promise<TestMember> {
  const [one] = await people(1);
  if (one === undefined) throw new Error('one more was expected');
  await like(one, ada, { note: 'Canarynote' });
  return one;
}

describe('likes received, with premium', () => {
  beforeEach(() => givePremium(app, ada));

  test('are listed newest first, in pages', async () => {
    const likers = [];
    for (let index = 0; index < 5; index += 1) {
      app.clock.advance(1);
      likers.push(await liker());
    }
    const newestFirst = likers.map(({ id }) => id).toReversed();
    expect(await idsOf(ada)).toEqual(newestFirst);
    const page = await received(ada, { page: '2', limit: '2' });
    expect(page.likes.map(({ user }) => user._id)).toEqual(newestFirst.slice(2, 4));
    expect([page.count, page.pagination, page.patterns]).toEqual([5, { page: 2, limit: 2, total: 5, pages: 3 }, []]);
    expect((await received(ada, { page: '9' })).likes).toEqual([]);
  });

  test('leave out answered, withdrawn, hidden and blocked likes, and include them again once visible', async () => {
    const [matched, passed, gone, blocked, stays] = [
      await liker(),
      await liker(),
      await liker(),
      await liker(),
      await liker(),
    ];
    await like(ada, matched);
    await pass(ada, passed);
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', gone.id).execute();
    await block(blocked, ada);
    await withdraw(await liker(), ada);
    expect([await idsOf(ada), (await received(ada)).count]).toEqual([[stays.id], 1]);
    await app.db.updateTable('account').set({ leaving_since: null }).where('id', '=', gone.id).execute();
    await unblock(blocked, ada);
    expect((await idsOf(ada)).sort()).toEqual([stays.id, gone.id, blocked.id].sort());
    await deleteAccounts(app, gone.id);
    expect((await idsOf(ada)).sort()).toEqual([stays.id, blocked.id].sort());
  });

  test('are no longer listed after premium ends', async () => {
    const { id } = await liker();
    expect(await idsOf(ada)).toEqual([id]);
    await endPremium(app, ada);
    expect((await received(ada)).likes).toEqual([]);
  });
});

describe('likes received, without premium', () => {
  /** All answers that show people to a member, as text. */
  async function everythingShown(by: TestMember): Promise<string> {
    const { token } = by;
    const answers = [
      await app.call(likesReceived, { token }),
      await app.call(likesReceived, { token, query: { page: '1', limit: '100' } }),
      await app.call(likesSent, { token }),
      await app.call(listMatches, { token }),
      await app.call(getProfile, { token }),
    ];
    return answers.map(({ raw }) => raw).join('\n');
  }

  test('are shown as a count and patterns, without a name, note, id or picture of any of fifty people', async () => {
    const likers = [];
    for (let index = 0; index < 50; index += 1) likers.push(await liker());
    const { count, patterns, likes, pagination } = await received(ada);
    expect([count, patterns.length, likes, pagination.total]).toEqual([50, 6, [], 50]);
    const pictures = await app.db
      .selectFrom('picture')
      .select(['id', 'object_key as key'])
      .where(
        'account_id',
        'in',
        likers.map(({ id }) => id),
      )
      .execute();
    const shown = await everythingShown(ada);
    const secrets = ['Canarynote', ...likers.map(({ id }) => id), ...pictures.flatMap(({ id, key }) => [id, key])];
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  });

  test('are shown with patterns that depend only on the viewer, not on the people', async () => {
    const bo = await makeMember(app);
    const nobody = (await received(ada)).patterns;
    await liker();
    await liker();
    const two = (await received(ada)).patterns;
    await app.db.deleteFrom('decision').where('target_id', '=', ada.id).execute();
    await liker();
    await liker();
    expect([nobody, (await received(ada)).patterns]).toEqual([[], two]);
    for (const one of await people(2)) await like(one, bo);
    expect((await received(bo)).patterns).not.toEqual(two);
  });

  test('change nothing in the card, profile and search entry of the person who sent one', async () => {
    const among = { gender: 'non-binary', seeking: ['non-binary'], lastActiveAt: app.clock.now() } as const;
    const twin = () => makeMember(app, { ...among, seeking: [...among.seeking], firstName: 'Twin' });
    const [admirer, stranger, viewer] = [await twin(), await twin(), await twin()];
    await like(admirer, viewer);
    const { token } = viewer;
    const { cards } = (await app.call(getCards, { token })).body.data;
    const plain = (text: string, { id }: TestMember) =>
      text.replaceAll(id, 'ID').replace(/"(url|thumbnailUrl|publicId|profilePicture)":"[^"]*"/g, '');
    const cardOf = (who: TestMember) => plain(JSON.stringify(cards.find(({ user }) => user._id === who.id)), who);
    expect(cardOf(admirer)).toContain('Twin');
    expect(cardOf(admirer)).toBe(cardOf(stranger));
    const profileOf = async (who: TestMember) =>
      plain(JSON.stringify((await app.call(getUser, { token, params: { id: who.id } })).body.data), who);
    expect(await profileOf(admirer)).toBe(await profileOf(stranger));
    const found = (await app.call(searchUsers, { token, query: { search: 'Twin' } })).body.data.users;
    const foundAs = (who: TestMember) => plain(JSON.stringify(found.find((user) => user._id === who.id)), who);
    expect(foundAs(admirer)).toBe(foundAs(stranger));
  });

  test.each<[string, (target: TestMember) => Promise<unknown>]>([
    ['passing', (target) => pass(ada, target)],
    ['passing and undoing', async (target) => [await pass(ada, target), await undo(ada)]],
    ['blocking', (target) => block(ada, target)],
    ['blocking and unblocking', async (target) => [await block(ada, target), await unblock(ada, target)]],
  ])('are counted so that %s reveals nothing about whether someone sent one', async (_, probe) => {
    const [stranger] = (await people(1)) as [TestMember];
    const [admirer, other] = [await liker(), await liker()];
    await probe(stranger);
    const before = await received(ada);
    await probe(admirer);
    expect(await received(ada)).toEqual(before);
    expect(before.count).toBe(2);
    await like(ada, other);
    expect((await received(ada)).count).toBe(1);
  });

  test('still count people the viewer passed on or blocked; with premium only pending likes count', async () => {
    const [passed, blocked] = [await liker(), await liker()];
    await liker();
    await pass(ada, passed);
    await block(ada, blocked);
    expect((await received(ada)).count).toBe(3);
    await givePremium(app, ada);
    expect((await received(ada)).count).toBe(1);
    await endPremium(app, ada);
    app.clock.set(new Date('2026-06-16T00:00:00Z'));
    expect((await received(await signIn(app, ada.id))).count).toBe(3);
  });
});

describe('the list of sent likes', () => {
  test('contains unanswered likes, newest first, without revealing passes', async () => {
    const [bo, cy, di, el] = (await people(4)) as [TestMember, TestMember, TestMember, TestMember];
    for (const one of [bo, cy, di, el]) {
      app.clock.advance(1);
      await like(ada, one, { note: one === bo ? 'Hello Bo' : '' });
    }
    await pass(cy, ada);
    await like(di, ada);
    await block(el, ada);
    const { likes, pagination, remainingLikes } = await sent(ada);
    expect(likes.map(({ user, note }) => [user._id, note])).toEqual([
      [cy.id, null],
      [bo.id, 'Hello Bo'],
    ]);
    expect([pagination.total, remainingLikes]).toEqual([2, 26]);
  });
});
