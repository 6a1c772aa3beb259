import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useServiceConfig } from '../../api/service-config.ts';
import { signInPathFor } from '../../features/auth/session/sign-in-paths.ts';
import { signOut } from '../../features/auth/session/current-user.ts';
import { displayName, useSession } from '../../features/auth/session/session.ts';
import {
  UnreadMessagesBadge,
  unreadMessagesText,
  useUnreadMessages,
} from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { UnreadBadge, unreadText, useUnread } from '../../features/support/unread.tsx';
import { AccountMenu } from '../../ui/layout/AccountMenu.tsx';
import { Footer } from '../../ui/layout/Footer.tsx';
import { NavItem } from '../../ui/layout/NavItem.tsx';
import { Shell } from '../../ui/layout/Shell.tsx';
import { SiteHeader } from '../../ui/layout/SiteHeader.tsx';
import { t } from '../../ui/text/text.ts';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';

const memberTabs = lazyPart(() => import('./MemberTabs.tsx').then((module) => module.MemberTabs));
const bell = lazyPart(() => import('../../features/notifications/Bell.tsx').then((module) => module.Bell));

const narrow = '(max-width: 45rem)';

/** For visitors: signing in and joining. */
function VisitorLinks() {
  return (
    <>
      <Button component={Link} to="/app/sign-in" variant="subtle">
        {t('Sign in')}
      </Button>
      <Button component={Link} to="/app/join">
        {t('Join')}
      </Button>
    </>
  );
}

/** Everything that keeps a member's page up to date, loaded after the page. */
function useLiveUpdates(isMember: boolean): ReactNode {
  const [LiveUpdates, setLiveUpdates] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isMember) return;
    import('./LiveUpdates.tsx').then(
      (loaded) => setLiveUpdates(() => loaded.LiveUpdates),
      () => undefined,
    );
  }, [isMember]);
  return isMember && LiveUpdates !== null && <LiveUpdates />;
}

/** The layout of the public and the members' pages. */
export function UserLayout() {
  const config = useServiceConfig();
  const user = useSession((session) => session.user);
  const isSignedIn = useSession((session) => session.token !== null);
  const isMember = isSignedIn && user?.isAdmin === false;
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const answers = useUnread();
  const messages = useUnreadMessages();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const liveUpdates = useLiveUpdates(isMember);

  function logout() {
    signOut();
    void navigate(signInPathFor(pathname), { replace: true });
  }

  const links = (
    <>
      <NavItem to="/home">{t('Home')}</NavItem>
      <NavItem to="/faqs">{t('FAQs')}</NavItem>
      <NavItem to="/privacy">{t('Privacy')}</NavItem>
    </>
  );
  const mainLinks = isMember && (
    <>
      <NavItem to="/app/discover">{t('Discover')}</NavItem>
      <NavItem to="/app/likes">{t('Likes')}</NavItem>
      <NavItem to="/app/matches">{t('Matches')}</NavItem>
      <NavItem to="/app/messages" badge={<UnreadMessagesBadge />}>
        {t('Messages')}
      </NavItem>
      <NavItem to="/app/profile">{t('Profile')}</NavItem>
    </>
  );
  const moreLinks = isMember && (
    <>
      <NavItem to="/app/support" badge={<UnreadBadge />}>
        {t('Support')}
      </NavItem>
      <NavItem to="/app/premium">{t('Premium')}</NavItem>
      <NavItem to="/app/settings">{t('Settings')}</NavItem>
    </>
  );

  const unread = isMember ? (unreadMessagesText(messages) ?? unreadText(answers)) : undefined;
  // A conversation needs the room, and has its own way back.
  const hasTabs = isMember && isNarrow && !pathname.startsWith('/app/messages/');

  return (
    <>
      <Shell
        header={
          <SiteHeader
            home={isSignedIn ? '/home' : '/faqs'}
            links={links}
            mainLinks={mainLinks}
            moreLinks={moreLinks}
            unread={unread}
            bell={
              isMember && (
                <Suspense>
                  <bell.Part />
                </Suspense>
              )
            }
            account={
              isSignedIn ? <AccountMenu name={user ? displayName(user) : ''} onLogout={logout} /> : <VisitorLinks />
            }
          />
        }
        footer={<Footer supportEmail={config?.supportEmail} />}
        notice={liveUpdates}
      />
      {hasTabs && (
        <Suspense>
          <memberTabs.Part />
        </Suspense>
      )}
    </>
  );
}
