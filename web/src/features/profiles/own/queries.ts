import { queryOptions, useQuery } from '@tanstack/react-query';
import { getPreferences, type Preferences } from '#contract/discovery.ts';
import type { OwnPicture } from '#contract/media.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { noDetails } from '#contract/profiles/profile-details.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { completed } from '../../../api/completed.ts';
import { keys, accountKeys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';

// Written out, because the schema of the answer is more to load for the pages of members.
const noProfile: OwnUser = {
  ...noDetails,
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
  birthDate: null,
  language: 'en',
  seeking: [],
  pictures: [],
};

/** Fills in missing fields of the signed-in user. */
export const completeOwn = (user: Partial<OwnUser>): OwnUser => completed(user, noProfile);

/** The member's own profile, with their privacy settings. */
export const ownProfileQuery = queryOptions({
  queryKey: keys.ownProfile,
  queryFn: async ({ signal }) => (await call(getProfile, { signal })).userData,
  staleTime: 0,
});

/** The preferences that the profile page edits. */
const ownPreferencesQuery = queryOptions({
  queryKey: [...keys.preferences, 'own'],
  queryFn: async ({ signal }) => (await call(getPreferences, { signal })).data.preferences,
  staleTime: 0,
});

function changeUser(change: (user: OwnUser) => OwnUser): void {
  queryClient.setQueryData(ownProfileQuery.queryKey, (known) => known && { ...known, user: change(known.user) });
}

const refetchProfile = () => void queryClient.invalidateQueries({ queryKey: keys.ownProfile });

/** The member's own profile and preferences, with functions that store the answers to commands. */
export function useOwnProfile() {
  return {
    profile: useQuery({ ...ownProfileQuery, select: ({ user }) => completeOwn(user) }),
    preferences: useQuery(ownPreferencesQuery),
    putUser: (user: OwnUser) => changeUser(() => user),
    /**
     * The answer only contains the place, so the profile is fetched again: the server decides whether it is complete
     * now.
     */
    putPlace(location: OwnUser['location']) {
      changeUser((user) => ({ ...user, location }));
      refetchProfile();
    },
    putPictures(pictures: OwnPicture[]) {
      changeUser((user) => ({ ...user, pictures }));
      refetchProfile();
      // Other pictures may end the photo verification.
      for (const queryKey of accountKeys) void queryClient.invalidateQueries({ queryKey });
    },
    putPreferences(preferences: Preferences) {
      queryClient.setQueryData(ownPreferencesQuery.queryKey, preferences);
      changeUser((user) => ({ ...user, seeking: preferences.seeking }));
      refetchProfile();
    },
  };
}
