import { describe, expect, test } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { changeLocation, completeProfile, editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
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
