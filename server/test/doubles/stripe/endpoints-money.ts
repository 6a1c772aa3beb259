import type { Endpoint } from './endpoints.ts';
import { cardOfCustomer, requireCustomer } from './endpoints-customers.ts';
import { textAt, wordAt } from './form.ts';
import { finalize, voidInvoice } from './invoices.ts';
import { chargeObject, disputeObject, intentObject, invoiceObject, priceObject, refundObject } from './objects.ts';
import { pageAnswer } from './paging.ts';
import { collect, confirm, enterCard, refund } from './payments.ts';
import { cancel } from './subscriptions.ts';
import {
  known,
  named,
  newId,
  presentIn,
  StripeFault,
  Unforeseen,
  type Card,
  type Charge,
  type Intent,
  type Invoice,
  type World,
} from './world.ts';

/** Throws Stripe's error if a card was refused or its bank requires confirmation. */
function demandPaid({ status, error }: Intent): void {
  if (status === 'succeeded') return;
  if (error === null)
    throw new StripeFault(402, { type: 'card_error', code: 'invoice_payment_intent_requires_action' });
  throw new StripeFault(402, { type: 'card_error', ...error });
}

function pay(world: World, invoice: Invoice, cardId: string | undefined): void {
  if (invoice.status !== 'open') throw new StripeFault(400, { message: `The invoice is ${invoice.status}.` });
  if (cardId === undefined) throw new Unforeseen('an invoice that is paid with any card');
  collect(world, invoice, 'off_session', cardOfCustomer(world, invoice.customerId, cardId).id);
  demandPaid(known(world.intents, invoice.intentId));
}

/** The named card: a stored one, or one of Stripe's test cards. */
function cardNamed(world: World, id: string | undefined): Card {
  return id === 'pm_card_visa' ? enterCard(world, 'tok_visa') : named(world.cards, id, 'payment_method');
}

/** A customer's objects of one kind, oldest first. */
const ofCustomer = <T extends { customerId: string }>(things: Map<string, T>, id: string | undefined) =>
  [...things.values()].filter(({ customerId }) => id === undefined || customerId === id);

const intentOf = (world: World, id: string | undefined, kind: Intent['kind']): Intent => {
  const intent = named(world.intents, id, `${kind}_intent`);
  if (intent.kind !== kind) throw new StripeFault(404, { code: 'resource_missing', param: 'intent' });
  return intent;
};

