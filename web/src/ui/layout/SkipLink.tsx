import classes from './SkipLink.module.css';
import { useText } from '../text/text.ts';

export const mainId = 'main';

/** First in the tab order: past the navigation to the page itself. */
export function SkipLink() {
  const t = useText();
  return (
    <a className={classes.skip} href={`#${mainId}`}>
      {t('Skip to main content')}
    </a>
  );
}
