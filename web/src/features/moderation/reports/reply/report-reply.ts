import { reportTextMaxLength } from '#contract/constants.ts';

/** What is typed into the reply dialog; `isReplySent` once only the notes are left to send. */
export interface ReplyDraft {
  message: string;
  notes: string;
  isReplySent: boolean;
}

/** The name under which the reply to a report is kept until it is sent. */
export function replyDraftName(reportId: string): string {
  return `report-reply:${reportId}`;
}

/** How many characters a text has as it would be sent, where that is more than one may have. */
export function excessLength(text: string): number | null {
  const { length } = text.trim();
  return length > reportTextMaxLength ? length : null;
}

/** Whether there is something to send that may be sent. */
export function maySend({ message, notes, isReplySent }: ReplyDraft): boolean {
  const isBlank = (isReplySent ? notes : message).trim() === '';
  return !isBlank && excessLength(notes) === null && (isReplySent || excessLength(message) === null);
}
