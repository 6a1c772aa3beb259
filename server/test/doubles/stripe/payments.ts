import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { bankSays, type Occasion } from './cards.ts';
import { tell, tellSubscription } from './events.ts';
import { invoiceFailed, invoicePaid } from './invoices.ts';
import { cardObject, chargeObject, disputeObject, intentObject, invoiceObject } from './objects.ts';
import {
  known,
  newId,
  presentIn,
  StripeFault,
  type Card,
  type Intent,
  type Invoice,
  type Refusal,
  type World,
  payingCard,
} from './world.ts';

const askedBack: Record<Intent['kind'], Refusal> = {
  payment: { code: 'payment_intent_authentication_failure' },
  setup: { code: 'setup_intent_authentication_failure' },
};

/** An entered card that is not attached to a customer. */
export function enterCard(world: World, token: SandboxToken): Card {
  const card = { id: newId(world, 'pm'), created: presentIn(world), token, customerId: null };
  world.cards.set(card.id, card);
  return card;
}

function requirePayable(intent: Intent): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw new StripeFault(400, { code: `${intent.kind}_intent_unexpected_state`, message: `It is ${intent.status}.` });
}

/** Tries to pay an intent with a card. */
export function confirm(world: World, intent: Intent, card: Card, occasion: Occasion): void {
  requirePayable(intent);
  if (card.customerId !== null && card.customerId !== intent.customerId)
    throw new StripeFault(400, { message: 'The card belongs to another customer.', param: 'payment_method' });
  const answer = bankSays(card.token, occasion);
  if (answer === 'pays') succeed(world, intent, card);
  else if (answer === 'asks') {
    Object.assign(intent, { status: 'requires_action', cardId: card.id, error: null });
    if (intent.invoiceId !== null)
      tell(world, 'invoice.payment_action_required', invoiceObject(world, known(world.invoices, intent.invoiceId)));
  } else refuse(world, intent, answer);
}

/** Tries to collect an open invoice with `cardId`, or with the customer's card. */
export function collect(world: World, invoice: Invoice, occasion: Occasion, cardId?: string): void {
  const subscription = known(world.subscriptions, invoice.subscriptionId);
  const id = cardId ?? payingCard(world, subscription);
  if (invoice.status !== 'open') return;
  invoice.attempts += 1;
  invoice.firstAttempt ??= presentIn(world);
  if (id === null) invoiceFailed(world, invoice);
  else confirm(world, known(world.intents, invoice.intentId), known(world.cards, id), occasion);
}

/** Applies the owner's answer to the bank. */
export function answerBank(world: World, intent: Intent, isApproved: boolean): void {
  if (intent.status !== 'requires_action')
    throw new StripeFault(400, { code: `${intent.kind}_intent_unexpected_state`, message: 'Nothing was asked.' });
  if (isApproved) succeed(world, intent, known(world.cards, intent.cardId));
  else refuse(world, intent, askedBack[intent.kind]);
}

function refuse(world: World, intent: Intent, error: Refusal): void {
  Object.assign(intent, { status: 'requires_payment_method', cardId: null, error });
  if (intent.invoiceId !== null) invoiceFailed(world, known(world.invoices, intent.invoiceId));
}

function succeed(world: World, intent: Intent, card: Card): void {
  const { customerId } = intent;
  Object.assign(intent, { status: 'succeeded', cardId: card.id });
  if (card.customerId === null) {
    card.customerId = customerId;
    tell(world, 'payment_method.attached', cardObject(card));
  }
  if (intent.kind === 'setup') return setUp(world, intent, card);
  const charge = {
    id: newId(world, 'ch'),
    created: presentIn(world),
    customerId,
    intentId: intent.id,
    cardId: card.id,
    amount: intent.amount,
    currency: intent.currency,
    refunded: 0,
    dispute: null,
  };
  world.charges.set(charge.id, charge);
  intent.chargeId = charge.id;
  if (intent.invoiceId !== null) invoicePaid(world, known(world.invoices, intent.invoiceId), card.id);
}

function setUp(world: World, intent: Intent, card: Card): void {
  tell(world, 'setup_intent.succeeded', intentObject(world, intent));
  for (const subscription of world.subscriptions.values()) {
    if (subscription.setupId !== intent.id) continue;
    Object.assign(subscription, { setupId: null, cardId: card.id });
    tellSubscription(world, subscription, 'updated');
  }
}

/** Refunds a payment, in full or by `amount`. */
export function refund(world: World, intentId: string | null, amount?: number): void {
  const charge = known(world.charges, known(world.intents, intentId).chargeId);
  charge.refunded += amount ?? charge.amount;
  tell(world, 'charge.refunded', chargeObject(world, charge));
}

/** The bank reclaims a payment, or only inquires about it. */
export function dispute(world: World, intentId: string | null, what: 'chargeback' | 'inquiry' = 'chargeback'): void {
  const charge = known(world.charges, known(world.intents, intentId).chargeId);
  const isInquiry = what === 'inquiry';
  charge.dispute = {
    id: newId(world, 'du'),
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    moved: isInquiry ? [] : [-charge.amount],
  };
  tell(world, 'charge.dispute.created', disputeObject(charge, charge.dispute));
  if (!isInquiry) tell(world, 'charge.dispute.funds_withdrawn', disputeObject(charge, charge.dispute));
}

/** The bank reclaims the whole payment after an inquiry. */
export function escalate(world: World, intentId: string | null): void {
  const charge = known(world.charges, known(world.intents, intentId).chargeId);
  if (charge.dispute === null) throw new Error('nothing is disputed');
  charge.dispute.status = 'needs_response';
  charge.dispute.moved.push(-charge.amount);
  tell(world, 'charge.dispute.funds_withdrawn', disputeObject(charge, charge.dispute));
}

/** The bank closes a dispute; if the shop wins, it gets the money back. */
export function closeDispute(world: World, intentId: string | null, status: 'won' | 'lost' | 'warning_closed'): void {
  const charge = known(world.charges, known(world.intents, intentId).chargeId);
  if (charge.dispute === null) throw new Error('nothing is disputed');
  charge.dispute.status = status;
  if (status === 'won') charge.dispute.moved.push(charge.amount);
  tell(world, 'charge.dispute.closed', disputeObject(charge, charge.dispute));
  if (status === 'won') tell(world, 'charge.dispute.funds_reinstated', disputeObject(charge, charge.dispute));
}
