import type { ComponentType } from 'react';
import type { Audience } from './features/auth/session/guards.tsx';

export interface PageRoute {
  path: string;
  who: Audience;
  /** The page's module, in a separate chunk. It exports the page's component and nothing else. */
  load: () => Promise<Record<string, ComponentType>>;
  /** Stored by the service worker, so that it opens without a network. */
  offline?: true;
  /** A page for signing in or proving an address: it stays open when the session ends. */
  isAuthPage?: true;
  /** Stays open to members who haven't agreed to changed terms: what they need to ask us, to pay no longer, and to leave. */
  isOpenBeforeTerms?: true;
}

/**
 * Every page of the app. The router, the guards, the preloading of linked pages, the service worker's offline list and the size
 * budgets all read this table. It imports only types, so that build scripts can load it outside a browser.
 */
export const routes: readonly PageRoute[] = [
  { path: '/privacy', who: 'everyone', load: () => import('./member/public/PrivacyPage.tsx'), offline: true },
  { path: '/faqs', who: 'everyone', load: () => import('./member/public/FaqsPage.tsx'), offline: true },
  { path: '/app/terms', who: 'everyone', load: () => import('./member/public/TermsPage.tsx'), offline: true },
  { path: '/app/appeal', who: 'everyone', load: () => import('./member/public/AppealPage.tsx') },
  { path: '/app/unsubscribe', who: 'everyone', load: () => import('./member/public/UnsubscribePage.tsx') },
  {
    path: '/app/verify-email',
    who: 'everyone',
    load: () => import('./member/sign-in/VerifyEmailPage.tsx'),
    isAuthPage: true,
  },
  {
    path: '/app/forgot-password',
    who: 'everyone',
    load: () => import('./member/sign-in/ForgotPasswordPage.tsx'),
    isAuthPage: true,
  },
  {
    path: '/app/reset-password',
    who: 'everyone',
    load: () => import('./member/sign-in/ResetPasswordPage.tsx'),
    isAuthPage: true,
  },
  {
    path: '/app/email-change',
    who: 'everyone',
    load: () => import('./member/sign-in/EmailChangePage.tsx'),
    isAuthPage: true,
  },
  {
    path: '/app/second-step',
    who: 'everyone',
    load: () => import('./member/sign-in/SecondStepPage.tsx'),
    isAuthPage: true,
  },
  {
    path: '/app/sign-in',
    who: 'visitors',
    load: () => import('./member/sign-in/SignInPage.tsx'),
    offline: true,
    isAuthPage: true,
  },
  { path: '/app/join', who: 'visitors', load: () => import('./member/sign-in/JoinPage.tsx'), isAuthPage: true },
  {
    path: '/login',
    who: 'staff-visitors',
    load: () => import('./admin/sign-in/LoginPage.tsx'),
    offline: true,
    isAuthPage: true,
  },

  { path: '/home', who: 'members', load: () => import('./member/public/HomePage.tsx') },
  { path: '/app/discover', who: 'members', load: () => import('./member/discover/DiscoverPage.tsx') },
  { path: '/app/likes', who: 'members', load: () => import('./member/people/LikesPage.tsx') },
  { path: '/app/matches', who: 'members', load: () => import('./member/people/MatchesPage.tsx') },
  { path: '/app/messages/:matchId?', who: 'members', load: () => import('./member/messages/MessagesPage.tsx') },
  { path: '/app/members/:id', who: 'members', load: () => import('./member/people/MemberPage.tsx') },
  { path: '/app/welcome', who: 'members', load: () => import('./member/profile/WelcomePage.tsx') },
  { path: '/app/profile', who: 'members', load: () => import('./member/profile/ProfilePage.tsx') },
  {
    path: '/app/settings/:part?',
    who: 'members',
    load: () => import('./member/settings/SettingsPage.tsx'),
    isOpenBeforeTerms: true,
  },
  { path: '/app/premium', who: 'members', load: () => import('./member/premium/PremiumPage.tsx') },
  {
    path: '/app/premium/invoices/:id',
    who: 'members',
    load: () => import('./member/premium/InvoicePage.tsx'),
    isOpenBeforeTerms: true,
  },
  {
    path: '/app/support',
    who: 'members',
    load: () => import('./member/support/SupportPage.tsx'),
    isOpenBeforeTerms: true,
  },
  {
    path: '/app/support/new',
    who: 'members',
    load: () => import('./member/support/NewReportPage.tsx'),
    isOpenBeforeTerms: true,
  },
  {
    path: '/app/support/:id',
    who: 'members',
    load: () => import('./member/support/SupportReportPage.tsx'),
    isOpenBeforeTerms: true,
  },

  { path: '/dashboard', who: 'staff', load: () => import('./admin/dashboard/DashboardPage.tsx') },
  { path: '/users', who: 'staff', load: () => import('./admin/users/UsersPage.tsx') },
  { path: '/users/:id', who: 'staff', load: () => import('./admin/users/UserPage.tsx') },
  { path: '/reports', who: 'staff', load: () => import('./admin/reports/ReportsPage.tsx') },
  { path: '/reports/:id', who: 'staff', load: () => import('./admin/reports/ReportPage.tsx') },
  { path: '/cases', who: 'staff', load: () => import('./admin/cases/CasesPage.tsx') },
  { path: '/cases/:id', who: 'staff', load: () => import('./admin/cases/CasePage.tsx') },
  { path: '/appeals', who: 'staff', load: () => import('./admin/appeals/AppealsPage.tsx') },
  { path: '/appeals/:id', who: 'staff', load: () => import('./admin/appeals/AppealPage.tsx') },
  { path: '/rules', who: 'staff', load: () => import('./admin/rules/RulesPage.tsx') },
  { path: '/team', who: 'staff', load: () => import('./admin/users/TeamPage.tsx') },
  { path: '/insights/matching', who: 'staff', load: () => import('./admin/insights/MatchingPage.tsx') },
  { path: '/operations', who: 'staff', load: () => import('./admin/operations/OperationsPage.tsx') },
  { path: '/audit', who: 'staff', load: () => import('./admin/audit/AuditPage.tsx') },
  { path: '/settings', who: 'staff', load: () => import('./admin/settings/SettingsPage.tsx') },
];

/** The frame around every staff page, in a separate chunk. */
export const loadStaffLayout = () => import('./admin/AdminLayout.tsx');

/** The file that a `load` of this table imports, from `web/` on: `src/member/public/FaqsPage.tsx`. For build scripts. */
export function moduleOf(load: PageRoute['load']): string {
  const [, file] = /import\(['"]\.\/(.+?)['"]\)/.exec(String(load)) ?? [];
  if (file === undefined) throw new Error(`No import in ${String(load)}`);
  return `src/${file}`;
}
