import type Stripe from 'stripe';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { TestClock } from '../../clock.ts';

// The state of the double. Times are whole seconds since 1970, as at Stripe.

export interface Customer {
  id: string;
  created: number;
  email: string | null;
  name: string | null;
  metadata: Record<string, string>;
  defaultCardId: string | null;
  /** The customer's coupon, which reduces new invoices by this percentage. */
  percentOff: number;
  isDeleted: boolean;
}

export interface Card {
  id: string;
  created: number;
  token: SandboxToken;
  /** Null before the card is attached and after it is detached. */
  customerId: string | null;
}

export interface Price {
  id: string;
  unitAmount: number;
  currency: string;
  interval: 'month' | 'year';
  intervalCount: number;
  isActive: boolean;
}

/** A scheduled change of a subscription and when it applies. */
export interface Change {
  priceId: string;
  start: number;
  end: number;
}

export interface Subscription {
  id: string;
  itemId: string;
  customerId: string;
  priceId: string;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  created: number;
  /** The date from which its periods are counted. */
  anchor: number;
  periodStart: number;
  periodEnd: number;
  trialStart: number | null;
  trialEnd: number | null;
  metadata: Record<string, string>;
  cancelsAtEnd: boolean;
  /** An end date that was set explicitly. */
  endsAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  cardId: string | null;
  latestInvoiceId: string | null;
  setupId: string | null;
  pending: { change: Change; invoiceId: string; expires: number } | null;
}

export interface Line {
  amount: number;
  priceId: string;
  isProration: boolean;
  start: number;
  end: number;
}

export interface Invoice {
  id: string;
  customerId: string;
  subscriptionId: string;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  status: 'draft' | 'open' | 'paid' | 'void';
  created: number;
  currency: string;
  lines: Line[];
  /** The discount from a coupon. */
  discount: number;
  number: string | null;
  /** When Stripe finalizes the invoice automatically; null after that, or if the product has to do it. */
  finalizesAt: number | null;
  attempts: number;
  firstAttempt: number | null;
  nextAttempt: number | null;
  finalizedAt: number | null;
  paidAt: number | null;
  voidedAt: number | null;
  intentId: string | null;
}

export interface Intent {
  id: string;
  kind: 'payment' | 'setup';
  secret: string;
  created: number;
  customerId: string;
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled';
  amount: number;
  currency: string;
  cardId: string | null;
  error: Refusal | null;
  invoiceId: string | null;
  chargeId: string | null;
}

/** A bank's refusal. */
export interface Refusal {
  code: string;
  decline_code?: string;
}

export interface Charge {
  id: string;
  created: number;
  customerId: string;
  intentId: string;
  cardId: string;
  amount: number;
  currency: string;
  refunded: number;
  dispute: Dispute | null;
}

/** A refund that was requested through the API. */
export interface Refund {
  id: string;
  created: number;
  intentId: string;
  amount: number;
  /** Its `metadata.key`. */
  key: string | null;
}

/** A dispute about a charge, open or closed. */
export interface Dispute {
  id: string;
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'won' | 'lost';
  /** What the bank took and gave back, in order; an inquiry takes nothing. */
  moved: number[];
}

export interface World {
  clock: TestClock;
  /** How long a renewal's invoice stays a draft. */
  draftSeconds: number;
  customers: Map<string, Customer>;
  cards: Map<string, Card>;
  prices: Map<string, Price>;
  subscriptions: Map<string, Subscription>;
  invoices: Map<string, Invoice>;
  intents: Map<string, Intent>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  endpoints: { id: string; url: string; events: string[]; isEnabled: boolean }[];
  webhookSecret: string;
  deliveries: { raw: Buffer; signature: string }[];
  /** The number of ids created so far. */
  named: number;
}

/** An empty world. */
export function createWorld(clock: TestClock, draftSeconds: number, webhookSecret: string): World {
  return {
    clock,
    draftSeconds,
    customers: new Map(),
    cards: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    endpoints: [],
    webhookSecret,
    deliveries: [],
    named: 0,
  };
}

/** The double's current time. */
export function presentIn({ clock }: World): number {
  return Math.floor(clock.now().getTime() / 1000);
}

/** An unused id. */
export function newId(world: World, prefix: string): string {
  world.named += 1;
  return `${prefix}_double${String(world.named).padStart(6, '0')}`;
}

/** The object with an id that the double created. */
export function known<T>(things: Map<string, T>, id: string | null): T {
  const thing = things.get(id ?? '');
  if (thing === undefined) throw new Error(`the double lost ${id}`);
  return thing;
}

/** The object named in a request; throws Stripe's 404 if it does not exist. */
export function named<T>(things: Map<string, T>, id: string | undefined, what: string): T {
  const thing = things.get(id ?? '');
  if (thing === undefined) throw missing(what, id ?? '');
  return thing;
}

export const missing = (what: string, id: string, status = 404) =>
  new StripeFault(status, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' });

/** A refusal in Stripe's format. */
export class StripeFault extends Error {
  override name = 'StripeFault';
  readonly status: number;
  readonly body: object;

  constructor(status: number, { type = 'invalid_request_error', ...facts }: Partial<Stripe.errors.StripeError>) {
    super(facts.message ?? type);
    this.status = status;
    this.body = { error: { type, ...facts } };
  }
}

/** Thrown for an unsupported request, so that no test can pass because of one. */
export class Unforeseen extends Error {
  override name = 'Unforeseen';
}

/** The card for a subscription's next payment, or null. */
export function payingCard(world: World, { cardId, customerId }: Subscription): string | null {
  return cardId ?? known(world.customers, customerId).defaultCardId;
}

/** Applies a scheduled change. */
export function applyChange(world: World, subscription: Subscription, { priceId, start, end }: Change): void {
  const { trialEnd } = subscription;
  Object.assign(subscription, {
    priceId,
    anchor: start,
    periodStart: start,
    periodEnd: end,
    trialEnd: trialEnd !== null && trialEnd > presentIn(world) ? start : trialEnd,
    status: 'active',
    pending: null,
  });
}

/** How many months a price pays for. */
export function monthsOf(world: World, priceId: string): number {
  const { interval, intervalCount } = known(world.prices, priceId);
  return interval === 'year' ? intervalCount * 12 : intervalCount;
}
