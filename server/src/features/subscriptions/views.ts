import type { Selectable } from 'kysely';
import type {
  InvoiceView,
  PaymentMethodView,
  StartedPayment,
  SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import type { PaymentStart, ProviderPaymentMethod } from './providers/provider.ts';
import type { InvoiceTable } from './tables.ts';
import type { Standing } from './policy.ts';
import type { SubscriptionRow } from './queries.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** What of a row decides about premium. */
export function standingOf(row: SubscriptionRow): Standing {
  return {
    status: row.status,
    paidThrough: row.paid_through,
    trialEnd: row.trial_end,
    renewalOpenUntil: row.renewal_open_until,
  };
}

/** A subscription as its owner and administrators see it; its period is the one that was paid for. */
export function toSubscription(row: SubscriptionRow): SubscriptionView {
  return {
    _id: row.id,
    plan: row.plan,
    status: row.status,
    price: { amountMinor: row.price_minor, currency: row.currency },
    currentPeriodStart: row.paid_through === null ? null : iso(row.period_start),
    currentPeriodEnd: iso(row.paid_through),
    cancelAtPeriodEnd: row.cancel_at_period_end,
    pendingPlan: row.cancel_at_period_end ? null : row.pending_plan,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    canceledAt: iso(row.canceled_at),
    trialStart: iso(row.trial_start),
    trialEnd: iso(row.trial_end),
  };
}

/** A started payment with what its payer needs to finish it; without `start` there is nothing to finish. */
export function toStarted(row: SubscriptionRow, start: PaymentStart | null): StartedPayment {
  const { clientSecret = null, secretKind = null, requiresAction = false, intentId = null } = start ?? {};
  return {
    subscription: toSubscription(row),
    subscriptionId: row.id,
    clientSecret,
    secretKind,
    requiresAction,
    paymentIntentId: secretKind === 'setup' ? null : intentId,
    setupIntentId: secretKind === 'setup' ? intentId : null,
  };
}

/** A card as its owner sees it: nothing one could pay with. */
export function toPaymentMethod(method: ProviderPaymentMethod): PaymentMethodView {
  const { id, brand, last4, expMonth, expYear, isDefault } = method;
  return { _id: id, brand, last4, expMonth, expYear, isDefault };
}

/** An invoice as its owner sees it. */
export function toInvoice(row: Selectable<InvoiceTable>): InvoiceView {
  return {
    _id: row.id,
    number: row.number,
    status: row.status,
    plan: row.plan,
    total: { amountMinor: row.total_minor, currency: row.currency },
    created: row.created_at.toISOString(),
    period_start: row.period_start.toISOString(),
    period_end: row.period_end.toISOString(),
    paidAt: iso(row.paid_at),
    hostedUrl: row.hosted_url,
  };
}
