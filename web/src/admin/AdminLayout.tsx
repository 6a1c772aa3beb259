import { t } from '@lingui/core/macro';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { productName } from '#contract/constants.ts';
import { may as roleMay, type Permission, roleNames } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { queryClient } from '../api/query-client.ts';
import { followRealtime } from '../api/realtime/realtime-cache.ts';
import { useServiceConfig } from '../api/service-config.ts';
import { useOwnRole } from '../api/session/permission.ts';
import { onSessionChange } from '../api/session/stored-session.ts';
import { useBrand } from '../brand.ts';
import { displayName, signOutOfHouse, useCurrentUser, useSession } from '../features/auth/session/session.ts';
import { QueueBadge } from '../features/moderation/queue/QueueBadge.tsx';
import { statisticsQuery } from '../features/statistics/queries.ts';
import { forgetRows } from '../ui/data/table/use-row-keys.ts';
import { AccountMenu, NavItem } from '../ui/shell/HeaderParts.tsx';
import { SiteHeader } from '../ui/shell/SiteHeader.tsx';
import { Footer } from '../ui/shell/Footer.tsx';
import { Shell } from '../ui/shell/Shell.tsx';
import { lazyPart } from '../ui/loading/LazyBoundary.tsx';
import { preload, whenIdle } from '../ui/loading/preload.ts';
import { isBehindDialog, type PageAction, pageActions, useSingleKeys } from '../ui/keyboard/shortcuts.tsx';
import type { Place } from './CommandPalette.tsx';
import classes from './AdminLayout.module.css';

const [CommandPalette] = lazyPart(async () => (await import('./CommandPalette.tsx')).CommandPalette);
const [LanguageChoice] = lazyPart(
  async () => (await import('../features/auth/account/LanguageChoice.tsx')).LanguageChoice,
);
const [StaffNotices] = lazyPart(async () => (await import('./StaffNotices.tsx')).StaffNotices);
const [StaffGate] = lazyPart(async () => (await import('./sign-in/StaffGate.tsx')).StaffGate);

onSessionChange(({ token }) => {
  if (token === null) forgetRows();
});

/** The permission that the pages below the first parts of a path require, besides being staff. */
const permissionOf: Partial<Record<string, Permission>> = {
  users: 'users.list',
  reports: 'reports.list',
  cases: 'cases.list',
  appeals: 'cases.list',
  queue: 'cases.list',
  rules: 'cases.list',
  'rules/automatic': 'rules.edit',
  'rules/help-lines': 'service.edit',
  'second-looks': 'cases.handle',
  team: 'team.view',
  audit: 'audit.view',
  'insights/matching': 'matching.view',
  'insights/revenue': 'revenue.view',
  'insights/safety': 'safety.view',
  operations: 'operations.view',
  service: 'service.edit',
};

/** The role next to the person's name: administrators have the badge “Admin”. */
const badgeOf = (role: StaffRole | null) => (role === null || role === 'admin' ? t`Admin` : t(roleNames[role]));

/** The number of links and the length of their words, the name, the role and "Logout" that fit in the bar of most screens. */
const linksThatFit = 8;
const lettersThatFit = 107;
const lettersOfGap = 3;
const likeACount = '0000';

type Brand = ReturnType<typeof useBrand>;

/** The letters of links for which a wider brand leaves no room: those of its name are larger, and a logo can be wider than the product's. */
const lettersOfBrand = ({ name, logo }: Brand) =>
  logo === null ? 2 * Math.max(0, name.length - productName.length) : 4;

/** How many of these links fit next to a name and a role. */
function countFitting(links: readonly string[], account: string, brand: Brand): number {
  let left = lettersThatFit - account.length - lettersOfBrand(brand);
  const tooLong = links.findIndex((text) => (left -= text.length + lettersOfGap) < 0);
  return Math.min(linksThatFit, tooLong < 0 ? links.length : tooLong);
}

