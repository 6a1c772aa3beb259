import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReportStatus, StaffReport } from '#contract/moderation/report.ts';
import { Panel } from '../../../../ui/layout/Panel.tsx';
import { useText } from '../../../../ui/text/text.ts';
import classes from './ReportHandling.module.css';
import { PriorityTag, ReportStatusTag } from '../list/ReportMarks.tsx';
import { ReportStepButtons } from '../reply/ReportStepButtons.tsx';

interface ReportHandlingProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
  onPriority: () => void;
  onDelete: () => void;
}

/** How the report stands, and what can be made of it. */
export function ReportHandling({ report, onStep, onPriority, onDelete }: ReportHandlingProps) {
  const t = useText();
  return (
    <Panel title={t('Handling')} actions={<ReportStatusTag status={report.status} />}>
      <ReportStepButtons report={report} onStep={onStep} />
      <div className={classes.priority}>
        <p className={classes.label}>{t('Priority')}</p>
        <PriorityTag priority={report.priority} />
        <Button variant="default" size="xs" onClick={onPriority}>
          {t('Change priority')}
        </Button>
      </div>
      {report.can.delete && (
        <div className={classes.delete}>
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconTrash size={17} stroke={1.75} aria-hidden="true" />}
            onClick={onDelete}
          >
            {t('Delete report')}
          </Button>
        </div>
      )}
    </Panel>
  );
}
