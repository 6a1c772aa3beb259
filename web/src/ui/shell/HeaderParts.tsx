import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import type { IconHome } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import classes from './shell.module.css';

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
      <Group gap="0.25rem" flex="auto" justify="flex-end">
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
