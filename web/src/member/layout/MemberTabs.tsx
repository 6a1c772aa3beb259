import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { IconHome } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { markRoot } from '../../ui/shell/AppBar.tsx';
import classes from './MemberTabs.module.css';

interface MemberTabsProps {
  places: readonly { to: string; label: MessageDescriptor; Icon: typeof IconHome; hasMessages: boolean }[];
}

const mark = () => markRoot('data-tabs');

/** The main links at the bottom of narrow screens, within reach of the thumb. */
export function MemberTabs({ places }: MemberTabsProps) {
  const { pathname } = useLocation();
  return (
    <nav ref={mark} className={classes.bar} aria-label={t`Most used`}>
      {places.map(({ to, label, Icon, hasMessages }) => (
        <Link
          key={to}
          to={to}
          viewTransition
          className={classes.tab}
          aria-current={pathname === to ? 'page' : undefined}
        >
          <Icon size={22} stroke={1.75} aria-hidden="true" />
          {t(label)}
          {hasMessages && (
            <span className={classes.badge}>
              <UnreadMessagesBadge />
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
