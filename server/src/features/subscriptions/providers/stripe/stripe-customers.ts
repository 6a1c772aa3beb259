import type Stripe from 'stripe';
import { isMissing } from './stripe-errors.ts';
import { entriesIn, flagIn, idOf } from './stripe-fields.ts';

interface Person {
  accountId: string;
  email: string;
  name: string | null;
}

const accountMark = 'account_id';

/**
 * The customer of an account. Stripe forgets a key after a day, so an older one is looked for; what is sent under the key is
 * the same for ever, so that a member with a new address still gets the first one.
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

/** Deletes a customer, which ends all they subscribed to; one that is not there is no error. */
export async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    flagIn((await stripe.customers.del(id)).deleted, 'deleted');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
