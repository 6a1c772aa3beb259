export { stopRenewing } from './buying/change.ts';
export { premiumData } from './reads.ts';
export { subscriptionMails } from './mails.ts';
