import type { MailTemplates } from '../../platform/notify/mail.ts';

const settings = (publicUrl: string) => ({
  text: 'See my plan',
  url: new URL('/app/settings', publicUrl).href,
});

/** What a payer is written. */
export const subscriptionMails = {
  premiumBegun: (data, publicUrl) => ({
    subject: 'Your premium has started',
    heading: 'Welcome to premium',
    paragraphs: [
      `Your plan is ${data['plan'] ?? ''}: ${data['price'] ?? ''}. It renews by itself on ${data['until'] ?? ''}, until you cancel.`,
      'You can cancel in two clicks in your settings at any time; what is paid for stays yours to its end. Your invoices are there too.',
    ],
    button: settings(publicUrl),
  }),
  paymentFailed: (data, publicUrl) => ({
    subject: 'Your premium could not be renewed',
    heading: 'A payment did not go through',
    paragraphs: [
      `Your card was not charged for your ${data['plan'] ?? ''} plan, so premium pauses. We try again over the next days.`,
      'With another card it goes on at once. If you no longer want it, cancel it in your settings: then nothing more is tried.',
    ],
    button: settings(publicUrl),
  }),
} satisfies MailTemplates;
