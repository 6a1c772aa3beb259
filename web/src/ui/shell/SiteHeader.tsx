import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { type IconHome, IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from '../text/text.ts';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import classes from './shell.module.css';

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

const inARow = { gap: '0.25rem', wrap: 'nowrap', miw: 0 } as const;

/** The bar at the top of every page; on narrow screens links and account are in a drawer. */
export function SiteHeader({ home, links, mainLinks, moreLinks, account, bell, unread }: SiteHeaderProps) {
  return (
    <header className={classes.header} data-full={moreLinks ? true : undefined}>
      <div className={classes.bar}>
        {/* The landing page is a document of its own. */}
        <Link to={home} reloadDocument={home === '/app'} className={classes.home}>
          <Logo />
        </Link>
        <Group component="nav" className={classes.main ?? ''} {...inARow} aria-label={t('Main')}>
          {mainLinks}
          <Group className={classes.wide ?? ''} {...inARow}>
            {links}
          </Group>
          {moreLinks && (
            <Group className={classes.widest ?? ''} {...inARow}>
              {moreLinks}
            </Group>
          )}
        </Group>
        <Group {...inARow} gap="0.5rem" ms="auto">
          <Group className={classes.wide ?? ''} {...inARow}>
            {account}
          </Group>
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
        </Group>
      </div>
    </header>
  );
}

interface NavItemProps {
  to: string;
  children: string;
  Icon?: typeof IconHome;
  /** A count of unread items after the name. */
  badge?: ReactNode;
  /** Fetches the page's chunk (and data) when the link is hovered or focused. */
  preload?: (() => void) | undefined;
}

/** A link of the navigation; the current page's link, or its parent page's, is marked. */
export function NavItem({ to, children, Icon, badge, preload }: NavItemProps) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || pathname.startsWith(`${to}/`);
  return (
    <Link
      to={to}
      viewTransition={to.startsWith('/app/')}
      className={classes.navItem}
      aria-current={isCurrent ? 'page' : undefined}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {Icon && <Icon className={classes.navIcon} size={22} stroke={1.75} aria-hidden="true" />}
      {children}
      {badge}
    </Link>
  );
}

/** The signed-in person's name, a badge if any, and Logout. */
export function AccountMenu({ name, badge, onLogout }: { name: string; badge?: ReactNode; onLogout: () => void }) {
  return (
    <Group className={classes.account ?? ''} gap="0.75rem" miw={0}>
      <span className={classes.accountName} title={name}>
        {name}
      </span>
      {badge && <span className={classes.accountBadge}>{badge}</span>}
      <Button variant="default" size="sm" onClick={onLogout}>
        {t('Logout')}
      </Button>
    </Group>
  );
}

interface MenuDrawerProps {
  /** Unread items behind one of the links; they mark the button. */
  unread?: string | undefined;
  className?: string | undefined;
  /** `NavItem`s. */
  links: ReactNode;
  /** Who is signed in, and how to sign out. */
  account: ReactNode;
}

/** The menu's button and its drawer with every link. */
export function MenuDrawer({ unread, className, links, account }: MenuDrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();

  // Before the new page's heading takes the focus, which the dialog gives back to its button.
  useLayoutEffect(() => drawer.current?.close(), [pathname]);

  function open() {
    setOpen(true);
    drawer.current?.showModal();
  }

  return (
    <>
      <ActionIcon
        className={`${classes.opener} ${className ?? ''}`}
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
      <dialog ref={drawer} className={classes.drawer} aria-label={t('Menu')} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <Group justify="space-between" mih="4rem">
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
            </Group>
            <Stack component="nav" gap="0.35rem" aria-label={t('Main')}>
              {links}
            </Stack>
            <Stack gap="0.35rem" className={classes.drawerAccount ?? ''}>
              {account}
            </Stack>
          </>
        )}
      </dialog>
    </>
  );
}
