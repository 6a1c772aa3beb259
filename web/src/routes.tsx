import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { AppRoot, PageError, type PageHandle, TermsGate, UnfetchedError, UnknownPath } from './AppRoot.tsx';
import { Guard } from './features/auth/session/guards.tsx';
import { UserLayout } from './member/layout/UserLayout.tsx';
import { loadTexts, type TextsPart } from './ui/text/catalogues.ts';
import { useLanguage } from './ui/text/use-language.ts';

/** A module that exports nothing but a page's component. */
type PageModule = () => Promise<Record<string, ComponentType>>;

/** A page that is rendered again in another language. */
const inEachLanguage = (Page: ComponentType) =>
  function SpokenPage() {
    useLanguage();
    return <Page />;
  };

/** Fetches the code of a page, and the texts that it needs in addition to those of every page. */
async function fetchPage(load: PageModule, texts: readonly TextsPart[]): Promise<{ Component: ComponentType }> {
  const [module] = await Promise.all([load(), ...texts.map(loadTexts)]).catch((error: unknown) => {
    throw new UnfetchedError('The code of the page could not be fetched', { cause: error });
  });
  const [Component] = Object.values(module);
  if (Component === undefined) throw new Error('A module without a page');
  return { Component: inEachLanguage(Component) };
}

const pagesWith =
  (...texts: TextsPart[]) =>
  (path: string, load: PageModule, handle: PageHandle = {}): RouteObject => ({
    path,
    handle,
    lazy: () => fetchPage(load, texts),
  });
const visitor = pagesWith('sign-in');
const member = pagesWith('members');
const account = pagesWith('account');
const memberAccount = pagesWith('members', 'account');
const legal = pagesWith('legal');
const staff = pagesWith();

const isAuthPage = true;
const isOpenBeforeTerms = true;

/** Pages that need no session. */
const publicPages = [
  legal('/privacy', () => import('./member/public/PrivacyPage.tsx')),
  legal('/faqs', () => import('./member/public/FaqsPage.tsx')),
  legal('/app/terms', () => import('./member/public/TermsPage.tsx')),
  account('/app/report', () => import('./member/public/OutsiderReportPage.tsx')),
  pagesWith('account', 'legal')('/app/safety', () => import('./member/public/SafetyPage.tsx')),
  account('/app/transparency', () => import('./member/public/TransparencyPage.tsx')),
  pagesWith('sign-in', 'members', 'account')('/app/appeal', () => import('./member/public/AppealPage.tsx')),
  account('/app/date', () => import('./member/public/SharedDatePage.tsx')),
  account('/app/unsubscribe', () => import('./member/public/UnsubscribePage.tsx')),
  visitor('/app/verify-email', () => import('./member/sign-in/VerifyEmailPage.tsx'), { isAuthPage }),
  visitor('/app/forgot-password', () => import('./member/sign-in/ForgotPasswordPage.tsx'), { isAuthPage }),
  visitor('/app/reset-password', () => import('./member/sign-in/ResetPasswordPage.tsx'), { isAuthPage }),
  visitor('/app/email-change', () => import('./member/sign-in/EmailChangePage.tsx'), { isAuthPage }),
  visitor('/app/second-step', () => import('./member/sign-in/SecondStepPage.tsx'), { isAuthPage }),
];

const memberSignIn = [
  visitor('/app/sign-in', () => import('./member/sign-in/SignInPage.tsx'), { isAuthPage }),
  visitor('/app/join', () => import('./member/sign-in/JoinPage.tsx'), { isAuthPage }),
];

