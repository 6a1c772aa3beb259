import { noDetails } from '#contract/profiles/profile-details.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { completed } from '../../../api/completed.ts';

const listed: ListedUser = {
  _id: '',
  firstName: null,
  lastName: null,
  name: null,
  gender: null,
  genderText: null,
  age: null,
  bio: null,
  location: null,
  profilePicture: null,
  more_pictures: [],
  email: '—',
  createdAt: '',
  lastActive: null,
  isActive: true,
  isVIP: false,
  isOnline: false,
  isEmailVerified: false,
  emailVerificationSent: false,
  profileComplete: false,
  settings: { showLastActive: true },
  isAdmin: false,
  staffRole: null,
  // The server decides; without a word from it, nothing is offered.
  can: { edit: false, activate: false, deactivate: false },
};

const alone: AdminUser = {
  ...listed,
  ...noDetails,
  birthDate: null,
  seeking: [],
  deactivationReason: null,
  deactivatedAt: null,
  leavingSince: null,
  pausedAt: null,
  sessionCount: 0,
  pictures: [],
  can: { ...listed.can, changeRole: false },
};

type Given<T> = Partial<T> & { username?: string };

/** A user of the list with everything the screens read, however little the answer brings. */
export function completeListed(user: Given<ListedUser> | null): ListedUser {
  return completed({ ...user, name: user?.name ?? user?.username }, listed);
}

/** The same for a user alone. */
export function completeAlone(user: Given<AdminUser>): AdminUser {
  return completed({ ...user, name: user.name ?? user.username }, alone);
}
