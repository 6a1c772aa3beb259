import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { pageQuery, paginationSchema } from '../paging.ts';
import { premiumGrantSchema } from './grants.ts';
import { moneySchema, pauseMonths, planSchema, subscriptionStatuses } from './plan.ts';
import { idSchema, providerIdSchema, timeSchema } from '../text.ts';

export const subscriptionSchema = z.object({
  _id: z.string(),
  plan: planSchema,
  status: z.enum(subscriptionStatuses),
  /** The price of one period of this plan. */
  price: moneySchema,
  currentPeriodStart: z.nullable(timeSchema),
  /** Until when the subscription is paid or on trial; never the end of an unpaid period. */
  currentPeriodEnd: z.nullable(timeSchema),
  /** The day of the month on which it renews, or the last day of shorter months; absent or null if unknown. */
  anchorDay: z.optional(z.nullable(z.int())),
  /** The subscription ends after this period instead of renewing. */
  cancelAtPeriodEnd: z.boolean(),
  /** The plan after this period. */
  pendingPlan: z.nullable(planSchema),
  /** Until then nothing is charged, and premium ends with the paid period; absent or null if not paused. */
  pausedUntil: z.optional(z.nullable(timeSchema)),
  /** Until when the current subscription can be withdrawn from; absent or null if it can't. */
  withdrawableUntil: z.optional(z.nullable(timeSchema)),
  /** What a withdrawal would pay back now; absent or null without a right to withdraw. */
  withdrawalRefund: z.optional(z.nullable(moneySchema)),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  canceledAt: z.nullable(timeSchema),
  trialStart: z.nullable(timeSchema),
  trialEnd: z.nullable(timeSchema),
});

export type SubscriptionView = z.output<typeof subscriptionSchema>;

const paymentMethodSchema = z.object({
  _id: z.string(),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  isDefault: z.boolean(),
});

export type PaymentMethodView = z.output<typeof paymentMethodSchema>;

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void', 'refunded'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

const invoiceSchema = z.object({
  _id: z.string(),
  number: z.nullable(z.string()),
  status: z.enum(invoiceStatuses),
  plan: z.nullable(planSchema),
  total: moneySchema,
  created: timeSchema,
  period_start: timeSchema,
  period_end: timeSchema,
  paidAt: z.nullable(timeSchema),
  /** The payment provider's page for it, if there is one. */
  hostedUrl: z.nullable(z.string()),
});

export type InvoiceView = z.output<typeof invoiceSchema>;

const amountSchema = z.object({
  netMinor: z.int(),
  /** Null if the tax rate isn't known; only the gross amount is shown then. */
  taxMinor: z.nullable(z.int()),
  grossMinor: z.int(),
});
const receiptLineSchema = z.object({ text: z.string(), ...amountSchema.shape });

const receiptSchema = z.object({
  title: z.enum(['Receipt', 'Invoice']),
  seller: z.object({
    name: z.nullable(z.string()),
    address: z.nullable(z.string()),
    taxId: z.nullable(z.string()),
    taxName: z.string(),
    taxPercent: z.nullable(z.number()),
  }),
  card: z.nullable(z.object({ brand: z.string(), last4: z.string() })),
  lines: z.array(receiptLineSchema),
  total: amountSchema,
  /** The refunded and the remaining amount; null without a refund. */
  refund: z.nullable(z.object({ line: receiptLineSchema, remaining: amountSchema, at: z.nullable(timeSchema) })),
  note: z.nullable(z.string()),
});

export type ReceiptView = z.output<typeof receiptSchema>;

const setupIntentSchema = z.object({ clientSecret: z.string(), setupIntentId: z.string() });

export type SetupIntentView = z.output<typeof setupIntentSchema>;

/** The state of a payment. `requiresAction`: the payer has to complete it with `clientSecret`. */
const startedSchema = z.object({
  subscription: subscriptionSchema,
  subscriptionId: z.string(),
  clientSecret: z.nullable(z.string()),
  /** Whether the secret is for a payment or, during a free trial, for storing a card. */
  secretKind: z.nullable(z.enum(['payment', 'setup'])),
  requiresAction: z.boolean(),
  paymentIntentId: z.nullable(z.string()),
  setupIntentId: z.nullable(z.string()),
});

export type StartedPayment = z.output<typeof startedSchema>;

const subscriptionAnswer = answer({ data: z.object({ subscription: subscriptionSchema }) });

/** The buyer asks to start at once, and knows that a withdrawal then costs the days used; without it, it costs nothing. */
const startNow = z.optional(z.boolean());

