import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '#platform/db/schema.ts';
import { columnsOf, type Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { isHeld } from '../connections/public.ts';
import type { Numbering } from './numbering.ts';
import type { Openness } from './views.ts';

const columns = [
  'id',
  'low_id',
  'high_id',
  'last_seq',
  'low_read',
  'high_read',
  'low_sent',
  'high_sent',
  'opened_by',
  'is_answered',
  'began_at',
  'low_held',
  'high_held',
  'low_held_read',
  'high_held_read',
  'low_moved',
  'high_moved',
  'low_snoozed_until',
  'high_snoozed_until',
] as const;
type ConversationRow = Pick<Selectable<Database['conversation']>, (typeof columns)[number]>;

/** A conversation from one member's side. */
export interface OwnConversation extends ConversationRow, Openness {
  isLow: boolean;
  ownId: string;
  otherId: string;
  /** The last sequence number this side has read. */
  ownRead: number;
  /** How many messages this side has sent that were delivered, deleted ones included. */
  ownSent: number;
  /** How this side and the other number the messages. */
  ownNumbers: Numbering;
  otherNumbers: Numbering;
  /** Until when each side has snoozed the conversation; the time may be over. */
  ownSnoozedUntil: Date | null;
  otherSnoozedUntil: Date | null;
}

/** The conversation of an active match with a visible person; undefined for everything else, so that the cases can't be told apart. */
export async function openConversation(
  db: Db,
  accountId: string,
  matchId: string,
): Promise<OwnConversation | undefined> {
  return await selectConversation(db, accountId, matchId, {});
}

/**
 * Like `openConversation`, but also a conversation that ended with a goodbye to the member, whatever happens to the other person's profile
 * as long as the account exists.
 */
export async function readableConversation(
  db: Db,
  accountId: string,
  matchId: string,
): Promise<OwnConversation | undefined> {
  const open = await openConversation(db, accountId, matchId);
  if (open !== undefined) return open;
  return await selectConversation(db, accountId, matchId, {
    others: sql`(select id as account_id, false as shows_activity from account where leaving_since is null)`,
    isReadable: sql`exists (
      select from goodbye g where g.conversation_id = c.id and g.reader_id = ${accountId}::uuid)`,
  });
}

/**
 * The caller's conversation, locked until the transaction ends: concurrent writers, readers and unmatches wait. Throws 403 for staff, and
 * the same 404 for no match, an ended one, another member's, or a hidden person.
 */
export async function lockConversation(tx: Db, caller: Caller, matchId: string): Promise<OwnConversation> {
  requireMember(caller);
  const conversation = await lockOpenConversation(tx, caller.accountId, matchId);
  if (conversation === undefined) throw notFound();
  return conversation;
}

/** Like `openConversation`, locked as by `lockConversation`. */
export async function lockOpenConversation(
  tx: Db,
  accountId: string,
  matchId: string,
): Promise<OwnConversation | undefined> {
  return await selectConversation(tx, accountId, matchId, { lock: sql`for update of c` });
}

async function selectConversation(
  db: Db,
  accountId: string,
  matchId: string,
  {
    lock = sql``,
    others = sql`(select * from directory where is_shown)`,
    isReadable = sql`c.ended_at is null`,
  }: { lock?: RawBuilder<unknown>; others?: RawBuilder<unknown>; isReadable?: RawBuilder<unknown> },
): Promise<OwnConversation | undefined> {
  if (!isUuid(matchId)) return undefined;
  const { rows } = await sql<ConversationRow & Openness>`
    select ${columnsOf('c', columns)}, other.shows_activity and own.shows_activity as "sharesActivity"
    from conversation c
      join ${others} other on other.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
      join directory own on own.account_id = ${accountId}::uuid
    where c.id = ${matchId}::uuid and ${accountId}::uuid in (c.low_id, c.high_id) and ${isReadable}
    ${lock}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const isLow = row.low_id === accountId;
  const low = { held: row.low_held, moved: row.low_moved ?? [] };
  const high = { held: row.high_held, moved: row.high_moved ?? [] };
  return {
    ...row,
    isLow,
    ownId: accountId,
    otherId: isLow ? row.high_id : row.low_id,
    ownRead: isLow ? row.low_read : row.high_read,
    ownSent: isLow ? row.low_sent : row.high_sent,
    ownNumbers: isLow ? low : high,
    otherNumbers: isLow ? high : low,
    ownSnoozedUntil: isLow ? row.low_snoozed_until : row.high_snoozed_until,
    otherSnoozedUntil: isLow ? row.high_snoozed_until : row.low_snoozed_until,
  };
}

/** Whether the other side has ever written, so that the own side's messages no longer count as first messages. */
export const hasOtherWritten = ({ opened_by, is_answered, otherId }: OwnConversation): boolean =>
  is_answered || opened_by === otherId;

/**
 * Who may see that a member is typing in a match: the other person, unless one of the two hides when they were last active, or a held
 * account is writing what won't be delivered.
 */
export async function whoSeesTyping(db: Db, accountId: string, matchId: string): Promise<string | undefined> {
  const conversation = await openConversation(db, accountId, matchId);
  if (conversation?.sharesActivity !== true) return undefined;
  return conversation.last_seq === 0 && (await isHeld(db, accountId)) ? undefined : conversation.otherId;
}
