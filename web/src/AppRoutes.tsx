import { type ReactNode, startTransition, Suspense, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  matchPath,
  Navigate,
  NavigationType,
  Outlet,
  Route,
  Router,
  Routes,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  useLocation,
} from 'react-router';
import type { StoredSession } from './api/session/stored-session.ts';
import { type Audience, Guard, redirectFor, useSessionExpiry } from './features/auth/session/guards.tsx';
import { useSession } from './features/auth/session/session.ts';
import { UserLayout } from './member/layout/UserLayout.tsx';
import { loadStaffLayout, type PageRoute, routes } from './routes.ts';
import { useScrollToTop } from './ui/layout/scroll.ts';
import { type LazyPage, lazyPage, whenIdle, whenSettled } from './ui/loading/lazy-page.tsx';

const isAuthPage = (pathname: string) => routeAt(pathname)?.isAuthPage === true;

function pagesFor(audience: Audience) {
  return routes
    .filter(({ who }) => who === audience)
    .map((route) => {
      const { Page } = pageOf(route);
      return <Route key={route.path} path={route.path} element={<Page />} />;
    });
}

function UnknownPath() {
  const { pathname } = useLocation();
  return <Navigate to={fallbackFor(pathname)} replace />;
}

/** Asks members to agree to changed terms, in place of the pages that don't stay open until then. */
function TermsGate() {
  const isAsked = useSession((session) => session.requiresTerms === true);
  const { pathname } = useLocation();
  return isAsked && routeAt(pathname)?.isOpenBeforeTerms !== true ? <termsQuestion.Page /> : <Outlet />;
}

/** Every page of the route table below its guard and its frame. */
export function AppRoutes() {
  useSessionExpiry(isAuthPage);
  useScrollToTop();
  return (
    <Suspense>
      {/* Each guard has a key: it must forget who arrived when another one takes its place. */}
      <Routes>
        <Route element={<Guard key="staff-visitors" who="staff-visitors" />}>{pagesFor('staff-visitors')}</Route>
        <Route element={<UserLayout />}>
          {pagesFor('everyone')}
          <Route element={<Guard key="visitors" who="visitors" />}>{pagesFor('visitors')}</Route>
          {/* The sign-in page is fetched ahead, so that signing out works without a network too. */}
          <Route element={<Guard key="members" who="members" onSignedIn={preloadWhenSettled} />}>
            <Route element={<TermsGate />}>{pagesFor('members')}</Route>
          </Route>
        </Route>
        <Route element={<Guard key="staff" who="staff" onSignedIn={preloadWhenIdle} />}>
          <Route element={<staffLayout.Page />}>{pagesFor('staff')}</Route>
        </Route>
        <Route path="*" element={<UnknownPath />} />
      </Routes>
    </Suspense>
  );
}

/** Whether a change to this page may be animated: not for people who prefer less motion, and never while code is fetched. */
function mayAnimate(pathname: string): boolean {
  const route = routeAt(pathname);
  const isReady = route?.who === 'members' && pageOf(route).isLoaded() && !document.hidden;
  return isReady && 'startViewTransition' in document && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const longestFrameMs = 100;

/** Runs `work` once the browser has shown what has been drawn so far, or soon in a window that is hidden and shows nothing. */
function afterPaint(work: () => void): void {
  const late = setTimeout(() => {
    cancelAnimationFrame(frame);
    work();
  }, longestFrameMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(late);
    setTimeout(work);
  });
}

/**
 * The library's browser router, in which members' pages fade into each other and a person's picture moves along (elements with
 * the same `view-transition-name`). Back and Forward are not animated, since the browser restores the position before the next
 * frame. The library's own option needs its data router, and React's `<ViewTransition>` would hold back the new page's requests
 * until the animation has ended.
 */
export function AppRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ action, location }, setShown] = useState({ action: history.action, location: history.location });

  useLayoutEffect(() => {
    let shownPath = history.location.pathname;
    return history.listen((to) => {
      const isNewPage = to.location.pathname !== shownPath;
      shownPath = to.location.pathname;
      const show = () => setShown({ action: history.action, location: history.location });
      if (to.action !== NavigationType.Push || !isNewPage || !mayAnimate(shownPath)) return startTransition(show);
      const { key } = to.location;
      // An animation holds back the next frame until the new page is drawn, so the pressed link gets a frame of its own before. It is
      // skipped if the next change has followed by then, which shows itself; and where the window is hidden, the page is just shown.
      afterPaint(() => {
        if (history.location.key !== key) return;
        if (document.hidden) startTransition(show);
        else document.startViewTransition(() => flushSync(show)).ready.catch(() => undefined);
      });
    });
  }, [history]);

  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}

type Viewer = Pick<StoredSession, 'token' | 'user'>;

const pages = new Map(routes.map((route) => [route, lazyPage(route.load)]));

/** The frame around every staff page. */
const staffLayout = lazyPage(loadStaffLayout);
const termsQuestion = lazyPage(() => import('./member/sign-in/TermsQuestion.tsx'));

/** The lazy page of a route in the table. */
function pageOf(route: PageRoute): LazyPage {
  const page = pages.get(route);
  if (page === undefined) throw new Error(`${route.path} is not in the route table`);
  return page;
}

/** The route in the table that shows this path; undefined for unknown paths. */
function routeAt(pathname: string): PageRoute | undefined {
  // Comparing is enough for most, and spares a phone the building of thirty patterns.
  return routes.find(({ path }) => path === pathname) ?? routes.find(({ path }) => matchPath(path, pathname) !== null);
}

/** Where unknown paths lead; that page's guard decides what happens next. */
function fallbackFor(pathname: string): '/app/discover' | '/dashboard' {
  return /^\/app(\/|$)/.test(pathname) ? '/app/discover' : '/dashboard';
}

/** Fetches the code of the page at this path, if there is one. */
function preloadPage(pathname: string): void {
  const route = routeAt(pathname);
  if (route) pageOf(route).preload();
}

/** The same when the browser has nothing else to do, for staff, or, on a phone, once the first screen has settled. */
const preloadWhenIdle = (pathname: string) => whenIdle(() => preloadPage(pathname));
const preloadWhenSettled = (pathname: string) => whenSettled(() => preloadPage(pathname));

/**
 * From now on, fetches the code of a page as soon as a link to it is hovered or focused; returns a function that stops
 * it.
 */
export function preloadLinkedPages(): () => void {
  const follow = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link?.origin === window.location.origin) preloadPage(link.pathname);
  };
  document.addEventListener('pointerover', follow, { passive: true });
  document.addEventListener('focusin', follow);
  return () => {
    document.removeEventListener('pointerover', follow);
    document.removeEventListener('focusin', follow);
  };
}

/** Settles when the code of the page that the guards let this viewer see is loaded. It never rejects. */
export async function firstPageReady(pathname: string, viewer: Viewer): Promise<void> {
  const route = routeAt(pathname);
  if (route === undefined) return firstPageReady(fallbackFor(pathname), viewer);
  const target = redirectFor(route.who, viewer, pathname);
  if (target !== null) return firstPageReady(target, viewer);
  await Promise.all([pageOf(route).ready(), route.who === 'staff' && staffLayout.ready()]);
}
