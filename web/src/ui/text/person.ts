import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Gender } from '#contract/profiles/profile-details.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { formatNumber } from './format.ts';
import { cityIn, countryIn, isolated, language, listed } from './text.ts';

interface Named {
  firstName: string | null;
  lastName: string | null;
  name: string | null;
}

/** First and last name, otherwise the name, otherwise null (shown as 'Unknown'). */
export function personName({ firstName, lastName, name }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || name || null;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * The characters of `text` as people perceive them: a flag, a family emoji or a conjunct counts as one. The oldest
 * browsers can't tell and get the code points.
 */
function graphemesOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return Array.from(text);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Whether a character can represent a name: a letter, number, emoji or flag, but not a quote or bracket. */
const isNaming = (grapheme: string) => /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(grapheme);

/** The initial in upper case, as in the reader's language, unless that would take two letters (ß) or a capital that most fonts lack (Georgian). */
function capital(initial: string): string {
  const upper = initial.toLocaleUpperCase(language);
  return graphemesOf(upper).length === 1 && !/^\p{Script=Georgian}/u.test(initial) ? upper : initial;
}

/** The first letter, number or emoji of a name in upper case; a question mark if there is none. */
export function initialOf(name: string | null): string {
  const initial = graphemesOf(name ?? '').find(isNaming);
  return initial === undefined ? '?' : capital(initial);
}

/** The name that other members see; a generic word if there is none. */
export function memberName(user: { firstName: string | null; name: string | null }): string {
  return user.firstName ?? user.name ?? t`This person`;
}

/** The name that other members see, followed by the age if it is known, in any writing direction. */
export function nameAndAge(user: { firstName: string | null; name: string | null; age: number | null }): string {
  const name = memberName(user);
  return user.age === null ? isolated(name) : t`${name}, ${{ age: formatNumber(user.age) }}`;
}

/** The label of each gender. */
export const genderWords: Record<Gender, MessageDescriptor> = {
  woman: msg`Woman`,
  man: msg`Man`,
  'non-binary': msg`Non-binary`,
};

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * The gender in the member's own words, otherwise the chosen one (unknown values as they are); null if neither is
 * known.
 */
export function genderWord({ gender, genderText }: Pick<ListedUser, 'gender' | 'genderText'>): string | null {
  if (genderText || gender === null) return genderText || null;
  return gender in genderWords ? t(genderWords[gender]) : capitalized(gender);
}

/** City and country, if they are known; null if neither is. */
export function placeText(location: ListedUser['location']): string | null {
  return listed([cityIn(location), countryIn(location?.country ?? '')].filter(Boolean), 'commas') || null;
}
