import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconMessageReply, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import { type ReportStatus, reportStatuses, reportTypeWords } from '#contract/moderation/reports.ts';
import { isWithoutReporter, type StaffReport } from '#contract/moderation/staff-reports.ts';
import type { getReportFile } from '#contract/moderation/report-file.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { KeysDialog } from '../../../ui/feedback/KeysDialog.tsx';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { languageName } from '../../../ui/text/detail-words.ts';
import { ReturningLink } from '../queue/way-back.tsx';
import { ReportReplyDialog, useReplies } from './ReplyDialog.tsx';
import { ReportConversation, ReportTimeline } from './ReportConversation.tsx';
import { DeleteReportDialog, PriorityDialog } from './ReportDialogs.tsx';
import { ReportEvidence } from './ReportEvidence.tsx';
import { PersonLink, PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { ReportPersonHistory } from './ReportPersonHistory.tsx';
import { decidingCase, usePendingSteps, withPending } from './report-data.ts';
import { personWord, reportKeys, statusWords } from './report-words.ts';
import { useReportSteps } from './use-report-steps.tsx';
import classes from './report.module.css';
import { useMay } from '../../../api/session/permission.ts';
import { UserText } from '../../../ui/data/RichText.tsx';

/** The report: its type, people and times, and the complete description as it was typed. */
export function ReportSummary({ report, onReply }: { report: StaffReport; onReply: () => void }) {
  const mayReply = useMay('reports.handle') && !isWithoutReporter(report.source);
  return (
    <Panel title={t(reportTypeWords[report.problem_type])} actions={<UrgentMarks report={report} />}>
      <div className={classes.description}>
        <UserText fz="1.05rem">{report.description}</UserText>
      </div>
      <Facts
        facts={[
          report.source === 'notice' && [t`Filed by`, <PersonLink person={report.user} />],
          report.source === 'own_initiative' && [t`Opened on their own initiative by`, report.openedBy?.name ?? ''],
          report.source === 'outsider' && [t`Notice from`, t`Someone who is not a member`],
          report.source === 'automatic' && [t`Opened by the automatic rule`, report.user.name],
          report.source === 'staff_message' && [t`Written to`, <PersonLink person={report.user} />],
          report.source === 'staff_message' && [t`Assigned to`, report.openedBy?.name ?? ''],
          [
            t`About`,
            report.reportedUser === null ? t`No specific person` : <PersonLink person={report.reportedUser} />,
          ],
          [t`Filed`, <Time at={report.createdAt} />],
          report.language != null && [t`Language`, t`${{ language: languageName(report.language) }} (detected)`],
          report.firstRespondedAt === null
            ? [t`First answer due`, <Time at={report.dueAt} />]
            : [t`First answered`, <Time at={report.firstRespondedAt} />],
        ]}
      />
      {mayReply && (
        <Group className={classes.actions} justify="flex-end" mt="1.2rem">
          <Button
            leftSection={<IconMessageReply size={17} stroke={1.75} aria-hidden="true" />}
            aria-keyshortcuts="r"
            onClick={onReply}
          >
            {t`Reply`}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

interface ReportStepButtonsProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
}

/** A button for each status. The current one is marked, and only possible steps can be pressed. */
export function ReportStepButtons({ report, onStep }: ReportStepButtonsProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} c="dimmed" fz="small">
        {t`Status`}
      </Text>
      <Group gap="0.5rem" mt="0.4rem">
        {reportStatuses.map((status) => {
          const isCurrent = report.status === status;
          return (
            <Button
              key={status}
              className={classes.step}
              variant="default"
              size="sm"
              aria-current={isCurrent ? 'step' : undefined}
              disabled={!report.can.status.includes(status) || decidingCase(report, status) !== undefined}
              leftSection={isCurrent && <IconCheck size={16} stroke={2.2} aria-hidden="true" />}
              onClick={(event) => onStep(status, event.detail === 0)}
            >
              {t(statusWords[status])}
            </Button>
          );
        })}
      </Group>
    </div>
  );
}

interface ReportHandlingProps {
  report: StaffReport;
  onStep: (status: ReportStatus, isByKeyboard: boolean) => void;
  onPriority: () => void;
  onDelete: () => void;
}

/** The report's status and priority, with actions to change them. */
export function ReportHandling({ report, onStep, onPriority, onDelete }: ReportHandlingProps) {
  const mayHandle = useMay('reports.handle');
  const maySeeCases = useMay('cases.list');
  const name = report.reportedUser && personWord(report.reportedUser);
  return (
    <Panel title={t`Handling`} actions={<ReportStatusTag status={report.status} />}>
      <ReportStepButtons report={report} onStep={onStep} />
      {report.case && (
        <Stack gap="0.4rem" mt="1.25rem">
          {name !== null && <Text fw={600}>{t`Case about ${name}`}</Text>}
          {report.case.handledBy !== null && (
            <Text>{t`${{ name: report.case.handledBy }} is handling this case right now.`}</Text>
          )}
          {report.case.needsDecision !== null && <Text>{report.case.needsDecision}</Text>}
          {maySeeCases && <ReturningLink to={`/cases/${report.case._id}`}>{t`Open the case`}</ReturningLink>}
        </Stack>
      )}
      <Group gap="0.4rem 0.75rem" mt="1.25rem">
        <Text c="dimmed" fz="small" flex="1 0 100%">
          {t`Priority`}
        </Text>
        <PriorityTag priority={report.priority} />
        {mayHandle && (
          <Button variant="default" size="xs" onClick={onPriority}>
            {t`Change priority`}
          </Button>
        )}
      </Group>
      {report.can.delete && (
        <div className={classes.delete}>
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconTrash size={17} stroke={1.75} aria-hidden="true" />}
            onClick={onDelete}
          >
            {t`Delete report`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

interface ReportFileProps {
  file: AnswerOf<typeof getReportFile>['data'];
  onDeleted: () => void;
  /** Additional content next to the people. */
  aside?: ReactNode;
}

type Asked = 'priority' | 'delete' | 'keys' | null;

function focusHeading() {
  document.querySelector('h1')?.focus();
}

/** One report with its conversation, evidence, timeline and people, and all actions that staff can take. */
export function ReportFile({ file, onDeleted, aside }: ReportFileProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const steps = useReportSteps(focusHeading);
  const replies = useReplies();
  const report = withPending(file.report, usePendingSteps());
  const mayReply = useMay('reports.handle') && !isWithoutReporter(report.source);
  const reply = () => mayReply && replies.open(report);

  useSingleKeys({
    r: reply,
    e: () => steps.take(report, 'resolved'),
    u: steps.undo,
    '?': () => setAsked('keys'),
  });

  return (
    <>
      <Columns>
        <ReportSummary report={report} onReply={reply} />
        <ReportHandling
          report={report}
          onStep={(status, isByKeyboard) => steps.take(report, status, isByKeyboard)}
          onPriority={() => setAsked('priority')}
          onDelete={() => setAsked('delete')}
        />
      </Columns>
      <Columns>
        <Stack gap="1.25rem">
          <ReportConversation report={report} timeline={file.timeline} onReply={reply} />
          <ReportEvidence reportId={report._id} evidence={file.evidence} />
          <ReportTimeline timeline={file.timeline} />
        </Stack>
        <Stack gap="1.25rem">
          {file.reported !== null && <ReportPersonHistory title={t`Reported person`} history={file.reported} />}
          {!isWithoutReporter(report.source) && <ReportPersonHistory title={t`Reporter`} history={file.reporter} />}
          {aside}
        </Stack>
      </Columns>
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
