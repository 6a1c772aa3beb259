import type Stripe from 'stripe';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { TestClock } from '../../clock.ts';

// The double's state. Times are whole seconds since 1970, as at Stripe.

export interface Customer {
  id: string;
  created: number;
  email: string | null;
  name: string | null;
  metadata: Record<string, string>;
  defaultCardId: string | null;
  /** The coupon of the customer, which takes this share off its new invoices. */
  percentOff: number;
  isDeleted: boolean;
}

export interface Card {
  id: string;
  created: number;
  token: SandboxToken;
  /** Null before it is attached, and after it is detached. */
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
  /** The anchor of its periods. */
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
  /** When Stripe finalizes it automatically; null after that, or if that is left to us. */
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

/** A refund that was asked for by the API. */
export interface Refund {
  id: string;
  created: number;
  intentId: string;
  amount: number;
  /** Its `metadata.key`. */
  key: string | null;
}

/** A dispute of a charge, also once it is over. */
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
  /** The number of ids given out. */
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

/** The object with an id assigned by the double. */
export function known<T>(things: Map<string, T>, id: string | null): T {
  const thing = things.get(id ?? '');
  if (thing === undefined) throw new Error(`the double lost ${id}`);
  return thing;
}

/** The object named by a caller; throws Stripe's 404 if there is none. */
export function named<T>(things: Map<string, T>, id: string | undefined, what: string): T {
  const thing = things.get(id ?? '');
  if (thing === undefined) throw missing(what, id ?? '');
  return thing;
}

export const missing = (what: string, id: string, status = 404) =>
  new StripeFault(status, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' });

/** A refusal in Stripe's words. */
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

/** An unsupported request: no test may pass because of it. */
export class Unforeseen extends Error {
  override name = 'Unforeseen';
}
