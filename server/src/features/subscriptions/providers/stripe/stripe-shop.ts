import type { FastifyBaseLogger } from 'fastify';
import type Stripe from 'stripe';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { PaymentError, type PaymentStart, type ProviderSubscription } from '../provider.ts';
import { isGivenBack, paidIntentsOf, reachOf } from './stripe-invoices.ts';
import { entriesIn, expandedIn, idOf, momentIn } from './stripe-fields.ts';
import { faultOfPrice } from './stripe-prices.ts';
import { askedIn, statusOf, subscriptionParts, triedUntil, viewOfSubscription } from './stripe-subscriptions.ts';

/** What is sold at Stripe, and how a subscription there is read. */
export interface StripeShop {
  stripe: Stripe;
  priceIds: Record<Plan, string>;
  /** The id of a plan's price; `unavailable` where it is not what the plan costs here. */
  demandPrice(plan: Plan): Promise<string>;
  /** A subscription with all that is read of it. */
  read(id: string): Promise<Stripe.Subscription>;
  /** An answer as it stands now: what came under a key that was used before is as old as that. */
  renewed(answer: Stripe.Response<Stripe.Subscription>): Promise<Stripe.Subscription>;
  viewOf(subscription: Stripe.Subscription): Promise<ProviderSubscription>;
  startOf(subscription: Stripe.Subscription): Promise<PaymentStart>;
}

interface Offer {
  priceIds: Record<Plan, string>;
  prices: Record<Plan, Money>;
}

// Renewals, changes and tries at them come one after another: the one that reaches furthest is among the newest.
const newestPaid = 12;

/** The shop behind a client. */
export function openShop(stripe: Stripe, { priceIds, prices }: Offer, log: FastifyBaseLogger): StripeShop {
  // What a price takes can never be changed at Stripe.
  const checked = new Set<Plan>();
  const shop: StripeShop = {
    stripe,
    priceIds,
    async demandPrice(plan) {
      if (checked.has(plan)) return priceIds[plan];
      const fault = await faultOfPrice(stripe, priceIds[plan], plan, prices[plan]);
      if (fault !== null) {
        log.error({ plan, fault }, 'the price at Stripe is not the one that is shown');
        throw new PaymentError('unavailable');
      }
      checked.add(plan);
      return priceIds[plan];
    },
    async read(id) {
      const subscription = await stripe.subscriptions.retrieve(id, { expand: subscriptionParts });
      idOf(subscription, 'subscription', id);
      return subscription;
    },
    async renewed(answer) {
      const isOld = answer.lastResponse.headers['idempotent-replayed'] === 'true';
      return isOld ? await shop.read(answer.id) : answer;
    },
    async viewOf(subscription) {
      return viewOfSubscription(subscription, priceIds, await paidThrough(stripe, subscription));
    },
    async startOf(subscription) {
      return { subscription: await shop.viewOf(subscription), ...askedIn(subscription) };
    },
  };
  return shop;
}

/** The end of what was paid and not given back, or of a trial with its card; null where nothing ever was. */
async function paidThrough(stripe: Stripe, subscription: Stripe.Subscription): Promise<Date | null> {
  const status = statusOf(subscription);
  if (status === 'incomplete' || status === 'incomplete_expired') return null;
  const trialEnd = triedUntil(subscription);
  for (const { reach, invoice } of await paidInvoices(stripe, subscription.id)) {
    if (!(await wasGivenBack(stripe, invoice))) return momentIn(reach, 'period of a line');
  }
  return trialEnd === null ? null : momentIn(trialEnd, 'trial_end');
}

/** The paid invoices of a subscription, the one that reaches furthest first. */
async function paidInvoices(
  stripe: Stripe,
  subscription: string,
): Promise<{ reach: number; invoice: Stripe.Invoice }[]> {
  const page = await stripe.invoices.list({
    subscription,
    status: 'paid',
    limit: newestPaid,
    expand: ['data.payments'],
  });
  return entriesIn(page, 'invoices')
    .flatMap((invoice) => {
      const reach = reachOf(invoice);
      return reach === null ? [] : [{ reach, invoice }];
    })
    .sort((one, other) => other.reach - one.reach);
}

/** Whether all the money of an invoice went back. */
async function wasGivenBack(stripe: Stripe, invoice: Stripe.Invoice): Promise<boolean> {
  const intents = paidIntentsOf(invoice);
  for (const id of intents) {
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    const charge = expandedIn(intent.latest_charge, 'latest_charge');
    if (charge === null || !isGivenBack(charge)) return false;
  }
  return intents.length > 0;
}
