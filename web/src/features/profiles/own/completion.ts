import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';

export type CompletionField = (typeof profileCompletionFields)[number];

/** Each part of a complete profile in words, as it is missed. */
export const completionWords: Record<CompletionField, string> = {
  firstName: 'your first name',
  birthDate: 'your birth date',
  gender: 'your gender',
  seeking: 'whom you seek',
  location: 'where you live',
  pictures: 'a picture',
};

/** Whether there is a picture: one that waits counts, a refused one does not. */
export function hasPicture({ pictures }: OwnUser): boolean {
  return pictures.some(({ state }) => state !== 'rejected');
}

/** What a complete profile still lacks, in the order a person fills it in; what the server takes for complete lacks nothing. */
export function missingFields(user: OwnUser): CompletionField[] {
  if (user.profileComplete) return [];
  const isThere: Record<CompletionField, boolean> = {
    firstName: user.firstName !== null,
    birthDate: user.birthDate !== null,
    gender: user.gender !== null,
    seeking: user.seeking.length > 0,
    location: user.location !== null,
    pictures: hasPicture(user),
  };
  return profileCompletionFields.filter((field) => !isThere[field]);
}
