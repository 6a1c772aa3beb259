import type { Feature } from '../../feature.ts';
import { subscriptionJobs, subscriptionReactions, subscriptionTickers } from './jobs.ts';
import { mountSubscriptions } from './routes.ts';
import { subscriptionMails } from './sync.ts';
import { mountPaymentWebhook } from './webhook.ts';

export const feature: Feature = {
  routes: [mountSubscriptions, mountPaymentWebhook],
  jobs: subscriptionJobs,
  tickers: subscriptionTickers,
  reactions: subscriptionReactions,
  mails: subscriptionMails,
};
