import { chargeable } from '#contract/subscriptions/currency.ts';
import { tell, tellSubscription } from './events.ts';
import { draftInvoice, finalize, newIntent, voidInvoice } from './invoices.ts';
import { subscriptionObject } from './objects.ts';
import { collect } from './payments.ts';
import {
  known,
  newId,
  presentIn,
  StripeFault,
  type Change,
  type Line,
  type Subscription,
  type World,
  applyChange,
  monthsOf,
  payingCard,
} from './world.ts';

const day = 86_400;
const openHours = 23;

/** When an unpaid subscription that started at `start` expires. */
export const abandonedAfter = (start: number): number => start + openHours * 3600;

/** Creates a subscription whose first payment (or card, with a trial) is pending. */
export function subscribe(
  world: World,
  {
    customerId,
    priceId,
    trialDays,
    cardId,
  }: { customerId: string; priceId: string; trialDays: number; cardId: string | null },
): Subscription {
  const created = presentIn(world);
  const trialEnd = trialDays > 0 ? created + trialDays * day : null;
  const periodEnd = trialEnd ?? nextEnd(created, monthsOf(world, priceId), created);
  const subscription: Subscription = {
    id: newId(world, 'sub'),
    itemId: newId(world, 'si'),
    customerId,
    priceId,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    created,
    anchor: trialEnd ?? created,
    periodStart: created,
    periodEnd,
    trialStart: trialEnd === null ? null : created,
    trialEnd,
    metadata: {},
    cancelsAtEnd: false,
    endsAt: null,
    canceledAt: null,
    endedAt: null,
    cardId,
    latestInvoiceId: null,
    setupId: null,
    pending: null,
  };
  world.subscriptions.set(subscription.id, subscription);
  const amount = trialEnd === null ? known(world.prices, priceId).unitAmount : 0;
  const line = { amount, priceId, isProration: false, start: created, end: periodEnd };
  const invoice = draftInvoice(world, subscription, 'subscription_create', [line]);
  finalize(world, invoice);
  if (invoice.status === 'paid' && trialEnd === null) subscription.status = 'active';
  const intent = invoice.intentId === null ? null : known(world.intents, invoice.intentId);
  if (intent !== null && cardId !== null) Object.assign(intent, { status: 'requires_confirmation', cardId });
  // For a trial, an existing card is set up at once.
  if (trialEnd !== null && payingCard(world, subscription) === null)
    subscription.setupId = newIntent(world, 'setup', customerId).id;
  tellSubscription(world, subscription, 'created');
  return subscription;
}

/** The result and the price of a change that starts now. */
export function planChange(
  world: World,
  subscription: Subscription,
  priceId: string,
  isProrated: boolean,
): { change: Change; lines: Line[] } {
  const start = presentIn(world);
  const end = nextEnd(start, monthsOf(world, priceId), start);
  const line = { amount: known(world.prices, priceId).unitAmount, priceId, isProration: false, start, end };
  const credit = isProrated ? creditFor(world, subscription) : 0;
  const { priceId: oldId, periodEnd } = subscription;
  const unused = { amount: -credit, priceId: oldId, isProration: true, start, end: periodEnd };
  return { change: { priceId, start, end }, lines: credit > 0 ? [unused, line] : [line] };
}

/** The value of the paid, unused part of the period; a trial is worth nothing. */
function creditFor(world: World, subscription: Subscription): number {
  if (subscription.status === 'trialing') return 0;
  const { id, periodStart, periodEnd } = subscription;
  const paid = [...world.invoices.values()]
    .filter(({ subscriptionId, status }) => subscriptionId === id && status === 'paid')
    .flatMap(({ lines }) => lines)
    .find(({ start, end, amount }) => start === periodStart && end === periodEnd && amount > 0);
  const { currency } = known(world.prices, subscription.priceId);
  const unused = ((paid?.amount ?? 0) * (periodEnd - presentIn(world))) / (periodEnd - periodStart);
  return chargeable(unused, currency.toUpperCase());
}

/**
 * Changes the price and starts a period; if `isPending`, only after payment. `extraMinor` is charged or credited
 * additionally.
 */
