import { t } from '@lingui/core/macro';
import { Box, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { reportTextMaxLength } from '#contract/constants.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import { openPlaceholder } from '#contract/moderation/templates.ts';
import { readableAddress } from '#contract/text.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { FloatingNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber, formatTime } from '../../../ui/text/format.ts';
import { conversationQuery, rowTextLength } from './report-data.ts';
import { personWord, shortReportId } from './report-words.ts';
import { ReplyTemplates, TextPreview, valuesOf } from './ReplyTemplates.tsx';
import { excessLength, maySend, useSendReply } from './use-send-reply.ts';
import classes from './reports.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';

/** Gives each paragraph the direction of its text. */
const byParagraph = { input: { unicodeBidi: 'plaintext' } } as const;

/**
 * The public replies so far, scrolled to the newest one. They are loaded completely if the list has only some of them.
 */
export function ReportEarlierReplies({ report }: { report: StaffReport }) {
  const region = useRef<HTMLDivElement>(null);
  const brought = report.replies.filter(({ isInternal }) => !isInternal);
  const isPart = brought.length < report.replyCount || brought.some(({ message }) => message.length >= rowTextLength);
  const whole = useQuery({ ...conversationQuery(report._id), enabled: isPart, staleTime: 0 });
  const said = whole.data?.filter(({ _id, isInternal }) => _id !== report._id && !isInternal) ?? brought;
  const newest = said.at(-1)?._id;

  // Waits for the next frame, when the dialog is visible and has a height.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (region.current) region.current.scrollTop = region.current.scrollHeight;
    });
    return () => cancelAnimationFrame(frame);
  }, [newest, said.length]);

  if (said.length === 0) return null;
  return (
    <>
      {isPart && whole.data === undefined && whole.error === null && (
        <Hint role="status" mb="0.5rem">
          {t`Loading earlier replies...`}
        </Hint>
      )}
      {whole.error !== null && (
        <Notice kind="error">{t`Error loading replies: ${{ error: whole.error.message }}`}</Notice>
      )}
      <div ref={region} role="region" aria-label={t`Earlier replies`} tabIndex={0} className={classes.scroll} data-tall>
        <ol className={classes.replies}>
          {said.map((reply) => (
            <li key={reply._id}>
              <p className={classes.who}>
                <strong dir="auto">{reply.repliedBy.name}</strong>{' '}
                <time dateTime={reply.repliedAt}>{formatTime(reply.repliedAt)}</time>
              </p>
              <UserText>{reply.message}</UserText>
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}

/** The context of the reply: the user, the issue and the public conversation so far. */
function Background({ report }: { report: StaffReport }) {
  return (
    <>
      <Box mb="0.9rem">
        <Facts
          facts={[
            [
              t`User`,
              <>
                <bdi>{personWord(report.user)}</bdi>
                {report.user.email !== null && ` · ${readableAddress(report.user.email)}`}
              </>,
            ],
            [t`Issue`, t(reportTypeWords[report.problem_type])],
          ]}
        />
      </Box>
      <div role="region" aria-label={t`Description`} tabIndex={0} className={classes.scroll}>
        <UserText>{report.description}</UserText>
      </div>
      <ReportEarlierReplies report={report} />
    </>
  );
}

function lengthError(text: string) {
  const count = excessLength(text);
  const max = formatNumber(reportTextMaxLength);
  return count !== null && t`Use at most ${max} characters: this has ${{ count: formatNumber(count) }}.`;
}

type ReplyStateProps = Pick<ReturnType<typeof useSendReply>, 'draft' | 'problem'> & {
  isNote: boolean;
  /** The draft was restored. */
  wasKept: boolean;
};

/** A message above the fields about text that has not been sent, or the reason why. */
function ReplyState({ draft, problem, isNote, wasKept }: ReplyStateProps) {
  return (
    <>
      {wasKept && (isNote || !draft.isReplySent) && problem === null && (
        <Notice kind="info">{t`What you typed before is still here. It is not sent yet.`}</Notice>
      )}
      {draft.isReplySent && !isNote && problem === null && (
        <Notice kind="success">{t`Your reply was sent. The internal notes were not sent yet.`}</Notice>
      )}
      {problem !== null && (
        <Notice kind="error" action={problem.why !== undefined && <span>{problem.why}</span>}>
          {problem.text}
        </Notice>
      )}
    </>
  );
}

/** The colleague who is handling the case, so that two don't answer at once. */
function Handler({ report }: { report: StaffReport }) {
  const name = report.case?.handledBy ?? null;
  return name !== null && <Notice kind="info">{t`${{ name }} is handling this case right now.`}</Notice>;
}

interface ReportReplyDialogProps {
  report: StaffReport;
  /** Writes an internal note instead of a reply. */
  isNote?: boolean;
  /** Shows the form in a column next to the report instead of in a dialog over it. */
  isBeside?: boolean;
  /** A field for choosing another report. */
  choice?: ReactNode;
  onSent: () => void;
  onClose: () => void;
}

/**
 * The dialog for replying to a report, with optional internal notes. The draft is kept until it is sent or the dialog
 * is closed.
 */
export function ReportReplyDialog(props: ReportReplyDialogProps) {
  const { report, isNote = false, isBeside = false, choice, onSent, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  const { draft, problem, isSending, type, giveUp, send } = useSendReply(report._id, onSent, isNote);
  const [wasKept] = useState(draft.message !== '' || draft.notes !== '');
  const notes = useRef<HTMLTextAreaElement>(null);
  const max = formatNumber(reportTextMaxLength);

  // The field that had the focus may have just disappeared.
  useEffect(() => {
    if (draft.isReplySent && document.activeElement === document.body) notes.current?.focus();
  }, [draft.isReplySent]);

  function close() {
    giveUp();
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (gap === null) void send();
  }

  const gap = draft.isReplySent ? null : openPlaceholder(draft.message);

  return (
    <FormDialog
      title={
        isNote
          ? t`Note on report #${{ id: shortReportId(report._id) }}`
          : t`Reply to report #${{ id: shortReportId(report._id) }}`
      }
      size={isBeside ? 'panel' : 'wide'}
      form={{ form, submit, isPending: isSending, problem: null }}
      sendText={isNote ? t`Save note` : draft.isReplySent ? t`Send notes` : t`Send`}
      busyText={t`Sending...`}
      isDisabled={!isSending && (!maySend(draft) || gap !== null)}
      cancelText={draft.isReplySent && !isNote ? t`Close` : t`Cancel`}
      hasKeyHint
      lead={
        <>
          {choice}
          {isBeside ? <ReportEarlierReplies report={report} /> : <Background report={report} />}
        </>
      }
      onClose={close}
    >
      {!isNote && <Handler report={report} />}
      <ReplyState draft={draft} problem={problem} isNote={isNote} wasKept={wasKept} />
      {!draft.isReplySent && (
        <>
          <ReplyTemplates
            reader={report.user}
            values={(of) => valuesOf(report, of)}
            message={draft.message}
            onWrite={(message) => type({ message })}
          />
          <Textarea
            label={t({ message: 'Reply', context: 'noun' })}
            description={t`The reporter can read this. Up to ${max} characters.`}
            rows={4}
            required
            styles={byParagraph}
            data-autofocus
            value={draft.message}
            error={lengthError(draft.message) || (gap !== null && t`Replace ${gap} before you send this.`)}
            onChange={(event) => type({ message: event.currentTarget.value })}
          />
          <TextPreview message={draft.message} />
        </>
      )}
      <Textarea
        ref={notes}
        label={t`Internal notes`}
        description={t`Only staff can read these. Up to ${max} characters.`}
        rows={isNote ? 4 : 2}
        styles={byParagraph}
        data-autofocus={isNote || undefined}
        value={draft.notes}
        error={lengthError(draft.notes)}
        onChange={(event) => type({ notes: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

/** The report that is being replied to, and the confirmation after the reply has been sent. */
export function useReplies(): {
  report: StaffReport | null;
  open: (report: StaffReport) => void;
  close: () => void;
  sent: () => void;
  notice: ReactNode;
} {
  const [report, setReport] = useState<StaffReport | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return {
    report,
    open: (opened) => {
      setSentTo(null);
      setReport(opened);
    },
    close: () => setReport(null),
    sent: () => {
      setSentTo(report?._id ?? null);
      setReport(null);
    },
    notice: sentTo !== null && (
      <FloatingNotice kind="success" onClose={() => setSentTo(null)}>
        {t`Reply to report #${{ id: shortReportId(sentTo) }} sent.`}
      </FloatingNotice>
    ),
  };
}
