import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { displayName, useSession } from '../../features/auth/session/session.ts';
import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { UnreadBadge } from '../../features/moderation/own-reports/unread.tsx';
import { AppBar } from '../../ui/shell/AppBar.tsx';
import { AccountMenu, NavItem, PublicHeader, SiteRow } from '../../ui/shell/HeaderParts.tsx';
import { Shell } from '../../ui/shell/Shell.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { loadTexts } from '../../ui/text/catalogues.ts';
import { useLanguage } from '../../ui/text/use-language.ts';
import { preload, whenSettled } from '../../ui/loading/preload.ts';
import { MemberTabs } from './MemberTabs.tsx';
import { mainPlaces, morePlaces, useNarrow } from './places.ts';
import { useLogout } from './use-logout.ts';

const [SiteFooter] = lazyPart(async () => (await import('./SiteFooter.tsx')).SiteFooter);
const [Bell] = lazyPart(async () => (await import('../../features/notifications/Bell.tsx')).Bell);

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

interface PlaceLinksProps {
  places: typeof mainPlaces | typeof morePlaces;
  badges: Record<string, ReactNode>;
}

/** Places of the members' app, in the rail of wide screens. */
function PlaceLinks({ places, badges }: PlaceLinksProps) {
  return places.map((place) => (
    <NavItem key={place.to} to={place.to} badge={badges[place.to]} {...('Icon' in place && { Icon: place.Icon })}>
      {t(place.label)}
    </NavItem>
  ));
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

/** The layout of the public and the members' pages. Members have the same frame on all of them. */
export function UserLayout() {
  useLanguage();
  const user = useSession((session) => session.user);
  const isSignedIn = useSession((session) => session.token !== null);
  const isMember = isSignedIn && user?.isAdmin === false;
  const isNarrow = useNarrow();
  const { pathname } = useLocation();
  const logout = useLogout();
  const [refreshes, setRefreshes] = useState(0);
  useEffect(() => {
    // Signing out leads there, even without a network.
    if (isMember)
      whenSettled(() => preload(() => Promise.all([import('../sign-in/SignInPage.tsx'), loadTexts('sign-in')])));
  }, [isMember]);

  const name = user ? displayName(user) : '';
  const account = isSignedIn ? <AccountMenu name={name} onLogout={logout} /> : <VisitorLinks />;
  const isPublic = !pathname.startsWith('/app/');
  // Joining shows only the next step; a conversation needs the space and has its own back link.
  const isJoining = /^\/app\/(join|sign-in|welcome|verify-email)/.test(pathname);
  const hasTabs = isMember && isNarrow && !isJoining && !pathname.startsWith('/app/messages/');
  const hasRow = isNarrow ? isPublic || !(isMember || isJoining) : !isMember;
  const row = hasRow && <SiteRow links={<SiteLinks />} account={account} />;
  const hasRail = !isNarrow && !isJoining;

  return (
    <>
      <Shell
        header={
          isMember ? (
            <AppBar
              links={
                hasRail && <PlaceLinks places={mainPlaces} badges={{ '/app/messages': <UnreadMessagesBadge /> }} />
              }
              more={<PlaceLinks places={morePlaces} badges={{ '/app/support': <UnreadBadge /> }} />}
              site={<SiteLinks />}
              account={!isNarrow && account}
              bell={<Bell />}
            >
              {row}
            </AppBar>
          ) : (
            <PublicHeader home={isSignedIn ? '/home' : '/app'}>{row}</PublicHeader>
          )
        }
        footer={(isPublic || !isMember) && <SiteFooter />}
        notice={isMember && <LaterLiveUpdates refreshes={refreshes} />}
      />
      {hasTabs && <MemberTabs onAgain={() => setRefreshes(refreshes + 1)} />}
    </>
  );
}
