import { sql } from 'kysely';
import type { Reactions } from '../../events.ts';

/** Notifications of a match and of messages in it are deleted with the match. */
export const notificationReactions: Reactions = {
  async matchEnded(tx, { matchId }) {
    await sql`delete from notification where subject_id = ${matchId}::uuid`.execute(tx);
  },
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from notification where subject_id in (
      select id from match where low_id = any (${accountIds}::uuid[])
      union all select id from match where high_id = any (${accountIds}::uuid[]))`.execute(tx);
  },
};
