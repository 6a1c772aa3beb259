import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'react-router';
import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { UnreadBadge } from '../../features/moderation/own-reports/unread.tsx';
import { markRoot } from '../../ui/shell/AppBar.tsx';
import classes from './MemberTabs.module.css';
import { mainPlaces, morePlaces } from './places.ts';

const mark = () => markRoot('data-tabs');

/** Unread answers are on the profile, behind the card for support. */
const badges: Record<string, ComponentType> = { '/app/messages': UnreadMessagesBadge, '/app/profile': UnreadBadge };

/**
 * The main links at the bottom of narrow screens, within reach of the thumb. Pressing the current one calls `onAgain`,
 * which refreshes the page for those who can't pull it down.
 */
export function MemberTabs({ onAgain }: { onAgain: () => void }) {
  const { pathname } = useLocation();
  const isMore = morePlaces.some(({ to }) => pathname.startsWith(to));
  return (
    <nav ref={mark} className={classes.bar} aria-label={t`Most used`}>
      {mainPlaces.map(({ to, label, Icon }) => {
        const Badge = badges[to];
        return (
          <Link
            key={to}
            to={to}
            viewTransition
            className={classes.tab}
            aria-current={pathname === to ? 'page' : isMore && to === '/app/profile' ? 'true' : undefined}
            onClick={() => pathname === to && onAgain()}
          >
            <Icon size={22} stroke={1.75} aria-hidden="true" />
            {t(label)}
            {Badge && (
              <span className={classes.badge}>
                <Badge />
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
