import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type {
  ChildrenAnswer,
  DrinkingAnswer,
  ExerciseAnswer,
  languages,
  ProfileDetails,
  RelationshipGoal,
  SmokingAnswer,
} from '#contract/profiles/profile-details.ts';

/** The label of each goal on profiles. */
export const goalWords: Record<RelationshipGoal, MessageDescriptor> = {
  'long-term': msg`Something that lasts`,
  'short-term': msg`Something casual`,
  friendship: msg`Friendship`,
  'open-to-see': msg`Open to see what comes`,
};

const childrenWords: Record<ChildrenAnswer, MessageDescriptor> = {
  have: msg`Has children`,
  'have-and-want-more': msg`Has children and wants more`,
  want: msg`Wants children`,
  open: msg`Open to children`,
  'do-not-want': msg`Does not want children`,
};

const smokingWords: Record<SmokingAnswer, MessageDescriptor> = {
  never: msg`Never`,
  sometimes: msg`Sometimes`,
  regularly: msg`Regularly`,
  quitting: msg`About to quit`,
};

const drinkingWords: Record<DrinkingAnswer, MessageDescriptor> = {
  never: msg`Never`,
  rarely: msg`Rarely`,
  socially: msg`In company`,
  often: msg`Often`,
};

const exerciseWords: Record<ExerciseAnswer, MessageDescriptor> = {
  never: msg`Never`,
  sometimes: msg`Sometimes`,
  weekly: msg`Every week`,
  daily: msg`Every day`,
};

type Language = (typeof languages)[number];

/**
 * The same names as `Intl.DisplayNames` returns: loading them from the browser takes a phone longer than rendering the
 * first card.
 */
const languageNames: Record<Language, MessageDescriptor> = {
  ar: msg`Arabic`,
  bg: msg`Bulgarian`,
  bn: msg`Bangla`,
  bs: msg`Bosnian`,
  ca: msg`Catalan`,
  cs: msg`Czech`,
  cy: msg`Welsh`,
  da: msg`Danish`,
  de: msg`German`,
  el: msg`Greek`,
  en: msg`English`,
  es: msg`Spanish`,
  et: msg`Estonian`,
  eu: msg`Basque`,
  fa: msg`Persian`,
  fi: msg`Finnish`,
  fil: msg`Filipino`,
  fr: msg`French`,
  ga: msg`Irish`,
  gl: msg`Galician`,
  gu: msg`Gujarati`,
  he: msg`Hebrew`,
  hi: msg`Hindi`,
  hr: msg`Croatian`,
  hu: msg`Hungarian`,
  hy: msg`Armenian`,
  id: msg`Indonesian`,
  is: msg`Icelandic`,
  it: msg`Italian`,
  ja: msg`Japanese`,
  ka: msg`Georgian`,
  kk: msg`Kazakh`,
  ko: msg`Korean`,
  ku: msg`Kurdish`,
  lb: msg`Luxembourgish`,
  lt: msg`Lithuanian`,
  lv: msg`Latvian`,
  mk: msg`Macedonian`,
  ml: msg`Malayalam`,
  mr: msg`Marathi`,
  ms: msg`Malay`,
  mt: msg`Maltese`,
  nb: msg`Norwegian Bokmål`,
  nl: msg`Dutch`,
  pa: msg`Punjabi`,
  pl: msg`Polish`,
  pt: msg`Portuguese`,
  ro: msg`Romanian`,
  ru: msg`Russian`,
  sk: msg`Slovak`,
  sl: msg`Slovenian`,
  so: msg`Somali`,
  sq: msg`Albanian`,
  sr: msg`Serbian`,
  sv: msg`Swedish`,
  sw: msg`Swahili`,
  ta: msg`Tamil`,
  te: msg`Telugu`,
  th: msg`Thai`,
  tr: msg`Turkish`,
  uk: msg`Ukrainian`,
  ur: msg`Urdu`,
  uz: msg`Uzbek`,
  vi: msg`Vietnamese`,
  yue: msg`Cantonese`,
  zh: msg`Chinese`,
  zu: msg`Zulu`,
};

/** A language's name, without its region. */
export function languageName(tag: string): string {
  const [code = ''] = tag.split('-');
  return code in languageNames ? t(languageNames[code as Language]) : code;
}

/** The questions about lifestyle, with their answers. */
export const habits = [
  { name: 'children', title: msg`Children`, words: childrenWords },
  { name: 'smoking', title: msg`Smoking`, words: smokingWords },
  { name: 'drinking', title: msg`Drinking`, words: drinkingWords },
  { name: 'exercise', title: msg`Exercise`, words: exerciseWords },
] as const;

/** Children and habits as phrases about a person. */
const phrases = {
  smoking: {
    never: msg`Doesn't smoke`,
    sometimes: msg`Smokes sometimes`,
    regularly: msg`Smokes`,
    quitting: msg`Is quitting smoking`,
  } satisfies Record<SmokingAnswer, MessageDescriptor>,
  drinking: {
    never: msg`Doesn't drink`,
    rarely: msg`Rarely drinks`,
    socially: msg`Drinks in company`,
    often: msg`Often drinks`,
  } satisfies Record<DrinkingAnswer, MessageDescriptor>,
  exercise: {
    never: msg`Doesn't exercise`,
    sometimes: msg`Exercises sometimes`,
    weekly: msg`Exercises every week`,
    daily: msg`Exercises every day`,
  } satisfies Record<ExerciseAnswer, MessageDescriptor>,
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
