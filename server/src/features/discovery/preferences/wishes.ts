import type { KeptWishes } from '../../../platform/db/schema.ts';
import type { Candidate } from '../deck/rows.ts';

/** What each wish that is nice to have lifts R by, and all of them together at most. */
const perWish = 0.4;
const wishesMost = 1.2;

type Met = Pick<
  Candidate,
  'age' | 'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'interests' | 'languages' | 'distanceKm'
> & { heightCm: number | null };

const isAmong = (values: readonly string[], said: readonly (string | null)[]) =>
  said.some((word) => word !== null && values.includes(word));

/** How many of a viewer's wishes that are nice to have somebody meets. */
function wishesMet(wishes: KeptWishes, met: Met): number {
  const { age, distance, heightCm, goal, children, smoking, drinking, exercise, interests, languages } = wishes;
  const within = (range: { min: number; max: number }, figure: number | null) =>
    figure !== null && figure >= range.min && figure <= range.max;
  const answers = [
    age?.required === false && within(age, met.age),
    distance?.required === false && met.distanceKm !== null && met.distanceKm <= distance.maxKm,
    heightCm?.required === false && within(heightCm, met.heightCm),
    goal?.required === false && isAmong(goal.values, [met.goal]),
    children?.required === false && isAmong(children.values, [met.children]),
    smoking?.required === false && isAmong(smoking.values, [met.smoking]),
    drinking?.required === false && isAmong(drinking.values, [met.drinking]),
    exercise?.required === false && isAmong(exercise.values, [met.exercise]),
    interests?.required === false && isAmong(interests.values, met.interests),
    languages?.required === false && isAmong(languages.values, met.languages),
  ];
  return answers.filter(Boolean).length;
}

/** What the viewer's wishes that are nice to have add to somebody's R: they bring those first who fit, and keep nobody away. */
export function wishBonus(wishes: KeptWishes | null, met: Met): number {
  return wishes === null ? 0 : Math.min(wishesMost, perWish * wishesMet(wishes, met));
}