export const createSubscription = endpoint({
  method: 'POST',
  path: '/subscription/create',
  summary: 'Start premium. Active once the payment succeeds; an unfinished purchase of the same plan is resumed.',
  access: 'signedIn',
  status: 201,
  writes: true,
  creates: true,
  claimsKey: true,
  limit: 'payment',
  body: z.object({ plan: planSchema, paymentMethodId: z.optional(idSchema), startNow }),
  response: answer({ data: startedSchema }),
  errors: ['FORBIDDEN', 'CONFLICT', 'PAYMENT_DECLINED', 'PAYMENTS_OFF', 'NOT_FOUND', 'UNAVAILABLE'],
});

export const currentSubscription = endpoint({
  method: 'GET',
  path: '/subscription/current',
  summary: 'Get my subscription; 404 if there is none, or it is unpaid or has ended.',
  access: 'signedIn',
  response: answer({ subscription: subscriptionSchema }),
  errors: ['NOT_FOUND'],
});

export const previewChange = endpoint({
  method: 'GET',
  path: '/subscription/change-preview',
  summary: 'Preview a plan change: its cost now, and when it takes effect.',
  access: 'signedIn',
  limit: 'payment',
  query: z.object({ plan: planSchema }),
  response: answer({
    data: z.object({ plan: planSchema, amountDueNow: moneySchema, effectiveAt: timeSchema, isImmediate: z.boolean() }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
});

export const updateSubscription = endpoint({
  method: 'PUT',
  path: '/subscription/update',
  summary:
    'Change the plan: a longer one at once, for the difference; a shorter one at the end of the paid period. Naming the current plan cancels a scheduled change.',
  access: 'signedIn',
  limit: 'payment',
  body: z.object({ plan: planSchema, startNow }),
  response: answer({ data: startedSchema }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'PAYMENT_DECLINED', 'UNAVAILABLE'],
});

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/subscription/cancel',
  summary: 'Cancel premium at the end of the paid period; an unpaid subscription ends at once.',
  access: 'signedIn',
  body: z.object({ atPeriodEnd: z.optional(z.literal(true)) }),
  response: subscriptionAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNAVAILABLE'],
});

/** What a withdrawal pays back, in the currency's smallest unit, and until when. */
export const withdrawalRefundSchema = z.object({ amount: z.int(), currency: z.string(), until: timeSchema });

export type WithdrawalRefund = z.output<typeof withdrawalRefundSchema>;

export const withdrawSubscription = endpoint({
  method: 'POST',
  path: '/subscription/withdraw',
  summary:
    'Withdraw from the contract within 14 days of the purchase: premium ends at once, the refund is promised, and a receipt is mailed. 409 later or twice.',
  access: 'signedIn',
  writes: true,
  body: z.object({}),
  response: answer({ data: z.object({ subscription: subscriptionSchema, refund: withdrawalRefundSchema }) }),
  errors: ['FORBIDDEN', 'CONFLICT'],
});

export const reactivateSubscription = endpoint({
  method: 'POST',
  path: '/subscription/reactivate',
  summary: 'Undo a cancellation before it takes effect.',
  access: 'signedIn',
  body: z.object({}),
  response: subscriptionAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
});

export const pauseSubscription = endpoint({
  method: 'POST',
  path: '/subscription/pause',
  summary: 'Pause premium for some months from the end of the paid period: nothing is charged, then it renews.',
  access: 'signedIn',
  limit: 'payment',
  body: z.object({ months: z.literal(pauseMonths) }),
  response: subscriptionAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/subscription/resume',
  summary: 'End the pause: free before the paid period ends, otherwise the next period is charged at once.',
  access: 'signedIn',
  limit: 'payment',
  body: z.object({}),
  response: answer({ data: startedSchema }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'PAYMENT_DECLINED', 'UNAVAILABLE'],
});

export const confirmSubscription = endpoint({
  method: 'POST',
  path: '/subscription/confirm',
  summary: 'Check with the provider whether my payment succeeded. The request itself proves nothing.',
  access: 'signedIn',
  limit: 'payment',
  body: z
    .object({
      subscriptionId: idSchema,
      paymentIntentId: z.optional(idSchema),
      setupIntentId: z.optional(idSchema),
    })
    .check(
      z.refine(
        ({ paymentIntentId, setupIntentId }) => (paymentIntentId === undefined) !== (setupIntentId === undefined),
        'Name either paymentIntentId or setupIntentId',
      ),
    ),
  response: subscriptionAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'PAYMENT_DECLINED', 'PAYMENT_UNFINISHED', 'UNAVAILABLE'],
});

