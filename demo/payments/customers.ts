import { sql } from 'kysely';
import { isLost, Lost, type PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';
import { inStep, newId, type SandboxParts, underKey } from './parts.ts';
import { makeDefault } from './payments.ts';
import { cancelIntents, endSubscription } from './subscriptions.ts';

/** Customers and their cards. */
export const customerCommands = (parts: SandboxParts) =>
  ({
    ensureCustomer: ({ accountId, email, name }, key) =>
      underKey(parts, key, { command: 'ensureCustomer', accountId }, async (step) => {
        await step.all(sql`insert into sandbox.customer (id, account_id, email, name, created_at)
          values (${newId('cus')}, ${accountId}, ${email}, ${name}, ${step.at}) on conflict (account_id) do nothing`);
        const own = sql<{ id: string }>`select id from sandbox.customer where account_id = ${accountId}`;
        return (await step.first(own))?.id ?? '';
      }),

    async deleteCustomer(id) {
      try {
        await inStep(parts, async (step) => {
          for (const subscription of await step.lockWithSubscriptions(id))
            await endSubscription(step, subscription, 'canceled');
          await cancelIntents(step, sql`customer_id = ${id}`);
          await step.all(sql`delete from sandbox.payment_method where customer_id = ${id}`);
          await step.all(sql`update sandbox.customer set account_id = null, email = null, name = null, deleted_at = ${step.at}
            where id = ${id}`);
        });
      } catch (error) {
        if (!isLost(error, 'customer')) throw error;
      }
    },

    listPaymentMethods: (customerId) =>
      inStep(parts, async (step) => {
        const live = sql`select from sandbox.customer where id = ${customerId} and deleted_at is null`;
        if ((await step.first(live)) === undefined) throw new Lost('customer');
        return await step.all(
          sql`select id, brand, last4, exp_month as "expMonth", exp_year as "expYear", is_default as "isDefault"
            from sandbox.payment_method where customer_id = ${customerId} order by created_at, id`,
        );
      }),

    setDefaultPaymentMethod: (customerId, cardId) =>
      inStep(parts, async (step) => {
        const subscriptions = await step.lockWithSubscriptions(customerId);
        await makeDefault(step, await step.requireCard(customerId, cardId), subscriptions);
        for (const subscription of subscriptions) await step.emitSubscription('updated', subscription);
      }),

    removePaymentMethod: (customerId, cardId) =>
      inStep(parts, async (step) => {
        await step.lockWithSubscriptions(customerId);
        const card = await step.requireCard(customerId, cardId);
        await step.all(sql`delete from sandbox.payment_method where id = ${cardId}`);
        await step.emit('payment_method.detached', { ...card, subscription_id: null });
      }),
  }) satisfies Partial<PaymentProvider>;
