import { sql } from 'kysely';
import type { Reactions } from '../../events.ts';

/** Deletes the rows of deleted accounts that no foreign key covers. */
export const connectionReactions: Reactions = {
  // These rows contain ids of people without a foreign key, so that no write waits for a lock on their accounts.
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from block where blocked_id = any (${accountIds}::uuid[])`.execute(tx);
    await sql`delete from training_event
      where viewer_id = any (${accountIds}::uuid[]) or target_id = any (${accountIds}::uuid[])`.execute(tx);
  },
};
