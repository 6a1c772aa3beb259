import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { isDue, isHeld, type Release } from '../connections/public.ts';
import { mayContact } from '../profiles/public.ts';
import { lockOpenConversation, type OwnConversation } from './conversation.ts';
import { deliver } from './deliver.ts';
import { ownLastAt } from './seen.reads.ts';
import type { Numbering } from './numbering.ts';
import { isSnoozedAt } from './snooze.ts';

const releasedAtOnce = 200;

/**
 * Delivers the first messages that a hold withheld in conversations that are due. Each conversation has a separate transaction, so that the
 * work resumes where it was interrupted. Conversations with someone who is hidden for now wait.
 */
export async function releaseMessages(
  { db, emit, clock }: Pick<Deps, 'db' | 'emit' | 'clock'>,
  hold: Release,
): Promise<void> {
  const { id: holdId, account_id: accountId } = hold;
  // The time as text, exact to the microsecond.
  const held = pagesOf<{ id: string; at: string }>(async (after) => {
    const { rows } = await sql<{ id: string; at: string }>`
      select h.conversation_id as id, min(h.sent_at)::text as at from held_message h
        join conversation c on c.id = h.conversation_id and ${isShownIn(sql.ref('c'))}
      where h.sender_id = ${accountId}::uuid and h.hold_id = ${holdId}::uuid and not h.is_dropped
        and ${isDue(hold, sql`h.conversation_id`, clock.now())}
      group by 1
      having (min(h.sent_at), h.conversation_id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? accountId}::uuid)
      order by min(h.sent_at), 1 limit ${releasedAtOnce}`.execute(db);
    return rows;
  });
  const release = ({ id }: { id: string }) =>
    inTransaction(db, (tx) => releaseIn({ tx, deps: { emit }, now: clock.now() }, accountId, id));
  await eachInTurn(held, release, { round: 'holds.release messages', keyOf: ({ id }) => `${accountId} ${id}` });
}

/** A condition: both people of a conversation are among the members that others may see. */
const isShownIn = (conversation: RawBuilder<unknown>) => sql<boolean>`2 = (
  select count(*) from directory d where d.is_shown and d.account_id in (${conversation}.low_id, ${conversation}.high_id))`;

/** Whether the other side has written, or accepts first messages from the own side. */
const isWanted = async (tx: Db, { ownId, otherId, last_seq }: OwnConversation) =>
  last_seq > 0 || (await mayContact(tx, ownId, otherId));

/**
 * Drops the messages if the match has ended or the other person accepts none. Does nothing if one of the two is hidden, or the account is
 * held again.
 */
async function releaseIn(context: Emitting, accountId: string, id: string): Promise<void> {
  const { tx, now } = context;
  const conversation = await lockOpenConversation(tx, accountId, id);
  if (await isHeld(tx, accountId)) return;
  if (conversation !== undefined && (await isWanted(tx, conversation))) {
    const { ownSent } = await deliverHeld(tx, conversation, now);
    await emitFirst(context, conversation, ownSent > 0);
  } else
    await sql`update held_message h set is_dropped = true, hold_id = null from conversation c
      where h.sender_id = ${accountId}::uuid and h.conversation_id = ${id}::uuid and not h.is_dropped
        and c.id = h.conversation_id and (c.ended_at is not null or ${isShownIn(sql.ref('c'))})`.execute(tx);
}

/** What emitting an event needs. */
interface Emitting {
  tx: Db;
  deps: Pick<Deps, 'emit'>;
  now: Date;
}

/** Announces the first delivery from the own side in a conversation in which, until then, only the other side had written. */
export async function emitFirst(
  { tx, deps, now }: Emitting,
  before: OwnConversation,
  isDelivered: boolean,
): Promise<void> {
  const { id: conversationId, otherId: receiverId, ownSent, last_seq, ownNumbers, otherSnoozedUntil } = before;
  if (!isDelivered || ownSent > 0 || last_seq === 0 || ownNumbers.held === 0) return;
  const isQuiet = isSnoozedAt(otherSnoozedUntil, now);
  await deps.emit(tx, 'firstDelivered', { conversationId, receiverId, isQuiet, now });
}

/**
 * Delivers the own side's waiting messages. For the receiver they are written now, so that their time doesn't reveal the hold; their sender
 * keeps their time and place. The conversation is locked. Messages deleted meanwhile are dropped. Returns the conversation with the
 * delivered messages.
 */
