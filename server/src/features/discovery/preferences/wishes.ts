import type { KeptWishes } from '../tables.ts';
import type { Candidate } from '../deck/rows.ts';

/** How much each nice-to-have preference raises R, and the maximum of all together. */
const perWish = 0.4;
const wishesMost = 1.2;

type Met = Pick<
  Candidate,
  'age' | 'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'interests' | 'languages' | 'distanceKm'
> & { heightCm: number | null };

const isAmong = (values: readonly string[], said: readonly (string | null)[]) =>
  said.some((word) => word !== null && values.includes(word));

/** How many of the viewer's nice-to-have preferences a person meets. */
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

/** What the viewer's nice-to-have preferences add to a person's R. They change the order and exclude no one. */
export function wishBonus(wishes: KeptWishes | null, met: Met): number {
  return wishes === null ? 0 : Math.min(wishesMost, perWish * wishesMet(wishes, met));
}
