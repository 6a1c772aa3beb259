import type { ListedUser } from '#contract/profiles/user.ts';

const genderWords = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' } as const;

/** The gender in own words where there are some, else as chosen; null when neither is known. */
export function genderWord({ gender, genderText }: Pick<ListedUser, 'gender' | 'genderText'>): string | null {
  return genderText || (gender === null ? null : genderWords[gender]);
}

/** City and country, as far as they are known; null when neither is. */
export function placeText(location: ListedUser['location']): string | null {
  return [location?.city, location?.country].filter(Boolean).join(', ') || null;
}
