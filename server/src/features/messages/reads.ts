import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import type { listConversations, listMessages } from '#contract/messages/messages.ts';
import { requireMember } from '#platform/session/caller.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import { cutPage, type PagePlace, readCursor } from '#platform/db/page-cursor.ts';
import { defaultPageLimit } from '#contract/constants.ts';
import { noDetails } from '#contract/profiles/profile-details.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { countOf, type Db } from '#platform/db/db.ts';
import { openingLikes, withUsers } from '../connections/public.ts';
import { type Reader, toPublicUser } from '../profiles/public.ts';
import { attachedTo } from './attached.reads.ts';
import { readableConversation } from './conversation.ts';
import { lastSeen, messagesBy, messagesSeenBy, ownLastAt } from './seen.reads.ts';
import { asksMeeting } from './meetings.ts';
import { exportedName } from './media/export.reads.ts';
import { numberOf, type Numbering, seqOf } from './numbering.ts';
import type { StoredMedia } from '#platform/db/json.ts';
import { isSnoozed, notSnoozed, shownSnooze } from './snooze.ts';
import { type MessageRow, toMessageView } from './views.ts';

const usualMessages = 50;
/** Larger than any number of a message. */
const beyondAll = 2_000_000_000;
const countedMost = 100;

/**
 * A page of a conversation, oldest first: the newest messages, or those after or before a sequence number. Throws 404 if it isn't the
 * caller's match, 403 for staff, 400 for both directions at once.
 */
