import { sql } from 'kysely';
import type { Reactions } from '../../events.ts';

/** Deletes the rows of ending accounts that no foreign key covers. */
export const connectionReactions: Reactions = {
  // These name people by ids without a foreign key, so that no write waits for them.
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from block where blocked_id = any (${accountIds}::uuid[])`.execute(tx);
    await sql`delete from training_event
      where viewer_id = any (${accountIds}::uuid[]) or target_id = any (${accountIds}::uuid[])`.execute(tx);
  },
};
