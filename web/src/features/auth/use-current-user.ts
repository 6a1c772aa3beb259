import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getProfile } from '#contract/profiles.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { keepSession } from '../../api/stored-session.ts';
import { useSession } from './session.ts';

/** Asks the server who is signed in, so that a changed name, role or lost admin flag shows here too. */
export function useCurrentUser(): void {
  const isSignedIn = useSession((session) => session.token !== null);
  const { data } = useQuery({
    queryKey: keys.profile,
    queryFn: ({ signal }) => call(getProfile, { signal }),
    enabled: isSignedIn,
    staleTime: 60_000,
  });

  useEffect(() => {
    if (!data || useSession.getState().user?._id !== data.userData.user._id) return;
    const { user, requiresVerification, requiresProfileCompletion, onboardingComplete } = data.userData;
    keepSession({ user });
    useSession.setState({ requiresVerification, requiresProfileCompletion, onboardingComplete });
  }, [data]);
}
