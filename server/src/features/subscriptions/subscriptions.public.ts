export { stopRenewing } from './subscriptions.change.service.ts';
export { premiumData } from './subscriptions.reads.ts';
export { subscriptionMails } from './subscriptions.mails.ts';
