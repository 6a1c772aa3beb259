import { interests } from '#contract/profiles/interests.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  noDetails,
  promptKeys,
  relationshipGoals,
  smokingAnswers,
  type ProfileDetails,
  type PromptKey,
} from '#contract/profiles/profile-details.ts';
import { randomOf, type Random } from './random.ts';

const stream = 11;

/** The languages of some countries; elsewhere people of the demo speak English alone. */
const languagesOf: Record<string, readonly string[]> = {
  Germany: ['de'],
  Austria: ['de'],
  France: ['fr'],
  Spain: ['es'],
  Mexico: ['es'],
  Argentina: ['es'],
  Colombia: ['es'],
  Brazil: ['pt'],
  Portugal: ['pt'],
  Italy: ['it'],
  Poland: ['pl'],
  Czechia: ['cs'],
  Sweden: ['sv'],
  Norway: ['nb'],
  Denmark: ['da'],
  Finland: ['fi'],
  Netherlands: ['nl'],
  Belgium: ['nl', 'fr'],
  Switzerland: ['de', 'fr'],
  Greece: ['el'],
  Turkey: ['tr'],
  Japan: ['ja'],
  China: ['zh'],
  'South Korea': ['ko'],
  India: ['hi'],
  Egypt: ['ar'],
  Ukraine: ['uk'],
};

const answers: Partial<Record<PromptKey, readonly string[]>> = {
  'perfect-sunday': ['coffee on the balcony and no plan at all', 'a long run, then an even longer breakfast'],
  'small-joy': ['when a stranger’s dog leans against my leg', 'the first page of a new notebook'],
  'teach-me': ['fold a dumpling that does not fall apart', 'your favourite card trick'],
  'proud-of': ['the bench I built from an old door', 'calling my grandmother every week'],
  'argue-about': ['whether soup is a drink', 'the best order to read a trilogy in'],
  'kitchen-pride': ['mushroom risotto, stirred the whole time', 'my aunt’s lentil stew'],
  'green-flag': ['is kind to waiters', 'laughs at their own jokes before the end'],
  'best-journey': ['three days on a slow train with a broken heater', 'the island we only found by missing a ferry'],
  'looking-for': ['likes comfortable silence', 'wants to try things and fail at them together'],
  'rainy-day': ['in the museum, second floor, by the window', 'baking something far too large'],
  'learned-lately': ['that tomatoes need company', 'to say no before noon'],
  'first-date': [
    'a walk along the river with something warm to drink',
    'a flea market, two euros each, best find wins',
  ],
};
const answered = promptKeys.filter((key) => answers[key] !== undefined);

function some<T>(random: Random, list: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  while (chosen.size < count) chosen.add(random.pick(list));
  return [...chosen];
}

/** What member `number` tells beyond their data: always the same, and for every fifth nothing. Only what was said is there. */
export function demoDetails(number: number, country: string | null): Partial<ProfileDetails> {
  const random = randomOf(number, stream);
  if (random.chance(0.2)) return {};
  const said: ProfileDetails = {
    goal: random.chance(0.9) ? random.pick(relationshipGoals) : null,
    interests: some(random, interests, 2 + random.below(7)),
    languages: [...new Set(['en', ...(languagesOf[country ?? ''] ?? [])])],
    children: random.chance(0.8) ? random.pick(childrenAnswers) : null,
    smoking: random.chance(0.8) ? (random.chance(0.7) ? 'never' : random.pick(smokingAnswers)) : null,
    drinking: random.chance(0.8) ? random.pick(drinkingAnswers) : null,
    exercise: random.chance(0.8) ? random.pick(exerciseAnswers) : null,
    heightCm: random.chance(0.7) ? 152 + random.below(46) : null,
    prompts: some(random, answered, random.below(4)).map((prompt) => ({
      prompt,
      answer: random.pick(answers[prompt] ?? ['']),
    })),
  };
  const keys = Object.keys(noDetails) as (keyof ProfileDetails)[];
  return Object.fromEntries(keys.flatMap((key) => (said[key] === null ? [] : [[key, said[key]]])));
}
