import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shell.module.css';
import { t } from '../text/text.ts';

/** The signed-in person's name, a badge if any, and Logout. */
export function AccountMenu({ name, badge, onLogout }: { name: string; badge?: ReactNode; onLogout: () => void }) {
  return (
    <div className={classes.account}>
      <span className={classes.accountName} title={name}>
        {name}
      </span>
      {badge && <span className={classes.accountBadge}>{badge}</span>}
      <Button variant="default" size="sm" onClick={onLogout}>
        {t('Logout')}
      </Button>
    </div>
  );
}
