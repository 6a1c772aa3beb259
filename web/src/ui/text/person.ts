import type { ListedUser } from '#contract/profiles/user.ts';
import { t } from './text.ts';

interface Named {
  firstName: string | null;
  lastName: string | null;
  name: string | null;
}

/** First and last name, else the name, else null (shown as 'Unknown'). */
export function personName({ firstName, lastName, name }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || name || null;
}

/** The first letter of a name as people count letters, upper-cased; a question mark without a name. */
export function initialOf(name: string | null): string {
  const [first] = [...(name ?? '').trim()];
  return first?.toUpperCase() ?? '?';
}

/** The name that members see of each other; a general word if there is none. */
export function memberName(user: { firstName: string | null; name: string | null }): string {
  return user.firstName ?? user.name ?? t('This person');
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
