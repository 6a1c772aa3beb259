import { describe, expect, test } from 'vitest';
import { noDetails } from '#contract/profiles/profile-details.ts';
import {
  changeLocation,
  completeProfile,
  editProfile,
  getProfile,
  showLastActive,
} from '#contract/profiles/profiles.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { makeMember, makeModerator, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';

const app = startAppForTests();

const blank: MemberOptions = {
  firstName: null,
  lastName: null,
  gender: null,
  seeking: [],
  birthDate: null,
  city: null,
  country: null,
};

const everything = {
  firstName: 'Ada',
  birthDate: '1990-12-31',
  gender: 'woman',
  seeking: ['man', 'woman'],
  location: { city: 'Oslo', country: 'Norway' },
} satisfies BodyInput<typeof completeProfile>;

const readProfile = async (member: TestMember) => (await app.call(getProfile, { token: member.token })).body.userData;

describe('GET /auth/profile', () => {
  test('returns the caller’s whole profile and the remaining steps', async () => {
    const member = await makeMember(app, {
      ...blank,
      pictureless: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      birthDate: '1990-06-16',
      verified: false,
      vip: true,
    });
    const answer = await readProfile(member);
    expect(answer.user).toEqual({
      _id: member.id,
      ...noDetails,
      language: 'en',
      firstName: 'Ada',
      lastName: 'Lovelace',
      name: 'Ada Lovelace',
      email: member.email,
      createdAt: app.clock.now().toISOString(),
      lastActive: app.clock.now().toISOString(),
      isActive: true,
      isVIP: true,
      isOnline: true,
      isEmailVerified: false,
      emailVerificationSent: false,
      profileComplete: false,
      gender: null,
      genderText: null,
      age: 35,
      birthDate: '1990-06-16',
      bio: null,
      seeking: [],
      location: null,
      isPhotoVerified: false,
      photoVerifiedAt: null,
      profilePicture: null,
      more_pictures: [],
      pictures: [],
      settings: { showLastActive: true },
      isAdmin: false,
      staffRole: null,
    });
    expect(answer.privacySettings).toEqual({ showLastActive: true });
    expect(answer).toMatchObject({
      requiresVerification: true,
      requiresProfileCompletion: true,
      onboardingComplete: false,
    });
  });

  test('returns no remaining steps to staff', async () => {
    const moderator = await makeModerator(app, { ...blank, verified: false });
    expect(await readProfile(moderator)).toMatchObject({
      requiresVerification: false,
      requiresProfileCompletion: false,
      onboardingComplete: true,
      user: { isAdmin: true, staffRole: 'moderator', name: null },
    });
  });
});

describe('POST /auth/complete-profile', () => {
  test('completes a profile', async () => {
    const member = await makeMember(app, blank);
    const { body } = await app.call(completeProfile, { token: member.token, body: everything });
    expect(body.onboardingComplete).toBe(true);
    expect(body.account.user).toMatchObject({
      firstName: 'Ada',
      birthDate: '1990-12-31',
      gender: 'woman',
      seeking: ['man', 'woman'],
      location: { city: 'Oslo', country: 'Norway' },
      profileComplete: true,
    });
    const after = await readProfile(member);
    expect(after.user).toEqual(body.account.user);
    expect(after).toMatchObject({ requiresProfileCompletion: false, onboardingComplete: true });
  });

  test('lists missing fields in form order and stores the given ones', async () => {
    const member = await makeMember(app, blank);
    const refused = await app.call(completeProfile, { token: member.token, body: { gender: 'man', bio: 'Hello' } });
    expect(refused.status).toBe(422);
    expect(refused.error.code).toBe('PROFILE_FIELDS_MISSING');
    expect(refused.error.errors?.map(({ field }) => field)).toEqual(['firstName', 'birthDate', 'seeking', 'location']);
    expect((await readProfile(member)).user).toMatchObject({ gender: 'man', bio: 'Hello', profileComplete: false });
  });

  test.each(['firstName', 'birthDate', 'gender', 'seeking', 'location'] as const)(
    'returns an error while %s is the only thing missing',
    async (field) => {
      const member = await makeMember(app, blank);
      const { [field]: _, ...given } = everything;
      const refused = await app.call(completeProfile, { token: member.token, body: given });
      expect(refused.error.errors?.map((entry) => entry.field)).toEqual([field]);
    },
  );

  test("maps 'female' and 'male' to woman and man, and lists each gender once", async () => {
    const member = await makeMember(app, blank);
    const { body } = await app.call(completeProfile, {
      token: member.token,
      body: { ...everything, gender: 'female', seeking: ['male', 'man'] },
    });
    expect(body.account.user).toMatchObject({ gender: 'woman', seeking: ['man'] });
  });
});

