import type Stripe from 'stripe';
import { declineCode, entriesIn, flagIn, idIn, idOf, isMissing, textIn, UnreadableAnswer, wholeIn } from './api.ts';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import { Lost, PaymentError, type ProviderIntent, type ProviderPaymentMethod } from '../provider.ts';

interface Person {
  accountId: string;
  email: string;
  name: string | null;
}

const accountMark = 'account_id';

/**
 * The customer of an account. Stripe forgets a key after a day, so older customers are searched for. What is sent under a key must never
 * change, so a member with a new address is created with the first one.
 */
export async function ensureCustomer(stripe: Stripe, person: Person, idempotencyKey: string): Promise<string> {
  const known = await stripe.customers.list({ email: person.email, limit: 100 });
  const customer =
    entriesIn(known, 'customers').find(({ metadata }) => metadata[accountMark] === person.accountId) ??
    (await stripe.customers.create({ metadata: { [accountMark]: person.accountId } }, { idempotencyKey }));
  const id = idOf(customer, 'customer');
  const name = person.name ?? '';
  if (customer.email !== person.email || (customer.name ?? '') !== name)
    idOf(await stripe.customers.update(id, { email: person.email, name }), 'customer', id);
  return id;
}

/** Deletes a customer, which ends all their subscriptions; an unknown one isn't an error. */
export async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    flagIn((await stripe.customers.del(id)).deleted, 'deleted');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Whether its card can be set: Stripe refuses that before the first payment and after the end. */
const takesCard = ({ status }: Stripe.Subscription) => !/^(incomplete|incomplete_expired|canceled)$/.test(status);

function liveOf({ subscriptions }: Stripe.Customer): Stripe.Subscription[] {
  return entriesIn(subscriptions, 'subscriptions of a customer').filter(takesCard);
}

/** The cards of a customer; the default one is marked. */
export async function listCards(stripe: Stripe, customerId: string): Promise<ProviderPaymentMethod[]> {
  const [customer, methods] = await Promise.all([
    stripe.customers.retrieve(customerId, { expand: ['subscriptions'] }),
    stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }),
  ]);
  if (customer.deleted === true) throw new Lost('customer');
  const own = liveOf(customer).find(({ default_payment_method: method }) => method !== null);
  const paying = own?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const payingId = paying === null ? null : idIn(paying, 'default_payment_method');
  return entriesIn(methods, 'payment methods').map(({ id, card }) => ({
    id: textIn(id, 'id of a card'),
    brand: textIn(card?.brand, 'brand'),
    last4: textIn(card?.last4, 'last4'),
    expMonth: wholeIn(card?.exp_month, 'exp_month'),
    expYear: wholeIn(card?.exp_year, 'exp_year'),
    isDefault: id === payingId,
  }));
}

/** Makes a card the default of the customer and of all their subscriptions. */
export async function setDefaultCard(stripe: Stripe, customerId: string, cardId: string): Promise<void> {
  const customer = await stripe.customers.update(customerId, {
    invoice_settings: { default_payment_method: cardId },
    expand: ['subscriptions'],
  });
  // A subscription's own card takes precedence over the customer's.
  idOf(customer, 'customer', customerId);
  for (const { id } of liveOf(customer)) {
    const changed = await stripe.subscriptions.update(id, { default_payment_method: cardId });
    if (idIn(changed.default_payment_method, 'default_payment_method') !== cardId)
      throw new UnreadableAnswer('new default_payment_method');
  }
}

/** Removes a card of this customer. Rejects with `invalid` for another customer's card. */
export async function removeCard(stripe: Stripe, customerId: string, cardId: string): Promise<void> {
  idOf(await stripe.customers.retrievePaymentMethod(customerId, cardId), 'payment_method', cardId);
  idOf(await stripe.paymentMethods.detach(cardId), 'payment_method', cardId);
}

/** Starts to store a card. */
export async function beginSetup(
  stripe: Stripe,
  customer: string,
  idempotencyKey: string,
): Promise<{ clientSecret: string; setupIntentId: string }> {
  const setup = await stripe.setupIntents.create(
    {
      customer,
      usage: 'off_session',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      allowed_payment_method_types: ['card'],
    },
    { idempotencyKey },
  );
  return {
    clientSecret: textIn(setup.client_secret, 'client_secret'),
    setupIntentId: idOf(setup, 'setup_intent'),
  };
}

/** A payment or setup intent in our terms. Rejects with `invalid` for an unknown id. */
export async function readIntent(stripe: Stripe, id: string): Promise<ProviderIntent> {
  if (id.startsWith('pi_')) {
    const intent = await stripe.paymentIntents.retrieve(id);
    idOf(intent, 'payment_intent', id);
    return viewOfIntent(intent, 'payment', intent.last_payment_error);
  }
  if (!id.startsWith('seti_')) throw new PaymentError('invalid');
  const intent = await stripe.setupIntents.retrieve(id);
  idOf(intent, 'setup_intent', id);
  return viewOfIntent(intent, 'setup', intent.last_setup_error);
}

const statuses: Record<string, ProviderIntent['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'requires_action',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'canceled',
};

function viewOfIntent(
  intent: Stripe.PaymentIntent | Stripe.SetupIntent,
  kind: ProviderIntent['kind'],
  error: Stripe.PaymentIntent['last_payment_error'] | Stripe.SetupIntent['last_setup_error'],
): ProviderIntent {
  const status = statuses[intent.status];
  if (status === undefined) throw new UnreadableAnswer('status of an intent');
  const declined: PaymentErrorCode | null = error === null || status === 'succeeded' ? null : declineCode(error);
  const { payment_method: method } = intent;
  return {
    id: textIn(intent.id, 'id of an intent'),
    kind,
    customerId: idIn(intent.customer, 'customer of an intent'),
    status,
    declined,
    paymentMethodId: method === null ? null : idIn(method, 'payment_method of an intent'),
  };
}
