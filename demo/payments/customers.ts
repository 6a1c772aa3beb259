import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import {
  Lost,
  PaymentError,
  type PaymentProvider,
  type ProviderPaymentMethod,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { newId, sandboxNow, type SandboxParts, underKey } from './parts.ts';
import { emit, emitSubscription } from './events.ts';
import { makeDefault } from './payments.ts';
import { keptCard, lockWithSubscriptions } from './rows.ts';
import type { CardRow } from './tables.ts';
import { endSubscription } from './subscriptions.ts';

/** The customer of an account, created if missing, for any idempotency key. */
export function ensureCustomer(
  parts: SandboxParts,
  { accountId, email, name }: Parameters<PaymentProvider['ensureCustomer']>[0],
  key: string,
): Promise<string> {
  return underKey(parts, key, { command: 'ensureCustomer', accountId }, async (tx, now) => {
    await tx
      .insertInto('sandbox.customer')
      .values({ id: newId('cus'), account_id: accountId, email, name, created_at: now })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .execute();
    const { id } = await tx
      .selectFrom('sandbox.customer')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Ends all subscriptions of a customer and deletes their cards and personal data; does nothing for an unknown customer. */
export function deleteCustomer({ db, clock }: SandboxParts, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const customer = await tx
      .selectFrom('sandbox.customer')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (customer === undefined) return;
    const now = await sandboxNow(tx, clock);
    for (const subscription of await lockWithSubscriptions(tx, id)) {
      await endSubscription(tx, subscription, 'canceled', now);
    }
    await tx
      .updateTable('sandbox.intent')
      .set({ status: 'canceled', asked_about: null })
      .where('customer_id', '=', id)
      .where('status', 'in', ['open', 'requires_action'])
      .execute();
    await tx.deleteFrom('sandbox.payment_method').where('customer_id', '=', id).execute();
    await tx
      .updateTable('sandbox.customer')
      .set({ account_id: null, email: null, name: null, deleted_at: now })
      .where('id', '=', id)
      .execute();
  });
}

/** The cards of a customer, oldest first; `invalid` for an unknown customer. */
export async function listPaymentMethods(db: Db, customerId: string): Promise<ProviderPaymentMethod[]> {
  const customer = await db
    .selectFrom('sandbox.customer')
    .select('id')
    .where('id', '=', customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (customer === undefined) throw new Lost('customer');
  const cards = await db
    .selectFrom('sandbox.payment_method')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return cards.map(({ id, brand, last4, exp_month, exp_year, is_default }) => ({
    id,
    brand,
    last4,
    expMonth: exp_month,
    expYear: exp_year,
    isDefault: is_default,
  }));
}

/** Uses a card for future payments; `invalid` if it is not the customer's. */
export function setDefaultPaymentMethod(
  { db, clock }: SandboxParts,
  customerId: string,
  cardId: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const subscriptions = await lockWithSubscriptions(tx, customerId);
    const card = await requireCard(tx, customerId, cardId);
    await makeDefault(
      tx,
      card,
      subscriptions.map(({ id }) => id),
    );
    const now = await sandboxNow(tx, clock);
    for (const subscription of subscriptions) await emitSubscription(tx, 'updated', subscription, now);
  });
}

/** Deletes a card, even one in use; `invalid` if it is not the customer's. */
export function removePaymentMethod({ db, clock }: SandboxParts, customerId: string, cardId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    // A charge locks the subscription before the card, so take the locks in the same order to avoid a deadlock.
    await lockWithSubscriptions(tx, customerId);
    await requireCard(tx, customerId, cardId);
    await tx.deleteFrom('sandbox.payment_method').where('id', '=', cardId).execute();
    const about = { objectId: cardId, customerId, subscriptionId: null };
    await emit(tx, 'payment_method.detached', about, await sandboxNow(tx, clock));
  });
}

async function requireCard(tx: Db, customerId: string, cardId: string): Promise<CardRow> {
  const card = await keptCard(tx, customerId, cardId);
  if (card === undefined) throw new PaymentError('invalid');
  return card;
}
