import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listMessages, sendMessage } from '#contract/messages.ts';
import { getAdminUser, getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { makeAdministrator, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  await deleteAllMembers(app);
  // Lets the cached location figures expire.
  app.clock.advance(301);
});
afterAll(() => app.close());

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
  it('leaves decks that are already dealt, search and direct links at once, and returns when resumed', async () => {
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

  it('keeps its matches, who see it and write as before', async () => {
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

  it('stays visible to those its member liked, who can still answer, but is no card of theirs', async () => {
    const [ada, bo] = [await meet(), await meet({ vip: true })];
    await like(ada, bo, { note: 'Hello' });
    await pause(ada);
    expect(await idsFor(bo)).toEqual([]);
    expect((await received(bo)).likes.map(({ user }) => user._id)).toEqual([ada.id]);
    expect((await like(bo, ada)).body.data.outcome).toBe('matched');
  });

  it('is not listed among likes that were sent to it before', async () => {
    const [ada, bo] = [await meet(), await meet()];
    await like(bo, ada);
    await pause(ada);
    expect((await sent(bo)).likes).toEqual([]);
    await resume(ada);
    expect((await sent(bo)).likes.map(({ user }) => user._id)).toEqual([ada.id]);
  });

  it('gets no cards, and its member still answers likes', async () => {
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

  it('shows staff since when, also after it was paused twice', async () => {
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