export async function deliverHeld(tx: Db, conversation: OwnConversation, now: Date): Promise<OwnConversation> {
  const { id, ownId } = conversation;
  const waiting = await tx
    .selectFrom('held_message')
    .select(['n', 'client_id', 'body', 'media', 'reply_to', 'sent_at', 'edited_at'])
    .where('conversation_id', '=', id)
    .where('sender_id', '=', ownId)
    .where('is_dropped', '=', false)
    .orderBy('n')
    // A decision about the person may drop them at the same time.
    .forUpdate()
    .execute();
  if (waiting.length === 0) return conversation;
  const lastAt = await ownTime(tx, conversation);
  let current = conversation;
  /** The `seq` of delivered messages by their negative `n`, as in `reply_to`. */
  const places = new Map<number, number>();
  for (const { n, client_id: clientId, body: text, media, reply_to, sent_at, edited_at } of waiting) {
    const replyTo = reply_to !== null && reply_to < 0 ? (places.get(reply_to) ?? null) : reply_to;
    const row =
      text === null
        ? undefined
        : await deliver(tx, current, { clientId, text, media, replyTo, sentAt: now, isWatched: false });
    if (row === undefined) continue;
    places.set(-n, row.seq);
    await sql`update message set own_seq = ${n}, own_sent_at = ${sent_at}, edited_at = ${edited_at} where conversation_id = ${id}::uuid and seq = ${row.seq}`.execute(
      tx,
    );
    current = after(current, row.seq);
    const announced = { conversationId: id, seq: row.seq, isReleased: true };
    await addJob(tx, 'messages.announce', announced, { jobKey: `messages.announce ${id} ${row.seq}` });
  }
  return { ...current, ownNumbers: await keepPlaces(tx, conversation, { places, lastAt }) };
}

/** When something last happened in a conversation for the own side. */
async function ownTime(tx: Db, { id, ownId, isLow }: OwnConversation): Promise<Date | undefined> {
  const lastAtOf = await ownLastAt(tx, ownId);
  const { rows } = await sql<{ at: Date }>`
    select ${lastAtOf(isLow ? 'low' : 'high')} as at from conversation c where c.id = ${id}::uuid`.execute(tx);
  return rows[0]?.at;
}

/** A conversation after its own side has written a message. */
const after = (before: OwnConversation, seq: number): OwnConversation => ({
  ...before,
  last_seq: seq,
  ownSent: before.ownSent + 1,
  opened_by: before.opened_by ?? before.ownId,
  is_answered: before.is_answered || (before.opened_by !== null && before.opened_by !== before.ownId),
});

/**
 * Lets delivered messages keep the places of the held ones for their sender, and drops the rest. If all were delivered before anything else,
 * the places are the same for both. Returns the numbers of the own side.
 */
async function keepPlaces(
  tx: Db,
  before: OwnConversation,
  { places, lastAt }: { places: ReadonlyMap<number, number>; lastAt: Date | undefined },
): Promise<Numbering> {
  const { id, ownId, isLow, last_seq, ownRead, ownNumbers, low_held_read, high_held_read } = before;
  const own = sql`conversation_id = ${id}::uuid and sender_id = ${ownId}::uuid`;
  await sql`delete from held_message where ${own} and n = any (${[...places.keys()].map((n) => -n)}::int[])`.execute(
    tx,
  );
  await sql`update held_message set is_dropped = true where ${own} and not is_dropped`.execute(tx);
  for (const [place, seq] of places)
    await sql`update message set reply_to = ${seq} where ${own} and reply_to = ${place}`.execute(tx);
  if (places.size === 0) return ownNumbers;
  const isSame = last_seq === 0 && places.size === ownNumbers.held;
  if (isSame) await sql`update message set own_seq = null where ${own} and own_seq is not null`.execute(tx);
  const moved = isSame ? [] : [...ownNumbers.moved, ...places.values()];
  const held = isSame ? 0 : ownNumbers.held;
  // There was nothing but these messages to read.
  const read = isSame ? Math.min(places.size, isLow ? low_held_read : high_held_read) : ownRead;
  await tx
    .updateTable('conversation')
    .set(
      isLow
        ? { low_held: held, low_moved: moved, low_read: read, low_last_at: lastAt }
        : { high_held: held, high_moved: moved, high_read: read, high_last_at: lastAt },
    )
    .where('id', '=', id)
    .execute();
  return { held, moved };
}
