import { getPreferences, type Preferences } from '#contract/discovery/discovery.ts';
import type { OwnPicture } from '#contract/media/picture.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';

/** The member's own profile and wishes, and how to put in what a command has answered. */
export function useOwnProfile() {
  const profile = useRead('profile', async (signal) => (await call(getProfile, { signal })).userData.user);
  const wishes = useRead('wishes', async (signal) => (await call(getPreferences, { signal })).data.preferences);

  function putUser(user: OwnUser) {
    profile.change(() => user);
  }

  /** The call answers the place alone; whether the profile is complete by it is the server's to say. */
  function putPlace(location: OwnUser['location']) {
    profile.change((user) => ({ ...user, location }));
    profile.refetch();
  }

  function putPictures(pictures: OwnPicture[]) {
    profile.change((user) => ({ ...user, pictures }));
    profile.refetch();
  }

  function putWishes(preferences: Preferences) {
    wishes.change(() => preferences);
    profile.change((user) => ({ ...user, seeking: preferences.seeking }));
    profile.refetch();
  }

  return { profile, wishes, putUser, putPlace, putPictures, putWishes };
}
