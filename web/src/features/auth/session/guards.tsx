import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { askedFor, doorFor, type DoorState, isDoor } from './sign-in-paths.ts';
import { useSession } from './session.ts';

/** To the door; it remembers the page, unless the person has just signed out. */
function ToDoor() {
  const { pathname, search, hash } = useLocation();
  const ended = useSession((session) => session.ended);
  const door = doorFor(pathname);
  const state: DoorState | null = ended === 'signedOut' ? null : { from: { pathname, search, hash } };
  // The end of a session leads there by itself, a moment before the guards hear of it.
  return window.location.pathname === door ? null : <Navigate to={door} replace state={state} />;
}

/** Pages for anybody signed in. */
export function RequireSession() {
  const isSignedIn = useSession((session) => session.token !== null);
  return isSignedIn ? <Outlet /> : <ToDoor />;
}

/** Pages of the administrators' area: visitors to the door, others home. What is allowed is the server's to say. */
export function RequireAdmin() {
  const isSignedIn = useSession((session) => session.token !== null);
  const isAdmin = useSession((session) => session.user?.isAdmin === true);
  if (!isSignedIn) return <ToDoor />;
  return isAdmin ? <Outlet /> : <Navigate to="/home" replace />;
}

/** The staff's door sends away who arrives with a token; signing in at it is the page's own affair. */
export function StaffDoor({ children }: { children: ReactNode }) {
  const [arrivedWithToken] = useState(() => useSession.getState().token !== null);
  return arrivedWithToken ? <Navigate to="/home" replace /> : children;
}

/** The members' doors send away who arrives with a token: staff to their dashboard, members to the page first asked for. */
export function MemberDoor() {
  const [arrivedWithToken] = useState(() => useSession.getState().token !== null);
  const state: unknown = useLocation().state;
  const isAdmin = useSession((session) => session.user?.isAdmin === true);
  if (!arrivedWithToken) return <Outlet />;
  return <Navigate to={isAdmin ? '/dashboard' : (askedFor(state) ?? '/home')} replace />;
}

/** Moves to the door when a session ran out. Draws nothing. */
export function SessionEnd() {
  const navigate = useNavigate();
  const location = useLocation();
  const here = useRef(location);
  useEffect(() => {
    here.current = location;
  }, [location]);

  useEffect(
    () =>
      useSession.subscribe((now, before) => {
        const { pathname, search, hash } = here.current;
        if (before.token === null || now.token !== null || now.ended !== 'expired' || isDoor(pathname)) return;
        const state: DoorState = { from: { pathname, search, hash } };
        void navigate(doorFor(pathname), { replace: true, state });
      }),
    [navigate],
  );
  return null;
}