export function changePrice(
  world: World,
  subscription: Subscription,
  priceId: string,
  {
    isProrated,
    isPending,
    isOnSession,
    extraMinor,
  }: { isProrated: boolean; isPending: boolean; isOnSession: boolean; extraMinor: number },
): void {
  if (subscription.pending !== null) voidInvoice(world, known(world.invoices, subscription.pending.invoiceId));
  const { change, lines } = planChange(world, subscription, priceId, isProrated);
  const { start, end } = change;
  const extra = { amount: extraMinor, priceId, isProration: false, start, end };
  const invoice = draftInvoice(
    world,
    subscription,
    'subscription_update',
    extraMinor === 0 ? lines : [...lines, extra],
  );
  if (isPending) {
    const expires = Math.min(abandonedAfter(presentIn(world)), subscription.periodEnd);
    subscription.pending = { change, invoiceId: invoice.id, expires };
  } else applyChange(world, subscription, change);
  finalize(world, invoice);
  collect(world, invoice, isOnSession ? 'on_session' : 'off_session');
  tellSubscription(world, subscription, 'updated');
}

/** Charges nothing until `end`, like a trial: a zero-amount invoice, and a period that lasts until then. */
export function beginTrial(world: World, subscription: Subscription, end: number): void {
  const start = presentIn(world);
  if (!(end > start))
    throw new StripeFault(400, { message: 'Invalid timestamp: must be in the future.', param: 'trial_end' });
  const period = { periodStart: start, periodEnd: end, trialStart: start, trialEnd: end, anchor: end };
  Object.assign(subscription, { status: 'trialing', ...period });
  const line = { amount: 0, priceId: subscription.priceId, isProration: false, start, end };
  finalize(world, draftInvoice(world, subscription, 'subscription_update', [line]));
}

/** Ends the period and starts the next one, with an invoice that may stay a draft for a while. */
export function renew(world: World, subscription: Subscription): void {
  const { priceId, anchor, periodEnd: start } = subscription;
  if (subscription.pending !== null) voidInvoice(world, known(world.invoices, subscription.pending.invoiceId));
  const end = nextEnd(anchor, monthsOf(world, priceId), start);
  Object.assign(subscription, { periodStart: start, periodEnd: end });
  if (subscription.status === 'trialing') subscription.status = 'active';
  const line = { amount: known(world.prices, priceId).unitAmount, priceId, isProration: false, start, end };
  const invoice = draftInvoice(world, subscription, 'subscription_cycle', [line]);
  invoice.finalizesAt = presentIn(world) + world.draftSeconds;
  tellSubscription(world, subscription, 'updated');
}

/** Ends a subscription immediately. Invoices that were never paid are voided, open ones stay open. */
export function cancel(world: World, subscription: Subscription): void {
  if (subscription.endedAt !== null)
    throw new StripeFault(404, { code: 'resource_missing', message: `No such subscription: '${subscription.id}'` });
  const endedAt = presentIn(world);
  const wasUnpaid = subscription.status === 'incomplete';
  Object.assign(subscription, {
    status: wasUnpaid ? 'incomplete_expired' : 'canceled',
    endedAt,
    canceledAt: subscription.canceledAt ?? endedAt,
  });
  const invoice = known(world.invoices, subscription.latestInvoiceId);
  if (wasUnpaid || subscription.pending?.invoiceId === invoice.id) voidInvoice(world, invoice);
  Object.assign(invoice, { finalizesAt: null, nextAttempt: null });
  tell(world, 'customer.subscription.deleted', subscriptionObject(world, subscription));
}

/**
 * `months` calendar months after `start`, both in seconds since 1970 and UTC; the last day of a month without such a
 * day.
 */
export function monthsLater(start: number, months: number): number {
  const from = new Date(start * 1000);
  const whole = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const [year, month] = [Math.floor(whole / 12), whole % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
  return midnight / 1000 + (start % 86_400);
}

/** The end of the first period after `after`, for periods of `months` counted from `anchor`. */
export function nextEnd(anchor: number, months: number, after: number): number {
  let count = months;
  while (monthsLater(anchor, count) <= after) count += months;
  return monthsLater(anchor, count);
}
