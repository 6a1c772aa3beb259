import type { MailTemplates } from '../../../platform/notify/mail.ts';

const reportLink = (publicUrl: string, id: string) => new URL(`/app/support/${id}`, publicUrl).href;

/** What a reporter is written: that there is something to read, never what, and never a word about anybody else. */
export const reportMails = {
  reportReceived: (data, publicUrl) => ({
    subject: 'We received your message',
    heading: 'Thank you, we received your report',
    paragraphs: [
      `It has the number ${data['reference'] ?? ''}. Somebody of our team reads it, and answers ${data['within'] ?? 'soon'}.`,
      'What you told us stays with our team. Nobody you wrote about is told who wrote.',
    ],
    button: { text: 'Open my report', url: reportLink(publicUrl, data['id'] ?? '') },
  }),
} satisfies MailTemplates;

const hoursInWords: Record<number, string> = {
  1: 'within an hour',
  4: 'within four hours',
  24: 'within a day',
  72: 'within three days',
};

/** How long an answer may take, in the words of a mail. */
export function withinHours(hours: number): string {
  return hoursInWords[hours] ?? `within ${hours} hours`;
}
