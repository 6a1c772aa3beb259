import { identityMails } from './features/auth/auth.identity.mails.ts';
import { authMails } from './features/auth/auth.mails.ts';
import { factorMails } from './features/auth/auth.factor.mails.ts';
import { mediaMails } from './features/media/media.public.ts';
import { notificationMails } from './features/notifications/notifications.mails.ts';
import { reportMails } from './features/moderation/reports.mails.ts';
import { subscriptionMails } from './features/subscriptions/subscriptions.public.ts';
import type { MailTemplates } from './platform/mail.ts';

/** Every mail the product writes. */
export const mailTemplates: MailTemplates = {
  ...authMails,
  ...identityMails,
  ...factorMails,
  ...mediaMails,
  ...subscriptionMails,
  ...notificationMails,
  ...reportMails,
};
