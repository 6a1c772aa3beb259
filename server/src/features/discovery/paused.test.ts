import { beforeEach, describe, expect, it } from 'vitest';
import { blockUser } from '#contract/connections.ts';
import { leaveService } from '#contract/auth/auth.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { listMessages, sendMessage } from '#contract/messages.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { deleteAccounts, makeAdministrator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { diskStorage } from '../media/storage/storage.ts';

const app = startAppForTests();
beforeEach(async () => {
  await deleteAllMembers(app);
  // Lets the cached location figures expire.
  app.clock.advance(301);
});

const { meet, prefer, deckOf, idsFor } = cardsIn(() => app);
const { like, pass, match, received, sent, matches } = likesIn(() => app);
const pause = (who: TestMember) => prefer(who, { isPaused: true });
const resume = (who: TestMember) => prefer(who, { isPaused: false });
const profile = async (viewer: TestMember, of: TestMember) =>
  (await app.call(getUser, { token: viewer.token, params: { id: of.id } })).status;
const found = async (viewer: TestMember) =>
  (await app.call(searchUsers, { token: viewer.token })).body.data.users.map(({ _id }) => _id);
const pausedAt = async (staff: TestMember, of: TestMember) =>
  (await app.call(getAdminUser, { token: staff.token, params: { id: of.id } })).body.data.user.pausedAt;

describe('a paused profile', () => {
  it('disappears from existing decks, search and direct links immediately, and returns when resumed', async () => {
    const [ada, viewer, other] = [await meet(), await meet(), await meet()];
    expect((await idsFor(viewer)).sort()).toEqual([ada.id, other.id].sort());
    expect((await pause(ada)).body.data.preferences.isPaused).toBe(true);
    expect(await idsFor(viewer)).toEqual([other.id]);
    expect(await found(viewer)).toEqual([other.id]);
    expect([await profile(viewer, ada), (await like(viewer, ada)).status]).toEqual([404, 404]);
    await resume(ada);
    expect((await idsFor(viewer)).sort()).toEqual([ada.id, other.id].sort());
    expect([await profile(viewer, ada), (await like(viewer, ada)).status]).toEqual([200, 201]);
  });

  it('stays visible to its matches, who can write to it as before', async () => {
    const [ada, bo] = [await meet(), await meet()];
    const matchId = await match(ada, bo);
    await pause(ada);
    expect((await matches(bo)).map(({ user }) => user._id)).toEqual([ada.id]);
    expect(await profile(bo, ada)).toBe(200);
    const params = { id: matchId };
    const body = { clientId: crypto.randomUUID(), text: 'Are you back on Monday?' };
    expect((await app.call(sendMessage, { token: bo.token, params, body })).status).toBe(201);
    const { messages } = (await app.call(listMessages, { token: ada.token, params })).body.data;
    expect(messages.map(({ text }) => text)).toEqual(['Are you back on Monday?']);
  });

  it('stays visible to people its member liked, who can still answer, but is not on their cards', async () => {
    const [ada, bo] = [await meet(), await meet({ vip: true })];
    await like(ada, bo, { note: 'Hello' });
    await pause(ada);
    expect(await idsFor(bo)).toEqual([]);
    expect((await received(bo)).likes.map(({ user }) => user._id)).toEqual([ada.id]);
    expect((await like(bo, ada)).body.data.outcome).toBe('matched');
  });

  it('is left out of the list of sent likes until it is resumed', async () => {
    const [ada, bo] = [await meet(), await meet()];
    await like(bo, ada);
    await pause(ada);
    expect((await sent(bo)).likes).toEqual([]);
    await resume(ada);
    expect((await sent(bo)).likes.map(({ user }) => user._id)).toEqual([ada.id]);
  });

  it('gets no cards, but its member can still answer likes', async () => {
    const [ada, bo, cy] = [await meet({ vip: true }), await meet(), await meet()];
    await like(bo, ada);
    await like(cy, ada);
    await pause(ada);
    expect(await deckOf(ada)).toEqual({
      cards: [],
      remainingLikes: null,
      order: 'matching',
      empty: { perFilter: [], decided: 0, isUsedUp: false },
      isPaused: true,
    });
    expect((await received(ada)).likes).toHaveLength(2);
    expect((await like(ada, bo)).body.data.outcome).toBe('matched');
    expect((await pass(ada, cy)).status).toBe(201);
    await resume(ada);
    const resumed = await deckOf(ada);
    expect([resumed.isPaused, resumed.cards]).toEqual([false, []]);
  });

  it('shows staff when it was paused, even after it was paused twice', async () => {
    const [ada, staff] = [await meet(), await makeAdministrator(app)];
    expect(await pausedAt(staff, ada)).toBeNull();
    const since = app.clock.now().toISOString();
    await pause(ada);
    app.clock.advance(60);
    await pause(ada);
    expect(await pausedAt(staff, ada)).toBe(since);
    await resume(ada);
    expect(await pausedAt(staff, ada)).toBeNull();
  });
});

