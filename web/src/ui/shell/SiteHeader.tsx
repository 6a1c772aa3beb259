import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import { MenuDrawer } from './MenuDrawer.tsx';
import classes from './shell.module.css';
import { t } from '../text/text.ts';

interface SiteHeaderProps {
  home: string;
  /** `NavItem`s. */
  links: ReactNode;
  /** The main links, before the others; they stay visible longer when space gets tight. */
  mainLinks?: ReactNode;
  /** The links after the others, which only the widest screens show; on others, the menu has them. */
  moreLinks?: ReactNode;
  /** Who is signed in, and how to sign out; or the links to sign in. */
  account: ReactNode;
  /** A button that is visible on every screen; it may load later than the rest. */
  bell?: ReactNode;
  /** The unread count of one of the links; it marks the menu's button while the links are hidden. */
  unread?: string | undefined;
}

/** The bar at the top of every page; on narrow screens links and account are in a drawer. */
export function SiteHeader({ home, links, mainLinks, moreLinks, account, bell, unread }: SiteHeaderProps) {
  return (
    <header className={classes.header} data-full={moreLinks ? true : undefined}>
      <div className={classes.bar}>
        {/* The landing page is a document of its own. */}
        <Link to={home} reloadDocument={home === '/app'} className={classes.home}>
          <Logo />
        </Link>
        <nav className={classes.main} aria-label={t('Main')}>
          {mainLinks}
          <div className={classes.wide}>{links}</div>
          {moreLinks && <div className={classes.widest}>{moreLinks}</div>}
        </nav>
        <div className={classes.end}>
          <div className={classes.wide}>{account}</div>
          {bell && <div className={classes.bell}>{bell}</div>}
          <ColorSchemeToggle />
          <MenuDrawer
            className={classes.narrow}
            unread={unread}
            links={
              <>
                {mainLinks}
                {links}
                {moreLinks}
              </>
            }
            account={account}
          />
        </div>
      </div>
    </header>
  );
}
