import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { auditPage, dashboardPage, reportsPage, settingsPage, userPage, usersPage } from './admin/admin-pages.ts';
import { MemberDoor, RequireAdmin, RequireSession, StaffDoor } from './features/auth/guards.tsx';
import { UserLayout } from './member/UserLayout.tsx';
import {
  faqsPage,
  forgotPasswordPage,
  homePage,
  joinPage,
  privacyPage,
  resetPasswordPage,
  signInPage,
  verifyEmailPage,
} from './member/member-pages.ts';
import { lazyPage } from './ui/lazy-page.ts';

const loginPage = lazyPage(() => import('./admin/LoginPage.tsx').then((module) => module.LoginPage));
const adminLayout = lazyPage(() => import('./admin/AdminLayout.tsx').then((module) => module.AdminLayout));

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
          <Route path="/privacy" element={<privacyPage.Page />} />
          <Route path="/faqs" element={<faqsPage.Page />} />
          <Route element={<RequireSession />}>
            <Route path="/home" element={<homePage.Page />} />
          </Route>
          <Route
            path="/app/sign-in"
            element={
              <MemberDoor>
                <signInPage.Page />
              </MemberDoor>
            }
          />
          <Route
            path="/app/join"
            element={
              <MemberDoor>
                <joinPage.Page />
              </MemberDoor>
            }
          />
          <Route path="/app/verify-email" element={<verifyEmailPage.Page />} />
          <Route path="/app/forgot-password" element={<forgotPasswordPage.Page />} />
          <Route path="/app/reset-password" element={<resetPasswordPage.Page />} />
        </Route>
        <Route path="/app/*" element={<Navigate to="/home" replace />} />
        <Route element={<RequireAdmin />}>
          <Route element={<adminLayout.Page />}>
            <Route path="/dashboard" element={<dashboardPage.Page />} />
            <Route path="/users" element={<usersPage.Page />} />
            <Route path="/users/:id" element={<userPage.Page />} />
            <Route path="/reports" element={<reportsPage.Page />} />
            <Route path="/audit" element={<auditPage.Page />} />
            <Route path="/settings" element={<settingsPage.Page />} />
          </Route>
        </Route>
        <Route path="*" element={<Navigate to="/dashboard" replace />} />
      </Routes>
    </Suspense>
  );
}
