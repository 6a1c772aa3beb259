import classes from './SkipLink.module.css';
import { t } from '../text/text.ts';

export const mainId = 'main';

/** First in the tab order: past the navigation to the page itself. */
export function SkipLink() {
  return (
    <a className={classes.skip} href={`#${mainId}`}>
      {t('Skip to main content')}
    </a>
  );
}
