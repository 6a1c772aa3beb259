import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { type Audience, Guard, useSessionExpiry } from './features/auth/session/guards.tsx';
import { UserLayout } from './member/layout/UserLayout.tsx';
import { fallbackFor, pageOf, preloadPage, routeAt, staffLayout } from './pages.ts';
import { routes } from './routes.ts';
import { useScrollToTop } from './ui/layout/scroll.ts';

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
          <Route element={<Guard key="members" who="members" onSignedIn={preloadPage} />}>{pagesFor('members')}</Route>
        </Route>
        <Route element={<Guard key="staff" who="staff" onSignedIn={preloadPage} />}>
          <Route element={<staffLayout.Page />}>{pagesFor('staff')}</Route>
        </Route>
        <Route path="*" element={<UnknownPath />} />
      </Routes>
    </Suspense>
  );
}
