import { beforeEach, describe, expect, it, test } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { blockUser } from '#contract/connections.ts';
import { leaveService } from '#contract/auth/auth.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { listMessages, sendMessage } from '#contract/messages/messages.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { deleteAccounts, makeAdministrator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { diskStorage } from '../media/storage/storage.ts';

const app = startAppForTests();

describe('cards', () => {
  beforeEach(async () => {
    await deleteAllMembers(app);
    // Lets the cached location figures expire.
    app.clock.advance(301);
  });

  const { meet, prefer, deckOf, cardsOf, idsFor } = cardsIn(() => app);
  const { like, pass, undo, block, unblock } = likesIn(() => app);
  const meetMany = (count: number) => Promise.all(Array.from({ length: count }, () => meet()));
  const ids = (people: { id: string }[]) => people.map(({ id }) => id).sort();
  const seen = async (viewer: TestMember) => (await idsFor(viewer)).sort();

  describe('GET /discovery', () => {
    test('shows only members who fit in both directions', async () => {
      const viewer = await meet({ gender: 'woman', seeking: ['man'], birthDate: '1990-01-01' });
      const fits = await meet({ gender: 'man', seeking: ['woman'], birthDate: '1988-01-01' });
      await meet({ gender: 'man', seeking: ['man'] });
      await meet({ gender: 'woman', seeking: ['woman'] });
      const tooOld = await meet({ gender: 'man', seeking: ['woman'], birthDate: '1960-01-01' });
      const wantsOlder = await meet({ gender: 'man', seeking: ['woman'], birthDate: '1985-01-01' });
      const faraway = await meet({ gender: 'man', seeking: ['woman'], ...brno });
      await prefer(viewer, { age: { min: 30, max: 45, required: true }, distance: { maxKm: 50, required: true } });
      await prefer(wantsOlder, { age: { min: 50, max: 60, required: true } });
      expect(await idsFor(viewer)).toEqual([fits.id]);
      await prefer(viewer, { age: { min: 30, max: 45, required: false }, distance: null });
      expect(await seen(viewer)).toEqual(ids([fits, tooOld, faraway]));
    });

    test('drops decided, blocked, hidden and inactive members immediately, and shows them again when they return', async () => {
      const viewer = await meet();
      const others = await meetMany(8);
      const [liked, passed, blocked, blocker, leaving, deactivated, silent, stays] = others as [
        TestMember,
        TestMember,
        TestMember,
        TestMember,
        TestMember,
        TestMember,
        TestMember,
        TestMember,
      ];
      expect(await seen(viewer)).toEqual(ids(others));
      await like(viewer, liked);
      app.clock.advance(1);
      await pass(viewer, passed);
      await block(viewer, blocked);
      await block(blocker, viewer);
      const set = (who: TestMember, change: object) =>
        app.db.updateTable('account').set(change).where('id', '=', who.id).execute();
      await set(leaving, { leaving_since: app.clock.now() });
      await set(deactivated, { is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'spam' });
      const lastHere = (day: string) =>
        app.pool.query('update discovery_row set last_active_on = $1 where account_id = $2', [day, silent.id]);
      await lastHere('2026-05-16');
      expect(await idsFor(viewer)).toEqual([stays.id]);
      await lastHere('2026-05-17');
      await unblock(viewer, blocked);
      await unblock(blocker, viewer);
      await undo(viewer);
      await set(leaving, { leaving_since: null });
      expect(await seen(viewer)).toEqual(ids([stays, passed, blocked, blocker, leaving, silent]));
    });

    test('reveals no decision of others on the same day, and drops members who passed on the viewer from the next day on', async () => {
      const viewer = await meet();
      const [passer, admirer] = (await meetMany(2)) as [TestMember, TestMember];
      const before = await idsFor(viewer);
      await pass(passer, viewer);
      await like(admirer, viewer);
      await prefer(viewer, { order: 'matching' });
      expect(await idsFor(viewer)).toEqual(before);
      await app.pool.query(`update decision set decided_at = decided_at - interval '1 day'`);
      expect(await idsFor(viewer)).toEqual([admirer.id]);
    });

    test('ranks members who meet a nice-to-have filter first, and excludes no one', async () => {
      const viewer = await meet({ seeking: ['woman', 'man', 'non-binary'] });
      await Promise.all(Array.from({ length: 30 }, () => meet({ details: { exercise: 'never' } })));
      const daily = await Promise.all(Array.from({ length: 10 }, () => meet({ details: { exercise: 'daily' } })));
      const isDaily = new Set(ids(daily));
      const many = async () => (await idsFor(viewer)).filter((id) => isDaily.has(id)).length;
      const before = await many();
      const wishes = { values: ['daily' as const], required: false };
      await prefer(viewer, { exercise: wishes, interests: null });
      const after = await many();
      expect(after).toBeGreaterThanOrEqual(before);
      expect(after).toBeGreaterThanOrEqual(5);
      expect((await deckOf(viewer)).cards).toHaveLength(20);
    });

    test('shows distances from the viewer’s search location', async () => {
      const viewer = await meet({ vip: true });
      const there = await meet(brno);
      const wishes = JSON.stringify({ elsewhere: { city: 'Brno', country: 'Czechia', ...brno } });
      await app.pool.query('insert into preference values ($1, $2, now())', [viewer.id, wishes]);
      const card = (await cardsOf(viewer)).find(({ user }) => user._id === there.id);
      expect(card?.distanceFormatted).toBe('Less than 5 km away');
    });

    test('returns the requested number of cards, at most 20, and the number of likes left', async () => {
      const viewer = await meet();
      await meetMany(30);
      for (const limit of [1, 7, 20])
        expect((await deckOf(viewer, { limit: String(limit) })).cards).toHaveLength(limit);
      const { cards, remainingLikes, order, empty } = await deckOf(viewer);
      expect([cards.length, remainingLikes, order, empty]).toEqual([20, 30, 'matching', null]);
      const five = (await deckOf(viewer, { limit: '5' })).cards.map(({ user }) => user._id);
      expect(five).toEqual(cards.slice(0, 5).map(({ user }) => user._id));
      for (const limit of ['0', '21', '-1', '1e1', 'x', ''])
        expect((await app.call(getCards, { token: viewer.token, query: { limit } })).status, limit).toBe(400);
      expect((await deckOf(await meet({ vip: true }))).remainingLikes).toBeNull();
    });

    test('shows people from anywhere to members without a place, and no one if they require a distance', async () => {
      const viewer = await meet({ latitude: null, longitude: null });
      const [near, far, placeless] = [await meet(), await meet(brno), await meet({ latitude: null, longitude: null })];
      expect(await seen(viewer)).toEqual(ids([near, far, placeless]));
      for (const card of await cardsOf(viewer)) expect([card.distance, card.distanceFormatted]).toEqual([null, null]);
      await prefer(viewer, { distance: { maxKm: 20_000, required: true } });
      const { cards, empty } = await deckOf(viewer);
      expect([cards, empty?.perFilter]).toEqual([[], [{ filter: 'distance', removed: 3 }]]);
    });

    test('sorts by newest on request, without reasons, including every newcomer', async () => {
      const viewer = await meet();
      const joined = (daysAgo: number) =>
        meet({ createdAt: new Date(app.clock.now().getTime() - daysAgo * 86_400_000), details: { goal: 'long-term' } });
      const [old, newest, middle] = [await joined(90), await joined(1), await joined(30)];
      await prefer(viewer, { order: 'newest' });
      const { cards, order } = await deckOf(viewer);
      expect([order, cards.map(({ user }) => user._id)]).toEqual(['newest', [newest.id, middle.id, old.id]]);
      expect(cards.map(({ reasons }) => reasons)).toEqual([[], [], []]);
    });
  });

  describe('GET /discovery when no card is left', () => {
    test('counts how many people each filter excludes, largest first', async () => {
      const viewer = await meet({ seeking: ['man'], birthDate: '1970-01-01' });
      await Promise.all(Array.from({ length: 3 }, () => meet({ gender: 'man', birthDate: '1995-01-01' })));
      await meet({ gender: 'man', birthDate: '2007-01-01', ...brno });
      // Two filters exclude this member, so removing either one would not help.
      await meet({ gender: 'man', birthDate: '1995-01-01', ...brno });
      // Other members' requirements are private.
      await meet({ gender: 'man', birthDate: '2007-01-01', seeking: ['man'] });
      await prefer(viewer, { age: { min: 18, max: 20, required: true }, distance: { maxKm: 50, required: true } });
      const { cards, empty } = await deckOf(viewer);
      expect(cards).toEqual([]);
      expect(empty).toEqual({
        perFilter: [
          { filter: 'age', removed: 3 },
          { filter: 'distance', removed: 1 },
        ],
        decided: 0,
        isUsedUp: false,
      });
    });

    test('counts how many fitting members were already decided on', async () => {
      const viewer = await meet();
      const [liked, passed, gone] = (await meetMany(3)) as [TestMember, TestMember, TestMember];
      await like(viewer, liked);
      await pass(viewer, passed);
      await pass(viewer, gone);
      await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', gone.id).execute();
      expect((await deckOf(viewer)).empty).toEqual({ perFilter: [], decided: 2, isUsedUp: false });
    });

    test('counts no blocked, incognito or deleted member', async () => {
      const viewer = await meet();
      const [blocker, hidden] = [
        await meet({ birthDate: '1950-01-01' }),
        await meet({ birthDate: '1950-01-01', vip: true }),
      ];
      await block(blocker, viewer);
      await prefer(hidden, { incognito: true });
      await meet({ birthDate: '1950-01-01', leaving: true });
      await prefer(viewer, { age: { min: 18, max: 40, required: true } });
      expect((await deckOf(viewer)).empty).toEqual({ perFilter: [], decided: 0, isUsedUp: false });
    });
  });
});

describe('cards and pauses', () => {
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
});
