import type {
  ChildrenAnswer,
  DrinkingAnswer,
  ExerciseAnswer,
  languages,
  ProfileDetails,
  RelationshipGoal,
  SmokingAnswer,
} from '#contract/profiles/profile-details.ts';
import { formatNumber } from './format.ts';
import { t } from './text.ts';

/** The label of each goal on profiles. */
export const goalWords: Record<RelationshipGoal, string> = {
  'long-term': 'Something that lasts',
  'short-term': 'Something casual',
  friendship: 'Friendship',
  'open-to-see': 'Open to see what comes',
};

const childrenWords: Record<ChildrenAnswer, string> = {
  have: 'Has children',
  'have-and-want-more': 'Has children and wants more',
  want: 'Wants children',
  open: 'Open to children',
  'do-not-want': 'Does not want children',
};

const smokingWords: Record<SmokingAnswer, string> = {
  never: 'Never',
  sometimes: 'Sometimes',
  regularly: 'Regularly',
  quitting: 'About to quit',
};

const drinkingWords: Record<DrinkingAnswer, string> = {
  never: 'Never',
  rarely: 'Rarely',
  socially: 'In company',
  often: 'Often',
};

const exerciseWords: Record<ExerciseAnswer, string> = {
  never: 'Never',
  sometimes: 'Sometimes',
  weekly: 'Every week',
  daily: 'Every day',
};

type Language = (typeof languages)[number];

/**
 * The same names as `Intl.DisplayNames` returns: loading them from the browser takes a phone longer than rendering the
 * first card.
 */
const languageNames: Record<Language, string> = {
  ar: 'Arabic',
  bg: 'Bulgarian',
  bn: 'Bangla',
  bs: 'Bosnian',
  ca: 'Catalan',
  cs: 'Czech',
  cy: 'Welsh',
  da: 'Danish',
  de: 'German',
  el: 'Greek',
  en: 'English',
  es: 'Spanish',
  et: 'Estonian',
  eu: 'Basque',
  fa: 'Persian',
  fi: 'Finnish',
  fil: 'Filipino',
  fr: 'French',
  ga: 'Irish',
  gl: 'Galician',
  gu: 'Gujarati',
  he: 'Hebrew',
  hi: 'Hindi',
  hr: 'Croatian',
  hu: 'Hungarian',
  hy: 'Armenian',
  id: 'Indonesian',
  is: 'Icelandic',
  it: 'Italian',
  ja: 'Japanese',
  ka: 'Georgian',
  kk: 'Kazakh',
  ko: 'Korean',
  ku: 'Kurdish',
  lb: 'Luxembourgish',
  lt: 'Lithuanian',
  lv: 'Latvian',
  mk: 'Macedonian',
  ml: 'Malayalam',
  mr: 'Marathi',
  ms: 'Malay',
  mt: 'Maltese',
  nb: 'Norwegian Bokmål',
  nl: 'Dutch',
  pa: 'Punjabi',
  pl: 'Polish',
  pt: 'Portuguese',
  ro: 'Romanian',
  ru: 'Russian',
  sk: 'Slovak',
  sl: 'Slovenian',
  so: 'Somali',
  sq: 'Albanian',
  sr: 'Serbian',
  sv: 'Swedish',
  sw: 'Swahili',
  ta: 'Tamil',
  te: 'Telugu',
  th: 'Thai',
  tr: 'Turkish',
  uk: 'Ukrainian',
  ur: 'Urdu',
  uz: 'Uzbek',
  vi: 'Vietnamese',
  yue: 'Cantonese',
  zh: 'Chinese',
  zu: 'Zulu',
};

/** A language's name. */
export function languageName(code: string): string {
  return t(code in languageNames ? languageNames[code as Language] : code);
}

/** The questions about lifestyle, with their answers. */
export const habits = [
  { name: 'children', title: 'Children', words: childrenWords },
  { name: 'smoking', title: 'Smoking', words: smokingWords },
  { name: 'drinking', title: 'Drinking', words: drinkingWords },
  { name: 'exercise', title: 'Exercise', words: exerciseWords },
] as const;

/** Goal, children, habits and height as labels and texts; null if they are not given. */
export function habitFacts(details: ProfileDetails): [name: string, words: string | null][] {
  const { goal, heightCm } = details;
  const wordsOf = (words: Record<string, string>, answer: string | null) => answer && t(words[answer] ?? answer);
  return [
    [t('Here for'), goal && t(goalWords[goal])],
    ...habits.map(({ name, title, words }): [string, string | null] => [t(title), wordsOf(words, details[name])]),
    [t('Height'), heightCm === null ? null : t('{height} cm', { height: formatNumber(heightCm) })],
  ];
}

/** Children and habits as phrases about a person. */
const phrases = {
  smoking: {
    never: "Doesn't smoke",
    sometimes: 'Smokes sometimes',
    regularly: 'Smokes',
    quitting: 'Is quitting smoking',
  } satisfies Record<SmokingAnswer, string>,
  drinking: {
    never: "Doesn't drink",
    rarely: 'Rarely drinks',
    socially: 'Drinks in company',
    often: 'Often drinks',
  } satisfies Record<DrinkingAnswer, string>,
  exercise: {
    never: "Doesn't exercise",
    sometimes: 'Exercises sometimes',
    weekly: 'Exercises every week',
    daily: 'Exercises every day',
  } satisfies Record<ExerciseAnswer, string>,
};

type HabitPhrases = Record<'children' | 'smoking' | 'drinking' | 'exercise', string | null>;

/** Children and habits as phrases that make sense without a label; null if they are not given. */
export function habitPhrases({ children, smoking, drinking, exercise }: ProfileDetails): HabitPhrases {
  return {
    children: children && t(childrenWords[children]),
    smoking: smoking && t(phrases.smoking[smoking]),
    drinking: drinking && t(phrases.drinking[drinking]),
    exercise: exercise && t(phrases.exercise[exercise]),
  };
}
