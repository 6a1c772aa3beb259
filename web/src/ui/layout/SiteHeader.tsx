import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import classes from './SiteHeader.module.css';
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
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();

  useEffect(() => drawer.current?.close(), [pathname]);

  function open() {
    setOpen(true);
    drawer.current?.showModal();
  }

  return (
    <header className={classes.header} data-full={moreLinks ? true : undefined}>
      <div className={classes.bar}>
        <Link to={home} className={classes.home} aria-label="Heartwood">
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
          <ActionIcon
            className={classes.narrow}
            variant="subtle"
            color="gray"
            size="lg"
            data-unread={unread !== undefined || undefined}
            aria-label={unread === undefined ? t('Open menu') : t('Open menu ({unread})', { unread })}
            aria-haspopup="dialog"
            onClick={open}
          >
            <IconMenu2 size={22} stroke={1.75} />
          </ActionIcon>
        </div>
      </div>
      <dialog ref={drawer} className={classes.drawer} aria-label={t('Menu')} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <div className={classes.drawerTop}>
              <Logo />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('Close menu')}
                onClick={() => drawer.current?.close()}
              >
                <IconX size={22} stroke={1.75} />
              </ActionIcon>
            </div>
            <nav className={classes.drawerLinks} aria-label={t('Main')}>
              {mainLinks}
              {links}
              {moreLinks}
            </nav>
            <div className={classes.drawerAccount}>{account}</div>
          </>
        )}
      </dialog>
    </header>
  );
}
