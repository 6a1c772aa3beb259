import { beforeAll, describe, expect, test } from 'vitest';
import { noDetails } from '#contract/profiles/profile-details.ts';
import { changeLocation, getUser, searchUsers, showLastActive } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { snapToPlaceCell } from './place/distance.ts';

const app = startAppForTests();
let viewer: TestMember;

beforeAll(async () => {
  viewer = await makeMember(app, { city: 'Oslo', country: 'Norway', ...snapToPlaceCell(59.91, 10.75) });
});

const open = (id: string, by = viewer) => app.call(getUser, { token: by.token, params: { id } });

describe('GET /auth/user/{id}', () => {
  test('shows only what members may know about each other', async () => {
    const lastActiveAt = new Date('2026-06-15T11:00:00.000Z');
    const member = await makeMember(app, {
      firstName: 'Bo',
      lastName: 'Secretname',
      birthDate: '1990-06-16',
      bio: 'Likes rain',
      lastActiveAt,
      online: true,
    });
    const { body } = await open(member.id);
    expect(body.data).toEqual({
      user: {
        _id: member.id,
        ...noDetails,
        firstName: 'Bo',
        name: 'Bo',
        gender: 'woman',
        genderText: null,
        age: 35,
        bio: 'Likes rain',
        location: { city: 'Prague', country: 'Czechia' },
        isPhotoVerified: false,
        photoVerifiedAt: null,
        profilePicture: expect.stringContaining('.thumbnail?'),
        more_pictures: [],
        pictures: [expect.objectContaining({ name: '', width: 1200 })],
        isOnline: true,
        lastActive: lastActiveAt.toISOString(),
      },
      privacyInfo: { showLastActive: true },
      distance: null,
      distanceFormatted: null,
      compatibilityScore: null,
      compatibilityBand: null,
      decision: null,
      matchId: null,
      isBookmarked: false,
    });
  });

  test('contains no private value of the other member, in profile or search', async () => {
    const canaries = {
      email: 'canary-mail@canary-host.test',
      lastName: 'CanaryFamily',
      birthDate: '1971-03-07',
      latitude: 12.345678,
      longitude: 98.765432,
    };
    const victim = await makeMember(app, {
      ...canaries,
      firstName: 'Victim',
      vip: true,
      createdAt: new Date('2021-02-03T04:05:06.789Z'),
      lastActiveAt: new Date('2022-03-04T05:06:07.891Z'),
      showLastActive: false,
      passwordHash: '$argon2id$canary-hash',
      seeking: ['non-binary'],
    });
    const answers = [
      await open(victim.id),
      await app.call(searchUsers, { token: viewer.token, query: { search: 'victim' } }),
      await app.call(searchUsers, { token: viewer.token, query: { sortBy: 'lastActive' } }),
    ];
    expect(answers[1]?.raw).toContain(victim.id);
    for (const { raw } of answers) {
      for (const secret of [
        'canary',
        'Canary',
        '1971-03-07',
        '12.345',
        '98.765',
        '2021-02-03',
        '2022-03-04',
        'seeking',
        'isVIP',
        'birthDate',
        'latitude',
        'email',
        'session',
      ]) {
        expect(raw).not.toContain(secret);
      }
    }
  });

  test('returns the same 404 for everyone who may not be shown', async () => {
    const hidden = await Promise.all([
      makeMember(app, { deactivated: 'spam' }),
      makeMember(app, { leaving: true }),
      makeMember(app, { verified: false }),
      makeMember(app, { gender: null }),
      makeMember(app, { city: null }),
      makeMember(app, { birthDate: null }),
      makeAdministrator(app),
      makeModerator(app),
    ]);
    const ids = [
      ...hidden.map(({ id }) => id),
      '00000000-0000-4000-8000-000000000000',
      'nobody',
      viewer.id.toUpperCase(),
      "' or 1=1 --",
      '%',
    ];
    const bodies = new Set<string>();
    for (const id of ids) {
      const refused = await open(id);
      expect(refused.status).toBe(404);
      const { requestId: _, ...body } = refused.error;
      bodies.add(JSON.stringify(body));
    }
    expect(bodies.size).toBe(1);
  });

  test('shows the caller’s own profile', async () => {
    const { body } = await open(viewer.id);
    expect(body.data).toMatchObject({ user: { _id: viewer.id }, distance: 0 });
  });

  test('is open to staff, who also see deactivated members, but not leaving ones', async () => {
    const moderator = await makeModerator(app);
    const deactivated = await makeMember(app, { deactivated: 'spam', lastName: 'Secretname' });
    const seen = await open(deactivated.id, moderator);
    expect(seen.status).toBe(200);
    expect(seen.raw).not.toContain('Secretname');
    expect((await open((await makeMember(app, { leaving: true })).id, moderator)).status).toBe(404);
  });

  test('returns an error to visitors and unverified or incomplete members', async () => {
    expect((await app.call(getUser, { params: { id: viewer.id } })).status).toBe(401);
    const unverified = await open(viewer.id, await makeMember(app, { verified: false }));
    expect([unverified.status, unverified.error.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    const unfinished = await open(viewer.id, await makeMember(app, { gender: null }));
    expect([unfinished.status, unfinished.error.code]).toEqual([403, 'PROFILE_INCOMPLETE']);
  });
});

describe('the shown distance', () => {
  const kmNorth = (km: number) => 59.91 + km / 111.195;

  test.each([
    [0, 0, 'Less than 5 km away'],
    [7.5, 5, '5–10 km away'],
    [17, 10, '10–25 km away'],
    [37, 25, '25–50 km away'],
    [60, 50, 'More than 50 km away'],
    [3000, 50, 'More than 50 km away'],
  ])('for %s km is the band from %s km', async (km, distance, distanceFormatted) => {
    const latitude = kmNorth(km) > 90 ? kmNorth(km) - 60 : kmNorth(km);
    const member = await makeMember(app, snapToPlaceCell(latitude, 10.75));
    expect((await open(member.id)).body.data).toMatchObject({ distance, distanceFormatted });
  });

  test('is the same for all members in one cell, wherever the viewer is', async () => {
    const cell = snapToPlaceCell(59.95, 10.9);
    const twins = await Promise.all([
      makeMember(app, { city: null, country: null }),
      makeMember(app, { city: null, country: null }),
    ]);
    const corners = [-0.49, 0.49];
    for (const [n, twin] of twins.entries()) {
      const share = corners[n] ?? 0;
      const width = 0.03 / Math.cos((cell.latitude * Math.PI) / 180);
      await app.call(changeLocation, {
        token: twin.token,
        body: { latitude: cell.latitude + share * 0.03, longitude: cell.longitude + share * width },
      });
    }
    const attacker = await makeMember(app, { firstName: 'Attacker' });
    const themselves = { _id: '', firstName: '', name: '', profilePicture: '', pictures: [] };
    for (let n = 0; n < 40; n++) {
      const place = snapToPlaceCell(59.5 + n * 0.02, 10.2 + n * 0.03);
      await app.db.updateTable('profile').set(place).where('account_id', '=', attacker.id).execute();
      const [one, other] = await Promise.all(twins.map(async ({ id }) => (await open(id, attacker)).body.data));
      expect({ ...one, user: { ...one?.user, ...themselves } }).toEqual({
        ...other,
        user: { ...other?.user, ...themselves },
      });
      for (const maxDistance of ['5', '23', '60']) {
        const { body } = await app.call(searchUsers, { token: attacker.token, query: { maxDistance, limit: '100' } });
        const found = body.data.users.map(({ _id }) => _id);
        expect(found.includes(twins[0].id)).toBe(found.includes(twins[1].id));
      }
    }
  });
});

describe('hidden activity', () => {
  const lastActiveAt = new Date('2026-06-15T11:59:50.000Z');
  const everything = async (by: TestMember, id: string) => {
    const answers = [
      (await open(id, by)).raw,
      ...(await Promise.all(
        [{}, { sortBy: 'lastActive' }, { onlineNow: 'true' }, { sortBy: 'lastActive', onlineNow: 'true' }].map(
          async (query) =>
            (await app.call(searchUsers, { token: by.token, query: { ...query, limit: '100' } as never })).raw,
        ),
      )),
    ];
    return answers;
  };
  const setActivity = async (id: string, at: Date | '-infinity', online: boolean) => {
    await app.db.updateTable('presence').set({ last_active_at: at, online }).where('account_id', '=', id).execute();
    await app.sql`select logic.refresh_online(${[id]}::uuid[])`;
  };

  test('is removed from profiles, lists, orders and filters when another member hides it', async () => {
    const member = await makeMember(app, { showLastActive: false });
    await setActivity(member.id, '-infinity', false);
    const before = await everything(viewer, member.id);
    await setActivity(member.id, lastActiveAt, true);
    expect(await everything(viewer, member.id)).toEqual(before);
    expect(JSON.parse(before[0] ?? '')).toMatchObject({
      data: { user: { isOnline: null, lastActive: null }, privacyInfo: { showLastActive: false } },
    });
  });

  test('also hides others’ activity from the member who hides it', async () => {
    const shy = await makeMember(app);
    await app.call(showLastActive, { token: shy.token, body: { showLastActive: false } });
    const member = await makeMember(app);
    await setActivity(member.id, '-infinity', false);
    const before = await everything(shy, member.id);
    await setActivity(member.id, lastActiveAt, true);
    expect(await everything(shy, member.id)).toEqual(before);
    const seenByOthers = await open(member.id);
    expect(seenByOthers.body.data.user).toMatchObject({ isOnline: true, lastActive: lastActiveAt.toISOString() });
  });

  test('is visible to staff', async () => {
    const member = await makeMember(app, { showLastActive: false, lastActiveAt, online: true });
    const moderator = await makeModerator(app, { showLastActive: false });
    expect((await open(member.id, moderator)).body.data.user).toMatchObject({ isOnline: true });
  });
});
