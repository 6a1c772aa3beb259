import type {
  ChildrenAnswer,
  DrinkingAnswer,
  ExerciseAnswer,
  ProfileDetails,
  RelationshipGoal,
  SmokingAnswer,
} from '#contract/profiles/profile-details.ts';
import { formatNumber } from './format.ts';
import { locale, t } from './text.ts';

export const goalWords: Record<RelationshipGoal, string> = {
  'long-term': 'Something that lasts',
  'short-term': 'Something short',
  friendship: 'Friendship',
  'open-to-see': 'Open to see what comes',
};

export const childrenWords: Record<ChildrenAnswer, string> = {
  have: 'Has children',
  'have-and-want-more': 'Has children and wants more',
  want: 'Wants children',
  open: 'Open to children',
  'do-not-want': 'Does not want children',
};

export const smokingWords: Record<SmokingAnswer, string> = {
  never: 'Never',
  sometimes: 'Sometimes',
  regularly: 'Regularly',
  quitting: 'About to quit',
};

export const drinkingWords: Record<DrinkingAnswer, string> = {
  never: 'Never',
  rarely: 'Rarely',
  socially: 'In company',
  often: 'Often',
};

export const exerciseWords: Record<ExerciseAnswer, string> = {
  never: 'Never',
  sometimes: 'Sometimes',
  weekly: 'Every week',
  daily: 'Every day',
};

const languageNames = new Intl.DisplayNames(locale, { type: 'language' });

/** A language's name in the reader's language. */
export const languageName = (code: string): string => languageNames.of(code) ?? code;

/** Goal, children, habits and height as names and words; null where nothing was said. */
export function habitFacts(details: ProfileDetails): [name: string, words: string | null][] {
  const { goal, children, smoking, drinking, exercise, heightCm } = details;
  return [
    [t('Here for'), goal && t(goalWords[goal])],
    [t('Children'), children && t(childrenWords[children])],
    [t('Smoking'), smoking && t(smokingWords[smoking])],
    [t('Drinking'), drinking && t(drinkingWords[drinking])],
    [t('Exercise'), exercise && t(exerciseWords[exercise])],
    [t('Height'), heightCm === null ? null : t('{height} cm', { height: formatNumber(heightCm) })],
  ];
}
