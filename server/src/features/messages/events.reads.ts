import { sql } from 'kysely';
import type { EmittedEvent } from '#contract/realtime.ts';
import { countOf, type Db } from '#platform/db/db.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { type MatchNotes, notesOf } from '../connections/public.ts';
import { toPerson, toPublicUser, userColumns, type UserRow, userTables } from '../profiles/public.ts';
import { numbersOf, unreadMessages } from './reads.ts';
import { lastSeen } from './seen.reads.ts';
import { shownSnooze } from './snooze.ts';
import { unreadCountedMost, unreadOf } from './unread.ts';
import { type MessageRow, toMessageView } from './views.ts';

/** A conversation that a member sees: the match still exists, and the other person is visible. */
const seenBy = (accountId: string, matchId: string) => sql`
  conversation c join directory d on d.is_shown
    and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
  where c.id = ${matchId}::uuid and ${accountId}::uuid in (c.low_id, c.high_id) and c.ended_at is null`;

type LastMessage = MessageRow | { [Column in keyof MessageRow]: null };

type MatchRow = UserRow &
  MatchNotes &
  LastMessage & {
    began_at: Date;
    own_held: number;
    own_moved: number[] | null;
    own_snoozed_until: Date | null;
    unread: number;
    /** Whether the reader of the event shows when they were last active. */
    isOpen: boolean;
  };

/** The rows of a match in a member's lists; null unless the member sees the match and may read the lists. */
export async function matchEvent(
  db: Db,
  accountId: string,
  matchId: string,
  { now, pictures }: { now: Date; pictures: PictureViews },
): Promise<EmittedEvent | null> {
  const own = sql`${accountId}::uuid`;
  const { rows } = await sql<MatchRow>`
    select ${userColumns}, l.*, c.began_at, c.own_held, c.own_moved, c.own_snoozed_until, c.unread, v.show_last_active as "isOpen", ${notesOf(own, sql`c.other_id`)}
    from (
        select c.id, c.began_at, c.last_seq, case when c.low_id = ${own} then c.low_held else c.high_held end as own_held,
          case when c.low_id = ${own} then c.low_moved else c.high_moved end as own_moved,
          case when c.low_id = ${own} then c.low_snoozed_until else c.high_snoozed_until end as own_snoozed_until,
          d.account_id as other_id, ${unreadMessages(
            sql`c.id`,
            sql`case when c.low_id = ${own} then c.low_read else c.high_read end`,
            sql`d.account_id`,
          )} as unread
        from ${seenBy(accountId, matchId)}
      ) c
      join (select p.show_last_active from account o join profile p on p.account_id = o.id and p.complete
        where o.id = ${own} and o.email_verified_at is not null and o.staff_role is null) v on true
      join (${userTables}) on a.id = c.other_id
      left join message l on l.conversation_id = c.id and l.seq = c.last_seq`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const viewer = { accountId, staffRole: null, showLastActive: row.isOpen };
  const matchedAt = row.began_at;
  const sharesActivity = row.isOpen && row.show_last_active;
  const isLast = row.seq !== null && row.own_held === 0;
  const lastMessage = isLast ? row : (await lastSeen(db, accountId, [matchId]))[0];
  const match = {
    _id: matchId,
    user: toPerson(row, viewer, now, pictures),
    matchedAt,
    myNote: row.my_note,
    theirNote: row.their_note,
  };
  const conversation = {
    _id: matchId,
    user: toPublicUser(row, viewer, now, pictures),
    matchedAt,
    lastMessage:
      lastMessage === undefined
        ? null
        : toMessageView(lastMessage, accountId, { sharesActivity, numbers: numbersOf(row), pictures, now }),
    unread: row.unread,
    ...shownSnooze(row.own_snoozed_until, now),
  };
  return { kind: 'match', matchId, rows: { match, conversation } };
}

/** The end of a match for a member; null if they still see it, because only they are hidden. */
export async function matchEndedEvent(
  db: Db,
  accountId: string,
  matchId: string,
  now: Date,
): Promise<EmittedEvent | null> {
  const { rows } = await sql<{ unread: number; isSeen: boolean }>`
    select ${countOf(unreadOf(accountId, now), unreadCountedMost)} as unread,
      exists (select from ${seenBy(accountId, matchId)}) as "isSeen"`.execute(db);
  const [row] = rows;
  return row === undefined || row.isSeen ? null : { kind: 'matchEnded', matchId, unreadConversations: row.unread };
}
