import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { UnreadBadge } from '../../features/moderation/own-reports/unread.tsx';
import { morePlaces, useNarrow } from '../layout/places.ts';
import classes from './MorePlaces.module.css';

/** The places that have no tab on narrow screens, as cards; nothing where the rail has them. */
export function MorePlaces() {
  if (!useNarrow()) return null;
  return (
    <nav className={classes.places} aria-label={t`More`}>
      {morePlaces.map(({ to, label, Icon }) => (
        <Link key={to} to={to} viewTransition className={classes.place}>
          <Icon size={24} stroke={1.6} aria-hidden="true" />
          {t(label)}
          <span className={classes.badge}>{to === '/app/support' && <UnreadBadge />}</span>
        </Link>
      ))}
    </nav>
  );
}
