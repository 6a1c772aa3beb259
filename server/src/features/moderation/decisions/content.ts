import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { GivenContent, RemovableText } from '#contract/moderation/decisions.ts';
import type { Db } from '#platform/db/db.ts';
import type { LedgerContent, RemovedContent } from '#platform/db/json.ts';
import { invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { putBackNote, removeNote } from '../../connections/public.ts';
import { putBackPicture, removePicture } from '../../media/public.ts';
import { hideMessage, messageAt, showMessage } from '../../messages/public.ts';
import {
  lockProfile,
  putBackPhotoVerified,
  removedTextHash,
  takePhotoVerified,
  textColumns,
  updateProfile,
} from '../../profiles/public.ts';
import { promptsMax } from '#contract/profiles/profile-details.ts';
import { type FrozenCopy, readCopy } from '../reports/evidence.ts';

const isText = (key: string): key is RemovableText => Object.hasOwn(textColumns, key);
/** Removing these kinds deletes the text, so that only the frozen copy contains it. */
const isDeleted = (type: RemovedContent['type']) => type === 'text' || type === 'prompt' || type === 'note';

type ContentRef = Pick<GivenContent, 'type' | 'key'>;
/** What a removal did to the content itself. */
type Taken = Pick<RemovedContent, 'isGone' | 'sha256' | 'dhash' | 'state' | 'conversationId' | 'pictureIds'>;

/** The text of a part of a frozen copy; null for a picture and the badge, undefined if the copy has no such part. */
export function frozenText(copy: FrozenCopy, { type, key }: ContentRef) {
  switch (type) {
    case 'picture':
      // Photos of messages go with their message.
      return copy.messages === undefined && copy.pictures.some(({ id }) => id === key) ? null : undefined;
    case 'text':
      return (isText(key) && copy.profile?.[key]) || undefined;
    case 'prompt':
      return copy.profile?.details?.prompts?.find(({ prompt }) => prompt === key)?.answer;
    case 'message':
      return messageIn(copy, key)?.text ?? undefined;
    case 'note':
      return copy.note?.likedAt === key ? copy.note.text : undefined;
    case 'badge':
      return copy.profile?.photoVerifiedAt === key ? null : undefined;
  }
}

const messageIn = ({ messages = [] }: FrozenCopy, key: string) =>
  messages.find(({ seq, by }) => String(seq) === key && by === 'reported');

const notThere = () => invalid('sanctions', msg`Choose something of this person from the evidence`);

/**
 * Hides a part of a case's evidence from everyone but its author, unless the author has changed it since. Throws 400 for a part that is not
 * in the evidence or was already removed. The account must be locked.
 */
export async function removeContent(
  tx: Db,
  { caseId, accountId, reason, addressKey }: Record<'caseId' | 'accountId' | 'reason' | 'addressKey', string>,
  { evidenceId, type, key }: GivenContent,
  now: Date,
): Promise<RemovedContent> {
  const evidence = isUuid(evidenceId)
    ? await tx
        .selectFrom('report_evidence')
        .innerJoin('report', 'report.id', 'report_id')
        .select(['content', 'reporter_id'])
        .where('report_evidence.id', '=', evidenceId)
        .where('case_id', '=', caseId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  const copy = evidence && readCopy(evidence.content);
  const text = copy && frozenText(copy, { type, key });
  if (copy === undefined || text === undefined) throw notThere();
  const otherId =
    copy.copiedFrom === undefined ? (evidence?.reporter_id ?? null) : await otherIn(tx, copy.copiedFrom, accountId);
  const from = { accountId, otherId, reason };
  const removed = await takeAway({ tx, now }, from, copy, { type, key });
  if (removed.isGone && (await isRemoved(tx, accountId, { type, key }, copy)))
    throw invalid('sanctions', msg`This was already removed`);
  const textHash = text === null ? {} : { textHash: removedTextHash(addressKey, accountId, text) };
  return { evidenceId, type, key, ...textHash, ...removed };
}

/** The other person of a report from which messages were copied; null if their account was deleted. */
async function otherIn(tx: Db, reportId: string, accountId: string): Promise<string | null> {
  const report = await tx
    .selectFrom('report')
    .select(['reporter_id', 'reported_id'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  return (report?.reported_id === accountId ? report.reporter_id : report?.reported_id) ?? null;
}

/** The transaction that removes content, and its time. */
type Removing = Pick<CommandContext, 'tx' | 'now'>;

async function takeAway(
  { tx, now }: Removing,
  { accountId, otherId, reason }: { accountId: string; otherId: string | null; reason: string },
  copy: FrozenCopy,
  { type, key }: ContentRef,
): Promise<Taken> {
  const text = frozenText(copy, { type, key }) ?? null;
  if (type === 'picture') {
    const sha256 = copy.pictures.find(({ id }) => id === key)?.sha256 ?? '';
    return { sha256, ...(await takePicture({ tx, now }, { accountId, id: key, reason })) };
  }
  if (type === 'badge') return await takeBadge(tx, accountId, key);
  if (type === 'message') {
    const sentAt = messageIn(copy, key)?.sentAt ?? '';
    const message = { senderId: accountId, otherId, seq: Number(key), sentAt, text: text ?? '' };
    const conversationId = await hideMessage(tx, message, now);
    return conversationId === undefined ? { isGone: true } : { isGone: false, conversationId };
  }
  return await takeText(tx, accountId, { type, key }, (shown) => shown === text);
}

async function takePicture(context: Removing, given: Record<'accountId' | 'id' | 'reason', string>): Promise<Taken> {
  const picture = await removePicture(context, given);
  if (picture === undefined) return { isGone: true };
  const state = picture.state === 'approved' ? 'approved' : 'pending';
  return { isGone: false, sha256: picture.sha256.toString('hex'), dhash: picture.dhash, state };
}

async function takeBadge(tx: Db, accountId: string, givenAt: string): Promise<Taken> {
  const pictureIds = await takePhotoVerified(tx, accountId, givenAt);
  return pictureIds === null ? { isGone: true } : { isGone: false, pictureIds };
}

async function takeText(tx: Db, accountId: string, from: ContentRef, isIt: (shown: string) => boolean): Promise<Taken> {
  if (from.type === 'note') return { isGone: !(await removeNote(tx, accountId, from.key, isIt)) };
  const change = await withoutText(tx, accountId, from, isIt);
  if (change !== null) await updateProfile(tx, accountId, change);
  return { isGone: change === null };
}

/** What the ledger stores about removed content. */
export const contentForLedger = ({
  evidenceId,
  type,
  key,
  textHash,
  conversationId,
  isWithheld,
}: RemovedContent): LedgerContent => ({
  ...{ evidenceId, type, key },
  ...(textHash !== undefined && { textHash }),
  ...(conversationId !== undefined && { conversationId }),
  ...(isWithheld !== undefined && { isWithheld }),
});

/** Removes content again from a restored database, unless something else has replaced it. */
export async function repeatRemoval(
  tx: Db,
  { accountId, reason, addressKey }: Record<'accountId' | 'reason' | 'addressKey', string>,
  content: LedgerContent,
  now: Date,
): Promise<RemovedContent> {
  const { type, key, textHash, conversationId } = content;
  const isIt = (shown: string) => removedTextHash(addressKey, accountId, shown) === textHash;
  if (type === 'picture') return { ...content, ...(await takePicture({ tx, now }, { accountId, id: key, reason })) };
  if (type === 'badge') return { ...content, ...(await takeBadge(tx, accountId, key)) };
  if (type !== 'message') return { ...content, ...(await takeText(tx, accountId, { type, key }, isIt)) };
  const message = conversationId && (await messageAt(tx, accountId, conversationId, Number(key)));
  const isIts = message && (message.hasMedia || isIt(message.text));
  const isHidden = isIts && (await hideMessage(tx, message, now)) !== undefined;
  return { ...content, isGone: isHidden !== true };
}

/** Whether a sanction in force removed the same content: the same text in the same place, or the same picture or message. */
async function isRemoved(tx: Db, accountId: string, { type, key }: ContentRef, copy: FrozenCopy): Promise<boolean> {
  const { rows } = await sql<{ content: string }>`
    select e.content from sanction s join report_evidence e on e.id = (s.content ->> 'evidenceId')::uuid
    where s.account_id = ${accountId}::uuid and s.revoked_at is null and not (s.content ->> 'isGone')::boolean
      and s.content ->> 'type' = ${type} and s.content ->> 'key' = ${key}`.execute(tx);
  // Sequence numbers belong to one conversation: the first message to everyone has number 1.
  const sentAt = messageIn(copy, key)?.sentAt;
  return rows.some(({ content }) => {
    const other = readCopy(content);
    const isSameText = frozenText(other, { type, key }) === frozenText(copy, { type, key });
    return isSameText && (type !== 'message' || messageIn(other, key)?.sentAt === sentAt);
  });
}

/** The change that removes text from a profile; null if the profile contains something else. */
async function withoutText(tx: Db, accountId: string, { type, key }: ContentRef, isIt: (shown: string) => boolean) {
  const profile = await lockProfile(tx, accountId);
  if (type === 'text')
    return isText(key) && isIt(profile[textColumns[key]] ?? '') ? { [textColumns[key]]: null } : null;
  const { prompts = [] } = profile.details;
  const others = prompts.filter(({ prompt, answer }) => prompt !== key || !isIt(answer));
  return others.length < prompts.length ? { details: { ...profile.details, prompts: others } } : null;
}

/** The change that restores removed text; null if its author has written something else. */
async function withText(tx: Db, accountId: string, { type, key }: ContentRef, text: string) {
  const profile = await lockProfile(tx, accountId);
  if (type === 'text') return isText(key) && profile[textColumns[key]] === null ? { [textColumns[key]]: text } : null;
  const { prompts = [] } = profile.details;
  if (prompts.length >= promptsMax || prompts.some(({ prompt }) => prompt === key)) return null;
  const answered = { prompt: key, answer: text };
  return { details: { ...profile.details, prompts: [...prompts, answered] } };
}

/** Whether another sanction in force removed the same picture, message or text; the copy of the text may have been deleted. */
async function isHeldElsewhere(tx: Db, accountId: string, { type, key, conversationId, textHash }: RemovedContent) {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select from sanction s where s.account_id = ${accountId}::uuid and s.revoked_at is null
      and not (s.content ->> 'isGone')::boolean and s.content ->> 'type' = ${type} and s.content ->> 'key' = ${key}
      and s.content ->> 'conversationId' is not distinct from ${conversationId ?? null}
      and (not ${isDeleted(type)}::boolean or s.content ->> 'textHash' = ${textHash ?? null})) as is_held`.execute(tx);
  return rows[0]?.is_held === true;
}

/**
 * Restores what revoked sanctions removed, unless its author has replaced it, or wrote it again and another sanction is in force. Pictures
 * and messages still exist. Other texts are only in the frozen copy: without it, the sanction says that the text is lost. Returns how many
 * texts are lost.
 */
export async function restoreContent(tx: Db, sanctionIds: readonly string[], now: Date): Promise<number> {
  const { rows } = await sql<{
    id: string;
    account_id: string;
    content: RemovedContent;
    copy: string | null;
    reporter_id: string | null;
  }>`
    select s.id, s.account_id, s.content, e.content as copy, r.reporter_id
    from sanction s left join report_evidence e on e.id = (s.content ->> 'evidenceId')::uuid left join report r on r.id = e.report_id
    where s.id = any (${sanctionIds}::uuid[]) and s.account_id is not null and not (s.content ->> 'isGone')::boolean
    order by s.id`.execute(tx);
  const lost: string[] = [];
  for (const { id, account_id: accountId, content, copy, reporter_id } of rows) {
    const isKeptInCopy = isDeleted(content.type);
    if (isKeptInCopy && copy === null) lost.push(id);
    else if (await isHeldElsewhere(tx, accountId, content)) continue;
    else if (isKeptInCopy && copy !== null)
      await rewrite(tx, { accountId, otherId: reporter_id }, content, readCopy(copy));
    else await showAgain(tx, accountId, content, now);
  }
  if (lost.length > 0)
    await sql`update sanction set content = content || '{"isLost": true}' where id = any (${lost}::uuid[])`.execute(tx);
  return lost.length;
}

async function showAgain(tx: Db, accountId: string, content: RemovedContent, now: Date): Promise<void> {
  if (content.type === 'message') return await showMessage(tx, content.conversationId ?? '', Number(content.key));
  if (content.type === 'badge')
    return await putBackPhotoVerified(tx, accountId, { givenAt: content.key, pictureIds: content.pictureIds ?? [] });
  await putBackPicture(tx, accountId, { id: content.key, state: content.state ?? 'pending' }, now);
}

async function rewrite(
  tx: Db,
  { accountId, otherId }: { accountId: string; otherId: string | null },
  content: RemovedContent,
  copy: FrozenCopy,
): Promise<void> {
  const text = frozenText(copy, content);
  if (typeof text !== 'string' || (await isRemoved(tx, accountId, content, copy))) return;
  if (content.type === 'note')
    return await putBackNote(tx, { authorId: accountId, readerId: otherId, likedAt: content.key, text });
  const change = await withText(tx, accountId, content, text);
  if (change !== null) await updateProfile(tx, accountId, change);
}
