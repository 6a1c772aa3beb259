import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

const icons = { error: IconAlertTriangle, warning: IconAlertTriangle, success: IconCircleCheck, info: IconInfoCircle };

interface NoticeProps {
  kind: keyof typeof icons;
  children: ReactNode;
  /** A button or link that belongs to it. */
  action?: ReactNode;
}

/** A message within the page: errors and warnings are alerts, the rest a status. */
export function Notice({ kind, children, action }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={classes.notice} data-kind={kind}>
      <Icon size={20} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <div className={classes.body}>
        <div role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}>{children}</div>
        {action}
      </div>
    </div>
  );
}
