import type { LinkProps } from 'react-router';
import { t } from '../text/text.ts';
import classes from './Columns.module.css';
import { BackLink } from './Page.tsx';

/** A link above the page to the list that it belongs to. */
export function Breadcrumb(link: LinkProps) {
  return (
    <nav className={classes.breadcrumb} aria-label={t('Breadcrumb')}>
      <BackLink {...link} />
    </nav>
  );
}