describe('PUT /auth/edit-profile', () => {
  test('keeps absent fields and clears those that are null', async () => {
    const member = await makeMember(app, {
      firstName: 'Bo',
      lastName: 'Berg',
      bio: 'Old',
      city: 'Oslo',
      country: 'Norway',
    });
    const kept = await app.call(editProfile, { token: member.token, body: { bio: 'New' } });
    expect(kept.body.update.user).toMatchObject({
      firstName: 'Bo',
      lastName: 'Berg',
      bio: 'New',
      profileComplete: true,
    });
    const cleared = await app.call(editProfile, {
      token: member.token,
      body: { lastName: null, bio: null, gender: null, genderText: null, seeking: null, location: null },
    });
    expect(cleared.body.update.user).toMatchObject({
      firstName: 'Bo',
      lastName: null,
      name: 'Bo',
      bio: null,
      gender: null,
      seeking: [],
      location: null,
      profileComplete: false,
    });
    expect((await readProfile(member)).user).toEqual(cleared.body.update.user);
  });

  test('treats blank text as empty, and an empty first name as an error', async () => {
    const member = await makeMember(app, { firstName: 'Bo', lastName: 'Berg' });
    const blanked = await app.call(editProfile, { token: member.token, body: { lastName: '  ', bio: ' ' } });
    expect(blanked.body.update.user).toMatchObject({ lastName: null, bio: null });
    for (const firstName of [null, '', '   ', 'x'.repeat(61)]) {
      const refused = await app.call(editProfile, { token: member.token, body: { firstName } as never });
      expect(refused.status).toBe(400);
      expect(refused.error.errors?.[0]?.field).toBe('firstName');
    }
    expect((await readProfile(member)).user.firstName).toBe('Bo');
  });

  test.each([
    ['an unknown gender', { gender: 'robot' }, 'gender'],
    ['a bio of 1,001 characters', { bio: 'x'.repeat(1001) }, 'bio'],
    ['a day that does not exist', { birthDate: '1990-02-30' }, 'birthDate'],
    ['an impossible age', { birthDate: '1890-01-01' }, 'birthDate'],
    ['a city without a country', { location: { city: 'Oslo' } }, 'location.country'],
    ['four preferred genders', { seeking: ['man', 'man', 'man', 'man'] }, 'seeking'],
  ])('rejects %s with a field error', async (_, body, field) => {
    const member = await makeMember(app, { birthDate: null });
    const refused = await app.call(editProfile, { token: member.token, body: body as never });
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(field);
  });

  test('ignores read-only fields', async () => {
    const member = await makeMember(app, { verified: false });
    const other = await makeMember(app, { firstName: 'Untouched' });
    const before = await readProfile(member);
    const stolen = {
      _id: other.id,
      id: other.id,
      userId: other.id,
      accountId: other.id,
      account_id: other.id,
      email: 'stolen@example.test',
      password: 'another-password',
      password_hash: 'x',
      isAdmin: true,
      is_admin: true,
      staffRole: 'admin',
      staff_role: 'admin',
      role: 'admin',
      isVIP: true,
      is_vip: true,
      vip: true,
      isActive: false,
      is_active: false,
      status: 'deactivated',
      isEmailVerified: true,
      emailVerified: true,
      email_verified_at: '2020-01-01T00:00:00.000Z',
      emailVerificationSent: true,
      profileComplete: true,
      complete: true,
      isOnline: true,
      lastActive: '2020-01-01T00:00:00.000Z',
      createdAt: '2020-01-01T00:00:00.000Z',
      created_at: '2020-01-01T00:00:00.000Z',
      age: 99,
      settings: { showLastActive: false },
      showLastActive: false,
      latitude: 1,
      longitude: 1,
      profilePicture: 'https://evil.test/x.png',
      more_pictures: [{ url: 'https://evil.test/x.png' }],
      __proto__: { isAdmin: true },
    };
    const edited = await app.call(editProfile, { token: member.token, body: { ...stolen, bio: 'Written' } });
    expect(edited.body.update.user).toEqual({ ...before.user, bio: 'Written' });
    await app.call(showLastActive, { token: member.token, body: { ...stolen, showLastActive: true } });
    await app.call(completeProfile, { token: member.token, body: stolen as never });
    expect((await readProfile(member)).user).toEqual({ ...before.user, bio: 'Written' });
    expect((await readProfile(other)).user).toMatchObject({
      firstName: 'Untouched',
      email: other.email,
      staffRole: null,
    });
  });
});

