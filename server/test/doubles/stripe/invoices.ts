import { tell, tellSubscription } from './events.ts';
import { invoiceObject, totalOf } from './objects.ts';
import {
  known,
  newId,
  presentIn,
  StripeFault,
  type Intent,
  type Invoice,
  type Line,
  type Subscription,
  type World,
  applyChange,
} from './world.ts';

const day = 86_400;
/** When a failed renewal is retried, counted from the first attempt; after the last one it fails permanently. */
const retryDays = [3, 5, 7];

/** A draft invoice. */
export function draftInvoice(
  world: World,
  subscription: Subscription,
  reason: Invoice['reason'],
  lines: Line[],
): Invoice {
  const full = lines.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
  const { percentOff } = known(world.customers, subscription.customerId);
  const invoice: Invoice = {
    id: newId(world, 'in'),
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    reason,
    status: 'draft',
    created: presentIn(world),
    currency: known(world.prices, subscription.priceId).currency,
    lines,
    discount: Math.round((full * percentOff) / 100),
    number: null,
    finalizesAt: null,
    attempts: 0,
    firstAttempt: null,
    nextAttempt: null,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    intentId: null,
  };
  world.invoices.set(invoice.id, invoice);
  subscription.latestInvoiceId = invoice.id;
  return invoice;
}

/** Finalizes an invoice: from now on it can be paid, and it is paid at once if nothing is due. */
export function finalize(world: World, invoice: Invoice): void {
  if (invoice.status !== 'draft') throw new StripeFault(400, { message: `The invoice is ${invoice.status}.` });
  const finalizedAt = presentIn(world);
  Object.assign(invoice, { status: 'open', finalizesAt: null, finalizedAt, number: newId(world, 'HW') });
  if (totalOf(invoice) <= 0) {
    Object.assign(invoice, { status: 'paid', paidAt: finalizedAt });
    return;
  }
  const intent = newIntent(world, 'payment', invoice.customerId);
  Object.assign(intent, { amount: totalOf(invoice), currency: invoice.currency, invoiceId: invoice.id });
  invoice.intentId = intent.id;
}

/** Creates an intent that waits for a card. */
export function newIntent(world: World, kind: Intent['kind'], customerId: string): Intent {
  const id = newId(world, kind === 'payment' ? 'pi' : 'seti');
  const intent: Intent = {
    id,
    kind,
    secret: `${id}_secret_${newId(world, 'of')}`,
    created: presentIn(world),
    customerId,
    status: 'requires_payment_method',
    amount: 0,
    currency: '',
    cardId: null,
    error: null,
    invoiceId: null,
    chargeId: null,
  };
  world.intents.set(id, intent);
  return intent;
}

/** Voids an invoice. */
export function voidInvoice(world: World, invoice: Invoice): void {
  if (invoice.status !== 'open') throw new StripeFault(400, { message: `The invoice is ${invoice.status}.` });
  Object.assign(invoice, { status: 'void', voidedAt: presentIn(world), nextAttempt: null });
  known(world.intents, invoice.intentId).status = 'canceled';
  const subscription = known(world.subscriptions, invoice.subscriptionId);
  if (subscription.pending?.invoiceId !== invoice.id) return;
  subscription.pending = null;
  tellSubscription(world, subscription, 'updated');
}

/** The effects of a paid invoice. */
export function invoicePaid(world: World, invoice: Invoice, cardId: string): void {
  Object.assign(invoice, { status: 'paid', paidAt: presentIn(world), nextAttempt: null });
  tell(world, 'invoice.paid', invoiceObject(world, invoice));
  const subscription = known(world.subscriptions, invoice.subscriptionId);
  if (subscription.endedAt !== null) return;
  subscription.cardId = cardId;
  if (subscription.pending?.invoiceId === invoice.id) applyChange(world, subscription, subscription.pending.change);
  else if (subscription.latestInvoiceId === invoice.id) subscription.status = 'active';
  tellSubscription(world, subscription, 'updated');
}

/** The effects of a failed attempt. */
export function invoiceFailed(world: World, invoice: Invoice): void {
  tell(world, 'invoice.payment_failed', invoiceObject(world, invoice));
  const subscription = known(world.subscriptions, invoice.subscriptionId);
  const isPending = subscription.pending?.invoiceId === invoice.id;
  const isOver = subscription.endedAt !== null || subscription.status === 'incomplete';
  if (isPending || isOver || invoice.firstAttempt === null) return;
  const first = invoice.firstAttempt;
  const next = retryDays.map((days) => first + days * day).find((at) => at > presentIn(world));
  invoice.nextAttempt = next ?? null;
  if (next === undefined) {
    const endedAt = presentIn(world);
    Object.assign(subscription, { status: 'canceled', endedAt, canceledAt: endedAt });
    tellSubscription(world, subscription, 'deleted');
  } else {
    subscription.status = 'past_due';
    tellSubscription(world, subscription, 'updated');
  }
}
