import { useEffect, useEffectEvent, useState } from 'react';
import { type Location, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { deviceStorage } from '../../../browser-storage.ts';
import { type SessionState, useSession } from './session.ts';

/** The sign-in page for an address: the members' page for addresses under `/app`, otherwise the staff page. */
export function signInPathFor(pathname: string): '/app/sign-in' | '/login' {
  return pathname === '/app' || pathname.startsWith('/app/') ? '/app/sign-in' : '/login';
}

/** The state that a sign-in page's history entry has about the page that was requested. */
interface SignInState {
  from: Pick<Location, 'pathname' | 'search' | 'hash'>;
}

/** The address to open after signing in; null if no page was requested. */
export function requestedPage(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null;
  const { pathname, search, hash } = (state as SignInState).from;
  return `${pathname}${search}${hash}`;
}

/**
 * Who may open a page. `everyone` needs no session. `visitors` and `staff-visitors` are the two sign-in areas: people
 * who are already signed in are redirected. `members` needs a session (pages that are of no use to staff say so
 * themselves), `staff` a staff account.
 */
export type Audience = 'everyone' | 'visitors' | 'staff-visitors' | 'members' | 'staff';

/** The first page that members see. */
export const memberHome = '/app/discover';

/** The first page that staff see: the dashboard, or what they chose on this device. */
export const staffHome = () => deviceStorage.read('device:first-page') ?? '/dashboard';

type Viewer = Pick<SessionState, 'token' | 'user'>;

/**
 * The address to which a page for `who` redirects this viewer; null if they may stay. The server decides what is
 * allowed.
 */
export function redirectFor(who: Audience, { token, user }: Viewer, pathname: string): string | null {
  const isSignedIn = token !== null;
  const isStaff = user?.isAdmin === true;
  if (who === 'everyone') return null;
  if (who === 'staff-visitors') return isSignedIn ? '/home' : null;
  if (who === 'visitors') return isSignedIn ? (isStaff ? staffHome() : memberHome) : null;
  if (!isSignedIn) return signInPathFor(pathname);
  return who === 'staff' && !isStaff ? '/home' : null;
}

interface GuardProps {
  who: Exclude<Audience, 'everyone'>;
}

/** Renders the pages below for `who`, and redirects everyone else as `redirectFor` says. */
export function Guard({ who }: GuardProps) {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const state: unknown = location.state;
  const token = useSession((session) => session.token);
  const user = useSession((session) => session.user);
  const ended = useSession((session) => session.ended);
  // If someone signs in on a sign-in page, that page decides where to go next.
  const [arrived] = useState({ token, user });
  const isForVisitors = who === 'visitors' || who === 'staff-visitors';
  const target = redirectFor(who, isForVisitors ? arrived : { token, user }, pathname);
  const signInPath = signInPathFor(pathname);

  if (target === null) return <Outlet />;
  if (who === 'visitors')
    return <Navigate to={(target === memberHome ? requestedPage(state) : null) ?? target} replace />;
  if (target !== signInPath || isForVisitors) return <Navigate to={target} replace />;
  // When a session ends, the app navigates by itself, just before the guards render again.
  if (window.location.pathname === target) return null;
  // Lets the sign-in page lead back to the requested page, unless the person has just signed out.
  const from: SignInState = { from: { pathname, search, hash } };
  return <Navigate to={target} replace state={ended === 'signedOut' ? null : from} />;
}

/** Opens the sign-in page when the session expires, unless the current page works without one. */
export function useSessionExpiry(staysOpen: boolean): void {
  const navigate = useNavigate();
  const location = useLocation();

  const leave = useEffectEvent((now: SessionState, before: SessionState) => {
    if (before.token === null || now.token !== null || now.ended !== 'expired' || staysOpen) return;
    const { pathname, search, hash } = location;
    const state: SignInState = { from: { pathname, search, hash } };
    void navigate(signInPathFor(pathname), { replace: true, state });
  });
  useEffect(() => useSession.subscribe((now, before) => leave(now, before)), []);
}