export const chargeEndpoints: Record<string, Endpoint> = {
  'GET /v1/prices/:id': { answer: (world, { ids: [id] }) => priceObject(named(world.prices, id, 'price')) },
  'GET /v1/invoices': {
    takes: ['customer', 'subscription', 'status', 'limit', 'starting_after'],
    answer: (world, { form, wants }) => {
      const subscription = textAt(form, 'subscription');
      requireCustomer(world, textAt(form, 'customer'));
      const status = wordAt(form, 'status', ['paid', 'open']);
      const found = ofCustomer(world.invoices, textAt(form, 'customer'))
        .filter(({ subscriptionId }) => subscription === undefined || subscriptionId === subscription)
        .filter((invoice) => status === undefined || invoice.status === status);
      const show = (invoice: Invoice) => invoiceObject(world, invoice, wants['data']);
      return pageAnswer(found, form, { what: 'invoice', url: '/v1/invoices', show });
    },
  },
  'GET /v1/invoices/:id': {
    answer: (world, { ids: [id], wants }) => invoiceObject(world, named(world.invoices, id, 'invoice'), wants),
  },
  'GET /v1/refunds': {
    takes: ['payment_intent', 'limit'],
    answer: (world, { form }) => {
      const { id } = intentOf(world, textAt(form, 'payment_intent'), 'payment');
      const found = [...world.refunds.values()].filter(({ intentId }) => intentId === id);
      return pageAnswer(found, form, { what: 'refund', url: '/v1/refunds', show: refundObject });
    },
  },
  'POST /v1/refunds': {
    takes: ['payment_intent', 'amount', 'reason', 'metadata.key'],
    answer: (world, { form }) => {
      const intent = intentOf(world, textAt(form, 'payment_intent'), 'payment');
      const amount = Number(textAt(form, 'amount'));
      const charge = known(world.charges, intent.chargeId);
      wordAt(form, 'reason', ['requested_by_customer']);
      if (charge.dispute !== null && charge.dispute.moved.length % 2 === 1)
        throw new StripeFault(400, { code: 'charge_disputed' });
      if (!(amount > 0) || charge.refunded + amount > charge.amount)
        throw new StripeFault(400, { code: 'charge_already_refunded', param: 'amount' });
      const made = { id: newId(world, 're'), created: presentIn(world), intentId: intent.id, amount };
      const kept = { ...made, key: textAt(form, 'metadata.key') ?? null };
      world.refunds.set(kept.id, kept);
      refund(world, intent.id, amount);
      return refundObject(kept);
    },
  },
  'POST /v1/invoices/:id/pay': {
    takes: ['payment_method'],
    answer: (world, { ids: [id], form, wants }) => {
      const invoice = named(world.invoices, id, 'invoice');
      pay(world, invoice, textAt(form, 'payment_method'));
      return invoiceObject(world, invoice, wants);
    },
  },
  'POST /v1/invoices/:id/finalize': {
    takes: ['auto_advance'],
    answer: (world, { ids: [id], form, wants }) => {
      const invoice = named(world.invoices, id, 'invoice');
      wordAt(form, 'auto_advance', ['false']);
      finalize(world, invoice);
      return invoiceObject(world, invoice, wants);
    },
  },
  'POST /v1/invoices/:id/void': {
    answer: (world, { ids: [id], wants }) => {
      const invoice = named(world.invoices, id, 'invoice');
      const subscription = known(world.subscriptions, invoice.subscriptionId);
      // A subscription never starts without its first invoice being paid.
      if (subscription.status === 'incomplete') cancel(world, subscription);
      else voidInvoice(world, invoice);
      return invoiceObject(world, invoice, wants);
    },
  },
  'GET /v1/charges': {
    takes: ['customer', 'created.gte', 'limit', 'starting_after'],
    answer: (world, { form }) => {
      requireCustomer(world, textAt(form, 'customer'));
      const since = Number(textAt(form, 'created.gte') ?? 0);
      const found = ofCustomer(world.charges, textAt(form, 'customer')).filter(({ created }) => created >= since);
      const show = (charge: Charge) => chargeObject(world, charge);
      return pageAnswer(found, form, { what: 'charge', url: '/v1/charges', show });
    },
  },
  'GET /v1/charges/:id': { answer: (world, { ids: [id] }) => chargeObject(world, named(world.charges, id, 'charge')) },
  'GET /v1/disputes': {
    takes: ['charge', 'limit'],
    answer: (world, { form }) => {
      const charge = named(world.charges, textAt(form, 'charge'), 'charge');
      const found = charge.dispute === null ? [] : [charge.dispute];
      return pageAnswer(found, form, {
        what: 'dispute',
        url: '/v1/disputes',
        show: (dispute) => disputeObject(charge, dispute),
      });
    },
  },
  'GET /v1/payment_intents/:id': {
    answer: (world, { ids: [id], wants }) => intentObject(world, intentOf(world, id, 'payment'), wants),
  },
  'POST /v1/payment_intents/:id/confirm': {
    takes: ['payment_method'],
    answer: (world, { ids: [id], form, wants }) => {
      const intent = intentOf(world, id, 'payment');
      confirm(world, intent, cardNamed(world, textAt(form, 'payment_method')), 'entered');
      demandPaid(intent);
      return intentObject(world, intent, wants);
    },
  },
  'GET /v1/setup_intents/:id': {
    answer: (world, { ids: [id], wants }) => intentObject(world, intentOf(world, id, 'setup'), wants),
  },
  'POST /v1/setup_intents/:id/cancel': {
    answer: (world, { ids: [id], wants }) => {
      const intent = intentOf(world, id, 'setup');
      if (intent.status === 'succeeded' || intent.status === 'canceled')
        throw new StripeFault(400, { code: 'setup_intent_unexpected_state', message: `It is ${intent.status}.` });
      intent.status = 'canceled';
      return intentObject(world, intent, wants);
    },
  },
  'GET /v1/webhook_endpoints': {
    takes: ['limit'],
    answer: (world, { form }) =>
      pageAnswer(world.endpoints, form, {
        what: 'webhook_endpoint',
        url: '/v1/webhook_endpoints',
        show: ({ id, url, events, isEnabled }) => ({
          id,
          object: 'webhook_endpoint',
          url,
          enabled_events: events,
          status: isEnabled ? 'enabled' : 'disabled',
          livemode: false,
        }),
      }),
  },
};
