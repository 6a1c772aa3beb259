import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PreferenceKey, premiumFilters, type putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import type { MemberOptions, TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, givePremium, likesIn } from '../../../test/likes.ts';
import { importPlaces } from '../profiles/place/import-places.ts';

const app = startAppForTests();
beforeAll(async () => {
  await importPlaces(app.pool);
});
beforeEach(async () => {
  await deleteAllMembers(app);
  // Lets the cached location figures expire.
  app.clock.advance(301);
});

const { meet, prefer, idsFor } = cardsIn(() => app);
const { like } = likesIn(() => app);
type Wishes = BodyInput<typeof putPreferences>;

interface Example {
  wish: object;
  meets: MemberOptions;
  misses: MemberOptions;
  silent?: MemberOptions;
}
/** A filter by the answers in a detail, one answer that meets it, and one that does not. */
const answers = (detail: string, values: string[], meets: unknown, misses: unknown): Example => ({
  ...{ wish: { values }, meets: { details: { [detail]: meets } } },
  ...{ misses: { details: { [detail]: misses } }, silent: {} },
});
/** For each filter: a setting, a profile that meets it, and profiles that do not, including empty ones. */
const filters: Record<PreferenceKey, Example> = {
  age: { wish: { min: 30, max: 40 }, meets: { birthDate: '1990-01-01' }, misses: { birthDate: '1980-01-01' } },
  distance: { wish: { maxKm: 100 }, meets: {}, misses: brno, silent: { latitude: null, longitude: null } },
  interests: answers('interests', ['tea', 'hiking'], ['hiking', 'jazz'], ['jazz']),
  goal: answers('goal', ['long-term'], 'long-term', 'friendship'),
  languages: answers('languages', ['cs', 'en'], ['de', 'en'], ['de']),
  children: answers('children', ['want', 'open'], 'open', 'have'),
  smoking: answers('smoking', ['never'], 'never', 'regularly'),
  drinking: answers('drinking', ['never', 'rarely'], 'rarely', 'often'),
  exercise: answers('exercise', ['daily'], 'daily', 'never'),
  heightCm: { ...answers('heightCm', [], 180, 181), wish: { min: 170, max: 180 } },
};
const names = Object.keys(filters) as PreferenceKey[];
const takesPremium = (name: PreferenceKey) => premiumFilters.some((filter) => filter === name);
const preferenceOf = (name: PreferenceKey, required: boolean) =>
  ({ [name]: { ...filters[name].wish, required } }) as Wishes;

interface Crowd {
  viewer: TestMember;
  meets: TestMember;
  misses: TestMember[];
}

async function crowdFor(name: PreferenceKey): Promise<Crowd> {
  const { meets, misses, silent } = filters[name];
  return {
    viewer: await meet({ vip: takesPremium(name) }),
    meets: await meet(meets),
    misses: [await meet(misses), ...(silent === undefined ? [] : [await meet(silent)])],
  };
}
const ids = (people: TestMember[]) => people.map(({ id }) => id).sort();
const seen = async (viewer: TestMember) => (await idsFor(viewer)).sort();
/** The cards after the next deck was built, as happens in the background when few cards are left. */
const seenNext = async (viewer: TestMember) => {
  await idsFor(viewer);
  await app.drain();
  return await seen(viewer);
};

describe('a filter', () => {
  test.each(names)('excludes people who do not meet it, in both directions, when it is required: %s', async (name) => {
    const { viewer, meets, misses } = await crowdFor(name);
    expect(await seen(viewer)).toEqual(ids([meets, ...misses]));
    expect((await prefer(viewer, preferenceOf(name, true))).status).toBe(200);
    expect(await seen(viewer)).toEqual([meets.id]);
    expect(await idsFor(meets)).toContain(viewer.id);
    for (const one of misses) expect(await idsFor(one)).not.toContain(viewer.id);
    await prefer(viewer, { [name]: null });
    expect(await seen(viewer)).toEqual(ids([meets, ...misses]));
  });

  test.each(names)('excludes no one when it is only nice to have: %s', async (name) => {
    const { viewer, meets, misses } = await crowdFor(name);
    await prefer(viewer, preferenceOf(name, false));
    expect(await seen(viewer)).toEqual(ids([meets, ...misses]));
  });

  test.each(premiumFilters)('is inactive without premium and active again with it: %s', async (name) => {
    const { viewer, meets, misses } = await crowdFor(name);
    await prefer(viewer, preferenceOf(name, true));
    await endPremium(app, viewer);
    expect(await seen(viewer)).toEqual(ids([meets, ...misses]));
    await givePremium(app, viewer);
    expect(await seen(viewer)).toEqual([meets.id]);
  });

  test.each([
    ['goal', relationshipGoals],
    ['children', childrenAnswers],
    ['smoking', smokingAnswers],
    ['drinking', drinkingAnswers],
    ['exercise', exerciseAnswers],
  ] as const)('supports every value: %s', async (name, words) => {
    const viewer = await meet({ vip: true });
    const said = new Map<string, string>();
    for (const word of words) said.set((await meet({ details: { [name]: word } })).id, word);
    for (const word of words) {
      await prefer(viewer, { [name]: { values: [word], required: true } });
      expect((await idsFor(viewer)).map((id) => said.get(id))).toEqual([word]);
    }
  });
});