describe('PUT /auth/show-last-active', () => {
  test('stores the setting and shows it to its owner', async () => {
    const member = await makeMember(app);
    for (const wanted of [false, false, true]) {
      const { body } = await app.call(showLastActive, { token: member.token, body: { showLastActive: wanted } });
      expect(body.data.privacySettings).toEqual({ showLastActive: wanted });
      expect((await readProfile(member)).privacySettings).toEqual({ showLastActive: wanted });
    }
  });
});

describe('a birth date', () => {
  // The clock is at 2026-06-15.
  test.each(['2008-06-16', '2008-12-31', '2010-01-01', '2026-06-15', '2026-06-16', '2999-01-01'])(
    'is rejected everywhere if the person is under 18 (%s), and nothing of the request is stored',
    async (birthDate) => {
      for (const call of [editProfile, completeProfile]) {
        const member = await makeMember(app, blank);
        const refused = await app.call(call, { token: member.token, body: { ...everything, birthDate } });
        expect(refused.status).toBe(422);
        expect(refused.error.code).toBe('UNDER_AGE');
        expect((await readProfile(member)).user).toMatchObject({ firstName: null, birthDate: null, gender: null });
      }
    },
  );

  test.each(['2008-06-15', '2008-06-14', '1906-06-15'])(
    'is accepted if the person is 18 to 120 years old (%s)',
    async (birthDate) => {
      const member = await makeMember(app, blank);
      expect(
        (await app.call(completeProfile, { token: member.token, body: { ...everything, birthDate } })).status,
      ).toBe(200);
    },
  );

  test.each([
    ['2026-02-28T23:59:59.999Z', 422],
    ['2026-03-01T00:00:00.000Z', 200],
  ])('on 29 February 18 years ago gets, at %s, the status %i', async (moment, status) => {
    const standing = app.clock.now();
    app.clock.set(new Date(moment));
    const { token } = await makeMember(app, blank);
    const answer = await app.call(editProfile, { token, body: { birthDate: '2008-02-29' } });
    app.clock.set(standing);
    expect(answer.status).toBe(status);
  });

  test('is rejected with the first day on which it would be accepted', async () => {
    const { token } = await makeMember(app, blank);
    for (const [birthDate, day] of [
      ['2008-06-16', '16 June 2026'],
      ['2010-02-28', '28 February 2028'],
      ['2012-02-29', '1 March 2030'],
    ] as const) {
      const { error } = await app.call(editProfile, { token, body: { birthDate } });
      expect(error.errors?.[0]?.msg).toContain(`from ${day} on`);
    }
  });

  test.each([
    [null, 422],
    [{ latitude: -17.7, longitude: 178.1 }, 200],
    [{ latitude: 21.3, longitude: -157.8 }, 422],
  ])('of a person who turns 18 tomorrow (UTC) and lives at %j gets, at 14:00, the status %i', async (place, status) => {
    const standing = app.clock.now();
    app.clock.set(new Date('2026-06-15T14:00:00Z'));
    const { token } = await makeMember(app, blank);
    if (place !== null) await app.call(changeLocation, { token, body: place });
    const alone = await app.call(editProfile, { token, body: { birthDate: '2008-06-16' } });
    app.clock.set(standing);
    expect(alone.status).toBe(status);
  });

  test('can be set once: the same date again is accepted, another one is rejected', async () => {
    const member = await makeMember(app, { birthDate: null });
    const give = (birthDate: string) =>
      app.call(editProfile, { token: member.token, body: { birthDate, bio: birthDate } });
    expect((await give('1990-01-01')).status).toBe(200);
    expect((await give('1990-01-01')).status).toBe(200);
    const refused = await give('1991-01-01');
    expect(refused.status).toBe(422);
    expect(refused.error.code).toBe('BIRTH_DATE_SET');
    expect((await readProfile(member)).user).toMatchObject({ birthDate: '1990-01-01', bio: '1990-01-01' });
  });

  test('is set once when it is sent twice at the same time', async () => {
    const member = await makeMember(app, { birthDate: null });
    const days = Array.from({ length: 10 }, (_, n) => `1980-01-${10 + n}`);
    const answers = await Promise.all(
      days.map((birthDate) => app.call(editProfile, { token: member.token, body: { birthDate } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
    const winner = days[answers.findIndex(({ status }) => status === 200)];
    expect((await readProfile(member)).user.birthDate).toBe(winner);
  });
});
