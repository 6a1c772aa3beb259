import { describe, expect, test } from 'vitest';
import { emailSchema } from '#contract/text.ts';
import { bioMaxLength, minimumAgeYears, nameMaxLength } from '#contract/constants.ts';
import { ageBuckets } from '#contract/statistics.ts';
import { ageOn } from '#platform/process/clock.ts';
import { snapToPlaceCell } from '../../server/src/features/profiles/place/distance.ts';
import { yearsBefore } from '../calendar.ts';
import { readPlaces } from '../../server/src/features/profiles/place/import-places.ts';
import type { DemoMember } from './demo-member.ts';
import { demoMember } from './member.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const hashes = ['a', 'b', 'c', 'd'];
const membersAt = (at: Date, count = 500) =>
  Array.from({ length: count }, (_, number) => demoMember(number, at, hashes));
const members = membersAt(now);
const crowd = membersAt(now, 20_000);
const percent = (all: DemoMember[], has: (member: DemoMember) => boolean) =>
  (100 * all.filter(has).length) / all.length;
const isComplete = ({ firstName, birthDate, gender, seeking, place }: DemoMember) =>
  firstName !== null && birthDate !== null && gender !== null && seeking.length > 0 && place !== null;

describe('the demo members', () => {
  test('are always the same, whatever the number of members', () => {
    expect(membersAt(now)).toEqual(members);
    expect(crowd.slice(0, members.length)).toEqual(members);
  });

  test('keep their identity when generated at another time', () => {
    const who = ({ id, email, firstName, lastName, gender, seeking, place, isVip, ...member }: DemoMember) => ({
      ...{ id, email, firstName, lastName, gender, seeking, place, isVip },
      isVerified: member.emailVerifiedAt !== null,
      isActive: member.deactivatedAt === null,
      wasHere: member.lastActiveAt !== null,
    });
    const later = new Date('2027-01-31T03:00:00.000Z');
    const isSame = (member: DemoMember) => member.leavingSince === null;
    expect(membersAt(later).filter(isSame).map(who)).toEqual(members.filter(isSame).map(who));
  });

  test('have unique identifiers and e-mail addresses', () => {
    expect(new Set(crowd.map(({ id }) => id)).size).toBe(crowd.length);
    expect(new Set(crowd.map(({ email }) => email)).size).toBe(crowd.length);
    for (const { id } of members) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-0{12}$/);
  });

  test('have addresses at several reserved domains', () => {
    for (const { email } of crowd) expect(emailSchema.parse(email)).toBe(email);
    const domains = new Set(members.map(({ email }) => email.slice(email.indexOf('@') + 1)));
    expect(domains.size).toBeGreaterThan(5);
    expect([...domains].filter((domain) => !domain.endsWith('.test'))).toEqual([]);
  });

  test('stay within the profile limits', () => {
    for (const { firstName, lastName, bio } of crowd) {
      for (const name of [firstName, lastName])
        expect(name === null || (name.length <= nameMaxLength && name.trim() === name)).toBe(true);
      expect(bio === null || (bio.length <= bioMaxLength && bio.trim() === bio && !/[{}]|undefined/.test(bio))).toBe(
        true,
      );
    }
  });

  test.each([
    ['500', members],
    ['20,000', crowd],
  ])('have plausible shares among %s', (_, all) => {
    const expected: [from: number, to: number, has: (member: DemoMember) => boolean][] = [
      [46, 48, ({ gender }) => gender === 'woman'],
      [46, 48, ({ gender }) => gender === 'man'],
      [3, 5, ({ gender }) => gender === 'non-binary'],
      [1, 3, ({ gender }) => gender === null],
      [7.5, 10.5, ({ isVip }) => isVip],
      [82, 88, ({ emailVerifiedAt }) => emailVerifiedAt !== null],
      [87, 93, isComplete],
      [2, 4, ({ deactivatedAt }) => deactivatedAt !== null],
      [0.4, 1.6, ({ leavingSince }) => leavingSince !== null],
      [8, 12, ({ showLastActive }) => !showLastActive],
      [5.2, 6.8, ({ online }) => online],
      [1, 4, ({ lastActiveAt }) => lastActiveAt === null],
      [10, 20, ({ bio }) => bio === null],
      [10, 30, ({ firstName }) => /[^\P{L}\p{Script=Latin}]/u.test(firstName ?? '')],
    ];
    for (const [from, to, has] of expected) {
      expect(percent(all, has), String(has)).toBeGreaterThanOrEqual(from);
      expect(percent(all, has), String(has)).toBeLessThanOrEqual(to);
    }
  });

  test('include a plausible share of every age band', () => {
    const shares = ageBuckets.map(({ from, to }) =>
      percent(
        members,
        ({ birthDate }) => birthDate !== null && ageOn(birthDate, now) >= from && ageOn(birthDate, now) <= to,
      ),
    );
    for (const share of shares) expect(share).toBeGreaterThan(6);
    expect(Math.max(...shares)).toBe(shares[1]);
  });

  test('include people who were last active minutes, hours, days and months ago', () => {
    const agoHours = members.flatMap(({ lastActiveAt }) =>
      lastActiveAt === null ? [] : (Number(now) - Number(lastActiveAt)) / 3_600_000,
    );
    const steps = [0, 1, 24, 168, 720, 10_000];
    for (const [at, to] of steps.slice(1).entries())
      expect(agoHours.filter((hours) => hours >= (steps[at] ?? 0) && hours < to).length).toBeGreaterThan(15);
  });

  test('are online only when plausible', () => {
    for (const member of crowd.filter(({ online }) => online)) {
      expect(member).toMatchObject({ deactivatedAt: null, leavingSince: null, passwordHash: null });
      expect(Number(now) - Number(member.lastActiveAt)).toBeLessThan(75_000);
    }
  });

  test('live in place cells of cities, and in large demos on all continents', () => {
    const cities = new Map(readPlaces().map((place) => [place.name, place]));
    const homes = crowd.flatMap(({ place }) => place ?? []);
    for (const { city, country, latitude, longitude } of homes) {
      expect(cities.get(city)?.country).toBe(country);
      expect(snapToPlaceCell(latitude, longitude)).toEqual({ latitude, longitude });
      expect(Math.abs(latitude - (cities.get(city)?.latitude ?? 90))).toBeLessThan(0.17);
    }
    const countries = new Set(crowd.map(({ place }) => place?.country));
    for (const country of ['China', 'India', 'Nigeria', 'United States', 'Brazil', 'Germany', 'Australia'])
      expect(countries).toContain(country);
    expect(countries.size).toBeGreaterThan(70);
  });

  test('look for women, men and non-binary people, including their own gender and several genders', () => {
    const pairs = new Set(members.map(({ gender, seeking }) => `${gender}: ${seeking.join('+')}`));
    for (const pair of ['woman: man', 'woman: woman', 'man: woman', 'man: man', 'woman: woman+man'])
      expect(pairs).toContain(pair);
  });
});

