import type { IconHome } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './TabBar.module.css';

export interface Tab {
  to: string;
  label: string;
  Icon: typeof IconHome;
  /** A count of unread items at the icon's corner. */
  badge?: ReactNode;
}

/** The main places, at the bottom of a narrow screen, within reach of the thumb. */
export function TabBar({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { pathname } = useLocation();
  return (
    <nav className={classes.bar} aria-label={label}>
      {tabs.map(({ to, label: name, Icon, badge }) => (
        <Link key={to} to={to} className={classes.tab} aria-current={pathname === to ? 'page' : undefined}>
          <Icon size={22} stroke={1.75} aria-hidden="true" />
          {name}
          {badge && <span className={classes.badge}>{badge}</span>}
        </Link>
      ))}
    </nav>
  );
}
