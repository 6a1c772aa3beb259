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

/** What the members among the demo accounts say about themselves, by number. */
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

/** What many people put in their profile. */
const popular: readonly Interest[] = [
  ...(['hiking', 'cycling', 'running', 'swimming', 'yoga', 'dancing', 'football', 'climbing'] as const),
  ...(['cooking', 'baking', 'coffee', 'wine', 'street food', 'eating out', 'concerts', 'festivals'] as const),
  ...(['theatre', 'stand-up comedy', 'vinyl records', 'reading', 'podcasts', 'cinema', 'series'] as const),
  ...(['photography', 'pottery', 'gardening', 'museums', 'galleries', 'board games', 'quizzes'] as const),
  ...(['travelling', 'city trips', 'the sea', 'mountains', 'dogs', 'cats', 'brunch', 'long conversations'] as const),
];

const prompts: readonly (readonly [PromptKey, readonly string[]])[] = [
  [
    'perfect-sunday',
    [
      'coffee on the balcony and no plan at all',
      'a long run, then an even longer breakfast',
      'the market, before it’s busy and after it’s light',
      'pancakes, and an argument about the crossword',
    ],
  ],
  [
    'small-joy',
    [
      'when a stranger’s dog leans against my leg',
      'the first page of a new notebook',
      'an empty top deck, front seat',
      'finding a fiver in last winter’s coat',
    ],
  ],
  [
    'teach-me',
    [
      'fold a dumpling that doesn’t fall apart',
      'your favourite card trick',
      'keep a basil plant alive past March',
      'whistle with two fingers',
    ],
  ],
  [
    'proud-of',
    [
      'the bench I built from an old door',
      'calling my grandmother every week',
      'learning to swim at thirty',
      'the choir I nearly didn’t join',
    ],
  ],
  [
    'argue-about',
    [
      'whether soup is a drink',
      'the best order to read a trilogy in',
      'window seat or aisle seat',
      'why the book was better, and the one time it wasn’t',
    ],
  ],
  [
    'kitchen-pride',
    [
      'mushroom risotto, stirred the whole time',
      'my aunt’s lentil stew',
      'roast chicken and the potatoes underneath',
      'shakshuka at any hour',
    ],
  ],
  [
    'green-flag',
    [
      'is kind to waiters',
      'laughs at their own jokes before the end',
      'asks a second question',
      'remembers what I said on Tuesday',
    ],
  ],
  [
    'best-journey',
    [
      'three days on a slow train with a broken heater',
      'the island we only found by missing a ferry',
      'cycling to the coast on a borrowed bike',
      'getting lost in Lisbon, on purpose, twice',
    ],
  ],
  [
    'looking-for',
    [
      'likes comfortable silence',
      'wants to try things and fail at them together',
      'has a favourite bench somewhere',
      'will tell me when there’s spinach in my teeth',
    ],
  ],
  [
    'rainy-day',
    [
      'in the museum, second floor, by the window',
      'baking something far too large',
      'under a blanket with a detective who drinks too much tea',
      'out in it, with the good boots on',
    ],
  ],
  [
    'learned-lately',
    [
      'that tomatoes need company',
      'to say no before noon',
      'how to throw a bowl that is almost round',
      'that I like opera, or at least the intervals',
    ],
  ],
  [
    'unpopular-view',
    [
      'autumn is the best season, and it isn’t close',
      'films should end after ninety minutes',
      'the crust is the point of the bread',
      'small talk about the weather is lovely',
    ],
  ],
  [
    'weekend-trip',
    [
      'a cabin, a lake and no signal',
      'the first train to wherever it’s sunny',
      'a seaside town out of season',
      'two museums, four cafés, no rush',
    ],
  ],
  [
    'first-date',
    [
      'a walk along the river with something warm to drink',
      'a flea market, two euros each, best find wins',
      'dumplings, then a film neither of us chose',
      'a swim in the pond, and cake as a reward',
    ],
  ],
];

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
 * What member `number` adds to their profile: always the same, nothing for every tenth; unanswered questions are left
 * out.
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

/** How many prompts people answer, by weight. */
const promptCounts = [
  [1, 0],
  [2, 1],
  [3, 2],
  [5, 3],
] as const;
