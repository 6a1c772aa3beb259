import { sql } from 'kysely';
import type { ContentKind, GivenContent } from '#contract/moderation/decision.ts';
import type { Db } from '../../../platform/db/db.ts';
import { invalid } from '../../../platform/http/app-error.ts';
import { isUuid } from '../../../platform/session/caller.ts';
import { putBackPicture, removePicture } from '../../media/public.ts';
import { hideMessage, showMessage } from '../../messages/public.ts';
import { lockProfile, type ProfileChange, updateProfile } from '../../profiles/public.ts';
import { promptsMax } from '#contract/profiles/profile-details.ts';
import { type FrozenCopy, readCopy } from '../reports/evidence.ts';

/** What a sanction removed: a part of a frozen copy, which keeps its text, and what is needed to find it again. */
export interface RemovedContent {
  evidenceId: string;
  type: ContentKind;
  key: string;
  /** The author had changed or deleted it before the decision, so nothing was removed. */
  isGone: boolean;
  /** It was to be put back, and the copy that kept its text was gone. */
  isLost?: boolean;
  /** Of a picture: the digest of its bytes and, where it was still there, its perceptual hash and state. */
  sha256?: string;
  dhash?: string;
  state?: 'approved' | 'pending';
  /** It may show a minor, or an authority reported it: no one is given a copy again, not even its owner. */
  isWithheld?: boolean;
  /** Of a message. */
  conversationId?: string;
}

const texts = { bio: 'bio', genderText: 'gender_text' } as const satisfies Record<string, keyof ProfileChange>;
const isText = (key: string): key is keyof typeof texts => Object.hasOwn(texts, key);

type ContentRef = Pick<GivenContent, 'type' | 'key'>;

/** The words of a part of a frozen copy; null for a picture, undefined where the copy has no such part. */
export function frozenText(copy: FrozenCopy, { type, key }: ContentRef) {
  switch (type) {
    case 'picture':
      return copy.pictures.some(({ id }) => id === key) ? null : undefined;
    case 'text':
      return (isText(key) && copy.profile?.[key]) || undefined;
    case 'prompt':
      return copy.profile?.details?.prompts.find(({ prompt }) => prompt === key)?.answer;
    case 'message':
      return messageIn(copy, key)?.text ?? undefined;
  }
}

const messageIn = ({ messages = [] }: FrozenCopy, key: string) =>
  messages.find(({ seq, by }) => String(seq) === key && by === 'reported');

const notThere = () => invalid('sanctions', 'Choose something of this person from the evidence');

/**
 * Takes a part of the evidence of a case away from everyone but its author, unless they have changed it since. 400 for what is not in
 * the evidence, or was removed already. The account must be locked.
 */
export async function removeContent(
  tx: Db,
  { caseId, accountId, reason }: { caseId: string; accountId: string; reason: string },
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
  if (copy === undefined || frozenText(copy, { type, key }) === undefined) throw notThere();
  const from = { accountId, otherId: evidence?.reporter_id ?? null, reason };
  const removed = await takeAway(tx, from, copy, { type, key }, now);
  if (removed.isGone && (await isHeld(tx, accountId, { type, key }, copy)))
    throw invalid('sanctions', 'This was removed already');
  return { evidenceId, type, key, ...removed };
}

async function takeAway(
  tx: Db,
  { accountId, otherId, reason }: { accountId: string; otherId: string | null; reason: string },
  copy: FrozenCopy,
  { type, key }: ContentRef,
  now: Date,
): Promise<Omit<RemovedContent, 'evidenceId' | 'type' | 'key'>> {
  const text = frozenText(copy, { type, key }) ?? null;
  if (type === 'picture') {
    const picture = await removePicture(tx, accountId, key, reason, now);
    const sha256 = copy.pictures.find(({ id }) => id === key)?.sha256 ?? '';
    if (picture === undefined) return { isGone: true, sha256 };
    const state = picture.state === 'approved' ? 'approved' : 'pending';
    return { isGone: false, sha256, dhash: picture.dhash, state };
  }
  if (type === 'message') {
    const sentAt = messageIn(copy, key)?.sentAt ?? '';
    const message = { senderId: accountId, otherId, seq: Number(key), sentAt, text: text ?? '' };
    const conversationId = await hideMessage(tx, message, now);
    return conversationId === undefined ? { isGone: true } : { isGone: false, conversationId };
  }
  const change = await withoutText(tx, accountId, { type, key }, text);
  if (change !== null) await updateProfile(tx, accountId, change);
  return { isGone: change === null };
}

