import { sql } from 'kysely';
import {
  isLost,
  Lost,
  PaymentError,
  type PaymentProvider,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { emit, emitSubscription } from './events.ts';
import { keptCard, newId, onCustomer, type SandboxParts, underKey } from './parts.ts';
import { makeDefault } from './payments.ts';
import { endSubscription } from './subscriptions.ts';
import { all, type CardRow, first } from './tables.ts';

async function requireCard(tx: Db, customerId: string, cardId: string): Promise<CardRow> {
  const card = await keptCard(tx, customerId, cardId);
  if (card === undefined) throw new PaymentError('invalid');
  return card;
}

/** Customers and their cards. */
export const customerCommands = (parts: SandboxParts) =>
  ({
    ensureCustomer: ({ accountId, email, name }, key) =>
      underKey(parts, key, { command: 'ensureCustomer', accountId }, async ({ tx, at }) => {
        await sql`insert into sandbox.customer (id, account_id, email, name, created_at)
          values (${newId('cus')}, ${accountId}, ${email}, ${name}, ${at}) on conflict (account_id) do nothing`.execute(
          tx,
        );
        const own = sql<{ id: string }>`select id from sandbox.customer where account_id = ${accountId}`;
        return (await first(tx, own))?.id ?? '';
      }),

    async deleteCustomer(id) {
      try {
        await onCustomer(parts, id, async (step, subscriptions) => {
          const { tx, at } = step;
          for (const subscription of subscriptions) await endSubscription(step, subscription, 'canceled');
          await sql`update sandbox.intent set status = 'canceled', asked_about = null
            where customer_id = ${id} and status in ('open', 'requires_action')`.execute(tx);
          await sql`delete from sandbox.payment_method where customer_id = ${id}`.execute(tx);
          await sql`update sandbox.customer set account_id = null, email = null, name = null, deleted_at = ${at}
            where id = ${id}`.execute(tx);
        });
      } catch (error) {
        if (!isLost(error, 'customer')) throw error;
      }
    },

    async listPaymentMethods(customerId) {
      const live = sql`select from sandbox.customer where id = ${customerId} and deleted_at is null`;
      if ((await first(parts.db, live)) === undefined) throw new Lost('customer');
      const own = sql<CardRow>`select * from sandbox.payment_method where customer_id = ${customerId} order by created_at, id`;
      return (await all(parts.db, own)).map(({ id, brand, last4, exp_month, exp_year, is_default }) => {
        return { id, brand, last4, expMonth: exp_month, expYear: exp_year, isDefault: is_default };
      });
    },

    setDefaultPaymentMethod: (customerId, cardId) =>
      onCustomer(parts, customerId, async (step, subscriptions) => {
        const card = await requireCard(step.tx, customerId, cardId);
        const ids = subscriptions.map(({ id }) => id);
        await makeDefault(step.tx, card, ids);
        for (const subscription of subscriptions) await emitSubscription(step, 'updated', subscription);
      }),

    removePaymentMethod: (customerId, cardId) =>
      onCustomer(parts, customerId, async (step) => {
        await requireCard(step.tx, customerId, cardId);
        await sql`delete from sandbox.payment_method where id = ${cardId}`.execute(step.tx);
        await emit(step, 'payment_method.detached', { objectId: cardId, customerId, subscriptionId: null });
      }),
  }) satisfies Partial<PaymentProvider>;