describe('the growth of the demo', () => {
  const days = [
    '2026-06-01T00:00:00.000Z',
    '2026-06-01T00:07:00.000Z',
    '2026-06-15T12:00:00.000Z',
    '2026-06-30T23:59:59.000Z',
    '2027-01-01T09:00:00.000Z',
    '2028-02-29T09:00:00.000Z',
  ];

  test.each(days)('is positive and plausible on %s', (day) => {
    const at = new Date(day);
    const months = new Map<string, number>();
    for (const { createdAt, leavingSince } of membersAt(at)) {
      const month = createdAt.toISOString().slice(0, 7);
      if (leavingSince === null) months.set(month, (months.get(month) ?? 0) + 1);
    }
    const counts = [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
    const [beforeLast = 0, last = 0, current = 0] = counts.slice(-3);
    expect([...months.keys()]).toContain(day.slice(0, 7));
    expect(counts.length).toBeGreaterThanOrEqual(14);
    expect(current / last).toBeGreaterThan(1.02);
    expect(current / last).toBeLessThan(1.4);
    expect(last).toBeGreaterThan(beforeLast);
  });

  test.each(days)('keeps all dates of a member in order on %s', (day) => {
    const at = new Date(day);
    for (const { createdAt, birthDate, ...dates } of membersAt(at)) {
      expect(createdAt <= at).toBe(true);
      for (const one of [dates.emailVerifiedAt, dates.deactivatedAt, dates.leavingSince, dates.lastActiveAt])
        if (one !== null) expect(one >= createdAt && one <= at).toBe(true);
      if (birthDate !== null) expect(ageOn(birthDate, createdAt)).toBeGreaterThanOrEqual(minimumAgeYears);
    }
  });
});

describe('the awkward members', () => {
  const cases: [string, (member: DemoMember) => boolean][] = [
    ['no gender', ({ gender }) => gender === null],
    ['no city', ({ place }) => place === null],
    ['no birth date', ({ birthDate }) => birthDate === null],
    ['never active', ({ lastActiveAt }) => lastActiveAt === null],
    ['leaving', ({ leavingSince }) => leavingSince !== null],
    [
      'deactivated, with a reason',
      ({ deactivatedAt, deactivationReason }) => deactivatedAt !== null && deactivationReason !== null,
    ],
    ['a name of 60 characters', ({ firstName, lastName }) => firstName?.length === 60 && lastName?.length === 60],
    ['a name of one letter', ({ firstName, lastName }) => firstName?.length === 1 && lastName === null],
    ['no name', ({ firstName, lastName }) => firstName === null && lastName === null],
    ...['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Han', 'Hangul', 'Hiragana', 'Thai'].map(
      (script): [string, (member: DemoMember) => boolean] => [
        script,
        ({ firstName }) => new RegExp(`\\p{Script=${script}}`, 'u').test(firstName ?? ''),
      ],
    ),
    ['combining accents', ({ firstName }) => firstName !== firstName?.normalize('NFC')],
    ['emoji', ({ firstName }) => /\p{Extended_Pictographic}/u.test(firstName ?? '')],
    ['markup', ({ firstName }) => firstName?.startsWith('<script>') === true],
    ['an apostrophe', ({ lastName }) => lastName === "O'Brien"],
    ['a hyphen', ({ lastName }) => /\p{L}-\p{L}/u.test(lastName ?? '')],
    ['a formula', ({ firstName }) => firstName?.startsWith('=cmd') === true],
    ['a very long address', ({ email }) => email.length >= 60],
    ['over 80', ({ birthDate }) => birthDate !== null && ageOn(birthDate, now) > 80],
    ['18 today', ({ birthDate }) => birthDate === yearsBefore(now, minimumAgeYears).toISOString().slice(0, 10)],
    ['several lines', ({ bio }) => bio?.includes('\n') === true],
    ['a bio of the maximum length', ({ bio }) => (bio?.length ?? 0) > 950],
    ['hidden activity', ({ showLastActive }) => !showLastActive],
  ];

  test.each(cases)('are included even among 40: %s', (_, is) => {
    expect(members.slice(0, 40).some(is)).toBe(true);
  });
});