/** Whether a sanction that holds removed the same thing: the same words in the same place, or the same picture or message. */
async function isHeld(tx: Db, accountId: string, { type, key }: ContentRef, copy: FrozenCopy): Promise<boolean> {
  const { rows } = await sql<{ content: string }>`
    select e.content from sanction s join report_evidence e on e.id = (s.content ->> 'evidenceId')::uuid
    where s.account_id = ${accountId}::uuid and s.revoked_at is null and not (s.content ->> 'isGone')::boolean
      and s.content ->> 'type' = ${type} and s.content ->> 'key' = ${key}`.execute(tx);
  // Sequence numbers are those of one conversation: the first message to everyone is the first.
  const sentAt = messageIn(copy, key)?.sentAt;
  return rows.some(({ content }) => {
    const other = readCopy(content);
    const isSameText = frozenText(other, { type, key }) === frozenText(copy, { type, key });
    return isSameText && (type !== 'message' || messageIn(other, key)?.sentAt === sentAt);
  });
}

/** The change that takes a text off a profile; null where the profile says something else by now. */
async function withoutText(tx: Db, accountId: string, { type, key }: ContentRef, text: string | null) {
  const profile = await lockProfile(tx, accountId);
  if (type === 'text') return isText(key) && profile[texts[key]] === text ? { [texts[key]]: null } : null;
  const { prompts = [] } = profile.details;
  const others = prompts.filter(({ prompt, answer }) => prompt !== key || answer !== text);
  return others.length < prompts.length ? { details: { ...profile.details, prompts: others } } : null;
}

/** The change that puts a text back; null where its author has written something else. */
async function withText(tx: Db, accountId: string, { type, key }: ContentRef, text: string) {
  const profile = await lockProfile(tx, accountId);
  if (type === 'text') return isText(key) && profile[texts[key]] === null ? { [texts[key]]: text } : null;
  const { prompts = [] } = profile.details;
  if (prompts.length >= promptsMax || prompts.some(({ prompt }) => prompt === key)) return null;
  const answered = { prompt: key as (typeof prompts)[number]['prompt'], answer: text };
  return { details: { ...profile.details, prompts: [...prompts, answered] } };
}

/** Whether another sanction that holds removed the same picture or message. */
async function isHeldElsewhere(tx: Db, accountId: string, { type, key, conversationId }: RemovedContent) {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select from sanction s where s.account_id = ${accountId}::uuid and s.revoked_at is null
      and not (s.content ->> 'isGone')::boolean and s.content ->> 'type' = ${type} and s.content ->> 'key' = ${key}
      and s.content ->> 'conversationId' is not distinct from ${conversationId ?? null}) as is_held`.execute(tx);
  return rows[0]?.is_held === true;
}

/**
 * Puts back what revoked sanctions removed, unless its author has filled the place, or wrote it again and another sanction holds.
 * Pictures and messages are still there. A text is only in the frozen copy: without it the sanction says that it is lost. Returns how
 * many are.
 */
export async function restoreContent(tx: Db, sanctionIds: readonly string[], now: Date): Promise<number> {
  const { rows } = await sql<{ id: string; account_id: string; content: RemovedContent; copy: string | null }>`
    select s.id, s.account_id, s.content, e.content as copy
    from sanction s left join report_evidence e on e.id = (s.content ->> 'evidenceId')::uuid
    where s.id = any (${sanctionIds}::uuid[]) and s.account_id is not null and not (s.content ->> 'isGone')::boolean
    order by s.id`.execute(tx);
  const lost: string[] = [];
  for (const { id, account_id: accountId, content, copy } of rows) {
    if (content.type === 'picture' || content.type === 'message') {
      if (!(await isHeldElsewhere(tx, accountId, content))) await showAgain(tx, accountId, content, now);
    } else if (copy === null) lost.push(id);
    else await rewrite(tx, accountId, content, readCopy(copy));
  }
  if (lost.length > 0)
    await sql`update sanction set content = content || '{"isLost": true}' where id = any (${lost}::uuid[])`.execute(tx);
  return lost.length;
}

async function showAgain(tx: Db, accountId: string, content: RemovedContent, now: Date): Promise<void> {
  if (content.type === 'message') return await showMessage(tx, content.conversationId ?? '', Number(content.key));
  await putBackPicture(tx, accountId, { id: content.key, state: content.state ?? 'pending' }, now);
}

async function rewrite(tx: Db, accountId: string, content: RemovedContent, copy: FrozenCopy): Promise<void> {
  const text = frozenText(copy, content);
  if (typeof text !== 'string' || (await isHeld(tx, accountId, content, copy))) return;
  const change = await withText(tx, accountId, content, text);
  if (change !== null) await updateProfile(tx, accountId, change);
}
