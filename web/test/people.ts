import { noDetails } from '#contract/profile-details.ts';
import type { OwnUser } from '#contract/user.ts';
import { ownProfilePicture } from './pictures.ts';

/** A member as they see themselves, complete unless said otherwise. */
export function ownUser(changes: Partial<OwnUser> = {}): OwnUser {
  return {
    _id: '018f3a52-9c1e-7b44-8d0a-3f6f2f9b7a10',
    firstName: 'Ada',
    lastName: 'Byron',
    name: 'Ada Byron',
    email: 'ada@heartwood.test',
    gender: 'woman',
    genderText: null,
    age: 31,
    bio: null,
    location: { city: 'Lisbon', country: 'Portugal' },
    profilePicture: null,
    more_pictures: [],
    createdAt: '2025-01-05T10:00:00.000Z',
    lastActive: '2025-10-20T10:00:00.000Z',
    isActive: true,
    isVIP: false,
    isOnline: true,
    isEmailVerified: true,
    emailVerificationSent: true,
    profileComplete: true,
    settings: { showLastActive: true },
    isAdmin: false,
    staffRole: null,
    birthDate: '1994-03-02',
    seeking: ['man'],
    pictures: [ownProfilePicture('ada')],
    ...noDetails,
    ...changes,
  };
}

/** An administrator. */
export function administrator(changes: Partial<OwnUser> = {}): OwnUser {
  return ownUser({
    _id: '018f3a52-0000-7000-8000-00000000ad01',
    firstName: 'Olga',
    lastName: 'Ivanova',
    name: 'Olga Ivanova',
    email: 'admin@heartwood.test',
    isAdmin: true,
    staffRole: 'admin',
    ...changes,
  });
}

/** A moderator. */
export function moderator(changes: Partial<OwnUser> = {}): OwnUser {
  return administrator({
    _id: '018f3a52-0000-7000-8000-00000000ad02',
    firstName: 'Mo',
    lastName: 'Keita',
    name: 'Mo Keita',
    email: 'moderator@heartwood.test',
    staffRole: 'moderator',
    ...changes,
  });
}
