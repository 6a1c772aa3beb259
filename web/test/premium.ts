import type { Plan } from '#contract/plan.ts';
import { answerSandboxIntent } from '#contract/payments-sandbox.ts';
import {
  confirmSubscription,
  createSubscription,
  currentSubscription,
  type InvoiceView,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
  type PaymentMethodView,
  type Revenue,
  type StartedPayment,
  type SubscriptionView,
} from '#contract/subscriptions.ts';
import { paymentErrorTexts } from '#contract/plan.ts';
import { Refusal, serve } from './fake-server.ts';

export const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' });

const prices: Record<Plan, number> = { monthly: 1499, quarterly: 3597, annual: 11988 };

/** The three plans at their default prices. */
export const offeredPlans = [
  { plan: 'monthly' as const, months: 1, price: usd(1499), pricePerMonth: usd(1499) },
  { plan: 'quarterly' as const, months: 3, price: usd(3597), pricePerMonth: usd(1199) },
  { plan: 'annual' as const, months: 12, price: usd(11988), pricePerMonth: usd(999) },
];

/** A subscription as its owner sees it: monthly, active, renewing, unless said otherwise. */
export function ownSubscription(changes: Partial<SubscriptionView> = {}): SubscriptionView {
  return {
    _id: 'subscription-1',
    plan: 'monthly',
    status: 'active',
    price: usd(prices[changes.plan ?? 'monthly']),
    currentPeriodStart: '2025-10-20T12:00:00.000Z',
    currentPeriodEnd: '2025-11-20T12:00:00.000Z',
    cancelAtPeriodEnd: false,
    pendingPlan: null,
    createdAt: '2025-10-20T12:00:00.000Z',
    updatedAt: '2025-10-20T12:00:00.000Z',
    canceledAt: null,
    trialStart: null,
    trialEnd: null,
    ...changes,
  };
}

/** One that was begun and not paid. */
export function unfinished(changes: Partial<SubscriptionView> = {}): SubscriptionView {
  return ownSubscription({ status: 'incomplete', currentPeriodStart: null, currentPeriodEnd: null, ...changes });
}

/** A kept card. */
export function keptCard(changes: Partial<PaymentMethodView> = {}): PaymentMethodView {
  return { _id: 'card-1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, isDefault: true, ...changes };
}

/** A paid invoice. */
export function ownInvoice(changes: Partial<InvoiceView> = {}): InvoiceView {
  return {
    _id: 'invoice-1',
    number: 'HW-0001',
    status: 'paid',
    plan: 'monthly',
    total: usd(1499),
    created: '2025-10-20T12:00:00.000Z',
    period_start: '2025-10-20T12:00:00.000Z',
    period_end: '2025-11-20T12:00:00.000Z',
    paidAt: '2025-10-20T12:00:05.000Z',
    hostedUrl: null,
    ...changes,
  };
}

/** A payment that has to be finished. */
export function startedPayment(changes: Partial<StartedPayment> = {}): StartedPayment {
  return {
    subscription: unfinished(),
    subscriptionId: 'subscription-1',
    clientSecret: 'secret-1',
    secretKind: 'payment',
    requiresAction: true,
    paymentIntentId: 'intent-1',
    setupIntentId: null,
    ...changes,
  };
}

/** How premium does. */
export function revenue(changes: Partial<Revenue> = {}): Revenue {
  return {
    active: 1204,
    trialing: 31,
    pastDue: 17,
    monthlyRecurring: usd(1_602_345),
    churnedThisMonth: 9,
    asOf: '2025-10-20T12:00:00.000Z',
    ...changes,
  };
}

/** What the server knows of a member's premium; a test may change it as it goes on. */
export interface KnownPremium {
  current: SubscriptionView | null;
  all: SubscriptionView[];
  cards: PaymentMethodView[];
  invoices: InvoiceView[];
}

export const nothingCurrent = () => new Refusal('NOT_FOUND', 'You have no subscription');

/** Answers what the screens of premium ask for when they open. */
export function servePremium(changes: Partial<KnownPremium> = {}): KnownPremium {
  const known: KnownPremium = { current: null, all: [], cards: [], invoices: [], ...changes };
  serve(currentSubscription, () => {
    if (known.current === null) throw nothingCurrent();
    return { subscription: known.current };
  });
  serve(listSubscriptions, () => ({ data: { subscriptions: known.all } }));
  serve(listPaymentMethods, () => ({ data: { paymentMethods: known.cards } }));
  serve(listInvoices, ({ query: { page = 1, limit = 20 } }) => ({
    data: {
      invoices: known.invoices.slice((page - 1) * limit, page * limit),
      pagination: { page, limit, total: known.invoices.length, pages: Math.ceil(known.invoices.length / limit) },
    },
  }));
  return known;
}

/** Answers a purchase as the sandbox does: declined, asked back or paid by the token that stands for the card. */
export function serveSandbox(known: KnownPremium): void {
  let isPaid = false;
  serve(createSubscription, ({ body: { plan } }) => {
    const subscription = unfinished({ plan, price: usd(prices[plan]) });
    known.all = [subscription];
    return { data: startedPayment({ subscription }) };
  });
  serve(answerSandboxIntent, ({ body: { token, challenge } }) => {
    if (token === 'tok_declined') throw new Refusal('PAYMENT_DECLINED', paymentErrorTexts.card_declined);
    if (challenge === 'refuse') throw new Refusal('PAYMENT_DECLINED', paymentErrorTexts.authentication_failed);
    isPaid = token !== 'tok_challenge';
    return { data: { status: isPaid ? ('succeeded' as const) : ('requires_action' as const) } };
  });
  serve(confirmSubscription, () => {
    const [begun] = known.all;
    if (!isPaid || !begun) throw new Refusal('PAYMENT_UNFINISHED', 'The payment is not finished yet');
    known.current = ownSubscription({ plan: begun.plan });
    known.cards = [keptCard()];
    return { data: { subscription: known.current } };
  });
}
