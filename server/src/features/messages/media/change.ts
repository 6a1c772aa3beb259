import { sql } from 'kysely';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { pictureModerator, rememberImageHash } from '../../media/public.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import type { StoredPhoto } from '../tables.ts';
import type { MessageRow } from '../views.ts';

interface MediaPlace {
  conversationId: string;
  seq: number;
  mediaId: string;
}

/** Changes what a message repeats of one of its photos; returns the message, or undefined if it was deleted. */
export async function changeMedia(
  tx: Db,
  { conversationId, seq, mediaId }: MediaPlace,
  change: Partial<StoredPhoto>,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    update message set media = (
      select jsonb_agg(case when one ->> 'id' = ${mediaId} then one || ${JSON.stringify(change)}::jsonb else one end order by n)
      from jsonb_array_elements(media) with ordinality as of_message (one, n))
    where conversation_id = ${conversationId}::uuid and seq = ${seq}::int and media is not null returning *`.execute(
    tx,
  );
  return rows[0];
}

/**
 * Asks the operator's automatic check about a photo, which may have been sent and opened by then. One that it blocks is withdrawn and
 * refused from now on, and one in which it finds something is covered for its receiver.
 */
export async function checkMedia(deps: Deps, id: string): Promise<void> {
  await check(deps, id);
  await deps.db.updateTable('message_media').set({ check_due_since: null }).where('id', '=', id).execute();
}

async function check(deps: Deps, id: string): Promise<void> {
  const moderator = pictureModerator(deps);
  const file = await deps.db.selectFrom('message_media').selectAll().where('id', '=', id).executeTakeFirst();
  if (moderator === null || file === undefined || (file.withdrawn_at !== null && file.opened_at === null)) return;
  const bytes = await deps.storage.get(`${file.object_key}.large`);
  if (bytes === null) return;
  const { verdict, labels } = await moderator.check(bytes);
  const isBlocked = verdict === 'block';
  if (!isBlocked && (labels.length === 0 || verdict === 'allow')) return;
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<{ conversation_id: string; seq: number | null }>`
      update message_media set labels = labels || ${labels}::text[],
        withdrawn_at = case when ${isBlocked} then coalesce(withdrawn_at, ${now}) else withdrawn_at end
      where id = ${id} and (withdrawn_at is null or opened_at is not null) returning conversation_id, seq`.execute(tx);
    const [sent] = rows;
    if (isBlocked && file.dhash !== null) await rememberImageHash(tx, BigInt(file.dhash), now);
    if (sent === undefined || sent.seq === null) return;
    const { conversation_id: conversationId, seq } = sent;
    await changeMedia(tx, { conversationId, seq, mediaId: id }, isBlocked ? { isRemoved: true } : { isCovered: true });
    await addJob(
      tx,
      'messages.announce',
      { conversationId, seq },
      { jobKey: `messages.announce ${conversationId} ${seq}` },
    );
  });
}
