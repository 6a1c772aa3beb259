import { IconCheck, IconMessageReply } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { useText } from '../../../../ui/text/text.ts';
import { shortReportId, statusWords } from '../report-words.ts';
import classes from '../../../../ui/data/RowActions.module.css';

/** What can be done with a listed report. */
export interface ReportCommands {
  onReply: (report: StaffReport) => void;
  onResolve: (report: StaffReport, isByKeyboard: boolean) => void;
}

/** The row that moved up under the pointer is not meant by the second click of a double one. */
function isSecondOfDouble({ detail }: MouseEvent): boolean {
  return detail > 1;
}

/** Reply, and mark resolved where that step is legal. */
export function ReportActions({ report, onReply, onResolve }: { report: StaffReport } & ReportCommands) {
  const t = useText();
  const id = shortReportId(report._id);
  const mayResolve = report.can.status.includes('resolved');
  const why = t('Not possible from {status}', { status: t(statusWords[report.status]) });
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        aria-label={t('Reply to report #{id}', { id })}
        title={t('Reply')}
        onClick={() => onReply(report)}
      >
        <IconMessageReply size={18} stroke={1.75} aria-hidden="true" />
        <span className={classes.actionText}>{t('Reply')}</span>
      </button>
      <button
        type="button"
        className={classes.action}
        data-tone="positive"
        disabled={!mayResolve}
        aria-label={t('Mark resolved: report #{id}', { id })}
        title={mayResolve ? t('Mark resolved') : why}
        onClick={(event) => {
          if (!isSecondOfDouble(event)) onResolve(report, event.detail === 0);
        }}
      >
        <IconCheck size={18} stroke={2} aria-hidden="true" />
        <span className={classes.actionText}>{t('Mark resolved')}</span>
      </button>
    </span>
  );
}
