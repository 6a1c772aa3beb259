import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reportTextMaxLength } from '#contract/constants.ts';
import { replyToReport } from '#contract/moderation/staff-reports.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { commandKey, putReport, reloadReports } from './report-data.ts';
import { lengthOf } from '../../../ui/text/text.ts';

/** The text typed into the reply dialog. `isReplySent` is true once only the notes are left to send. */
export interface ReplyDraft {
  message: string;
  notes: string;
  isReplySent: boolean;
}

/** The name under which a reply to a report is stored until it has been sent. */
export function replyDraftName(reportId: string): string {
  return `report-reply:${reportId}`;
}

/** The length of `text` as it would be sent, if that exceeds the limit; otherwise null. */
export function excessLength(text: string): number | null {
  const length = lengthOf(text.trim());
  return length > reportTextMaxLength ? length : null;
}

/** Whether there is something to send and its length is allowed. */
export function maySend({ message, notes, isReplySent }: ReplyDraft): boolean {
  const isBlank = (isReplySent ? notes : message).trim() === '';
  return !isBlank && excessLength(notes) === null && (isReplySent || excessLength(message) === null);
}

interface Problem {
  text: string;
  /** The server's reason for refusing it. */
  why?: string | undefined;
}

interface Sent {
  id: string;
  message: string;
  isInternal: boolean;
}

const kept = (draft: ReplyDraft) => ({ ...draft, isReplySent: draft.isReplySent ? 'yes' : '' });

function firstDraft(name: string, isNote: boolean): ReplyDraft {
  const { message = '', notes = '', isReplySent = '' } = readDraft(name) ?? {};
  return { message, notes, isReplySent: isNote || isReplySent === 'yes' };
}

function refusalOf(error: unknown): string | undefined {
  const isRefusal = error instanceof ApiError && error.status !== null && error.status < 500;
  return isRefusal ? (error.errors[0]?.msg ?? error.message) : undefined;
}

/**
 * The state of a reply to a report. It is stored until it is sent or discarded. The reply is sent first, then any notes
 * in a second request; a reply that has been sent is never sent again. With `isNote` there is only the note.
 */
export function useSendReply(id: string, onSent: () => void, isNote = false) {
  const name = isNote ? `report-note:${id}` : replyDraftName(id);
  const [draft, setDraft] = useState(() => firstDraft(name, isNote));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const isRunning = useRef(false);

  const { mutateAsync } = useMutation({
    mutationKey: [...commandKey, 'reply'],
    mutationFn: ({ id: reportId, ...body }: Sent) => call(replyToReport, { params: { id: reportId }, body }),
    onSuccess: ({ data: { report } }) => {
      if ('can' in report) putReport(report);
      reloadReports(id);
    },
  });

  useEffect(() => {
    const isEmpty = draft.message.trim() === '' && draft.notes.trim() === '';
    if (isEmpty && (isNote || !draft.isReplySent)) dropDraft(name);
    else keepDraft(name, kept(draft));
  }, [name, isNote, draft]);

  async function deliver() {
    let { isReplySent } = draft;
    try {
      if (!isReplySent) await mutateAsync({ id, message: draft.message, isInternal: false });
      isReplySent = true;
      if (draft.notes.trim() !== '') await mutateAsync({ id, message: draft.notes, isInternal: true });
      dropDraft(name);
      onSent();
    } catch (error) {
      setDraft({ ...draft, message: isReplySent ? '' : draft.message, isReplySent });
      const failed = isReplySent
        ? t`Your reply was sent, but the internal notes were not. Please try again.`
        : t`Failed to send reply. Please try again.`;
      setProblem({ text: isNote ? t`Failed to save the note. Please try again.` : failed, why: refusalOf(error) });
    }
  }

  async function send() {
    if (isRunning.current) return;
    if (!draft.isReplySent && draft.message.trim() === '') {
      setProblem({ text: t`Please enter a reply message` });
      return;
    }
    if (!maySend(draft)) return;
    isRunning.current = true;
    setSending(true);
    setProblem(null);
    await deliver();
    isRunning.current = false;
    setSending(false);
  }

  return {
    draft,
    problem,
    isSending,
    type: (typed: Partial<ReplyDraft>) => {
      setDraft((before) => ({ ...before, ...typed }));
      setProblem(null);
    },
    giveUp: () => dropDraft(name),
    send,
  };
}
