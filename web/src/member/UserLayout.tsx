import { Button } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { useServiceConfig } from '../api/service-config.ts';
import { doorFor } from '../features/auth/doors.ts';
import { signOut } from '../features/auth/session-commands.ts';
import { displayName, useSession } from '../features/auth/session.ts';
import { AccountMenu } from '../ui/AccountMenu.tsx';
import { Footer } from '../ui/Footer.tsx';
import { Link } from '../ui/Link.tsx';
import { NavItem } from '../ui/NavItem.tsx';
import { Shell } from '../ui/Shell.tsx';
import { SiteHeader } from '../ui/SiteHeader.tsx';
import { useText } from '../ui/text.ts';
import { faqsPage, homePage, joinPage, privacyPage, signInPage } from './member-pages.ts';

/** For visitors: the members' two doors. */
function Doors() {
  const t = useText();
  return (
    <>
      <Button
        component={Link}
        to="/app/sign-in"
        variant="subtle"
        onPointerEnter={signInPage.preload}
        onFocus={signInPage.preload}
      >
        {t('Sign in')}
      </Button>
      <Button component={Link} to="/app/join" onPointerEnter={joinPage.preload} onFocus={joinPage.preload}>
        {t('Join')}
      </Button>
    </>
  );
}

/** The layout of the public and the members' pages. */
export function UserLayout() {
  const t = useText();
  const config = useServiceConfig();
  const user = useSession((session) => session.user);
  const isSignedIn = useSession((session) => session.token !== null);
  const navigate = useNavigate();
  const { pathname } = useLocation();

  function logout() {
    signOut();
    void navigate(doorFor(pathname), { replace: true });
  }

  const links = (
    <>
      <NavItem to="/home" preload={homePage.preload}>
        {t('Home')}
      </NavItem>
      <NavItem to="/faqs" preload={faqsPage.preload}>
        {t('FAQs')}
      </NavItem>
      <NavItem to="/privacy" preload={privacyPage.preload}>
        {t('Privacy')}
      </NavItem>
    </>
  );

  return (
    <Shell
      header={
        <SiteHeader
          home={isSignedIn ? '/home' : '/faqs'}
          links={links}
          account={isSignedIn ? <AccountMenu name={user ? displayName(user) : ''} onLogout={logout} /> : <Doors />}
        />
      }
      footer={<Footer supportEmail={config?.supportEmail} />}
    />
  );
}
