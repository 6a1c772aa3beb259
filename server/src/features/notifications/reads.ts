import { sql, type RawBuilder } from 'kysely';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { listNotifications, NotificationKind, NotificationView } from '#contract/notifications.ts';
import { afterPlace, cutPage, readCursor } from '../../platform/db/page-cursor.ts';
import { countRows, type Db } from '../../platform/db/db.ts';
import { countLikers } from '../connections/public.ts';
import { type Reader, toPerson, usersByIds } from '../profiles/public.ts';

const countedMost = 100;

/**
 * A condition: the notification may still be shown — a match with a visible person, likes while there are any, a report or data export that exists.
 * `n` is the notification, `other` the person it is about.
 */
const visible = (accountId: string, isLiked: boolean): RawBuilder<unknown> => sql`
  notification n
    left join conversation c on n.kind in ('match', 'message') and c.id = n.subject_id
    left join directory other on other.is_shown
      and other.account_id = case when c.low_id = n.account_id then c.high_id else c.low_id end
    where n.account_id = ${accountId}::uuid
      and case n.kind
        when 'like' then ${isLiked}::boolean
        when 'export' then exists (select from data_export e where e.id = n.subject_id)
        when 'report' then exists (select from report r where r.id = n.subject_id and r.deleted_at is null)
        else c.ended_at is null and other.account_id is not null
      end`;

const listed = sql`n.kind <> 'message'`;

interface Row {
  id: string;
  kind: NotificationView['kind'];
  subject_id: string;
  at: Date;
  read_at: Date | null;
  user_id: string | null;
}

const usualLimit = 20;

/** A page of the caller's notifications, newest first; 400 for an invalid cursor. */
export async function notificationsPage(
  reader: Reader,
  { cursor, limit = usualLimit }: QueryOf<typeof listNotifications>,
): Promise<AnswerOf<typeof listNotifications>['data']> {
  const { db, caller } = reader;
  const after = readCursor(cursor);
  const isLiked = await isLikedNow(db, caller.accountId);
  const found = await sql<Row>`
    select n.id, n.kind, n.subject_id, n.at, n.read_at, other.account_id as user_id
    from ${visible(caller.accountId, isLiked)} and ${listed}
      ${afterPlace(after, sql`n.at`, sql`n.id`)}
    order by n.at desc, n.id desc limit ${limit + 1}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, (row) => row);
  return {
    notifications: await toViews(reader, rows),
    unread: await countVisible(db, caller.accountId, isLiked),
    nextCursor,
  };
}

/** The number of unread notifications, counted up to 100. */
export async function unreadNotifications(db: Db, accountId: string): Promise<number> {
  return await countVisible(db, accountId, await isLikedNow(db, accountId));
}

async function countVisible(db: Db, accountId: string, isLiked: boolean): Promise<number> {
  const unread = sql`${visible(accountId, isLiked)} and ${listed} and n.read_at is null`;
  return await countRows(db, unread, countedMost);
}

const isLikedNow = async (db: Db, accountId: string) => (await countLikers(db, accountId)) > 0;

/** The content of notifications by id: those that are visible and unread. */
export async function stillVisible(
  db: Db,
  accountId: string,
  ids: string[],
): Promise<{ id: string; kind: NotificationKind; subject_id: string }[]> {
  const { rows } = await sql<{ id: string; kind: NotificationKind; subject_id: string }>`
    select n.id, n.kind, n.subject_id from ${visible(accountId, await isLikedNow(db, accountId))}
      and n.id = any (${ids}::uuid[]) and n.read_at is null order by n.at`.execute(db);
  return rows;
}

async function toViews({ db, caller, now, pictures }: Reader, rows: Row[]): Promise<NotificationView[]> {
  const ids = rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id]));
  const users = ids.length === 0 ? [] : await usersByIds(db, ids);
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => {
    const user = byId.get(row.user_id ?? '');
    return {
      _id: row.id,
      kind: row.kind,
      at: row.at.toISOString(),
      isRead: row.read_at !== null,
      subjectId: row.kind === 'like' || row.kind === 'export' ? null : row.subject_id,
      user: user === undefined ? null : toPerson(user, caller, now, pictures),
    };
  });
}
