import { noDetails } from '#contract/profiles/profile-details.ts';
import { ageOn } from '../process/clock.ts';
import { currentTerms } from '../service/published-texts.ts';
import type { Owner } from './caller.ts';
import type { PictureViews } from './pictures.ts';
import type { Picture } from '#contract/media.ts';

/** First and last name joined, or null if there are none. */
export function fullName(firstName: string | null, lastName: string | null): string | null {
  const name = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
  return name === '' ? null : name;
}

/** The place as every view shows it, or null if it is unknown. */
export function placeInWords(place: {
  city: string | null;
  country: string | null;
}): { city: string | null; country: string | null } | null {
  return place.city === null && place.country === null ? null : { city: place.city, country: place.country };
}

/** A member's view of themselves, built only from the caller's row; the caller is always online. */
export function toOwnUser(caller: Owner, now: Date, views: PictureViews) {
  const pictures = views.own(caller.accountId, caller.pictures, now);
  return {
    _id: caller.accountId,
    firstName: caller.firstName,
    lastName: caller.lastName,
    name: fullName(caller.firstName, caller.lastName),
    email: caller.email,
    createdAt: caller.createdAt,
    lastActive: now,
    isActive: true,
    isVIP: caller.isVip,
    isOnline: true,
    isEmailVerified: caller.emailVerifiedAt !== null,
    emailVerificationSent: caller.verificationSent,
    profileComplete: caller.profileComplete,
    gender: caller.gender,
    genderText: caller.genderText,
    age: caller.birthDate === null ? null : ageOn(caller.birthDate, now),
    birthDate: caller.birthDate,
    language: caller.language,
    bio: caller.bio,
    seeking: caller.seeking,
    ...noDetails,
    ...caller.details,
    location: placeInWords(caller),
    isPhotoVerified: caller.photoVerifiedAt !== null,
    photoVerifiedAt: caller.photoVerifiedAt,
    ...asTwoKeys(pictures, ({ isProfilePicture }) => isProfilePicture),
    pictures,
    settings: { showLastActive: caller.showLastActive },
    isAdmin: caller.staffRole !== null,
    staffRole: caller.staffRole,
  };
}

/** The steps a caller still has to complete; staff have none. */
export interface OpenSteps {
  requiresVerification: boolean;
  requiresProfileCompletion: boolean;
  /** Whether the profile is complete, even if the address is not verified. */
  onboardingComplete: boolean;
  /** Whether the member accepted only older terms. */
  requiresTerms: boolean;
}

/** The steps the caller still has to complete. */
export function openSteps(caller: Owner): OpenSteps {
  const isStaff = caller.staffRole !== null;
  const requiresProfileCompletion = !isStaff && !caller.profileComplete;
  return {
    requiresVerification: !isStaff && caller.emailVerifiedAt === null,
    requiresProfileCompletion,
    onboardingComplete: !requiresProfileCompletion,
    // Accounts that never accepted terms were created by command. After a rollback to an older release, members may
    // have accepted newer terms.
    requiresTerms: !isStaff && caller.agreedTerms !== null && caller.agreedTerms < currentTerms(),
  };
}

/**
 * The fields that every view of a picture has, and no others: the serializer distinguishes union members by their keys.
 */
function plain({ url, thumbnailUrl, publicId, name, size, mimeType, width, height, placeholder }: Picture): Picture {
  return { url, thumbnailUrl, publicId, name, size, mimeType, width, height, placeholder };
}

/** Splits pictures into the two keys of the API: the profile picture's URL, and all others. */
export function asTwoKeys<T extends Picture>(
  pictures: readonly T[],
  isFirst: (picture: T) => boolean,
): { profilePicture: string | null; more_pictures: Picture[] } {
  const profilePicture = pictures.find(isFirst);
  return {
    profilePicture: profilePicture?.thumbnailUrl ?? null,
    more_pictures: pictures.filter((picture) => picture !== profilePicture && picture.url !== '').map(plain),
  };
}
