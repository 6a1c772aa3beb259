import type { Location } from 'react-router';

/** The door to sign in at: members' for pages under `/app`, else the staff's. */
export function doorFor(pathname: string): '/app/sign-in' | '/login' {
  return pathname === '/app' || pathname.startsWith('/app/') ? '/app/sign-in' : '/login';
}

/** What a door remembers of the page first asked for. */
export interface DoorState {
  from: Pick<Location, 'pathname' | 'search' | 'hash'>;
}

/** The page first asked for as an address of this app, or null. */
export function askedFor(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null;
  const { pathname, search, hash } = (state as DoorState).from;
  return `${pathname}${search}${hash}`;
}