export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/subscription/payment-methods',
  summary: 'List my cards: brand, last four digits and expiry only.',
  access: 'signedIn',
  response: answer({ data: z.object({ paymentMethods: z.array(paymentMethodSchema) }) }),
  errors: ['FORBIDDEN', 'UNAVAILABLE'],
});

export const createSetupIntent = endpoint({
  method: 'POST',
  path: '/subscription/setup-intent',
  summary: 'Start saving a card for future payments.',
  access: 'signedIn',
  limit: 'payment',
  response: answer({ data: setupIntentSchema }),
  errors: ['FORBIDDEN', 'PAYMENTS_OFF', 'UNAVAILABLE'],
});

export const setDefaultPaymentMethod = endpoint({
  method: 'PUT',
  path: '/subscription/payment-methods/{id}/default',
  summary: 'Make this card the default.',
  access: 'signedIn',
  limit: 'payment',
  params: z.object({ id: providerIdSchema }),
  response: answer({ data: z.object({ paymentMethods: z.array(paymentMethodSchema) }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'PAYMENT_DECLINED', 'UNAVAILABLE'],
});

export const removePaymentMethod = endpoint({
  method: 'DELETE',
  path: '/subscription/payment-methods/{id}',
  summary: 'Delete a card, except the one that pays for a renewing subscription.',
  access: 'signedIn',
  params: z.object({ id: providerIdSchema }),
  response: answer({ data: z.object({ paymentMethods: z.array(paymentMethodSchema) }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
});

export const listInvoices = endpoint({
  method: 'GET',
  path: '/subscription/invoices',
  summary: 'List my invoices, newest first.',
  access: 'signedIn',
  query: z.object(pageQuery),
  response: answer({ data: z.object({ invoices: z.array(invoiceSchema), pagination: paginationSchema }) }),
  errors: ['FORBIDDEN'],
});

export const getInvoice = endpoint({
  method: 'GET',
  path: '/subscription/invoices/{id}',
  summary: 'Get one of my invoices with its billing name, seller, tax, credit and refund.',
  access: 'signedIn',
  params: z.object({ id: providerIdSchema }),
  response: answer({
    data: z.object({
      invoice: invoiceSchema,
      billedTo: z.object({ name: z.nullable(z.string()), email: z.string() }),
      /** The content of the PDF receipt. */
      receipt: z.optional(receiptSchema),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const getInvoicePdf = endpoint({
  method: 'GET',
  path: '/subscription/invoices/{id}/pdf',
  summary: 'Download one of my invoices as a PDF: seller, tax, credit and refund; a receipt once it is paid.',
  access: 'signedIn',
  limit: 'receipt',
  params: z.object({ id: providerIdSchema }),
  streams: 'application/pdf',
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const getSubscription = endpoint({
  method: 'GET',
  path: '/subscription/id/{id}',
  summary: 'Get one of my subscriptions in any status; administrators can read any.',
  access: 'signedIn',
  writes: true,
  params: z.object({ id: idSchema }),
  response: subscriptionAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/get_user_subscriptions',
  summary: 'List all my subscriptions, newest first; administrators name a user.',
  access: 'signedIn',
  writes: true,
  query: z.object({ userId: z.optional(idSchema) }),
  response: answer({
    data: z.object({
      subscriptions: z.array(subscriptionSchema),
      /** Premium that staff gave the user, newest first; only when staff ask about one user. */
      grants: z.optional(z.array(premiumGrantSchema)),
    }),
  }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const receivePaymentEvent = endpoint({
  method: 'POST',
  path: '/webhooks/payments',
  summary: 'Receive a signed webhook of the payment provider; the change itself is read from the provider.',
  access: 'everyone',
  writes: true,
  response: answer({ data: z.object({ duplicate: z.boolean() }) }),
  errors: ['INVALID_INPUT', 'NOT_FOUND'],
});

const revenueSchema = z.object({
  /** The number of subscriptions by status. */
  active: z.int(),
  trialing: z.int(),
  pastDue: z.int(),
  paused: z.optional(z.int()),
  /** Monthly recurring revenue of active and past due subscriptions. */
  monthlyRecurring: moneySchema,
  /** Paid subscriptions that ended this month, in UTC. */
  churnedThisMonth: z.int(),
  asOf: timeSchema,
});

export type Revenue = z.output<typeof revenueSchema>;

export const getRevenue = endpoint({
  method: 'GET',
  path: '/admin/revenue',
  summary: 'Revenue statistics, from maintained counters.',
  access: 'revenue.view',
  response: answer({ data: revenueSchema }),
});