describe('a viewer', () => {
  type Change = (ada: TestMember, viewer: TestMember) => Promise<unknown>;
  const nothing: Change = () => Promise.resolve();
  const likes: Change = (ada, viewer) => like(ada, viewer);
  const isLiked: Change = (ada, viewer) => like(viewer, ada);
  const matches: Change = (ada, viewer) => match(ada, viewer);
  const isIncognito: Change = (ada) => prefer(ada, { incognito: true });
  const isSet =
    (change: string): Change =>
    (ada) =>
      app.pool.query(`update account set ${change} where id = $1`, [ada.id]);
  const reports: Change = (ada, viewer) =>
    app.call(createReport, {
      token: viewer.token,
      body: {
        problem_type: 'Harassment',
        description: 'See there',
        reportedUser: ada.id,
        hideFromEachOther: true,
      },
    });

  /** The address of Ada's picture as the viewer received it. */
  async function addressFor(viewer: TestMember, ada: TestMember): Promise<string> {
    const [picture] = (await app.call(getUser, { token: viewer.token, params: { id: ada.id } })).body.data.user
      .pictures;
    const url = picture?.url ?? '';
    const key = /media\/([^?]+)/.exec(url)?.[1] ?? '';
    await diskStorage(app.mediaDir).put(key, Buffer.of(1));
    return url;
  }

  const everywhere = ['card', 'profile', 'picture', 'search'];
  const exceptCards = ['profile', 'picture', 'search'];
  const known = ['profile', 'picture'];

  it.each<[string, string, Change, Change, string[]]>([
    ['a stranger', 'has done nothing', nothing, nothing, everywhere],
    ['someone who likes the viewer', 'has done nothing', likes, nothing, everywhere],
    ['someone the viewer likes', 'has done nothing', isLiked, nothing, exceptCards],
    ['a match', 'has done nothing', matches, nothing, exceptCards],
    ['a stranger', 'is paused', nothing, pause, []],
    ['someone who likes the viewer', 'is paused', likes, pause, known],
    ['someone the viewer likes', 'is paused', isLiked, pause, []],
    ['a match', 'is paused', matches, pause, known],
    ['a stranger', 'is incognito', nothing, isIncognito, []],
    ['someone who likes the viewer', 'is incognito', likes, isIncognito, ['card', ...known]],
    ['someone the viewer likes', 'is incognito', isLiked, isIncognito, []],
    ['a match', 'is incognito', matches, isIncognito, known],
    ...(
      [
        [
          'blocks the viewer',
          (ada, viewer) => app.call(blockUser, { token: ada.token, params: { userId: viewer.id } }),
        ],
        [
          'is blocked by the viewer',
          (ada, viewer) => app.call(blockUser, { token: viewer.token, params: { userId: ada.id } }),
        ],
        ['is hidden by a report', reports],
        ['is hidden by a decision', isSet('is_hidden = true')],
        ['is deactivated', isSet('is_active = false, deactivated_at = now()')],
        ['is leaving', (ada) => app.call(leaveService, { token: ada.token, body: {} })],
        ['is deleted', (ada) => deleteAccounts(app, ada.id)],
      ] satisfies [string, Change][]
    ).flatMap(([what, change]): [string, string, Change, Change, string[]][] => [
      ['someone who likes the viewer', what, likes, change, []],
      ['a match', what, matches, change, []],
    ]),
  ])('sees %s who %s only where they may be seen', async (_who, _what, relate, change, expected) => {
    const [ada, viewer] = [await meet({ vip: true }), await meet()];
    const address = await addressFor(viewer, ada);
    await relate(ada, viewer);
    await change(ada, viewer);
    const isSeen: Record<string, boolean> = {
      card: (await idsFor(viewer)).includes(ada.id),
      profile: (await profile(viewer, ada)) === 200,
      picture: (await app.app.inject({ url: address })).statusCode === 200,
      search: (await found(viewer)).includes(ada.id),
    };
    expect(everywhere.filter((place) => isSeen[place])).toEqual(expected);
  });
});
