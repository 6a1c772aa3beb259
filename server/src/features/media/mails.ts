import type { MailTemplates } from '../../platform/notify/mail.ts';

/** Mails to the owner of a picture. */
export const mediaMails = {
  pictureRejected: (data, publicUrl) => ({
    subject: 'About one of your pictures',
    heading: 'One of your pictures cannot be shown',
    paragraphs: [
      `Our team looked at it and took it off your profile. The reason: ${data['reason'] ?? ''}`,
      'You can choose another picture at any time.',
    ],
    button: { text: 'Open my profile', url: new URL('/app/profile', publicUrl).href },
  }),
} satisfies MailTemplates;
