import { t } from '@lingui/core/macro';
import { IconCrown, IconLifebuoy, IconSettings, IconShieldHeart, type IconUser, IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router';
import { UnreadBadge } from '../../features/moderation/own-reports/unread.tsx';
import { morePlaces, useNarrow } from '../layout/places.ts';
import classes from './MorePlaces.module.css';

const icons: Record<string, typeof IconUser> = {
  '/app/settings': IconSettings,
  '/app/premium': IconCrown,
  '/app/support': IconLifebuoy,
  '/app/people': IconUsers,
  '/app/safety': IconShieldHeart,
};

/** The places that have no tab on narrow screens, as cards; nothing where the rail has them. */
export function MorePlaces() {
  if (!useNarrow()) return null;
  return (
    <nav className={classes.places} aria-label={t`More`}>
      {morePlaces.map(({ to, label }) => {
        const Icon = icons[to];
        return (
          <Link key={to} to={to} viewTransition className={classes.place}>
            {Icon && <Icon size={24} stroke={1.6} aria-hidden="true" />}
            {t(label)}
            <span className={classes.badge}>{to === '/app/support' && <UnreadBadge />}</span>
          </Link>
        );
      })}
    </nav>
  );
}
