import type { MailTemplates } from '../../platform/mail.ts';

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
  reportAnswered: (data, publicUrl) => ({
    subject: 'An answer from our support team',
    heading: 'Our support team has answered you',
    paragraphs: [`There is an answer to your report ${data['reference'] ?? ''}. Sign in to read it and to write back.`],
    button: { text: 'Read the answer', url: reportLink(publicUrl, data['id'] ?? '') },
  }),
  reportDecided: (data, publicUrl) => ({
    subject: 'News from our support team',
    heading: 'We have finished looking at your report',
    paragraphs: [
      `Your report ${data['reference'] ?? ''} has a new state. If you see it differently, or if something new happens, write back there.`,
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
