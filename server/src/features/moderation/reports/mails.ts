import type { MailTemplates } from '../../../platform/notify/mail.ts';

const reportLink = (publicUrl: string, id: string) => new URL(`/app/support/${id}`, publicUrl).href;

/** Mails to reporters: that there is something to read, never its content, and nothing about other people. */
export const reportMails = {
  reportReceived: (data, publicUrl) => ({
    subject: 'We received your message',
    heading: 'Thank you, we received your report',
    paragraphs: [
      `Your report number is ${data['reference'] ?? ''}. Someone on our team will read it and reply ${data['within'] ?? 'soon'}.`,
      'Your report stays with our team. The people you report never learn who reported them.',
    ],
    button: { text: 'View your report', url: reportLink(publicUrl, data['id'] ?? '') },
  }),
} satisfies MailTemplates;

const hoursInWords: Record<number, string> = {
  1: 'within an hour',
  4: 'within four hours',
  24: 'within a day',
  72: 'within three days',
};

/** The response time as text for a mail. */
export function withinHours(hours: number): string {
  return hoursInWords[hours] ?? `within ${hours} hours`;
}
