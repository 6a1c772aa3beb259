import { sql, type RawBuilder } from 'kysely';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import type { listNotifications, NotificationKind, NotificationView } from '#contract/notifications.ts';
import type { EmittedEvent } from '#contract/realtime.ts';
import { afterPlace, cutPage, readCursor } from '#platform/db/page-cursor.ts';
import { countOf, countRows, type Db } from '#platform/db/db.ts';
import type { ChangedNews } from '#platform/realtime/live-events.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { personColumns, type PersonRow, type Reader, toPerson, usersByIds, type Viewer } from '../profiles/public.ts';
import { mayBeShown } from './kinds.ts';

const countedMost = 100;

/** An account's notifications `n` that may still be shown, with the visible person `other` or the warning `w` they are about. */
const visible = (accountId: string): RawBuilder<unknown> => sql`
  notification n
    left join fraud_warning w on n.kind = 'warning' and w.id = n.subject_id
    left join date_plan plan on n.kind = 'date' and plan.id = n.subject_id
    left join conversation c on n.kind in ('match', 'message', 'date') and c.id = coalesce(plan.conversation_id, n.subject_id)
    left join directory other on other.is_shown and c.ended_at is null
      and other.account_id = case when c.low_id = n.account_id then c.high_id else c.low_id end
    where n.account_id = ${accountId}::uuid
      and ${mayBeShown(accountId)}`;

const listed = sql`n.kind <> 'message'`;

interface Row {
  id: string;
  kind: NotificationView['kind'];
  subject_id: string;
  at: Date;
  read_at: Date | null;
  user_id: string | null;
  people: number | null;
  warned_of: string | null;
  is_correction: boolean;
}

const rowColumns = sql`n.id, n.kind, n.subject_id, n.at, n.read_at, n.people, other.account_id as user_id,
  w.first_name as warned_of, w.corrected_at is not null as is_correction`;

const usualLimit = 20;

/** A page of the caller's notifications, newest first. Throws 400 for an invalid cursor. */
export async function notificationsPage(
  reader: Reader,
  { cursor, limit = usualLimit }: QueryOf<typeof listNotifications>,
): Promise<AnswerInput<typeof listNotifications>['data']> {
  const { db, caller } = reader;
  const after = readCursor(cursor);
  const found = await sql<Row>`
    select ${rowColumns} from ${visible(caller.accountId)} and ${listed}
      ${afterPlace(after, sql`n.at`, sql`n.id`)}
    order by n.at desc, n.id desc limit ${limit + 1}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, (row) => row);
  return {
    notifications: await toViews(reader, rows),
    unread: await unreadNotifications(db, caller.accountId),
    nextCursor,
  };
}

const unreadOf = (accountId: string) => sql`${visible(accountId)} and ${listed} and n.read_at is null`;

/** The number of unread notifications, counted up to 100. */
export const unreadNotifications = (db: Db, accountId: string): Promise<number> =>
  countRows(db, unreadOf(accountId), countedMost);

/** The reader of an event, and one of the notifications added together with the other person; null without one. */
interface NewsRow
  extends Pick<Viewer, 'staffRole' | 'showLastActive'>, Omit<Row, 'id' | 'user_id'>, Omit<PersonRow, 'id'> {
  unread: number;
  news_id: string | null;
  /** The notification about the other person. */
  id: string | null;
}

/** What is sent to an account's devices about changed notifications; null if the account may see none of them. */
export async function newsEvent(
  db: Db,
  accountId: string,
  { added, read }: ChangedNews,
  { now, pictures }: { now: Date; pictures: PictureViews },
): Promise<EmittedEvent | null> {
  const { rows } = await sql<NewsRow>`
    select ${countOf(unreadOf(accountId), countedMost)} as unread, v.staff_role as "staffRole", own.show_last_active as "showLastActive",
      n.id as news_id, n.kind, n.subject_id, n.at, n.read_at, n.people, n.warned_of, n.is_correction, ${personColumns}
    from account v join profile own on own.account_id = v.id
      left join (
        select ${rowColumns} from ${visible(accountId)} and ${listed} and n.id = any (${[...added]}::uuid[])
      ) n on true
      left join profile f on f.account_id = n.user_id
      left join presence r on r.account_id = n.user_id
    where v.id = ${accountId}::uuid
    order by n.at desc, n.id desc`.execute(db);
  const [first] = rows;
  const views = rows.flatMap(({ news_id, id, ...row }) => {
    if (news_id === null) return [];
    const user = id === null ? null : toPerson({ ...row, id }, { ...row, accountId }, now, pictures);
    return [toView({ ...row, id: news_id }, user)];
  });
  if (first === undefined || (added.size > 0 && views.length + read.size === 0)) return null;
  const shown = new Set(views.map(({ _id }) => _id));
  const changes = { added: views, read: [...read].filter((id) => !shown.has(id)), unread: first.unread };
  return { kind: 'news', changes };
}

type ShownNotification = Pick<Row, 'id' | 'subject_id' | 'people'> & { kind: NotificationKind };

/** The content of notifications by id, for those that are visible and unread. */
export async function stillVisible(db: Db, accountId: string, ids: string[]): Promise<ShownNotification[]> {
  const { rows } = await sql<ShownNotification>`
    select n.id, n.kind, n.subject_id, n.people from ${visible(accountId)}
      and n.id = any (${ids}::uuid[]) and n.read_at is null order by n.at`.execute(db);
  return rows;
}

async function toViews({ db, caller, now, pictures }: Reader, rows: Row[]) {
  const ids = rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id]));
  const users = ids.length === 0 ? [] : await usersByIds(db, ids);
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => {
    const user = byId.get(row.user_id ?? '');
    return toView(row, user === undefined ? null : toPerson(user, caller, now, pictures));
  });
}

const toView = (row: Omit<Row, 'user_id'>, user: ReturnType<typeof toPerson> | null) => ({
  _id: row.id,
  kind: row.kind,
  at: row.at,
  isRead: row.read_at !== null,
  subjectId: ['like', 'fit', 'export', 'verification', 'warning'].includes(row.kind) ? null : row.subject_id,
  user,
  ...(row.people !== null && { people: row.people }),
  ...(row.kind === 'warning' && { warning: { firstName: row.warned_of, isCorrection: row.is_correction } }),
});
