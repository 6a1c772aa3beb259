import { sql } from 'kysely';
import type { Reactions } from '../../events.ts';

export const messageReactions: Reactions = {
  async matched(tx, { matchId }) {
    await sql`/* prepared */
      insert into conversation (id, low_id, high_id, began_at, last_at)
      select id, low_id, high_id, matched_at, matched_at from match where id = ${matchId}::uuid`.execute(tx);
  },
  // The conversation stays for a while, so that what was written can still be reported.
  async matchEnded(tx, { matchId, now }) {
    await sql`update conversation set ended_at = ${now} where id = ${matchId}::uuid`.execute(tx);
  },
};
