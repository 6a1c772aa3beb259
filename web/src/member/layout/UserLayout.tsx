import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCards, IconHeart, IconMessageCircle, IconUser } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { signInPathFor } from '../../features/auth/session/guards.tsx';
import { displayName, signOut, useSession } from '../../features/auth/session/session.ts';
import {
  UnreadMessagesBadge,
  unreadMessagesText,
  useUnreadMessages,
} from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { UnreadBadge, unreadText, useUnread } from '../../features/moderation/own-reports/unread.tsx';
import { AppBar } from '../../ui/shell/AppBar.tsx';
import { AccountMenu, MenuDrawer, NavItem, SiteHeader } from '../../ui/shell/SiteHeader.tsx';
import { Shell } from '../../ui/shell/Shell.tsx';
import { ColorSchemeToggle } from '../../ui/theme/ColorSchemeToggle.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { loadTexts } from '../../ui/text/catalogues.ts';
import { useLanguage } from '../../ui/text/use-language.ts';
import { preload, whenSettled } from '../../ui/loading/preload.ts';
import { MemberTabs } from './MemberTabs.tsx';

/** The main links, in the rail of wide screens and the tabs of narrow ones. */
const memberPlaces = [
  { to: '/app/discover', label: msg`Discover`, Icon: IconCards, hasMessages: false },
  { to: '/app/likes', label: msg`Likes`, Icon: IconHeart, hasMessages: false },
  { to: '/app/messages', label: msg`Messages`, Icon: IconMessageCircle, hasMessages: true },
  { to: '/app/profile', label: msg`Profile`, Icon: IconUser, hasMessages: false },
] as const;

const SiteFooter = lazy(async () => ({ default: (await import('./SiteFooter.tsx')).SiteFooter }));
const Bell = lazy(async () => ({ default: (await import('../../features/notifications/Bell.tsx')).Bell }));

/** Screens without room for a rail next to the page. */
const narrow = '(max-width: 59.99rem)';

/** For visitors: signing in and joining. */
function VisitorLinks() {
  return (
    <>
      <Button component={Link} to="/app/sign-in" variant="subtle">
        {t`Sign in`}
      </Button>
      <Button component={Link} to="/app/join">
        {t`Join`}
      </Button>
    </>
  );
}

/** The main links; with icons if there is room for a column. */
function MainLinks({ hasIcons = false }: { hasIcons?: boolean }) {
  return memberPlaces.map(({ to, label, Icon, hasMessages }) => (
    <NavItem key={to} to={to} {...(hasIcons && { Icon })} badge={hasMessages && <UnreadMessagesBadge />}>
      {t(label)}
    </NavItem>
  ));
}

function MoreLinks() {
  return (
    <>
      <NavItem to="/app/people">{t`People`}</NavItem>
      <NavItem to="/app/support" badge={<UnreadBadge />}>
        {t`Support`}
      </NavItem>
      <NavItem to="/app/premium">{t`Premium`}</NavItem>
      <NavItem to="/app/settings">{t`Settings`}</NavItem>
    </>
  );
}

/** The public pages. */
function SiteLinks() {
  return (
    <>
      <NavItem to="/home">{t`Home`}</NavItem>
      <NavItem to="/faqs">{t`FAQs`}</NavItem>
      <NavItem to="/privacy">{t({ message: 'Privacy', context: 'policy' })}</NavItem>
    </>
  );
}

interface MemberMenuProps {
  /** The unread counts in words. */
  unread: string | undefined;
  account: ReactNode;
  onRefresh: () => void;
}

/** The menu of a member's page on narrow screens. */
function MemberMenu({ unread, account, onRefresh }: MemberMenuProps) {
  return (
    <MenuDrawer
      unread={unread}
      links={
        <>
          <MainLinks />
          <MoreLinks />
          <SiteLinks />
        </>
      }
      account={
        <>
          <Button
            variant="subtle"
            color="gray"
            justify="start"
            px="0.85rem"
            fz="md"
            fw={500}
            onClick={({ currentTarget }) => {
              currentTarget.closest('dialog')?.close();
              onRefresh();
            }}
          >
            {t`Refresh this page`}
          </Button>
          {account}
          <ColorSchemeToggle />
        </>
      }
    />
  );
}

/** Everything that keeps a member's page up to date, loaded after the page. */
function LaterLiveUpdates({ refreshes }: { refreshes: number }) {
  const [LiveUpdates, setLiveUpdates] = useState<ComponentType<{ refreshes: number }> | null>(null);
  useEffect(() => {
    import('./LiveUpdates.tsx').then(
      (loaded) => setLiveUpdates(() => loaded.LiveUpdates),
      () => undefined,
    );
  }, []);
  return LiveUpdates !== null && <LiveUpdates refreshes={refreshes} />;
}

/** The layout of the public and the members' pages. */
export function UserLayout() {
  useLanguage();
  const user = useSession((session) => session.user);
  const isSignedIn = useSession((session) => session.token !== null);
  const isMember = isSignedIn && user?.isAdmin === false;
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const answers = useUnread();
  const messages = useUnreadMessages();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [refreshes, setRefreshes] = useState(0);
  useEffect(() => {
    // Signing out leads there, even without a network.
    if (isMember)
      whenSettled(() => preload(() => Promise.all([import('../sign-in/SignInPage.tsx'), loadTexts('sign-in')])));
  }, [isMember]);
  const liveUpdates = isMember && <LaterLiveUpdates refreshes={refreshes} />;

  function logout() {
    signOut();
    void navigate(signInPathFor(pathname), { replace: true });
  }

  const name = user ? displayName(user) : '';
  const account = isSignedIn ? <AccountMenu name={name} onLogout={logout} /> : <VisitorLinks />;
  const unread = isMember ? (unreadMessagesText(messages) ?? unreadText(answers)) : undefined;
  // Joining shows only the next step; a conversation needs the space and has its own back link.
  const isJoining = /^\/app\/(join|welcome|verify-email)/.test(pathname);
  const hasTabs = isMember && isNarrow && !isJoining && !pathname.startsWith('/app/messages/');
  const notificationBell = isMember && (
    <LazyBoundary>
      <Bell />
    </LazyBoundary>
  );
  const isApp = isMember && pathname.startsWith('/app/');

  return (
    <>
      {isApp ? (
        <Shell
          header={
            <AppBar links={isJoining || isNarrow ? null : <MainLinks hasIcons />} account={isNarrow ? null : account}>
              {notificationBell}
              <MemberMenu unread={unread} account={account} onRefresh={() => setRefreshes(refreshes + 1)} />
            </AppBar>
          }
          notice={liveUpdates}
        />
      ) : (
        <Shell
          header={
            <SiteHeader
              home={isSignedIn ? '/home' : '/app'}
              links={<SiteLinks />}
              mainLinks={isMember && <MainLinks />}
              moreLinks={isMember && <MoreLinks />}
              unread={unread}
              bell={notificationBell}
              account={account}
            />
          }
          footer={
            <LazyBoundary>
              <SiteFooter />
            </LazyBoundary>
          }
          notice={liveUpdates}
        />
      )}
      {hasTabs && <MemberTabs places={memberPlaces} />}
    </>
  );
}
