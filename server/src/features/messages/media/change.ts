import { type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import type { Deps } from '../../../deps.ts';
import { pictureModerator, rememberImageHash } from '../../media/public.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { StoredPhoto } from '#platform/db/json.ts';
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

interface Found {
  isBlocked: boolean;
  /** The reasons to cover it. */
  labels: string[];
}

const nothing: Found = { isBlocked: false, labels: [] };

/**
 * Sends a photo to the operator's automatic check. The photo may already have been sent and opened; until the check answers, it is covered
 * for its receiver. A photo that it blocks is withdrawn and refused from now on, and one in which it finds something stays covered. Throws
 * without an answer.
 */
export async function checkMedia(deps: Deps, { id }: { id: string }): Promise<void> {
  const file = await deps.db.selectFrom('message_media').selectAll().where('id', '=', id).executeTakeFirst();
  if (file === undefined) return;
  const moderator = pictureModerator(deps);
  const isGone = file.withdrawn_at !== null && file.opened_at === null;
  const bytes = moderator === null || isGone ? null : await deps.storage.get(`${file.object_key}.large`);
  const found = moderator === null || bytes === null ? nothing : foundBy(await moderator.check(bytes));
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (found.isBlocked && file.dhash !== null) await rememberImageHash(tx, null, file.dhash, now);
    await keepFound(tx, id, found, now);
  });
}

const foundBy = ({ verdict, labels }: { verdict: 'allow' | 'review' | 'block'; labels: string[] }): Found => ({
  isBlocked: verdict === 'block',
  labels: verdict === 'allow' ? [] : labels,
});

type CheckedRow = Selectable<Database['message_media']> & { was_due: boolean };

/** Stores the findings of the check in a photo and its message, and sends an event to open pages. */
async function keepFound(tx: Db, id: string, { isBlocked, labels }: Found, now: Date): Promise<void> {
  const { rows } = await sql<CheckedRow>`
    with before as (select check_due_since is not null as was_due from message_media where id = ${id} for update)
    update message_media set check_due_since = null, labels = labels || ${labels}::text[],
      withdrawn_at = case when ${isBlocked} then coalesce(withdrawn_at, ${now}) else withdrawn_at end
    from before where id = ${id} returning message_media.*, was_due`.execute(tx);
  const [file] = rows;
  const isNew = file?.was_due === true || isBlocked || labels.length > 0;
  if (file === undefined || file.seq === null || !isNew) return;
  const change: Partial<StoredPhoto> = {
    isUnchecked: false,
    ...(isBlocked ? { isRemoved: true } : labels.length > 0 && { isCovered: true }),
  };
  const { conversation_id: conversationId, seq } = file;
  if ((await changeMedia(tx, { conversationId, seq, mediaId: id }, change)) === undefined) return;
  const payload = { conversationId, seq };
  await addJob(tx, 'messages.announce', payload, { jobKey: `messages.announce ${conversationId} ${seq}` });
}
