import type { Preferences } from '#contract/discovery.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  type Gender,
  type ProfileDetails,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import type { Random } from './random.ts';

/** A generated member, as stored in the product. */
export interface Person {
  gender: Gender;
  seeking: Gender[];
  /** In the form `YYYY-MM-DD`. */
  birthDate: string;
  place: { latitude: number; longitude: number } | null;
  details: Partial<ProfileDetails>;
  wishes: Partial<Preferences>;
  vip: boolean;
  incognito: boolean;
  /** Days since the last activity. */
  silentDays: number;
  fate: 'here' | 'leaving' | 'deactivated' | 'unverified' | 'paused';
}

const genders: Gender[] = ['woman', 'man', 'non-binary'];
const interests = ['hiking', 'tea', 'jazz', 'cooking'] as const;
const languages = ['en', 'cs', 'de'] as const;

function some<T>(random: Random, list: readonly T[], share: number): T[] {
  return list.filter(() => random.chance(share));
}

/** Returns a filter for some of these words in some cases, mostly a required one. */
function filterFor<T>(random: Random, words: readonly T[]): { values: T[]; required: boolean } | null {
  if (!random.chance(0.15)) return null;
  const values = some(random, words, 0.6);
  return values.length === 0 ? null : { values, required: random.chance(0.7) };
}

function range(random: Random, low: number, width: number) {
  const min = low + random.below(width);
  return { min, max: min + random.below(width), required: random.chance(0.7) };
}

/** A random member in one of several towns around Prague. */
export function randomPerson(random: Random): Person {
  const pick = <T>(words: readonly T[]): T | null => (random.chance(0.7) ? random.pick(words) : null);
  return {
    gender: random.pick(genders),
    seeking: random.chance(0.5) ? [...genders] : [random.pick(genders)],
    birthDate: `${1984 + random.below(14)}-${['02-28', '03-01', '06-14', '06-15', '06-16'][random.below(5)] ?? ''}`,
    place: random.chance(0.9)
      ? { latitude: 50.085 + random.below(5) * 0.15, longitude: 14.42 + random.below(5) * 0.2 }
      : null,
    details: Object.fromEntries(
      Object.entries({
        goal: pick(relationshipGoals),
        children: pick(childrenAnswers),
        smoking: pick(smokingAnswers),
        drinking: pick(drinkingAnswers),
        exercise: pick(exerciseAnswers),
        heightCm: random.chance(0.7) ? 165 + random.below(15) : null,
        interests: some(random, interests, 0.5),
        languages: some(random, languages, 0.5),
      }).filter(([, said]) => said !== null),
    ),
    wishes: {
      age: random.chance(0.5) ? range(random, 24, 14) : null,
      distance: random.chance(0.5) ? { maxKm: 10 + random.below(60), required: random.chance(0.7) } : null,
      interests: filterFor(random, interests),
      goal: filterFor(random, relationshipGoals),
      languages: filterFor(random, languages),
      children: filterFor(random, childrenAnswers),
      smoking: filterFor(random, smokingAnswers),
      drinking: filterFor(random, drinkingAnswers),
      exercise: filterFor(random, exerciseAnswers),
      heightCm: random.chance(0.15) ? range(random, 165, 15) : null,
    },
    vip: random.chance(0.3),
    incognito: random.chance(0.1),
    silentDays: random.chance(0.15) ? 29 + random.below(3) : 0,
    fate: random.chance(0.85) ? 'here' : random.pick(['leaving', 'deactivated', 'unverified', 'paused'] as const),
  };
}

function ageOf({ birthDate }: Person, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return birthDate.slice(5) <= today.slice(5) ? years : years - 1;
}

/** The great-circle distance by the law of cosines. */
function kmBetween(one: Person, other: Person): number {
  if (one.place === null || other.place === null) return Infinity;
  const [a, b] = [one.place, other.place].map(({ latitude, longitude }) => ({
    latitude: (latitude * Math.PI) / 180,
    longitude: (longitude * Math.PI) / 180,
  })) as [{ latitude: number; longitude: number }, { latitude: number; longitude: number }];
  const cosine =
    Math.sin(a.latitude) * Math.sin(b.latitude) +
    Math.cos(a.latitude) * Math.cos(b.latitude) * Math.cos(a.longitude - b.longitude);
  return 6371 * Math.acos(Math.min(1, cosine));
}

type List = { values: readonly string[]; required: boolean } | null | undefined;
type Range = { min: number; max: number; required: boolean } | null | undefined;

function isWithin(range: Range, value: number | null | undefined): boolean {
  if (range?.required !== true) return true;
  return value !== null && value !== undefined && value >= range.min && value <= range.max;
}

function hasOne(wish: List, said: readonly string[] | string | null | undefined): boolean {
  if (wish?.required !== true) return true;
  const words = typeof said === 'string' ? [said] : (said ?? []);
  return words.some((word) => wish.values.includes(word));
}

/** The requirements of `who` that `other` doesn't meet; `today` has the form `YYYY-MM-DD`. Distances are compared in exact kilometers. */
export function unmet(who: Person, other: Person, today: string): string[] {
  const { wishes, vip } = who;
  const { details } = other;
  const km = kmBetween(who, other);
  const checks: Record<string, boolean> = {
    gender: who.seeking.includes(other.gender),
    age: isWithin(wishes.age, ageOf(other, today)),
    distance: wishes.distance?.required !== true || km <= wishes.distance.maxKm,
    interests: hasOne(wishes.interests, details.interests),
    languages: !vip || hasOne(wishes.languages, details.languages),
    goal: !vip || hasOne(wishes.goal, details.goal),
    children: !vip || hasOne(wishes.children, details.children),
    smoking: !vip || hasOne(wishes.smoking, details.smoking),
    drinking: !vip || hasOne(wishes.drinking, details.drinking),
    exercise: !vip || hasOne(wishes.exercise, details.exercise),
    heightCm: !vip || isWithin(wishes.heightCm, details.heightCm),
  };
  return Object.keys(checks).filter((name) => checks[name] === false);
}
