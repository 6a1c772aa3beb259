import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { getReportFile } from '#contract/moderation/reports.ts';
import { useSingleKeys } from '../../../../ui/keyboard/single-keys.ts';
import { useText } from '../../../../ui/text/text.ts';
import { DeleteReportDialog } from './DeleteReportDialog.tsx';
import { KeysDialog } from '../../../../ui/feedback/KeysDialog.tsx';
import { PriorityDialog } from './PriorityDialog.tsx';
import { usePendingSteps, withPending } from '../report-cache.ts';
import { ReportConversation } from './ReportConversation.tsx';
import { ReportEvidence } from './ReportEvidence.tsx';
import classes from './ReportFile.module.css';
import { ReportHandling } from './ReportHandling.tsx';
import { ReportPersonHistory } from './ReportPersonHistory.tsx';
import { ReportReplyDialog } from '../reply/ReportReplyDialog.tsx';
import { ReportSummary } from './ReportSummary.tsx';
import { ReportTimeline } from './ReportTimeline.tsx';
import { reportKeys } from '../report-keys.ts';
import { useReplies } from '../reply/use-replies.tsx';
import { useReportSteps } from '../reply/use-report-steps.tsx';

interface ReportFileProps {
  file: AnswerOf<typeof getReportFile>['data'];
  onDeleted: () => void;
  /** What the page adds beside the people. */
  aside?: ReactNode;
}

type Asked = 'priority' | 'delete' | 'keys' | null;

function focusHeading() {
  document.querySelector('h1')?.focus();
}

/** One report with its conversation, evidence, timeline and people, and all that staff may do with it. */
export function ReportFile({ file, onDeleted, aside }: ReportFileProps) {
  const t = useText();
  const [asked, setAsked] = useState<Asked>(null);
  const steps = useReportSteps(focusHeading);
  const replies = useReplies();
  const report = withPending(file.report, usePendingSteps());
  const reply = () => replies.open(report);

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
