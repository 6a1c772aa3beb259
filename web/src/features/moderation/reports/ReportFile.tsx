import { Button } from '@mantine/core';
import { IconCheck, IconMessageReply, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import type { AnswerOf } from '#contract/endpoint.ts';
import {
  type ReportPerson,
  type ReportStatus,
  reportStatuses,
  type StaffReport,
} from '#contract/moderation/reports.ts';
import type { getReportFile } from '#contract/moderation/report-file.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { KeysDialog } from '../../../ui/feedback/KeysDialog.tsx';
import { useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { ReportReplyDialog, useReplies } from './ReplyDialog.tsx';
import { ReportConversation, ReportTimeline } from './ReportConversation.tsx';
import { DeleteReportDialog, PriorityDialog } from './ReportDialogs.tsx';
import { ReportEvidence } from './ReportEvidence.tsx';
import { PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { ReportPersonHistory } from './ReportPersonHistory.tsx';
import { usePendingSteps, withPending } from './report-data.ts';
import { personWord, reportKeys, statusWords } from './report-words.ts';
import { useReportSteps } from './use-report-steps.tsx';
import classes from './report.module.css';
import { useMay } from '../../../api/session/permission.ts';

/** Shown for a report that does not exist or that the viewer may not see. */
export function ReportNotFound() {
  return (
    <div className={classes.none}>
      <p className={classes.text}>{t('There is no such report. It may have been deleted.')}</p>
      <Link to="/reports">{t('See all reports')}</Link>
    </div>
  );
}

function PersonLink({ person }: { person: ReportPerson }) {
  const name = <bdi>{personWord(person)}</bdi>;
  return person._id === null ? name : <Link to={`/users/${person._id}`}>{name}</Link>;
}

/** The report itself: its type, people and times, and the whole description as typed. */
export function ReportSummary({ report, onReply }: { report: StaffReport; onReply: () => void }) {
  const mayHandle = useMay('reports.handle');
  return (
    <Panel title={t(report.problem_type)} actions={<UrgentMarks report={report} />}>
      <div className={classes.description}>
        <p className={classes.words} dir="auto">
          {report.description}
        </p>
      </div>
      <Facts
        facts={[
          [t('Filed by'), <PersonLink person={report.user} />],
          [
            t('About'),
            report.reportedUser === null ? t('No specific person') : <PersonLink person={report.reportedUser} />,
          ],
          [t('Filed'), <Time at={report.createdAt} />],
          report.firstRespondedAt === null
            ? [t('First answer due'), <Time at={report.dueAt} />]
            : [t('First answered'), <Time at={report.firstRespondedAt} />],
        ]}
      />
      {mayHandle && (
        <div className={classes.actions}>
          <Button
            leftSection={<IconMessageReply size={17} stroke={1.75} aria-hidden="true" />}
            aria-keyshortcuts="r"
            onClick={onReply}
          >
            {t('Reply')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

interface ReportStepButtonsProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
}

/** Every status as a button; the current one is marked, and only legal steps can be pressed. */
export function ReportStepButtons({ report, onStep }: ReportStepButtonsProps) {
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

interface ReportHandlingProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
  onPriority: () => void;
  onDelete: () => void;
}

/** The report's status and priority, and how to change them. */
export function ReportHandling({ report, onStep, onPriority, onDelete }: ReportHandlingProps) {
  const mayHandle = useMay('reports.handle');
  const maySeeCases = useMay('cases.list');
  return (
    <Panel title={t('Handling')} actions={<ReportStatusTag status={report.status} />}>
      <ReportStepButtons report={report} onStep={onStep} />
      {report.case && (
        <div className={classes.case}>
          {report.case.handledBy !== null && (
            <p>{t('{name} is handling this case right now.', { name: report.case.handledBy })}</p>
          )}
          {report.case.needsDecision !== null && <p>{report.case.needsDecision}</p>}
          {maySeeCases && <Link to={`/cases/${report.case._id}`}>{t('Open the case')}</Link>}
        </div>
      )}
      <div className={classes.priority}>
        <p className={classes.label}>{t('Priority')}</p>
        <PriorityTag priority={report.priority} />
        {mayHandle && (
          <Button variant="default" size="xs" onClick={onPriority}>
            {t('Change priority')}
          </Button>
        )}
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

interface ReportFileProps {
  file: AnswerOf<typeof getReportFile>['data'];
  onDeleted: () => void;
  /** What the page adds next to the people. */
  aside?: ReactNode;
}

type Asked = 'priority' | 'delete' | 'keys' | null;

function focusHeading() {
  document.querySelector('h1')?.focus();
}

/** One report with its conversation, evidence, timeline and people, and all that staff may do with it. */
export function ReportFile({ file, onDeleted, aside }: ReportFileProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const steps = useReportSteps(focusHeading);
  const replies = useReplies();
  const report = withPending(file.report, usePendingSteps());
  const mayHandle = useMay('reports.handle');
  const reply = () => mayHandle && replies.open(report);

  useSingleKeys({
    r: reply,
    e: () => steps.take(report, 'resolved'),
    u: steps.undo,
    '?': () => setAsked('keys'),
  });

  return (
    <>
      <div className={classes.columns}>
        <ReportSummary report={report} onReply={reply} />
        <ReportHandling
          report={report}
          onStep={(status, isByKeyboard) => steps.take(report, status, isByKeyboard)}
          onPriority={() => setAsked('priority')}
          onDelete={() => setAsked('delete')}
        />
      </div>
      <div className={classes.columns}>
        <div className={classes.column}>
          <ReportConversation report={report} timeline={file.timeline} onReply={reply} />
          <ReportEvidence evidence={file.evidence} />
          <ReportTimeline timeline={file.timeline} />
        </div>
        <div className={classes.column}>
          {file.reported !== null && <ReportPersonHistory title={t('Reported person')} history={file.reported} />}
          <ReportPersonHistory title={t('Reporter')} history={file.reporter} />
          {aside}
        </div>
      </div>
      {replies.report !== null && <ReportReplyDialog report={report} onSent={replies.sent} onClose={replies.close} />}
      {asked === 'priority' && <PriorityDialog report={report} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <DeleteReportDialog id={report._id} onDeleted={onDeleted} onClose={() => setAsked(null)} />
      )}
      {asked === 'keys' && <KeysDialog keys={reportKeys} onClose={() => setAsked(null)} />}
      {replies.notice}
      {steps.parts}
    </>
  );
}
