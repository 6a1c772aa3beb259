import type { ListedUser } from '#contract/profiles/user.ts';

/** The spec's words for how an account stands: inactive, else online or offline. */
export function statusWord({
  isActive,
  isOnline,
}: Pick<ListedUser, 'isActive' | 'isOnline'>): 'Inactive' | 'Online' | 'Offline' {
  if (!isActive) return 'Inactive';
  return isOnline ? 'Online' : 'Offline';
}

export const statusTones = { Inactive: 'attention', Online: 'positive', Offline: 'quiet' } as const;

const genderWords = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' } as const;

/** The gender in own words where there are some, else as chosen; null when neither is known. */
export function genderWord({ gender, genderText }: Pick<ListedUser, 'gender' | 'genderText'>): string | null {
  return genderText || (gender === null ? null : genderWords[gender]);
}

/** City and country, as far as they are known; null when neither is. */
export function placeText(location: ListedUser['location']): string | null {
  return [location?.city, location?.country].filter(Boolean).join(', ') || null;
}

const shownIdLength = 8;

/** The id as lists show it. */
export function shortUserId(id: string): string {
  return id.slice(0, shownIdLength);
}

export const roleWords = { admin: 'Administrator', moderator: 'Moderator' } as const;
