import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { noDetails } from '#contract/profiles/profile-details.ts';
import { editProfile, getProfile, getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { peopleShownPerDay } from '#contract/constants.ts';
import { getCards } from '#contract/discovery.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const app = startAppForTests();

describe('details', () => {
  type Given = BodyInput<typeof editProfile>;
  const edit = (by: TestMember, body: Given) => app.call(editProfile, { token: by.token, body });
  const mine = async (by: TestMember) => (await app.call(getProfile, { token: by.token })).body.userData.user;
  const everything = {
    goal: 'long-term',
    interests: ['hiking', 'chess', 'long conversations'],
    languages: ['en', 'cs'],
    children: 'open',
    smoking: 'never',
    drinking: 'socially',
    exercise: 'weekly',
    heightCm: 178,
    prompts: [
      { prompt: 'teach-me', answer: 'to whistle with two fingers' },
      { prompt: 'first-date', answer: 'A walk, <b>then</b> soup' },
    ],
  } satisfies Given;

  describe('optional profile details', () => {
    test('are stored as given, and shown equally to their owner, members and staff', async () => {
      const [ada, bo] = [await makeMember(app), await makeMember(app)];
      expect((await edit(ada, everything)).body.update.user).toMatchObject(everything);
      expect(await mine(ada)).toMatchObject(everything);
      const seen = await app.call(getUser, { token: bo.token, params: { id: ada.id } });
      expect(seen.body.data.user).toMatchObject(everything);
      const { token } = await makeAdministrator(app);
      const read = await app.call(getAdminUser, { token, params: { id: ada.id } });
      expect(read.body.data.user).toMatchObject(everything);
    });

    test('stay unchanged when absent and are cleared by null', async () => {
      const ada = await makeMember(app);
      await edit(ada, everything);
      await edit(ada, { bio: 'New words' });
      expect(await mine(ada)).toMatchObject({ ...everything, bio: 'New words' });
      await edit(ada, { goal: null, interests: null, prompts: [] });
      expect(await mine(ada)).toMatchObject({ ...everything, goal: null, interests: [], prompts: [] });
      await edit(ada, Object.fromEntries(Object.keys(noDetails).map((key) => [key, null])));
      expect(await mine(ada)).toMatchObject(noDetails);
    });

    test('keep simultaneous changes from two devices', async () => {
      const ada = await makeMember(app);
      await Promise.all([
        edit(ada, { goal: 'friendship' }),
        edit(ada, { heightCm: 170 }),
        edit(ada, { languages: ['de'] }),
        edit(ada, { smoking: 'never' }),
      ]);
      expect(await mine(ada)).toMatchObject({ goal: 'friendship', heightCm: 170, languages: ['de'], smoking: 'never' });
    });

    test.each<[Record<string, unknown>, string]>([
      [{ goal: 'money' }, 'goal'],
      [{ interests: ['hiking', 'hiking'] }, 'interests'],
      [{ interests: ['juggling knives'] }, 'interests.0'],
      [{ interests: 'hiking' }, 'interests'],
      [
        {
          interests: ['hiking', 'chess', 'tea', 'wine', 'jazz', 'rock', 'opera', 'yoga', 'golf', 'cats', 'dogs'],
        },
        'interests',
      ],
      [{ languages: ['klingon'] }, 'languages.0'],
      [{ heightCm: 119 }, 'heightCm'],
      [{ heightCm: 231 }, 'heightCm'],
      [{ heightCm: 170.5 }, 'heightCm'],
      [{ prompts: [{ prompt: 'teach-me', answer: '  ' }] }, 'prompts.0.answer'],
      [{ prompts: [{ prompt: 'teach-me', answer: 'x'.repeat(201) }] }, 'prompts.0.answer'],
      [{ prompts: [{ prompt: 'anything', answer: 'x' }] }, 'prompts.0.prompt'],
      [
        {
          prompts: [
            { prompt: 'teach-me', answer: 'a' },
            { prompt: 'teach-me', answer: 'b' },
          ],
        },
        'prompts',
      ],
      [{ details: { goal: 'long-term' }, children: 'many' }, 'children'],
    ])('are rejected with a field error and change nothing: %j', async (wrong, field) => {
      const ada = await makeMember(app);
      await edit(ada, everything);
      const refused = await edit(ada, { bio: 'Not kept', ...wrong });
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
      expect(await mine(ada)).toMatchObject({ ...everything, bio: null });
    });

    test('ignore unknown fields', async () => {
      const ada = await makeMember(app);
      await edit(ada, { goal: 'friendship', details: { goal: 'x' }, admin: true, toString: 'x' } as Given);
      const { details } = await app.db
        .selectFrom('profile')
        .select('details')
        .where('account_id', '=', ada.id)
        .executeTakeFirstOrThrow();
      expect(details).toEqual({ goal: 'friendship' });
    });
  });

  describe('the search by interests', () => {
    test('finds members who share one of them', async () => {
      const [one, two, other] = [await makeMember(app), await makeMember(app), await makeMember(app)];
      await edit(one, { interests: ['beekeeping'] });
      await edit(two, { interests: ['calligraphy', 'tea'] });
      await edit(other, { interests: ['tea'] });
      const found = async (interests: string) => {
        const { token } = await makeMember(app);
        const { data } = (await app.call(searchUsers, { token, query: { interests } })).body;
        expect(data.pagination.total).toBe(data.users.length);
        return data.users.map(({ _id }) => _id).sort();
      };
      expect(await found('beekeeping,calligraphy')).toEqual([one.id, two.id].sort());
      expect(await found('beekeeping')).toEqual([one.id]);
      await edit(one, { interests: null });
      expect(await found('beekeeping')).toEqual([]);
      const { token } = await makeMember(app);
      const refused = await app.call(searchUsers, { token, query: { interests: 'knives' } });
      expect(refused.status).toBe(400);
    });
  });
});

describe('the daily limit of profiles', () => {
  beforeAll(() => makeManyMembers(app, peopleShownPerDay + 120));

  const { like, pass } = likesIn(() => app);
  const view = async (viewer: TestMember, id: string) =>
    (await app.call(getUser, { token: viewer.token, params: { id } })).status;
  const search = (viewer: TestMember, page: number) =>
    app.call(searchUsers, { token: viewer.token, query: { page: `${page}`, limit: '100' } });
  /** Reads the search until it is refused; returns everyone it showed. */
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

    // The rest of the daily limit is used on single profiles; after that, no new ones are shown. The refused page has used up the limit for
    // people it did not show; they may be anyone on the service.
    const everyone = await app.pool.query<{ id: string }>('select id from account');
    const others = everyone.rows
      .map(({ id }) => id)
      .filter((id) => ![viewer.id, match.id].includes(id) && !known.has(id));
    const shown: string[] = [];
    const hidden: string[] = [];
    for (const id of others) {
      const status = await view(viewer, id);
      if (status === 200) shown.push(id);
      if (status === 429) hidden.push(id);
    }
    const strangers = [...known].filter((id) => id !== match.id).length;
    expect(strangers + shown.length).toBe(peopleShownPerDay);
    const refused = await app.call(getUser, { token: viewer.token, params: { id: hidden[0] ?? '' } });
    expect(refused.error.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);

    const cards = (await app.call(getCards, { token: viewer.token })).body.data;
    for (const { user } of cards.cards) expect([...known, ...shown]).toContain(user._id);
    expect(await view(viewer, match.id)).toBe(200);
    expect(await view(viewer, [...known][0] ?? '')).toBe(200);

    await app.sql`update seen_people set seen_on = seen_on - 1`;
    expect(await view(viewer, hidden[0] ?? '')).toBe(200);
  });

  test('an empty deck says when the daily limit hides all of its cards', async () => {
    const viewer = await makeMember(app, { gender: 'man', lastActiveAt: app.clock.now() });
    const first = (await app.call(getCards, { token: viewer.token })).body.data.cards;
    expect(first).toHaveLength(20);
    const elsewhere = Array.from({ length: peopleShownPerDay }, () => randomUUID());
    await app.sql`update seen_people set ids = ${elsewhere}::uuid[] where viewer_id = ${viewer.id}::uuid`;
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
});
