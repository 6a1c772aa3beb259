import { sql } from 'kysely';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { ConversationView, listConversations, listMessages } from '#contract/messages.ts';
import { isUuid, type Caller } from '../../platform/session/caller.ts';
import { isStorableMoment } from '../../platform/process/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { toPublicUser, usersByIds } from '../profiles/public.ts';
import { openConversation } from './queries.ts';
import { toMessageView, type MessageRow } from './views.ts';

const usualMessages = 50;
const countedMost = 100;

/** Messages of one of the caller's matches in order: the newest, or those after or before a sequence number; undefined for no match. */
export async function messagesPage(
  db: Db,
  caller: Caller,
  matchId: string,
  { after, before, limit = usualMessages }: QueryOf<typeof listMessages>,
): Promise<AnswerOf<typeof listMessages>['data'] | undefined> {
  const conversation = await openConversation(db, caller.accountId, matchId, false);
  if (conversation === undefined) return undefined;
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', matchId)
    .$if(after !== undefined, (query) => query.where('seq', '>', after ?? 0))
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  if (after === undefined) shown.reverse();
  const messages = shown.map((row) => toMessageView(row, caller.accountId));
  return {
    messages,
    lastSeq: Math.max(conversation.last_seq, messages.at(-1)?.seq ?? 0),
    hasMore: rows.length > limit,
  };
}

interface ListedRow {
  id: string;
  user_id: string;
  began_at: Date;
  last_at: Date;
  last_seq: number;
  unread: number;
}

export interface Place {
  at: Date;
  id: string;
}

const cursorOf = ({ last_at, id }: ListedRow) => Buffer.from(`${last_at.toISOString()} ${id}`).toString('base64url');

/** The list position in a cursor; null if it is invalid. */
export function placeOf(cursor: string): Place | null {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const moment = new Date(at);
  return isStorableMoment(moment) && isUuid(id) ? { at: moment, id } : null;
}

/** The caller's conversations with visible people, most recently active first. */
export async function conversationsPage(
  db: Db,
  caller: Caller,
  after: Place | null,
  limit: number,
  now: Date,
  views: PictureViews,
): Promise<AnswerOf<typeof listConversations>['data']> {
  const rows = await listed(db, caller.accountId, after, limit + 1, null);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    conversations: await toViews(db, caller, shown, now, views),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

/** One of the caller's conversations; undefined for any other. */
export async function conversationSeenBy(
  db: Db,
  caller: Caller,
  matchId: string,
  now: Date,
  views: PictureViews,
): Promise<ConversationView | undefined> {
  const rows = isUuid(matchId) ? await listed(db, caller.accountId, null, 1, matchId) : [];
  const [view] = await toViews(db, caller, rows, now, views);
  return view;
}

/** How many of the caller's conversations have unread messages, counted up to 100. */
export async function unreadConversations(db: Db, caller: Caller): Promise<number> {
  const side = (own: 'low' | 'high', other: 'low' | 'high') => sql`
    select c.id from conversation c
      join directory d on d.account_id = c.${sql.ref(`${other}_id`)} and d.is_shown
    where c.${sql.ref(`${own}_id`)} = ${caller.accountId}::uuid and c.ended_at is null
      and c.last_seq > c.${sql.ref(`${own}_read`)}
      and exists (select from message m where m.conversation_id = c.id and m.seq > c.${sql.ref(`${own}_read`)}
        and m.sender_id <> ${caller.accountId}::uuid and m.body is not null)`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      (${side('low', 'high')} limit ${countedMost}) union all (${side('high', 'low')} limit ${countedMost})
    ) counted`.execute(db);
  return Math.min(rows[0]?.count ?? 0, countedMost);
}

async function listed(
  db: Db,
  accountId: string,
  after: Place | null,
  limit: number,
  onlyId: string | null,
): Promise<ListedRow[]> {
  const side = (own: 'low' | 'high', other: 'low' | 'high') => sql`
    select c.id, c.${sql.ref(`${other}_id`)} as user_id, c.began_at, c.last_at, c.last_seq,
      c.${sql.ref(`${own}_read`)} as own_read
    from conversation c
    where c.${sql.ref(`${own}_id`)} = ${accountId}::uuid and c.ended_at is null
      ${onlyId === null ? sql`` : sql`and c.id = ${onlyId}::uuid`}
      ${after === null ? sql`` : sql`and (c.last_at < ${after.at} or (c.last_at = ${after.at} and c.id > ${after.id}::uuid))`}
      and exists (select from directory d where d.account_id = c.${sql.ref(`${other}_id`)} and d.is_shown)
    order by c.last_at desc, c.id limit ${limit}`;
  const { rows } = await sql<ListedRow>`
    select l.id, l.user_id, l.began_at, l.last_at, l.last_seq, (
      select count(*)::int from (
        select from message m where m.conversation_id = l.id and m.seq > l.own_read and m.sender_id = l.user_id
          and m.body is not null limit ${countedMost}
      ) counted) as unread
    from ((${side('low', 'high')}) union all (${side('high', 'low')})) l
    order by l.last_at desc, l.id limit ${limit}`.execute(db);
  return rows;
}

async function toViews(
  db: Db,
  caller: Caller,
  rows: ListedRow[],
  now: Date,
  views: PictureViews,
): Promise<ConversationView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ user_id }) => user_id);
  const [users, last] = await Promise.all([usersByIds(db, ids), lastMessages(db, rows)]);
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.flatMap((row) => {
    const user = byId.get(row.user_id);
    if (user === undefined) return [];
    const message = last.get(row.id);
    return [
      {
        _id: row.id,
        user: toPublicUser(user, caller, now, views),
        matchedAt: row.began_at.toISOString(),
        lastMessage: message === undefined ? null : toMessageView(message, caller.accountId),
        unread: row.unread,
      },
    ];
  });
}

async function lastMessages(db: Db, rows: ListedRow[]): Promise<Map<string, MessageRow>> {
  const { rows: messages } = await sql<MessageRow>`
    select m.* from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ last_seq }) => last_seq)}::int[]) as l (id, seq)
      join message m on m.conversation_id = l.id and m.seq = l.seq`.execute(db);
  return new Map(messages.map((message) => [message.conversation_id, message]));
}
