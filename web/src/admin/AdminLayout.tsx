import { useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { may as roleMay, type Permission } from '#contract/roles.ts';
import { queryClient } from '../api/query-client.ts';
import { followRealtime } from '../api/realtime/realtime-cache.ts';
import { useServiceConfig } from '../api/service-config.ts';
import { useOwnRole } from '../api/session/permission.ts';
import { displayName, signOut, useCurrentUser, useSession } from '../features/auth/session/session.ts';
import { casesQuery } from '../features/moderation/cases/queries.ts';
import { reportsQuery, reportStatisticsQuery } from '../features/moderation/reports/report-data.ts';
import { firstList } from '../features/moderation/reports/report-filters.ts';
import { firstUsers, usersLimit, usersQuery } from '../features/profiles/staff/user-filters.ts';
import { statisticsQuery } from '../features/statistics/Figures.tsx';
import { AccountMenu, NavItem, SiteHeader } from '../ui/shell/SiteHeader.tsx';
import { Footer } from '../ui/shell/Footer.tsx';
import { Shell } from '../ui/shell/Shell.tsx';
import { lazyPart } from '../ui/loading/lazy-page.tsx';
import { t } from '../ui/text/text.ts';

const staffGatePart = lazyPart(() => import('./sign-in/StaffGate.tsx').then((module) => module.StaffGate));

/** What the pages below the first part of a path need, besides being staff. */
const permissionOf: Partial<Record<string, Permission>> = {
  users: 'users.list',
  reports: 'reports.list',
  cases: 'cases.list',
  appeals: 'cases.list',
  rules: 'cases.list',
  team: 'team.view',
  audit: 'audit.view',
  operations: 'operations.view',
};

/**
 * The layout of the administrators' area. Hovering a link fetches its page and, where reading isn't recorded, its
 * data. Links and pages that the viewer's role may not open are left out: the server would refuse them.
 */
export function AdminLayout() {
  const config = useServiceConfig();
  const user = useSession((session) => session.user);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const role = useOwnRole();
  const may = (permission: Permission) => roleMay(role, permission);
  const mustSetUp = useSession((session) => session.requiresSecondFactor === true);
  useCurrentUser();
  useEffect(followRealtime, []);

  function preloadDashboard() {
    void queryClient.prefetchQuery(statisticsQuery);
  }

  function preloadUsers() {
    void queryClient.prefetchInfiniteQuery(usersQuery(firstUsers, usersLimit(may('users.seePrivate'))));
  }

  function preloadReports() {
    void queryClient.prefetchQuery(reportStatisticsQuery);
    void queryClient.prefetchQuery({ ...reportsQuery(firstList), staleTime: 10_000 });
  }

  function preloadCases() {
    void queryClient.prefetchInfiniteQuery(casesQuery('open'));
  }

  function logout() {
    signOut();
    void navigate('/login', { replace: true });
  }

  const needed = permissionOf[pathname.split('/')[1] ?? ''];
  const isOpen = user === null || needed === undefined || may(needed);
  const outlet = isOpen ? undefined : <Navigate to="/dashboard" replace />;
  const shown = mustSetUp ? <staffGatePart.Part /> : outlet;

  const links = (
    <>
      <NavItem to="/dashboard" preload={preloadDashboard}>
        {t('Dashboard')}
      </NavItem>
      {may('users.list') && (
        <NavItem to="/users" preload={preloadUsers}>
          {t('Users')}
        </NavItem>
      )}
      {may('reports.list') && (
        <NavItem to="/reports" preload={preloadReports}>
          {t('Reports')}
        </NavItem>
      )}
      {may('cases.list') && (
        <NavItem to="/cases" preload={preloadCases}>
          {t('Cases')}
        </NavItem>
      )}
      {may('cases.list') && <NavItem to="/appeals">{t('Appeals')}</NavItem>}
      {may('team.view') && <NavItem to="/team">{t('Team')}</NavItem>}
      {may('audit.view') && <NavItem to="/audit">{t('Audit')}</NavItem>}
      {may('operations.view') && <NavItem to="/operations">{t('Operations')}</NavItem>}
      <NavItem to="/settings">{t('Settings')}</NavItem>
    </>
  );

  return (
    <Shell
      header={
        <SiteHeader
          home="/dashboard"
          links={links}
          account={<AccountMenu name={user ? displayName(user) : ''} badge={t('Admin')} onLogout={logout} />}
        />
      }
      footer={<Footer supportEmail={config?.supportEmail} />}
    >
      {shown}
    </Shell>
  );
}
