import { Link } from '../../../../ui/layout/Link.tsx';
import { useText } from '../../../../ui/text/text.ts';
import classes from './ReportNotFound.module.css';

/** In the place of a report that is not there, or not the reader's to see. */
export function ReportNotFound() {
  const t = useText();
  return (
    <div className={classes.none}>
      <p className={classes.text}>{t('There is no such report. It may have been deleted.')}</p>
      <Link to="/reports">{t('See all reports')}</Link>
    </div>
  );
}
