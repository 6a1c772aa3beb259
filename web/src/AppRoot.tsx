import {
  type Location,
  Navigate,
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from 'react-router';
import { memberHome, redirectFor, staffHome, useSessionExpiry } from './features/auth/session/guards.tsx';
import { useSession } from './features/auth/session/session.ts';
import { CrashPage } from './ui/feedback/PageStates.tsx';
import { lazyPart, UnfetchedPage } from './ui/loading/LazyBoundary.tsx';

const [TermsQuestion] = lazyPart(async () => (await import('./member/sign-in/TermsQuestion.tsx')).TermsQuestion);

/** What the app needs to know about a page before it is fetched. */
export interface PageHandle {
  /** A page for signing in or proving an address: it stays open when the session ends. */
  isAuthPage?: true;
  /** Stays open to members who haven't agreed to changed terms: the pages for asking us, canceling payments and leaving. */
  isOpenBeforeTerms?: true;
}

/** What the route table says about the page that is shown. */
function usePageHandle(): PageHandle {
  return useMatches().at(-1)?.handle ?? {};
}

/**
 * The key under which the position on a page is stored. Each history entry has its own, but the first entry of every full load has the same
 * key, so its path is added.
 */
const placeOf = ({ key, pathname }: Location) => (key === 'default' ? pathname : key);

/** Around every page: the position on it, and the end of the session. */
export function AppRoot() {
  useSessionExpiry(usePageHandle().isAuthPage === true);
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}

/** Asks members to agree to changed terms, in place of all pages that don't stay open until then. */
export function TermsGate() {
  const isAsked = useSession((session) => session.requiresTerms === true);
  const { isOpenBeforeTerms } = usePageHandle();
  if (!isAsked || isOpenBeforeTerms === true) return <Outlet />;
  return <TermsQuestion />;
}

/**
 * Redirects unknown addresses to the first page of members or staff, and people who may not open that to where its guard would send them,
 * which avoids loading the code of that page.
 */
export function UnknownPath() {
  const { pathname } = useLocation();
  const viewer = useSession();
  const isForMembers = /^\/app(\/|$)/.test(pathname);
  const elsewhere = redirectFor(isForMembers ? 'members' : 'staff', viewer, pathname);
  return <Navigate to={elsewhere ?? (isForMembers ? memberHome : staffHome())} replace />;
}

/** The code of a page could not be fetched. */
export class UnfetchedError extends Error {}

/** In place of a page that failed: one whose code is missing, or one that could not be rendered. */
export function PageError({ isInFrame = false }: { isInFrame?: boolean }) {
  return useRouteError() instanceof UnfetchedError ? <UnfetchedPage /> : <CrashPage isInFrame={isInFrame} />;
}
