import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps } from 'react-router';
import { t } from '../text/text.ts';
import classes from './Columns.module.css';

/** A link to the list that a page belongs to. */
export function BackToList({ children, ...link }: Omit<LinkProps, 'className'>) {
  return (
    <Link {...link} className={classes.back}>
      <IconArrowLeft className="mirrored" size={16} stroke={1.75} aria-hidden="true" />
      {children}
    </Link>
  );
}

/** The way back to the list that a page belongs to, above the page. */
export function WayBack(link: Omit<LinkProps, 'className'>) {
  return (
    <nav className={classes.way} aria-label={t('Breadcrumb')}>
      <BackToList {...link} />
    </nav>
  );
}
