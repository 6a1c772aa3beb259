import { authMails } from './features/auth/mails.ts';
import { mediaMails } from './features/media/public.ts';
import { notificationMails } from './features/notifications/mails.ts';
import { reportMails } from './features/moderation/reports/mails.ts';
import { subscriptionMails } from './features/subscriptions/public.ts';
import type { MailTemplates } from './platform/notify/mail.ts';

/** Every mail the product writes. */
export const mailTemplates: MailTemplates = {
  ...authMails,
  ...mediaMails,
  ...subscriptionMails,
  ...notificationMails,
  ...reportMails,
};