export async function readHistory(
  { db, caller, pictures, now }: Reader,
  matchId: string,
  { after, before, limit = usualMessages }: QueryOf<typeof listMessages>,
): Promise<AnswerInput<typeof listMessages>['data']> {
  requireMember(caller);
  if (after !== undefined && before !== undefined) throw invalid('before', msg`Use either after or before`);
  const conversation = await readableConversation(db, caller.accountId, matchId);
  if (conversation === undefined) throw notFound();
  const { ownNumbers } = conversation;
  const place = ownNumbers.held === 0 ? sql`m.seq` : sql`m.place`;
  const isBeyond =
    after === undefined
      ? sql`${place} < ${before === undefined ? beyondAll : seqOf(ownNumbers, before)}::int`
      : sql`${place} > ${seqOf(ownNumbers, after)}::int`;
  const { rows } = await sql<MessageRow>`
    select m.* from ${messagesSeenBy(conversation)} where m.conversation_id = ${matchId}::uuid and ${isBeyond}
    order by ${place} ${after === undefined ? sql`desc` : sql``} limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  if (after === undefined) shown.reverse();
  const viewing = { sharesActivity: conversation.sharesActivity, numbers: ownNumbers, pictures, now };
  const attached = await attachedTo(db, matchId, shown);
  const messages = shown.map((row) => toMessageView(row, caller.accountId, viewing, attached.get(row.seq)));
  return {
    messages,
    lastSeq: Math.max(numberOf(ownNumbers, conversation.last_seq), messages.at(-1)?.seq ?? 0),
    hasMore: rows.length > limit,
  };
}

interface ListedRow {
  id: string;
  user_id: string;
  began_at: Date;
  last_at: Date;
  last_seq: number;
  own_held: number;
  own_moved: number[] | null;
  low_id: string;
  high_id: string;
  low_sent: number;
  high_sent: number;
  unread: number;
  own_snoozed_until: Date | null;
  otherShowsActivity: boolean;
  /** The name of the person who ended it with a goodbye. */
  is_ended: boolean;
  first_name: string | null;
}

/**
 * A page of the caller's conversations with visible people, most recently active first: the snoozed ones, or the others. Throws 403 for
 * staff, 400 for an invalid cursor.
 */
export async function readConversations(
  reader: Reader,
  { cursor, limit = defaultPageLimit, only }: QueryOf<typeof listConversations>,
): Promise<AnswerInput<typeof listConversations>['data']> {
  const { db, caller, now } = reader;
  requireMember(caller);
  const which = only === 'snoozed' ? isSnoozed : notSnoozed;
  const found = await listed(db, caller.accountId, {
    after: readCursor(cursor),
    limit: limit + 1,
    which: (until) => which(until, now),
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ last_at, id }) => ({ at: last_at, id }));
  return { conversations: await toViews(reader, rows), nextCursor };
}

/** One of the caller's conversations with the likes that led to it. Throws 404 for any other, 403 for staff. */
export async function readConversation(reader: Reader, matchId: string) {
  const { db, caller, now } = reader;
  requireMember(caller);
  const rows = await listed(db, caller.accountId, { limit: 1, which: () => sql`c.id = ${matchId}::uuid` });
  const [view] = await toViews(reader, rows);
  const [row] = rows;
  if (row === undefined || view === undefined) throw notFound();
  return {
    ...view,
    likes: await openingLikes(reader, view.user._id),
    asksMeeting:
      !row.is_ended && (await asksMeeting(db, caller.accountId, { ...row, ownNumbers: numbersOf(row) }, now)),
  };
}

/** How many messages someone sent in a conversation that the other person, who has read up to `ownRead`, hasn't read. */
export const unreadMessages = (id: RawBuilder<unknown>, ownRead: RawBuilder<unknown>, senderId: RawBuilder<unknown>) =>
  countOf(
    sql`message m where m.conversation_id = ${id} and m.seq > ${ownRead} and m.sender_id = ${senderId}
      and m.body is not null and m.removed_at is null`,
    countedMost,
  );

/** The member's conversations after a position in their list; `which` is a condition on conversation `c` and the end of its snooze. */
export async function listed(
  db: Db,
  accountId: string,
  {
    after = null,
    limit,
    which,
  }: { after?: PagePlace | null; limit: number; which: (snoozedUntil: RawBuilder<unknown>) => RawBuilder<unknown> },
): Promise<ListedRow[]> {
  const lastAtOf = await ownLastAt(db, accountId);
  const open = {
    from: sql`conversation c join directory d on d.is_shown`,
    isListed: sql`c.ended_at is null`,
    person: sql`d.shows_activity, null as first_name`,
  };
  // Only the existence of the account matters now, not the profile and its state.
  const ended = {
    from: sql`goodbye g join conversation c on c.id = g.conversation_id and g.reader_id = ${accountId}::uuid
      join (select id as account_id from account where leaving_since is null) d on true`,
    isListed: sql`c.ended_at is not null`,
    person: sql`false, g.first_name`,
  };
  const side = (own: 'low' | 'high', other: 'low' | 'high', { from, isListed, person }: typeof open) => {
    const lastAt = lastAtOf(own);
    return sql`
    select c.id, c.${sql.ref(`${other}_id`)} as user_id, c.began_at, ${lastAt} as last_at, c.last_seq, c.${sql.ref(`${own}_held`)} as own_held, c.${sql.ref(`${own}_moved`)} as own_moved,
      c.low_id, c.high_id, c.low_sent, c.high_sent, c.${sql.ref(`${own}_read`)} as own_read, c.${sql.ref(`${own}_snoozed_until`)} as own_snoozed_until,
      ${person}, c.ended_at is not null as is_ended
    from ${from}
    where c.${sql.ref(`${own}_id`)} = ${accountId}::uuid and d.account_id = c.${sql.ref(`${other}_id`)} and ${isListed}
      and ${which(sql.ref(`c.${own}_snoozed_until`))}
      ${after === null ? sql`` : sql`and (${lastAt} < ${after.at} or (${lastAt} = ${after.at} and c.id > ${after.id}::uuid))`}
    order by ${lastAt} desc, c.id limit ${limit}`;
  };
  const { rows } = await sql<ListedRow>`
    select l.id, l.user_id, l.began_at, l.last_at, l.last_seq, l.own_held, l.own_moved, l.low_id, l.high_id, l.low_sent, l.high_sent, l.own_snoozed_until,
      l.shows_activity as "otherShowsActivity", l.is_ended, l.first_name, ${unreadMessages(sql`l.id`, sql`l.own_read`, sql`l.user_id`)} as unread
    from ((${side('low', 'high', open)}) union all (${side('high', 'low', open)})
      union all (${side('low', 'high', ended)}) union all (${side('high', 'low', ended)})) l
    order by l.last_at desc, l.id limit ${limit}`.execute(db);
  return rows;
}

/** Conversations as their member sees them. */
export async function toViews({ db, caller, now, pictures }: Reader, rows: ListedRow[]) {
  if (rows.length === 0) return [];
  const last = await lastMessages(db, caller.accountId, rows);
  const open = rows.filter(({ is_ended }) => !is_ended);
  const people = new Map(
    await withUsers({ db }, open, (user, { id }) => [id, toPublicUser(user, caller, now, pictures)] as const),
  );
  return rows.flatMap((row) => {
    const user = row.is_ended ? endedWith(row) : people.get(row.id);
    if (user === undefined) return [];
    const message = last.get(row.id);
    const sharesActivity = caller.showLastActive && row.otherShowsActivity;
    return {
      _id: row.id,
      user,
      matchedAt: row.began_at,
      lastMessage:
        message === undefined
          ? null
          : toMessageView(message, caller.accountId, { sharesActivity, numbers: numbersOf(row), pictures, now }),
      unread: row.is_ended ? 0 : row.unread,
      ...(row.is_ended && { isEnded: true }),
      ...shownSnooze(row.own_snoozed_until, now),
    };
  });
}

/** Everything that is shown about a person who has ended the match. */
const endedWith = ({ user_id: _id, first_name }: ListedRow): PublicUser => ({
  ...{
    ...noDetails,
    _id,
    firstName: first_name,
    name: first_name,
    gender: null,
    genderText: null,
    age: null,
    bio: null,
  },
  ...{ location: null, isPhotoVerified: false, photoVerifiedAt: null, isOnline: null, lastActive: null },
  ...{ profilePicture: null, pictures: [], more_pictures: [] },
});

/** How the member numbers the messages of one of their conversations. */
export const numbersOf = ({
  own_held: held,
  own_moved: moved,
}: Pick<ListedRow, 'own_held' | 'own_moved'>): Numbering => ({
  held,
  moved: moved ?? [],
});

/** The newest message of each conversation that the member sees. */
async function lastMessages(db: Db, accountId: string, rows: ListedRow[]): Promise<Map<string, MessageRow>> {
  const { rows: messages } = await sql<MessageRow>`
    select m.* from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ last_seq }) => last_seq)}::int[]) as l (id, seq)
      join message m on m.conversation_id = l.id and m.seq = l.seq`.execute(db);
  const held = rows.filter(({ own_held }) => own_held > 0);
  const ownLast = await lastSeen(
    db,
    accountId,
    held.map(({ id }) => id),
  );
  return new Map([...messages, ...ownLast].map((message) => [message.conversation_id, message]));
}

interface OwnWords {
  /** The first name, if the two can still see each other. */
  to: string | null;
  sentAt: Date;
  editedAt: Date | null;
  /** Null if deleted. */
  text: string | null;
  /** The names of its files; absent if it has none. */
  files?: string[];
  /** When the message was sent that this one answers. */
  answered?: Date | null;
}

const exportedAtOnce = 500;

/** The messages that a member wrote (not those they received), for their data export, oldest first, in pages of some hundred. */
export async function* messagesData(db: Db, accountId: string): AsyncGenerator<OwnWords[]> {
  let after: { at: string; id: string; seq: number } = {
    at: '-infinity',
    id: '00000000-0000-0000-0000-000000000000',
    seq: 0,
  };
  for (;;) {
    const { rows } = await sql<OwnWords & { at: string; id: string; seq: number; media: StoredMedia[] | null }>`
      select p.first_name as "to", m.sent_at as "sentAt", m.edited_at as "editedAt", m.body as text,
        coalesce((select case when a.sender_id = ${accountId}::uuid then coalesce(a.own_sent_at, a.sent_at) else a.sent_at end
            from message a where a.conversation_id = m.conversation_id and a.seq = m.reply_to),
          (select h.sent_at from held_message h where h.conversation_id = m.conversation_id
            and h.sender_id = ${accountId}::uuid and h.n = -m.reply_to)) as answered,
        m.media, m.sent_at::text as at, m.conversation_id as id, m.seq
      from ${messagesBy(accountId)} join conversation c on c.id = m.conversation_id
        left join directory d on c.ended_at is null and d.is_shown
          and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
        left join profile p on p.account_id = d.account_id
      where m.sender_id = ${accountId}::uuid
        and (m.sent_at, m.conversation_id, m.seq) > (${after.at}::timestamptz, ${after.id}::uuid, ${after.seq}::int)
      order by m.sent_at, m.conversation_id, m.seq limit ${exportedAtOnce}`.execute(db);
    if (rows.length > 0)
      yield rows.map(({ at: _, id: __, seq: ___, media, answered, ...words }) => ({
        ...words,
        ...(answered != null && { answered }),
        ...(media !== null && { files: media.map(exportedName) }),
      }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < exportedAtOnce) return;
    after = last;
  }
}