const memberPages = [
  account('/home', () => import('./member/public/HomePage.tsx')),
  member('/app/discover', () => import('./member/discover/DiscoverPage.tsx')),
  member('/app/likes', () => import('./member/people/LikesPage.tsx')),
  member('/app/people', () => import('./member/people/PeoplePage.tsx')),
  member('/app/matches', () => import('./member/people/MatchesPage.tsx')),
  member('/app/messages/:matchId?', () => import('./member/messages/MessagesPage.tsx')),
  memberAccount('/app/check-in/:id', () => import('./member/dates/CheckInPage.tsx')),
  member('/app/members/:id', () => import('./member/people/MemberPage.tsx')),
  pagesWith('members', 'questions')('/app/welcome', () => import('./member/profile/WelcomePage.tsx')),
  pagesWith('members', 'account', 'questions')('/app/profile', () => import('./member/profile/ProfilePage.tsx')),
  member('/app/verify-age', () => import('./member/profile/VerifyAgePage.tsx')),
  account('/app/verify', () => import('./member/profile/VerifyPage.tsx')),
  pagesWith('sign-in', 'members', 'account')(
    '/app/settings/:part?',
    () => import('./member/settings/SettingsPage.tsx'),
    { isOpenBeforeTerms },
  ),
  memberAccount('/app/premium', () => import('./member/premium/PremiumPage.tsx')),
  account('/app/premium/invoices/:id', () => import('./member/premium/InvoicePage.tsx'), { isOpenBeforeTerms }),
  memberAccount('/app/support', () => import('./member/support/SupportPage.tsx'), { isOpenBeforeTerms }),
  memberAccount('/app/support/new', () => import('./member/support/NewReportPage.tsx'), { isOpenBeforeTerms }),
  account('/app/support/:id', () => import('./member/support/SupportReportPage.tsx'), { isOpenBeforeTerms }),
];

const staffPages = [
  staff('/start', () => import('./admin/start/StartPage.tsx')),
  staff('/dashboard', () => import('./admin/dashboard/DashboardPage.tsx')),
  memberAccount('/users', () => import('./admin/users/UsersPage.tsx')),
  memberAccount('/users/:id', () => import('./admin/users/UserPage.tsx')),
  member('/reports', () => import('./admin/reports/ReportsPage.tsx')),
  member('/reports/:id', () => import('./admin/reports/ReportPage.tsx')),
  staff('/cases', () => import('./admin/cases/CasesPage.tsx')),
  account('/cases/notices', () => import('./admin/cases/OutsiderReportsPage.tsx')),
  memberAccount('/cases/:id', () => import('./admin/cases/CasePage.tsx')),
  staff('/appeals', () => import('./admin/appeals/AppealsPage.tsx')),
  memberAccount('/appeals/:id', () => import('./admin/appeals/AppealPage.tsx')),
  memberAccount('/queue/:kind?', () => import('./admin/queue/QueuePage.tsx')),
  member('/second-looks', () => import('./admin/second-looks/SecondLooksPage.tsx')),
  member('/rules', () => import('./admin/rules/RulesPage.tsx')),
  staff('/rules/automatic', () => import('./admin/rules/AutomaticRulesPage.tsx')),
  account('/rules/help-lines', () => import('./admin/rules/HelpLinesPage.tsx')),
  staff('/team', () => import('./admin/users/TeamPage.tsx')),
  staff('/insights/:part?', () => import('./admin/insights/InsightsPage.tsx')),
  member('/insights/matching', () => import('./admin/insights/MatchingPage.tsx')),
  staff('/operations', () => import('./admin/operations/OperationsPage.tsx')),
  member('/service', () => import('./admin/service/ServicePage.tsx')),
  pagesWith('account', 'legal')('/service/texts', () => import('./admin/service/TextsPage.tsx')),
  account('/audit', () => import('./admin/audit/AuditPage.tsx')),
  account('/settings', () => import('./admin/settings/SettingsPage.tsx')),
];

/** Shows an error within the frame. The router can't show it at the page's own route while that has no code. */
export const withErrors = (children: RouteObject[]): RouteObject[] => [
  { errorElement: <PageError isInFrame />, children },
];

/**
 * Every page of the app, below its guard and its layout. Each guard has a key, because it must forget its visitor when another one takes
 * its place.
 */
export const routes: RouteObject[] = [
  {
    Component: AppRoot,
    errorElement: <PageError />,
    children: [
      {
        element: <Guard key="staff-visitors" who="staff-visitors" />,
        children: [visitor('/login', () => import('./admin/sign-in/LoginPage.tsx'), { isAuthPage })],
      },
      {
        Component: UserLayout,
        children: withErrors([
          ...publicPages,
          { element: <Guard key="visitors" who="visitors" />, children: memberSignIn },
          {
            element: <Guard key="members" who="members" />,
            children: [{ Component: TermsGate, children: memberPages }],
          },
        ]),
      },
      {
        element: <Guard key="staff" who="staff" />,
        children: [
          {
            lazy: () => fetchPage(() => import('./admin/AdminLayout.tsx'), ['sign-in', 'staff']),
            children: withErrors(staffPages),
          },
        ],
      },
      { path: '*', Component: UnknownPath },
    ],
  },
];
