import { sql } from 'kysely';
import type { Reactions } from '../../events.ts';

export const subscriptionReactions: Reactions = {
  // A job ends their subscriptions at the provider.
  async accountsEnding(tx, { accountIds }) {
    await sql`insert into customer_cleanup (customer_id, provider)
      select customer_id, provider from payment_customer where account_id = any (${accountIds}::uuid[])
      on conflict do nothing`.execute(tx);
  },
};
