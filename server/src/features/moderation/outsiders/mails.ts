import { appealDays } from '#contract/moderation/decisions.ts';
import type { MailTemplates } from '../../../platform/notify/mail.ts';

const noticeLink = (publicUrl: string, token = '') => new URL(`/app/report#${token}`, publicUrl).href;

const footnote =
  "If you didn't write to us, you can ignore this email. We send at most one a day to an address that no one has confirmed.";

/** The mails to people who are not members. They say nothing about anyone on Heartwood, nor what the notice says. */
export const outsiderMails = {
  noticeReceived: (data, publicUrl) => ({
    subject: 'We received your message',
    heading: 'Thank you, we received your notice',
    paragraphs: [
      'A person on our team will read it. The people it is about never learn who told us.',
      'Open your page to confirm this address. There you can see what became of your notices, and we email you when there is a decision.',
    ],
    button: { text: 'Open my page', url: noticeLink(publicUrl, data['token']) },
    footnote,
  }),
  noticeDecided: (data, publicUrl) => ({
    subject: 'There is an answer',
    heading: 'We have decided about your notice',
    paragraphs: [
      'A person on our team has read your notice and decided. You can read the answer on your page.',
      `If we named a decision not to act and you disagree, you can appeal there within ${appealDays} days. Someone else will decide.`,
    ],
    button: { text: 'Read the answer', url: noticeLink(publicUrl, data['token']) },
  }),
} satisfies MailTemplates;