describe('the gender filter', () => {
  test('applies in both directions for every gender', async () => {
    const genders = ['woman', 'man', 'non-binary'] as const;
    const people = [];
    for (const gender of genders)
      for (const sought of genders) people.push({ gender, sought, who: await meet({ gender, seeking: [sought] }) });
    for (const viewer of people) {
      const fits = people.filter(
        ({ who, gender, sought }) => who !== viewer.who && gender === viewer.sought && sought === viewer.gender,
      );
      expect(await seen(viewer.who)).toEqual(ids(fits.map(({ who }) => who)));
    }
  });
});

describe('a required age', () => {
  // In one test, because the clock only goes forward.
  test('counts birthdays by the calendar', async () => {
    for (const [now, birthDate, age] of [
      ['2027-02-28T12:00:00Z', '1996-02-29', 30],
      ['2027-03-01T12:00:00Z', '1996-02-29', 31],
      ['2027-06-15T12:00:00Z', '1996-06-15', 31],
      ['2027-06-15T12:10:00Z', '1996-06-16', 30],
      ['2028-02-29T00:00:00Z', '1998-02-28', 30],
      ['2028-02-29T12:00:00Z', '2000-02-29', 28],
      ['2028-02-29T23:59:59Z', '1998-03-01', 29],
    ] as const) {
      app.clock.set(new Date(now));
      await deleteAllMembers(app);
      const [viewer, other] = [await meet(), await meet({ birthDate })];
      const seenFrom = async (min: number, max: number) => {
        await prefer(viewer, { age: { min, max, required: true } });
        return await idsFor(viewer);
      };
      for (const [min, max, expected] of [
        [age, age, [other.id]],
        [age - 1, age, [other.id]],
        [age, age + 1, [other.id]],
        [age + 1, age + 9, []],
        [18, age - 1, []],
      ] as const)
        expect(await seenFrom(min, max), `born on ${birthDate}, ${min}–${max} on ${now}`).toEqual(expected);
    }
  });
});

describe('an incognito member', () => {
  test('is shown only to people they like, and to everyone again when premium ends', async () => {
    const [hidden, liked, other] = [await meet({ vip: true }), await meet(), await meet()];
    await prefer(hidden, { incognito: true });
    await like(hidden, liked);
    expect(await seen(liked)).toEqual(ids([hidden, other]));
    expect(await seen(other)).toEqual([liked.id]);
    expect(await seen(hidden)).toEqual([other.id]);
    await endPremium(app, hidden);
    expect(await seenNext(other)).toEqual(ids([hidden, liked]));
  });
});

describe('a member with another city', () => {
  test('searches and appears there, with premium', async () => {
    const near: Wishes = { distance: { maxKm: 60, required: true } };
    const [traveller, home, there] = [await meet({ vip: true }), await meet(), await meet(brno)];
    for (const one of [traveller, home, there]) await prefer(one, near);
    const seenByAll = async () => [await seenNext(traveller), await seenNext(home), await seenNext(there)];
    expect(await seenByAll()).toEqual([[home.id], [traveller.id], []]);
    const moved = await prefer(traveller, { elsewhere: { city: 'Brno', country: 'Czechia' } });
    expect(moved.body.data.preferences.elsewhere).toEqual({ city: 'Brno', country: 'Czechia' });
    app.clock.advance(301);
    expect(await seenByAll()).toEqual([[there.id], [], [traveller.id]]);
    await endPremium(app, traveller);
    expect(await seenByAll()).toEqual([[home.id], [traveller.id], []]);
  });
});
