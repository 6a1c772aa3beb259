import { expansions, textAt, wordAt } from './form.ts';
import { tell } from './events.ts';
import { cardObject, customerObject, intentObject, listOf } from './objects.ts';
import type { Endpoint } from './endpoints.ts';
import { newIntent } from './invoices.ts';
import { pageAnswer } from './paging.ts';
import { cancel } from './subscriptions.ts';
import { missing, named, newId, presentIn, type Card, type Customer, type World } from './world.ts';

/** A customer who was not deleted. */
export function livingCustomer(world: World, id: string | undefined, status = 404): Customer {
  const customer = world.customers.get(id ?? '');
  if (customer === undefined || customer.isDeleted) throw missing('customer', id ?? '', status);
  return customer;
}

/** A stored card of this customer. */
export function cardOfCustomer(world: World, customerId: string, id: string | undefined): Card {
  const card = named(world.cards, id, 'payment_method');
  if (card.customerId !== customerId) throw missing('payment_method', card.id, 400);
  return card;
}

function remove(world: World, customer: Customer): object {
  for (const subscription of world.subscriptions.values())
    if (subscription.customerId === customer.id && subscription.endedAt === null) cancel(world, subscription);
  for (const card of world.cards.values()) if (card.customerId === customer.id) card.customerId = null;
  Object.assign(customer, { isDeleted: true, email: null, name: null, defaultCardId: null });
  return { id: customer.id, object: 'customer', deleted: true };
}

/** Deletes a customer, as the shop's owner can in the dashboard. */
export function removeCustomer(world: World, id: string): void {
  remove(world, livingCustomer(world, id));
}

/** Simulates the keys of another account, which knows neither the customers nor their purchases. */
export function deleteEverything(world: World): void {
  for (const things of [
    world.customers,
    world.cards,
    world.subscriptions,
    world.invoices,
    world.intents,
    world.charges,
  ])
    things.clear();
}

/** Throws for a customer that never existed; deleted customers keep their records. */
export function requireCustomer(world: World, id: string | undefined): void {
  if (id !== undefined && !world.customers.has(id)) throw missing('customer', id, 400);
}

function detach(world: World, card: Card): object {
  const customer = livingCustomer(world, card.customerId ?? undefined, 400);
  card.customerId = null;
  if (customer.defaultCardId === card.id) customer.defaultCardId = null;
  for (const subscription of world.subscriptions.values())
    if (subscription.cardId === card.id) subscription.cardId = null;
  tell(world, 'payment_method.detached', cardObject(card), { customer: customer.id });
  return cardObject(card);
}

export const customerEndpoints: Record<string, Endpoint> = {
  'GET /v1/customers': {
    takes: ['email', 'limit'],
    answer: (world, { form }) => {
      const found = [...world.customers.values()].filter(({ email }) => email === textAt(form, 'email'));
      const show = (customer: Customer) => customerObject(world, customer);
      return pageAnswer(found, form, { what: 'customer', url: '/v1/customers', show });
    },
  },
  'POST /v1/customers': {
    takes: ['metadata.account_id', 'email', 'name'],
    answer: (world, { form }) => {
      const customer: Customer = {
        id: newId(world, 'cus'),
        created: presentIn(world),
        email: textAt(form, 'email') ?? null,
        name: textAt(form, 'name') ?? null,
        metadata: { account_id: textAt(form, 'metadata.account_id') ?? '' },
        defaultCardId: null,
        percentOff: 0,
        isDeleted: false,
      };
      world.customers.set(customer.id, customer);
      return customerObject(world, customer);
    },
  },
  'GET /v1/customers/:id': {
    answer: (world, { ids: [id], wants }) => {
      const customer = named(world.customers, id, 'customer');
      return customer.isDeleted ? { id, object: 'customer', deleted: true } : customerObject(world, customer, wants);
    },
  },
  'POST /v1/customers/:id': {
    takes: ['email', 'name', 'invoice_settings.default_payment_method'],
    answer: (world, { ids: [id], form, wants }) => {
      const customer = livingCustomer(world, id);
      const { email = customer.email, name = customer.name } = form;
      Object.assign(customer, { email, name: name === '' ? null : name });
      const cardId = textAt(form, 'invoice_settings.default_payment_method');
      if (cardId !== undefined) customer.defaultCardId = cardOfCustomer(world, customer.id, cardId).id;
      return customerObject(world, customer, wants);
    },
  },
  'DELETE /v1/customers/:id': { answer: (world, { ids: [id] }) => remove(world, livingCustomer(world, id)) },
  'GET /v1/customers/:id/payment_methods': {
    takes: ['type', 'limit'],
    answer: (world, { ids: [id], form, wants }) => {
      wordAt(form, 'type', ['card']);
      expansions(wants, 'list', []);
      const customer = livingCustomer(world, id);
      const kept = [...world.cards.values()].filter(({ customerId }) => customerId === customer.id);
      return listOf(kept.toReversed().map(cardObject), `/v1/customers/${customer.id}/payment_methods`);
    },
  },
  'GET /v1/customers/:id/payment_methods/:id': {
    answer: (world, { ids: [id, cardId] }) => cardObject(cardOfCustomer(world, livingCustomer(world, id).id, cardId)),
  },
  'POST /v1/payment_methods/:id/detach': {
    answer: (world, { ids: [id] }) => detach(world, named(world.cards, id, 'payment_method')),
  },
  'POST /v1/setup_intents': {
    takes: [
      'customer',
      'usage',
      'automatic_payment_methods.enabled',
      'automatic_payment_methods.allow_redirects',
      'allowed_payment_method_types[]',
    ],
    answer: (world, { form }) => {
      wordAt(form, 'usage', ['off_session']);
      wordAt(form, 'automatic_payment_methods.allow_redirects', ['never']);
      wordAt(form, 'allowed_payment_method_types.0', ['card']);
      return intentObject(world, newIntent(world, 'setup', livingCustomer(world, textAt(form, 'customer'), 400).id));
    },
  },
};