/** Opens the command palette with Ctrl or Cmd and K anywhere, and with `/` where the page has no search of its own. */
function usePalette(isLocked: boolean) {
  const [actions, setActions] = useState<readonly PageAction[] | null>(null);
  const show = () => setActions(pageActions());
  const open = useEffectEvent(() => {
    if (!isLocked && !isBehindDialog()) show();
  });
  useSingleKeys({ '/': () => !isLocked && show() }, { isFallback: true });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return { actions, show, close: () => setActions(null) };
}

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
  // Signing out leads there, even without a network.
  useEffect(() => whenIdle(() => preload(() => import('./sign-in/LoginPage.tsx'))), []);

  function preloadDashboard() {
    void queryClient.prefetchQuery(statisticsQuery);
  }

  async function preloadUsers() {
    const { firstUsers, usersQuery } = await import('../features/profiles/staff/user-filters.ts');
    await queryClient.prefetchInfiniteQuery(usersQuery(firstUsers));
  }

  async function preloadReports() {
    const [{ reportsQuery, reportStatisticsQuery }, { firstList }] = await Promise.all([
      import('../features/moderation/reports/report-data.ts'),
      import('../features/moderation/reports/report-filters.ts'),
    ]);
    void queryClient.prefetchQuery(reportStatisticsQuery);
    void queryClient.prefetchQuery({ ...reportsQuery(firstList), staleTime: 10_000 });
  }

  async function preloadCases() {
    const { casesQuery } = await import('../features/moderation/cases/queries.ts');
    await queryClient.prefetchInfiniteQuery(casesQuery({ view: 'open' }));
  }

  function logout() {
    void signOutOfHouse();
    void navigate('/login', { replace: true });
  }

  const [first = '', second = ''] = pathname.split('/').slice(1);
  const needed = permissionOf[`${first}/${second}`] ?? permissionOf[first];
  const isOpen = user === null || needed === undefined || may(needed);
  const outlet = isOpen ? undefined : <Navigate to="/dashboard" replace />;
  const shown = mustSetUp ? <StaffGate /> : outlet;

  const pages: readonly (Place & {
    /** The permission that its link requires, if not that of its page. */
    needs?: Permission;
    preload?: () => void;
    badge?: ReactNode;
    isCurrent?: boolean;
    /** The heading of its group in the menu. */
    group?: string;
  })[] = [
    { path: '/dashboard', text: t`Dashboard`, preload: preloadDashboard },
    { path: '/users', text: t`Users`, preload: () => void preloadUsers() },
    { path: '/reports', text: t`Reports`, preload: () => void preloadReports() },
    { path: '/start', text: t`Start`, needs: 'reports.handle', group: t`Work` },
    {
      path: '/queue',
      text: t`Queue`,
      group: t`Work`,
      preload: () => void preloadCases(),
      badge: !mustSetUp && <QueueBadge />,
      isCurrent: /^(queue|cases|appeals|second-looks)$/.test(first),
    },
    { path: '/rules', text: t`Rules`, group: t`Work` },
    { path: '/insights', text: t`Insights`, group: t`Business` },
    { path: '/team', text: t`Team`, group: t`System` },
    { path: '/audit', text: t`Audit`, group: t`System` },
    { path: '/operations', text: t`Operations`, group: t`System` },
    { path: '/service', text: t`Service`, group: t`System` },
    { path: '/settings', text: t`My account`, group: t`System` },
  ];
  const places = pages.filter(({ path, needs = permissionOf[path.slice(1)] }) => needs === undefined || may(needs));
  const links = places.map(({ path, text, preload, badge: count, isCurrent, group }, index) => (
    <Fragment key={path}>
      {group !== places[index - 1]?.group && <p className={classes.heading}>{group}</p>}
      <NavItem to={path} preload={preload} badge={count} isCurrent={isCurrent}>
        {text}
      </NavItem>
    </Fragment>
  ));
  const name = user ? displayName(user) : '';
  const badge = badgeOf(role);
  const fitting = countFitting(
    places.map(({ text, badge: count }) => text + (count ? likeACount : '')),
    name + badge + t`Logout`,
    useBrand(),
  );
  const palette = usePalette(mustSetUp);

  return (
    <>
      <Shell
        header={
          <SiteHeader
            home="/dashboard"
            links={links.slice(0, fitting)}
            moreLinks={links.length > fitting && links.slice(fitting)}
            bell={
              !mustSetUp && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t`Search and commands`}
                  aria-keyshortcuts="Control+K"
                  onClick={palette.show}
                >
                  <IconSearch size={20} stroke={1.75} />
                </ActionIcon>
              )
            }
            account={<AccountMenu name={name} badge={badge} onLogout={logout} />}
          />
        }
        notice={!mustSetUp && <StaffNotices />}
        footer={<Footer supportEmail={config?.supportEmail} language={<LanguageChoice />} />}
      >
        {shown}
      </Shell>
      {palette.actions !== null && <CommandPalette places={places} actions={palette.actions} onClose={palette.close} />}
    </>
  );
}
