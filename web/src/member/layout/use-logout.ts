import { useLocation, useNavigate } from 'react-router';
import { signInPathFor } from '../../features/auth/session/guards.tsx';
import { signOutOfHouse } from '../../features/auth/session/session.ts';

/** Returns a function that signs out and opens the sign-in page of the area that the person is in. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return () => {
    // Staff see the public pages, too.
    void signOutOfHouse();
    void navigate(signInPathFor(pathname), { replace: true });
  };
}
