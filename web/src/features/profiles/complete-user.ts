import { noDetails } from '#contract/profiles/profile-details.ts';
import type { AdminUser, ListedUser, OwnUser } from '#contract/profiles/user.ts';
import { completed } from '../../api/completed.ts';

/** Flags are false without a word from the server: only a user who is said to be active counts as active. */
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

// The server decides; without a word from it, nothing is offered.
const listed: ListedUser = { ...account, can: { act: false, edit: false, activate: false, deactivate: false } };

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

const own: OwnUser = { ...account, ...noDetails, birthDate: null, seeking: [], pictures: [] };

type Given<T> = Partial<T> & { username?: string };

/** A user of the list with everything the screens read, however little the answer brings. */
export function completeListed(user: Given<ListedUser> | null): ListedUser {
  return completed({ ...user, name: user?.name ?? user?.username }, listed);
}

/** The same for a user alone; `id` is whose. */
export function completeAlone(user: Given<AdminUser> | null | undefined, id: string): AdminUser {
  return completed({ ...user, name: user?.name ?? user?.username }, { ...alone, _id: id });
}

/** The same for the signed-in user. */
export function completeOwn(user: Given<OwnUser>): OwnUser {
  return completed(user, own);
}
