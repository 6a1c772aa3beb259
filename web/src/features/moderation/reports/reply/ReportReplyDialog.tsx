import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { reportTextMaxLength } from '#contract/constants.ts';
import type { StaffReport } from '#contract/moderation/report.ts';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../../ui/feedback/Dialog.tsx';
import { formatNumber } from '../../../../ui/text/format.ts';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { ReportEarlierReplies } from './ReportEarlierReplies.tsx';
import { excessLength, maySend } from './report-reply.ts';
import { personWord, shortReportId } from '../report-words.ts';
import classes from './ReportReplyDialog.module.css';
import { useSendReply } from './use-send-reply.ts';

/** What the reply is about: who, what, and what was said so far in public. */
function Background({ report }: { report: StaffReport }) {
  const t = useText();
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>{t('User')}</dt>
          <dd>
            <bdi>{personWord(report.user, t)}</bdi>
            {report.user.email !== null && <span className={classes.soft}> · {report.user.email}</span>}
          </dd>
        </div>
        <div>
          <dt>{t('Issue')}</dt>
          <dd>{t(report.problem_type)}</dd>
        </div>
      </dl>
      <div role="region" aria-label={t('Description')} tabIndex={0} className={classes.scroll}>
        <p className={classes.text} dir="auto">
          {report.description}
        </p>
      </div>
      <ReportEarlierReplies report={report} />
    </>
  );
}

interface ReportReplyDialogProps {
  report: StaffReport;
  onSent: () => void;
  onClose: () => void;
}

/** Answers a report, with notes for the team beside it. What is typed is kept until it is sent or the dialog is closed. */
export function ReportReplyDialog({ report, onSent, onClose }: ReportReplyDialogProps) {
  const t = useText();
  const locale = useLocale();
  const formId = useId();
  const { draft, problem, isSending, type, giveUp, send } = useSendReply(report._id, onSent);
  const [wasKept] = useState(draft.message !== '' || draft.notes !== '');
  const notes = useRef<HTMLTextAreaElement>(null);
  const max = formatNumber(reportTextMaxLength, locale);

  // The field that had the focus may just have left.
  useEffect(() => {
    if (draft.isReplySent && document.activeElement === document.body) notes.current?.focus();
  }, [draft.isReplySent]);

  function close() {
    giveUp();
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void send();
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  function lengthError(text: string) {
    const count = excessLength(text);
    return (
      count !== null &&
      t('Use at most {max} characters: this has {count}.', { max, count: formatNumber(count, locale) })
    );
  }

  return (
    <Dialog
      title={t('Reply to report #{id}', { id: shortReportId(report._id) })}
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={close}>
            {draft.isReplySent ? t('Close') : t('Cancel')}
          </Button>
          <BusyButton
            type="submit"
            form={formId}
            isBusy={isSending}
            busyText={t('Sending...')}
            disabled={!isSending && !maySend(draft)}
          >
            {draft.isReplySent ? t('Send notes') : t('Send')}
          </BusyButton>
        </>
      }
    >
      <Background report={report} />
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        {wasKept && !draft.isReplySent && problem === null && (
          <Notice kind="info">{t('What you typed before is still here. It is not sent yet.')}</Notice>
        )}
        {draft.isReplySent && problem === null && (
          <Notice kind="success">{t('Your reply is sent. The notes are not yet.')}</Notice>
        )}
        {problem !== null && (
          <Notice kind="error" action={problem.why !== undefined && <span>{t(problem.why)}</span>}>
            {t(problem.text)}
          </Notice>
        )}
        {!draft.isReplySent && (
          <Textarea
            label={t('Reply')}
            description={t('The reporter reads this. Up to {max} characters.', { max })}
            rows={4}
            required
            classNames={{ input: classes.field ?? '' }}
            data-autofocus
            value={draft.message}
            error={lengthError(draft.message)}
            onChange={(event) => type({ message: event.currentTarget.value })}
            onKeyDown={sendByKeys}
          />
        )}
        <Textarea
          ref={notes}
          label={t('Internal notes')}
          description={t('Only staff read these. Up to {max} characters.', { max })}
          rows={2}
          classNames={{ input: classes.field ?? '' }}
          value={draft.notes}
          error={lengthError(draft.notes)}
          onChange={(event) => type({ notes: event.currentTarget.value })}
          onKeyDown={sendByKeys}
        />
      </form>
    </Dialog>
  );
}
