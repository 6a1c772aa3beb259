import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { forgetImageHash, rememberImageHash } from '../media/public.ts';
import { settleMessages } from './unread.ts';

/** A message as a report describes it; `otherId` is null once that account is deleted. */
interface ReportedMessage {
  senderId: string;
  otherId: string | null;
  seq: number;
  sentAt: Date | string;
  text: string;
}

/**
 * Hides a message from the other person because of a decision, and refuses its photos to its sender, who still sees it. Returns its
 * conversation, or undefined if the message has changed since it was reported, or is already deleted or removed. A different text does not
 * save the media sent with it.
 */
export async function hideMessage(
  tx: Db,
  { senderId, otherId, seq, sentAt, text }: ReportedMessage,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update message m set removed_at = ${now} from conversation c
    where c.id = m.conversation_id and c.low_id = least(${senderId}::uuid, ${otherId}::uuid)
      and c.high_id = greatest(${senderId}::uuid, ${otherId}::uuid) and m.sender_id = ${senderId}::uuid and m.seq = ${seq}
      and m.sent_at = ${sentAt}::timestamptz and (m.body = ${text} or m.body is not null and m.media is not null)
      and m.removed_at is null
    returning c.id`.execute(tx);
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  // So that they don't send them again.
  for (const dhash of await picturesOf(tx, id, seq)) await rememberImageHash(tx, senderId, dhash, now);
  if (otherId !== null) {
    await announceLater(tx, id, seq);
    await settleMessages(tx, otherId, id, now);
  }
  return id;
}

/** The hashes of the photos of a message. */
async function picturesOf(tx: Db, conversationId: string, seq: number): Promise<string[]> {
  const { rows } = await sql<{ dhash: string }>`
    select dhash from message_media
    where conversation_id = ${conversationId}::uuid and seq = ${seq}::int and dhash is not null order by dhash`.execute(
    tx,
  );
  return rows.map(({ dhash }) => dhash);
}

/** A message of this sender as `hideMessage` takes it, and whether it has media; undefined if there is none. */
export async function messageAt(
  tx: Db,
  senderId: string,
  conversationId: string,
  seq: number,
): Promise<(ReportedMessage & { otherId: string; hasMedia: boolean }) | undefined> {
  const { rows } = await sql<{ other_id: string; sent_at: Date; body: string; has_media: boolean }>`
    select case when c.low_id = m.sender_id then c.high_id else c.low_id end as other_id, m.sent_at, m.body,
      m.media is not null as has_media
    from message m join conversation c on c.id = m.conversation_id
    where c.id = ${conversationId}::uuid and m.seq = ${seq} and m.sender_id = ${senderId}::uuid and m.body is not null`.execute(
    tx,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { other_id: otherId, body: text, has_media: hasMedia } = row;
  return { senderId, otherId, seq, sentAt: row.sent_at, text, hasMedia };
}

/** Shows a message again that a decision had removed. */
export async function showMessage(tx: Db, conversationId: string, seq: number): Promise<void> {
  const { rows } = await sql<{ removed_at: Date }>`
    with hidden as (select removed_at from message
      where conversation_id = ${conversationId}::uuid and seq = ${seq}::int and removed_at is not null for update)
    update message set removed_at = null from hidden
    where conversation_id = ${conversationId}::uuid and seq = ${seq}::int returning hidden.removed_at`.execute(tx);
  for (const { removed_at } of rows)
    for (const dhash of await picturesOf(tx, conversationId, seq)) await forgetImageHash(tx, dhash, removed_at);
  await announceLater(tx, conversationId, seq);
}

/** After the commit, sends both people the message as they see it now. */
const announceLater = (tx: Db, conversationId: string, seq: number) =>
  addJob(tx, 'messages.announce', { conversationId, seq }, { jobKey: `messages.announce ${conversationId} ${seq}` });
