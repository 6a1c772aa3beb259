import type { LinkProps } from 'react-router';
import { t } from '../text/text.ts';
import classes from './Columns.module.css';
import { BackLink } from './Page.tsx';

/** The way back to the list that a page belongs to, above the page. */
export function Breadcrumb(link: LinkProps) {
  return (
    <nav className={classes.breadcrumb} aria-label={t('Breadcrumb')}>
      <BackLink {...link} />
    </nav>
  );
}
