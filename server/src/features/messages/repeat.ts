import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { MissedAct } from '../auth/public.ts';
import { changeMedia } from './media/change.ts';

/** Repeats the deletion of a message or the opening of a photo, which the backup that was restored lacks. */
export async function repeatAct(tx: Db, { accountId, act, subject, at }: MissedAct): Promise<void> {
  if (act === 'messageDeleted') {
    const own = sql`sender_id = ${accountId}::uuid and client_id = ${subject.clientId} and deleted_at is null`;
    const gone = sql`body = null, media = null, deleted_at = ${at}`;
    await sql`
      with deleted as (select conversation_id, seq, body from message where ${own}),
      kept as (
        insert into message_trace (conversation_id, seq, replaced_at, body)
        select conversation_id, seq, ${at}, body from deleted where body is not null
      )
      update message_media f set withdrawn_at = coalesce(withdrawn_at, ${at}) from deleted d
      where f.conversation_id = d.conversation_id and f.seq = d.seq`.execute(tx);
    for (const table of ['message', 'held_message'])
      await sql`update ${sql.table(table)} set ${gone} where ${own}`.execute(tx);
  }
  if (act === 'photoOpened') {
    const { rows } = await sql<{ conversationId: string; seq: number }>`
      update message_media set opened_at = ${at}, withdrawn_at = coalesce(withdrawn_at, ${at})
      where id = ${subject.mediaId} and opened_at is null returning conversation_id as "conversationId", seq`.execute(
      tx,
    );
    // Its sender isn't notified now if they weren't then.
    for (const place of rows)
      await changeMedia(tx, { ...place, mediaId: subject.mediaId }, { isOpened: true, isOpenHidden: true });
  }
}
