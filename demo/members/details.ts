import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Interest, interests, type PromptKey } from '#contract/profiles/interests.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  type ProfileDetails,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { type Random, randomOf } from '../random.ts';

const stream = 11;
const kindredStream = 12;
const languages = ['fr', 'de', 'es', 'it', 'pl', 'pt', 'hi', 'ar', 'zh', 'tr'];

/** The profile details of the members among the demo accounts, by number. */
const accountDetails: Record<number, Partial<ProfileDetails>> = {
  2: {
    goal: 'long-term',
    interests: ['sailing', 'woodwork', 'swimming', 'folk music', 'cooking', 'forests', 'crime novels', 'flea markets'],
    languages: ['en', 'sv'],
    children: 'open',
    smoking: 'never',
    drinking: 'socially',
    exercise: 'weekly',
    heightCm: 171,
    prompts: [
      { prompt: 'perfect-sunday', answer: 'flat water, no wind and a flask of something hot' },
      { prompt: 'argue-about', answer: 'whether a boat with a leak is still a boat' },
      { prompt: 'first-date', answer: 'soup on the canal bank, weather permitting' },
    ],
  },
  3: {
    goal: 'long-term',
    interests: ['radio', 'chess', 'train journeys', 'podcasts', 'brunch', 'city trips', 'jazz', 'baking'],
    languages: ['en', 'da'],
    children: 'open',
    smoking: 'never',
    drinking: 'socially',
    exercise: 'sometimes',
    heightCm: 184,
    prompts: [
      { prompt: 'on-repeat', answer: 'the shipping forecast, and I know it isn’t a song' },
      { prompt: 'kitchen-pride', answer: 'Danish rye bread, three days in the making' },
      { prompt: 'weekend-trip', answer: 'the slow ferry there, the slower train back' },
    ],
  },
};
const kindredShare = 0.4;

/** The number of the demo account that member `number` has much in common with; null for most. */
export function kindredOf(number: number): number | null {
  const random = randomOf(number, kindredStream);
  const accounts = Object.keys(accountDetails).map(Number);
  return !accounts.includes(number) && random.chance(kindredShare) ? random.pick(accounts) : null;
}

/** Interests that many people list. */
const popular: readonly Interest[] = [
  ...(['hiking', 'cycling', 'running', 'swimming', 'yoga', 'dancing', 'football', 'climbing'] as const),
  ...(['cooking', 'baking', 'coffee', 'wine', 'street food', 'eating out', 'concerts', 'festivals'] as const),
  ...(['theatre', 'stand-up comedy', 'vinyl records', 'reading', 'podcasts', 'cinema', 'series'] as const),
  ...(['photography', 'pottery', 'gardening', 'museums', 'galleries', 'board games', 'quizzes'] as const),
  ...(['travelling', 'city trips', 'the sea', 'mountains', 'dogs', 'cats', 'brunch', 'long conversations'] as const),
];

/** Answers to each prompt; each line of the file starts with the prompt. */
const prompts = readFileSync(join(import.meta.dirname, 'prompts.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [prompt, ...answers] = line.split(' | ');
    return [prompt as PromptKey, answers] as const;
  });

/** `count` different elements of `list`, or all of them. */
function some<T>(random: Random, list: readonly T[], count: number): T[] {
  const left = [...list];
  return Array.from({ length: Math.min(count, list.length) }, () => left.splice(random.below(left.length), 1)).flat();
}

function drawInterests(random: Random, kindred: Partial<ProfileDetails> | undefined): Interest[] {
  const shared = some(
    random,
    (kindred?.interests ?? []) as Interest[],
    kindred === undefined ? 0 : 2 + random.below(3),
  );
  const usual = some(random, popular, 1 + random.below(3));
  return [...new Set([...shared, ...usual, ...some(random, interests, 1 + random.below(3))])];
}

/**
 * The profile details of member `number`, always the same; every tenth has none, and unanswered questions are left out.
 */
export function drawDetails(number: number): Partial<ProfileDetails> {
  const account = accountDetails[number];
  if (account !== undefined) return account;
  const random = randomOf(number, stream);
  const kindredNumber = kindredOf(number);
  const kindred = kindredNumber === null ? undefined : accountDetails[kindredNumber];
  if (random.chance(0.1) && kindred === undefined) return {};
  const maybe = <K extends keyof ProfileDetails>(key: K, share: number, value: () => ProfileDetails[K]) =>
    random.chance(share) ? { [key]: value() } : {};
  return {
    ...maybe('goal', 0.9, () => kindred?.goal ?? random.pick(relationshipGoals)),
    interests: drawInterests(random, kindred),
    languages: random.chance(0.4) ? ['en', random.pick(languages)] : ['en'],
    ...maybe('children', 0.8, () => random.pick(childrenAnswers)),
    ...maybe('smoking', 0.8, () => (random.chance(0.7) ? 'never' : random.pick(smokingAnswers))),
    ...maybe('drinking', 0.8, () => random.pick(drinkingAnswers)),
    ...maybe('exercise', 0.8, () => random.pick(exerciseAnswers)),
    ...maybe('heightCm', 0.7, () => 152 + random.below(46)),
    prompts: some(random, prompts, random.weighted(promptCounts)).map(([prompt, answers]) => ({
      prompt,
      answer: random.pick(answers),
    })),
  };
}

/** The number of answered prompts, with weights. */
const promptCounts = [
  [1, 0],
  [2, 1],
  [3, 2],
  [5, 3],
] as const;
