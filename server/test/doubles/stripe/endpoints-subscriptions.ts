import type { Call, Endpoint } from './endpoints.ts';
import { cardOfCustomer, livingCustomer } from './endpoints-customers.ts';
import { chargeable } from '#contract/subscriptions/currency.ts';
import { textAt, wordAt, type Form } from './form.ts';
import { tellSubscription } from './events.ts';
import { subscriptionObject } from './objects.ts';
import { beginTrial, cancel, changePrice, planChange, subscribe } from './subscriptions.ts';
import { named, presentIn, StripeFault, Unforeseen, type Subscription, type World } from './world.ts';

const refused = (message: string, param?: string) => new StripeFault(400, { message, ...(param && { param }) });

function create(world: World, { form, wants }: Call): object {
  const customer = livingCustomer(world, textAt(form, 'customer'), 400);
  const price = named(world.prices, textAt(form, 'items.0.price'), 'price');
  if (!price.isActive) throw refused('The price is not active.', 'items[0][price]');
  if (wordAt(form, 'payment_behavior', ['default_incomplete']) === undefined)
    throw new Unforeseen('a subscription that is paid at once');
  wordAt(form, 'payment_settings.save_default_payment_method', ['on_subscription']);
  wordAt(form, 'payment_settings.payment_method_types.0', ['card']);
  wordAt(form, 'trial_settings.end_behavior.missing_payment_method', ['cancel']);
  const card = textAt(form, 'default_payment_method');
  const subscription = subscribe(world, {
    customerId: customer.id,
    priceId: price.id,
    trialDays: Number(textAt(form, 'trial_period_days') ?? 0),
    cardId: card === undefined ? null : cardOfCustomer(world, customer.id, card).id,
  });
  return subscriptionObject(world, subscription, wants);
}

/** The new price of a change that starts a period; other changes are not supported. */
function priceNamed(world: World, subscription: Subscription, form: Form): string {
  if (textAt(form, 'items.0.id') !== subscription.itemId) throw refused('No such item.', 'items[0][id]');
  const now = wordAt(form, 'trial_end', ['now']) ?? wordAt(form, 'billing_cycle_anchor.type', ['now']);
  const isTrial = subscription.status === 'trialing';
  if (now === undefined || isTrial !== (textAt(form, 'trial_end') !== undefined))
    throw new Unforeseen('a change that does not begin a period');
  return named(world.prices, textAt(form, 'items.0.price'), 'price').id;
}

function update(world: World, { ids: [id], form, wants }: Call): object {
  const subscription = named(world.subscriptions, id, 'subscription');
  if (subscription.endedAt !== null)
    throw new StripeFault(400, { code: 'invalid_canceled_subscription_fields', message: 'It has ended.' });
  if (subscription.status === 'incomplete') throw refused('It waits for its first payment.');
  if (form['items'] !== undefined) changeItem(world, subscription, form);
  else if (form['trial_end'] !== undefined) {
    if (wordAt(form, 'proration_behavior', ['none']) === undefined) throw new Unforeseen('a trial that credits');
    beginTrial(world, subscription, Number(textAt(form, 'trial_end')));
  }
  if (typeof form['metadata'] === 'object') Object.assign(subscription.metadata, form['metadata']);
  const isCancelled = wordAt(form, 'cancel_at_period_end', ['true', 'false']);
  if (isCancelled !== undefined) {
    const canceledAt = isCancelled === 'true' ? presentIn(world) : null;
    Object.assign(subscription, { cancelsAtEnd: isCancelled === 'true', canceledAt });
  }
  const card = textAt(form, 'default_payment_method');
  if (card !== undefined) subscription.cardId = cardOfCustomer(world, subscription.customerId, card).id;
  if (wordAt(form, 'cancel_at', ['']) !== undefined) subscription.endsAt = null;
  tellSubscription(world, subscription, 'updated');
  return subscriptionObject(world, subscription, wants);
}

function changeItem(world: World, subscription: Subscription, form: Form): void {
  const priceId = priceNamed(world, subscription, form);
  const isPending = wordAt(form, 'payment_behavior', ['pending_if_incomplete', 'allow_incomplete']);
  const isOffSession = wordAt(form, 'off_session', ['true']) !== undefined;
  const isProrated = wordAt(form, 'proration_behavior', ['always_invoice', 'none']) === 'always_invoice';
  const extraMinor = Number(textAt(form, 'add_invoice_items.0.price_data.unit_amount') ?? 0);
  const currency = textAt(form, 'add_invoice_items.0.price_data.currency') ?? '';
  if (extraMinor !== chargeable(extraMinor, currency.toUpperCase()))
    throw new StripeFault(400, { code: 'invalid_charge_amount_no_decimal_compatible', message: 'Invalid amount.' });
  if (isPending === 'pending_if_incomplete' && isOffSession) throw refused('Not with a pending update.', 'off_session');
  changePrice(world, subscription, priceId, {
    isProrated,
    isPending: isPending === 'pending_if_incomplete',
    isOnSession: !isOffSession,
    extraMinor,
  });
}

function preview(world: World, { form }: Call): object {
  const subscription = named(world.subscriptions, textAt(form, 'subscription'), 'subscription');
  livingCustomer(world, textAt(form, 'customer'), 400);
  if (subscription.endedAt !== null) throw refused('It has ended.', 'subscription');
  const details = form['subscription_details'];
  if (typeof details !== 'object') throw new Unforeseen('a preview of no change');
  const isProrated = wordAt(details, 'proration_behavior', ['always_invoice']) !== undefined;
  const { lines } = planChange(world, subscription, priceNamed(world, subscription, details), isProrated);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const { currency } = named(world.prices, subscription.priceId, 'price');
  return { id: 'upcoming_in_double', object: 'invoice', total, amount_due: Math.max(0, total), currency };
}

export const subscriptionEndpoints: Record<string, Endpoint> = {
  'POST /v1/subscriptions': {
    takes: [
      'customer',
      'items[].price',
      'payment_behavior',
      'payment_settings.save_default_payment_method',
      'payment_settings.payment_method_types[]',
      'default_payment_method',
      'trial_period_days',
      'trial_settings.end_behavior.missing_payment_method',
    ],
    answer: create,
  },
  'GET /v1/subscriptions/:id': {
    answer: (world, { ids: [id], wants }) =>
      subscriptionObject(world, named(world.subscriptions, id, 'subscription'), wants),
  },
  'POST /v1/subscriptions/:id': {
    takes: [
      'items[].id',
      'items[].price',
      'trial_end',
      'billing_cycle_anchor.type',
      'proration_behavior',
      'payment_behavior',
      'off_session',
      'cancel_at_period_end',
      'cancel_at',
      'default_payment_method',
      'add_invoice_items[].price_data.currency',
      'add_invoice_items[].price_data.product',
      'add_invoice_items[].price_data.unit_amount',
      'metadata.paid_from',
      'metadata.paid_through',
      'metadata.anchor_day',
      'metadata.anchored_at',
    ],
    answer: update,
  },
  'DELETE /v1/subscriptions/:id': {
    takes: ['invoice_now', 'prorate'],
    answer: (world, { ids: [id], wants }) => {
      const subscription = named(world.subscriptions, id, 'subscription');
      cancel(world, subscription);
      return subscriptionObject(world, subscription, wants);
    },
  },
  'POST /v1/invoices/create_preview': {
    takes: [
      'customer',
      'subscription',
      'subscription_details.items[].id',
      'subscription_details.items[].price',
      'subscription_details.proration_behavior',
      'subscription_details.billing_cycle_anchor.type',
      'subscription_details.trial_end',
    ],
    answer: preview,
  },
};
