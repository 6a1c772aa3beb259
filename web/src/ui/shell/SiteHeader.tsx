import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { type IconHome, IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import classes from './shell.module.css';

interface SiteHeaderProps {
  home: string;
  links: ReactNode;
  /** The last links, which only the widest screens show; on others they are in the menu. */
  moreLinks: ReactNode;
  /** The signed-in person and a button to sign out. */
  account: ReactNode;
  /** A button that is visible on every screen. */
  bell: ReactNode;
}

const inARow = { gap: '0.25rem', wrap: 'nowrap', miw: 0 } as const;

/** The bar at the top of the staff's pages. On narrow screens, links and account are in a drawer. */
export function SiteHeader({ home, links, moreLinks, account, bell }: SiteHeaderProps) {
  return (
    <header className={classes.header} data-full={moreLinks ? true : undefined}>
      <div className={classes.bar}>
        <Link to={home} className={classes.home}>
          <Logo />
        </Link>
        <Group component="nav" {...inARow} aria-label={t`Main`}>
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
          {bell}
          <ColorSchemeToggle />
          <MenuDrawer
            links={
              <>
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

interface SiteRowProps {
  links: ReactNode;
  /** The signed-in person and a button to sign out, or links to sign in. */
  account: ReactNode;
}

/** The links of the public pages and the account, all visible at every width: on narrow screens the row wraps. */
export function SiteRow({ links, account }: SiteRowProps) {
  return (
    <div className={classes.row}>
      <Group component="nav" gap={0} aria-label={t`Main`}>
        {links}
      </Group>
      <Group gap="0.25rem" flex={1} justify="flex-end">
        {account}
      </Group>
    </div>
  );
}

/** The bar of visitors and of staff on the public pages. */
export function PublicHeader({ home, children }: { home: string; children: ReactNode }) {
  return (
    <header className={classes.header} data-public>
      <div className={classes.bar}>
        {/* The landing page is a separate document. */}
        <Link to={home} reloadDocument={home === '/app'} className={classes.home}>
          <Logo />
        </Link>
        {children}
        <ColorSchemeToggle />
      </div>
    </header>
  );
}

interface NavItemProps {
  to: string;
  children: string;
  Icon?: typeof IconHome;
  /** A count of unread items, shown after the name. */
  badge?: ReactNode;
  /** Whether one of its pages is shown; by default those below `to`. */
  isCurrent?: boolean | undefined;
  /** Fetches the page's chunk (and data) when the link is hovered or focused. */
  preload?: (() => void) | undefined;
}

/** A navigation link. It is marked if it leads to the current page or its parent page. */
export function NavItem({ to, children, Icon, badge, isCurrent, preload }: NavItemProps) {
  const { pathname } = useLocation();
  return (
    <Link
      to={to}
      viewTransition={to.startsWith('/app/')}
      className={classes.navItem}
      aria-current={(isCurrent ?? `${pathname}/`.startsWith(`${to}/`)) ? 'page' : undefined}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {Icon && <Icon className={classes.navIcon} size={22} stroke={1.75} aria-hidden="true" />}
      {children}
      {badge}
    </Link>
  );
}

/** The name of the signed-in person, with a badge if there is one, and Logout. */
export function AccountMenu({ name, badge, onLogout }: { name: string; badge?: ReactNode; onLogout: () => void }) {
  return (
    <Group className={classes.account ?? ''} gap="0.75rem" miw={0}>
      <span className={classes.accountName} title={name}>
        {name}
      </span>
      {badge && <span className={classes.accountBadge}>{badge}</span>}
      <Button variant="default" size="sm" onClick={onLogout}>
        {t`Logout`}
      </Button>
    </Group>
  );
}

/** The menu button of narrow screens and its drawer with all links. */
function MenuDrawer({ links, account }: Pick<SiteHeaderProps, 'links' | 'account'>) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();

  // Runs before the new page's heading takes the focus, because closing the dialog returns the focus to its button.
  useLayoutEffect(() => drawer.current?.close(), [pathname]);

  function open() {
    setOpen(true);
    drawer.current?.showModal();
  }

  return (
    <>
      <ActionIcon
        className={classes.narrow ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t`Open menu`}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconMenu2 size={22} stroke={1.75} />
      </ActionIcon>
      <dialog ref={drawer} className={classes.drawer} aria-label={t`Menu`} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <Group justify="space-between" mih="4rem">
              <Logo />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t`Close menu`}
                onClick={() => drawer.current?.close()}
              >
                <IconX size={22} stroke={1.75} />
              </ActionIcon>
            </Group>
            <Stack component="nav" gap="0.35rem" aria-label={t`Main`}>
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
