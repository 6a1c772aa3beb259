import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { queryClient } from '../api/query-client.ts';
import { followRealtime } from '../api/realtime/realtime-cache.ts';
import { useServiceConfig } from '../api/service-config.ts';
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

/**
 * The layout of the administrators' area. Hovering a link fetches its page and, where reading isn't recorded, its
 * data. Moderators see no Audit link: the server would refuse it.
 */
export function AdminLayout() {
  const config = useServiceConfig();
  const user = useSession((session) => session.user);
  const navigate = useNavigate();
  const isModerator = user?.staffRole === 'moderator';
  const mustSetUp = useSession((session) => session.requiresSecondFactor === true);
  useCurrentUser();
  useEffect(followRealtime, []);

  function preloadDashboard() {
    void queryClient.prefetchQuery(statisticsQuery);
  }

  function preloadUsers() {
    void queryClient.prefetchInfiniteQuery(usersQuery(firstUsers, usersLimit(isModerator)));
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

  const links = (
    <>
      <NavItem to="/dashboard" preload={preloadDashboard}>
        {t('Dashboard')}
      </NavItem>
      <NavItem to="/users" preload={preloadUsers}>
        {t('Users')}
      </NavItem>
      <NavItem to="/reports" preload={preloadReports}>
        {t('Reports')}
      </NavItem>
      <NavItem to="/cases" preload={preloadCases}>
        {t('Cases')}
      </NavItem>
      <NavItem to="/appeals">{t('Appeals')}</NavItem>
      {!isModerator && <NavItem to="/audit">{t('Audit')}</NavItem>}
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
      {mustSetUp ? <staffGatePart.Part /> : undefined}
    </Shell>
  );
}
