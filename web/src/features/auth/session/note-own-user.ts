import type { OwnUser } from '#contract/profiles/user.ts';
import { keepSession } from '../../../api/session/stored-session.ts';
import { useSession } from './session.ts';

/** Tells the rest of the app who the member is after a change of their own: the name in the header, and what is still to do. */
export function noteOwnUser(user: OwnUser): void {
  keepSession({ user });
  useSession.setState({
    isVIP: user.isVIP,
    requiresProfileCompletion: !user.isAdmin && !user.profileComplete,
    onboardingComplete: user.profileComplete,
  });
}
