import { noDetails } from '#contract/profiles/profile-details.ts';
import type { AdminUser, ListedUser, OwnUser } from '#contract/profiles/user.ts';
import { completed } from '../../api/completed.ts';

/** Flags that the server does not send are false, so that a user only counts as active if the server says so. */
const account: Omit<ListedUser, 'can'> = {
  _id: '',
  firstName: null,
  lastName: null,
  name: null,
  gender: null,
  genderText: null,
  age: null,
  bio: null,
  location: null,
  isPhotoVerified: false,
  photoVerifiedAt: null,
  profilePicture: null,
  more_pictures: [],
  email: '—',
  createdAt: '',
  lastActive: null,
  isActive: false,
  isVIP: false,
  isOnline: false,
  isEmailVerified: false,
  emailVerificationSent: false,
  profileComplete: false,
  settings: { showLastActive: false },
  isAdmin: false,
  staffRole: null,
};

// If the server does not say what the viewer may do, no actions are offered.
const listed: ListedUser = { ...account, can: { act: false, edit: false, activate: false, deactivate: false } };

const alone: AdminUser = {
  ...listed,
  ...noDetails,
  birthDate: null,
  language: 'en',
  seeking: [],
  deactivationReason: null,
  deactivatedAt: null,
  leavingSince: null,
  pausedAt: null,
  sessionCount: 0,
  pictures: [],
  can: { ...listed.can, changeRole: false },
};

const own: OwnUser = { ...account, ...noDetails, birthDate: null, language: 'en', seeking: [], pictures: [] };

type Given<T> = Partial<T> & { username?: string };

/** Fills in missing fields of a user in the list, so that screens can rely on them. */
export function completeListed(user: Given<ListedUser> | null): ListedUser {
  return completed({ ...user, name: user?.name ?? user?.username }, listed);
}

/** Fills in missing fields of a single user; `id` is used if the answer has none. */
export function completeAlone(user: Given<AdminUser> | null | undefined, id: string): AdminUser {
  return completed({ ...user, name: user?.name ?? user?.username }, { ...alone, _id: id });
}

/** Fills in missing fields of the signed-in user. */
export function completeOwn(user: Given<OwnUser>): OwnUser {
  return completed(user, own);
}
