import { describe, expect, test } from 'vitest';
import { noDetails } from '#contract/profiles/profile-details.ts';
import { completeProfile, editProfile, getProfile, showLastActive } from '#contract/profiles/profiles.ts';
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
