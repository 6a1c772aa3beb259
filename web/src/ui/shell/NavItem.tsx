import type { IconHome } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './shell.module.css';

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
