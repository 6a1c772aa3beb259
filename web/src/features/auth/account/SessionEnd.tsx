import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type DoorState, doorFor, isDoor } from '../sign-in/doors.ts';
import { useSession } from '../session/session.ts';

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
