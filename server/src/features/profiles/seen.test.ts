import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { peopleShownPerDay } from '#contract/constants.ts';
import { getCards } from '#contract/discovery.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const app = startAppForTests();
let crowd: TestMember[];
beforeAll(async () => {
  crowd = await makeManyMembers(app, peopleShownPerDay + 120);
});

const { like, pass } = likesIn(() => app);
const view = async (viewer: TestMember, id: string) =>
  (await app.call(getUser, { token: viewer.token, params: { id } })).status;
const search = (viewer: TestMember, page: number) =>
  app.call(searchUsers, { token: viewer.token, query: { page: `${page}`, limit: '100' } });

/** Reads the search until it refuses; returns everyone it showed. */
async function readThrough(viewer: TestMember): Promise<Set<string>> {
  const known = new Set<string>();
  for (let page = 1; page < 9; page += 1) {
    const answer = await search(viewer, page);
    if (answer.status !== 200) return known;
    for (const user of answer.body.data.users) known.add(user._id);
  }
  return known;
}

test('the daily limit restricts how many members one can view by search, profile or cards', async () => {
  const viewer = await makeMember(app, { gender: 'man', lastActiveAt: app.clock.now() });
  const match = await makeMember(app, { lastActiveAt: app.clock.now() });
  await like(match, viewer);
  await like(viewer, match);
  const known = await readThrough(viewer);
  expect(known.size).toBeLessThanOrEqual(peopleShownPerDay + 1);
  expect(known.size).toBeGreaterThanOrEqual(peopleShownPerDay - 100);

  // The rest of the daily limit is used on single profiles; after that, no new ones are shown.
  const others = crowd.map(({ id }) => id).filter((id) => !known.has(id));
  const shown: string[] = [];
  const hidden: string[] = [];
  for (const id of others) ((await view(viewer, id)) === 200 ? shown : hidden).push(id);
  const strangers = [...known].filter((id) => id !== match.id).length;
  expect(strangers + shown.length).toBe(peopleShownPerDay);
  const refused = await app.call(getUser, { token: viewer.token, params: { id: hidden[0] ?? '' } });
  expect(refused.error.code).toBe('TOO_MANY_REQUESTS');
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);

  const cards = (await app.call(getCards, { token: viewer.token })).body.data;
  for (const { user } of cards.cards) expect([...known, ...shown]).toContain(user._id);
  expect(await view(viewer, match.id)).toBe(200);
  expect(await view(viewer, [...known][0] ?? '')).toBe(200);

  await sql`update seen_people set seen_on = seen_on - 1`.execute(app.db);
  expect(await view(viewer, hidden[0] ?? '')).toBe(200);
});

test('an empty deck says when the daily limit hides all of its cards', async () => {
  const viewer = await makeMember(app, { gender: 'man', lastActiveAt: app.clock.now() });
  const first = (await app.call(getCards, { token: viewer.token })).body.data.cards;
  expect(first).toHaveLength(20);
  const elsewhere = Array.from({ length: peopleShownPerDay }, () => randomUUID());
  await sql`update seen_people set ids = ${elsewhere}::uuid[] where viewer_id = ${viewer.id}::uuid`.execute(app.db);
  for (const { user } of first) await pass(viewer, { id: user._id });
  const { cards, empty } = (await app.call(getCards, { token: viewer.token })).body.data;
  expect(cards).toEqual([]);
  expect(empty).toEqual({ perFilter: [], decided: 0, isUsedUp: true });
});

test('the daily limit does not apply to staff', async () => {
  const administrator = await makeAdministrator(app);
  for (let page = 1; page < 7; page += 1) {
    const { status } = await app.call(searchUsers, {
      token: administrator.token,
      query: { page: `${page}`, limit: '100' },
    });
    expect(status).toBe(200);
  }
});
