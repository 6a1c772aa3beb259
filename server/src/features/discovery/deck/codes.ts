import type { Gender } from '#contract/profiles/gender.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import { ageOn } from '../../../platform/process/clock.ts';
import type { Stated } from './rows.ts';

/** Must equal `logic.gender_bit` in `server/sql/discovery.sql`. */
const genderBits: Record<Gender, number> = { woman: 1, man: 2, 'non-binary': 4 };
const genderOrder = Object.keys(genderBits) as Gender[];

/** The bit of a gender in `discovery_row`. */
export const bitOf = (gender: Gender): number => genderBits[gender];

/** The genders whose bits are set. */
export const gendersOf = (mask: number): Gender[] => genderOrder.filter((gender) => (mask & genderBits[gender]) !== 0);

/** A row of `discovery_row` as returned by the database. */
export interface StatedRow extends Pick<
  ProfileDetails,
  'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'interests' | 'languages'
> {
  account_id: string;
  gender: number;
  seeking: number;
  birth_date: string;
  latitude: number | null;
  longitude: number | null;
  shows_activity: boolean;
  age_min: number | null;
  age_max: number | null;
  age_required: boolean;
  max_km: number | null;
  distance_required: boolean;
}

/** A member's stated facts, from their row. */
export function statedOf(row: StatedRow, now: Date): Stated {
  const { age_min, age_max, max_km } = row;
  return {
    gender: gendersOf(row.gender)[0] ?? 'non-binary',
    seeking: gendersOf(row.seeking),
    age: ageOn(row.birth_date, now),
    ageWish: age_min === null || age_max === null ? null : { min: age_min, max: age_max, required: row.age_required },
    distanceWish: max_km === null ? null : { maxKm: max_km, required: row.distance_required },
    showsLastActive: row.shows_activity,
    goal: row.goal,
    children: row.children,
    smoking: row.smoking,
    drinking: row.drinking,
    exercise: row.exercise,
    interests: row.interests,
    languages: row.languages,
  };
}
