import { Suspense, useEffect } from 'react';
import { matchPath, Navigate, Outlet, Route, Routes } from 'react-router';
import {
  auditPage,
  dashboardPage,
  reportPage,
  reportsPage,
  settingsPage as staffSettingsPage,
  userPage,
  usersPage,
} from './admin/admin-pages.ts';
import type { StoredSession } from './api/session/stored-session.ts';
import { doorFor } from './features/auth/session/sign-in-paths.ts';
import { MemberDoor, RequireAdmin, RequireSession, StaffDoor } from './features/auth/session/guards.tsx';
import { UserLayout } from './member/layout/UserLayout.tsx';
import {
  discoverPage,
  faqsPage,
  forgotPasswordPage,
  homePage,
  invoicePage,
  joinPage,
  likesPage,
  matchesPage,
  memberPage,
  messagesPage,
  newReportPage,
  premiumPage,
  privacyPage,
  profilePage,
  resetPasswordPage,
  secondStepPage,
  settingsPage,
  signInPage,
  supportPage,
  supportReportPage,
  termsPage,
  unsubscribePage,
  verifyEmailPage,
  welcomePage,
} from './member/layout/member-pages.ts';
import { lazyPage } from './ui/loading/lazy-page.tsx';

const loginPage = lazyPage(() => import('./admin/sign-in/LoginPage.tsx'));
const adminLayout = lazyPage(() => import('./admin/AdminLayout.tsx'));

const publicPages = [
  { path: '/privacy', page: privacyPage },
  { path: '/faqs', page: faqsPage },
  { path: '/app/terms', page: termsPage },
  { path: '/app/verify-email', page: verifyEmailPage },
  { path: '/app/forgot-password', page: forgotPasswordPage },
  { path: '/app/reset-password', page: resetPasswordPage },
  { path: '/app/second-step', page: secondStepPage },
  { path: '/app/unsubscribe', page: unsubscribePage },
];
const memberDoors = [
  { path: '/app/sign-in', page: signInPage },
  { path: '/app/join', page: joinPage },
];
const memberPages = [
  { path: '/home', page: homePage },
  { path: '/app/discover', page: discoverPage },
  { path: '/app/likes', page: likesPage },
  { path: '/app/matches', page: matchesPage },
  { path: '/app/messages/:matchId?', page: messagesPage },
  { path: '/app/support', page: supportPage },
  { path: '/app/support/new', page: newReportPage },
  { path: '/app/support/:id', page: supportReportPage },
  { path: '/app/members/:id', page: memberPage },
  { path: '/app/welcome', page: welcomePage },
  { path: '/app/profile', page: profilePage },
  { path: '/app/settings', page: settingsPage },
  { path: '/app/premium', page: premiumPage },
  { path: '/app/premium/invoices/:id', page: invoicePage },
];
const adminPages = [
  { path: '/dashboard', page: dashboardPage },
  { path: '/users', page: usersPage },
  { path: '/users/:id', page: userPage },
  { path: '/reports', page: reportsPage },
  { path: '/reports/:id', page: reportPage },
  { path: '/audit', page: auditPage },
  { path: '/settings', page: staffSettingsPage },
];

/** Fetches the door that Logout leads to ahead of time, so that it opens offline too. */
function DoorAhead() {
  useEffect(() => loginPage.preload(), []);
  return <Outlet />;
}

/** Every path of the app and who may see it. */
export function AppRoutes() {
  return (
    <Suspense>
      <Routes>
        <Route
          path="/login"
          element={
            <StaffDoor>
              <loginPage.Page />
            </StaffDoor>
          }
        />
        <Route element={<UserLayout />}>
          {publicPages.map(({ path, page }) => (
            <Route key={path} path={path} element={<page.Page />} />
          ))}
          <Route element={<MemberDoor />}>
            {memberDoors.map(({ path, page }) => (
              <Route key={path} path={path} element={<page.Page />} />
            ))}
          </Route>
          <Route element={<RequireSession />}>
            <Route element={<DoorAhead />}>
              {memberPages.map(({ path, page }) => (
                <Route key={path} path={path} element={<page.Page />} />
              ))}
            </Route>
          </Route>
        </Route>
        <Route element={<RequireAdmin />}>
          <Route element={<DoorAhead />}>
            <Route element={<adminLayout.Page />}>
              {adminPages.map(({ path, page }) => (
                <Route key={path} path={path} element={<page.Page />} />
              ))}
            </Route>
          </Route>
        </Route>
        <Route element={<RequireSession />}>
          <Route path="/app/*" element={<Navigate to="/app/discover" replace />} />
        </Route>
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </Suspense>
  );
}

/** Settles when the chunks of the first page that the guards let this person see are there; nobody waits for more than that. */
export async function firstPageReady(pathname: string, session: Pick<StoredSession, 'token' | 'user'>): Promise<void> {
  const isThis = ({ path }: { path: string }) => matchPath(path, pathname) !== null;
  const open = publicPages.find(isThis) ?? (session.token === null ? memberDoors.find(isThis) : undefined);
  if (!open && session.token === null) return (doorFor(pathname) === '/login' ? loginPage : signInPage).ready();
  const isLost = doorFor(pathname) !== '/login' && !memberDoors.some(isThis);
  const isHome = session.user?.isAdmin !== true || pathname === '/login';
  const fallback = isLost ? discoverPage : isHome ? homePage : undefined;
  const members = open ?? memberPages.find(isThis) ?? (fallback && { page: fallback });
  const page = members?.page ?? adminPages.find(isThis)?.page ?? dashboardPage;
  await Promise.all([page.ready(), members ? undefined : adminLayout.ready()]);
}
