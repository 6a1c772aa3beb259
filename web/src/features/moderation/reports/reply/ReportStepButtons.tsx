import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { reportStatuses, type ReportStatus, type StaffReport } from '#contract/moderation/report.ts';
import { useText } from '../../../../ui/text/text.ts';
import { statusWords } from '../report-words.ts';
import classes from './ReportStepButtons.module.css';

interface ReportStepButtonsProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
}

/** Every status as a button; the one the report has is marked, and only legal steps can be pressed. */
export function ReportStepButtons({ report, onStep }: ReportStepButtonsProps) {
  const t = useText();
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className={classes.label}>
        {t('Status')}
      </p>
      <div className={classes.steps}>
        {reportStatuses.map((status) => {
          const isCurrent = report.status === status;
          return (
            <Button
              key={status}
              className={classes.step}
              variant="default"
              size="sm"
              aria-current={isCurrent ? 'step' : undefined}
              disabled={!report.can.status.includes(status)}
              leftSection={isCurrent && <IconCheck size={16} stroke={2.2} aria-hidden="true" />}
              onClick={(event) => onStep(status, event.detail === 0)}
            >
              {t(statusWords[status])}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
