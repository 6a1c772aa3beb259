import type { ListedUser } from '#contract/profiles/user.ts';
import { formatNumber } from './format.ts';
import { isolated, t } from './text.ts';

interface Named {
  firstName: string | null;
  lastName: string | null;
  name: string | null;
}

/** First and last name, else the name, else null (shown as 'Unknown'). */
export function personName({ firstName, lastName, name }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || name || null;
}

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them: a flag, a family or a conjunct is one. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** What a name can be recognized by: a letter, a number, an emoji or a flag, rather than the quote or bracket around it. */
const isNaming = (grapheme: string) => /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(grapheme);

/** The initial in upper case, unless that takes two letters (ß) or is a capital that most fonts lack (Georgian). */
function capital(initial: string): string {
  const upper = initial.toUpperCase();
  const isOne = graphemesOf(upper).containing(0)?.segment === upper;
  return isOne && !/^\p{Script=Georgian}/u.test(initial) ? upper : initial;
}

/** The first letter, number or emoji of a name as people count them, upper-cased; a question mark without any. */
export function initialOf(name: string | null): string {
  for (const { segment } of graphemesOf(name ?? '')) {
    if (isNaming(segment)) return capital(segment);
  }
  return '?';
}

/** The name that members see of each other; a general word if there is none. */
export function memberName(user: { firstName: string | null; name: string | null }): string {
  return user.firstName ?? user.name ?? t('This person');
}

/** The name that members see of each other, with the age after it if that is known, whichever way the name is written. */
export function nameAndAge(user: { firstName: string | null; name: string | null; age: number | null }): string {
  const name = memberName(user);
  return user.age === null ? isolated(name) : t('{name}, {age}', { name, age: formatNumber(user.age) });
}

const genderWords: Partial<Record<string, string>> = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' };

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The gender in the member's own words if given, else the chosen one, as it is if the word is not one of ours; null if neither is known. */
export function genderWord({ gender, genderText }: Pick<ListedUser, 'gender' | 'genderText'>): string | null {
  return genderText || (gender === null ? null : (genderWords[gender] ?? capitalized(gender)));
}

/** City and country, as far as they are known; null if neither is. */
export function placeText(location: ListedUser['location']): string | null {
  return [location?.city, location?.country].filter(Boolean).join(', ') || null;
}
