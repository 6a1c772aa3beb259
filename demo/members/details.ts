import { interests } from '#contract/profiles/interests.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  relationshipGoals,
  smokingAnswers,
  type ProfileDetails,
  type PromptKey,
} from '#contract/profiles/profile-details.ts';
import { randomOf, type Random } from '../random.ts';

const stream = 11;
const languages = ['fr', 'de', 'es', 'it', 'pl', 'pt', 'hi', 'ar', 'zh', 'tr'];

const prompts: readonly (readonly [PromptKey, readonly string[]])[] = [
  ['perfect-sunday', ['coffee on the balcony and no plan at all', 'a long run, then an even longer breakfast']],
  ['small-joy', ['when a stranger’s dog leans against my leg', 'the first page of a new notebook']],
  ['teach-me', ['fold a dumpling that does not fall apart', 'your favourite card trick']],
  ['proud-of', ['the bench I built from an old door', 'calling my grandmother every week']],
  ['argue-about', ['whether soup is a drink', 'the best order to read a trilogy in']],
  ['kitchen-pride', ['mushroom risotto, stirred the whole time', 'my aunt’s lentil stew']],
  ['green-flag', ['is kind to waiters', 'laughs at their own jokes before the end']],
  ['best-journey', ['three days on a slow train with a broken heater', 'the island we only found by missing a ferry']],
  ['looking-for', ['likes comfortable silence', 'wants to try things and fail at them together']],
  ['rainy-day', ['in the museum, second floor, by the window', 'baking something far too large']],
  ['learned-lately', ['that tomatoes need company', 'to say no before noon']],
  [
    'first-date',
    ['a walk along the river with something warm to drink', 'a flea market, two euros each, best find wins'],
  ],
];

function some<T>(random: Random, list: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  while (chosen.size < count) chosen.add(random.pick(list));
  return [...chosen];
}

/** What member `number` adds to their profile: always the same, nothing for every fifth; unanswered questions are left out. */
export function drawDetails(number: number): Partial<ProfileDetails> {
  const random = randomOf(number, stream);
  if (random.chance(0.2)) return {};
  const maybe = <K extends keyof ProfileDetails>(key: K, share: number, value: () => ProfileDetails[K]) =>
    random.chance(share) ? { [key]: value() } : {};
  return {
    ...maybe('goal', 0.9, () => random.pick(relationshipGoals)),
    interests: some(random, interests, 2 + random.below(7)),
    languages: random.chance(0.4) ? ['en', random.pick(languages)] : ['en'],
    ...maybe('children', 0.8, () => random.pick(childrenAnswers)),
    ...maybe('smoking', 0.8, () => (random.chance(0.7) ? 'never' : random.pick(smokingAnswers))),
    ...maybe('drinking', 0.8, () => random.pick(drinkingAnswers)),
    ...maybe('exercise', 0.8, () => random.pick(exerciseAnswers)),
    ...maybe('heightCm', 0.7, () => 152 + random.below(46)),
    prompts: some(random, prompts, random.below(4)).map(([prompt, answers]) => ({
      prompt,
      answer: random.pick(answers),
    })),
  };
}
