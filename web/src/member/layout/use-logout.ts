import { useLocation, useNavigate } from 'react-router';
import { signInPathFor } from '../../features/auth/session/guards.tsx';
import { signOut } from '../../features/auth/session/session.ts';

/** Returns a function that signs out and opens the sign-in page of the area that the person is in. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return () => {
    signOut();
    void navigate(signInPathFor(pathname), { replace: true });
  };
}
