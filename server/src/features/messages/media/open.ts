import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { openPicture as openPictureCall } from '#contract/messages/message-media.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { recordAct } from '../../auth/public.ts';
import { lockConversation } from '../conversation.ts';
import { seqOf } from '../numbering.ts';
import type { StoredPhoto } from '#platform/db/json.ts';
import type { Written } from '../views.ts';
import { changeMedia } from './change.ts';

/**
 * Opens a photo that the caller received to view once, and withdraws it: its address works for a minute. Returns the address and the
 * message with the opened photo. Throws the same 404 for everything else, such as a second call, the sender's call, or a removed message.
 */
export async function openPicture(
  { tx, deps, caller, now }: CommandContext,
  { id, seq, picture }: ParamsOf<typeof openPictureCall> & BodyOf<typeof openPictureCall>,
): Promise<{ url: string; written: Written }> {
  const conversation = await lockConversation(tx, caller, id);
  const { otherId, ownNumbers, otherNumbers, sharesActivity } = conversation;
  if (!/^[1-9]\d{0,8}$/.test(seq)) throw notFound();
  const place = seqOf(ownNumbers, Number(seq));
  const { rows } = await sql<{ object_key: string }>`
    update message_media f set opened_at = ${now}, withdrawn_at = ${now}
    from message t
    where f.id = ${picture} and f.conversation_id = ${id}::uuid and f.seq = ${place}::int and f.account_id = ${otherId}::uuid
      and f.is_once and f.opened_at is null and f.withdrawn_at is null
      and t.conversation_id = f.conversation_id and t.seq = f.seq and t.body is not null and t.removed_at is null
    returning f.object_key`.execute(tx);
  const key = rows[0]?.object_key;
  if (key === undefined) throw notFound();
  await recordAct(tx, caller.accountId, { act: 'photoOpened', subject: { mediaId: picture } }, now);
  const opened: Partial<StoredPhoto> = { isOpened: true, ...(!sharesActivity && { isOpenHidden: true }) };
  const row = await changeMedia(tx, { conversationId: id, seq: place, mediaId: picture }, opened);
  if (row === undefined) throw notFound();
  const url = deps.mediaAddresses.forSet(caller.accountId, `opened ${picture}`, now, 'opened=1&')(key, 'large');
  const numbers = { senderNumbers: otherNumbers, otherNumbers: ownNumbers };
  return { url, written: { row, otherId: caller.accountId, sharesActivity, ...numbers, isChanged: true } };
}
