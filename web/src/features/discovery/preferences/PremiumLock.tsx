import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from '../../../ui/text/text.ts';
import classes from './PreferencesForm.module.css';

/** Says what needs premium, with a link to it. */
export function PremiumLock({ children }: { children: string }) {
  return (
    <p className={classes.lock}>
      <IconLock size={18} stroke={1.75} aria-hidden="true" />
      <span>
        {children} <Link to="/app/premium">{t('What premium adds')}</Link>
      </span>
    </p>
  );
}
