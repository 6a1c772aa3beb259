import type { Location } from 'react-router';

/** The sign-in page for a page of this app: the members' for addresses under `/app`, else the staff's. */
export function signInPathFor(pathname: string): '/app/sign-in' | '/login' {
  return pathname === '/app' || pathname.startsWith('/app/') ? '/app/sign-in' : '/login';
}

/** What the history entry of a sign-in page says about the page that was asked for. */
export interface SignInState {
  from: Pick<Location, 'pathname' | 'search' | 'hash'>;
}

/** The page to go to after signing in, as an address of this app; null where no page was asked for. */
export function requestedPage(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null;
  const { pathname, search, hash } = (state as SignInState).from;
  return `${pathname}${search}${hash}`;
}
