import { sql } from 'kysely';
import { type FixedKind, usualNotifications, type MailTime, type NotificationKind } from '#contract/notifications.ts';
import { secondsAfter } from '../process/clock.ts';
import type { Db } from '../db/db.ts';
import { addJob } from '../jobs/jobs.ts';

/** A notification for an account. */
export interface NewNotification {
  accountId: string;
  kind: NotificationKind;
  /** The id of its subject; the account itself if there is nothing to distinguish, as for likes. */
  subjectId: string;
  /** The number of people it is about, if it is shown. */
  people?: number;
}

/** How long an email waits in case the member sees the notification in the app first. */
const mailWaitsSeconds: Record<NotificationKind, number> = {
  message: 600,
  match: 120,
  like: 120,
  report: 0,
  date: 120,
  fit: 120,
};
/** A push notification waits until an open app has had time to show the notification. */
const pushWaitsSeconds = 5;

/**
 * Creates a notification in the running transaction. The app shows it immediately; depending on the member's settings,
 * it is also sent by push (a job) and by email (sent each minute when due). While it is unread, further notifications
 * about the same thing send no second email, except for reports and for new people who fit, whose numbers add up.
 */
export async function notify(tx: Db, { kind, ...one }: NewNotification, now: Date): Promise<void> {
  await notifyAll(tx, kind, [one], now);
}

/** Like `notify` for several notifications of one kind, each about another subject, in one statement. */
export async function notifyAll(
  tx: Db,
  kind: NotificationKind,
  all: readonly Omit<NewNotification, 'kind'>[],
  now: Date,
): Promise<void> {
  if (all.length === 0) return;
  const given = all.map(({ accountId, subjectId, people = null }) => {
    const due = mailDues(kind, accountId, now);
    return sql`(${accountId}::uuid, ${subjectId}::uuid, ${due.now}::timestamptz, ${due.daily}::timestamptz, ${due.weekly}::timestamptz, ${people}::int)`;
  });
  await sql`
    with notified as (
      insert into notification as n (account_id, kind, subject_id, at, people, mail_due_at)
        select given.account_id, ${kind}, given.subject_id, ${now}, given.people,
          case coalesce(choice.mail, ${usualNotifications[kind].mail})
            when 'now' then due_now
            when 'daily' then due_daily
            when 'weekly' then due_weekly
          end
        from (values ${sql.join(given)}) as given (account_id, subject_id, due_now, due_daily, due_weekly, people)
          left join notification_choice choice on choice.account_id = given.account_id and choice.kind = ${kind}
      on conflict (account_id, kind, subject_id) where read_at is null do update
        set at = excluded.at, people = n.people + excluded.people,
          mail_due_at = case when n.kind in ('report', 'fit') then excluded.mail_due_at else n.mail_due_at end
      returning n.id, exists (select from push_subscription p where p.account_id = n.account_id) as has_device
    )
    select (graphile_worker.add_job('notifications.push', json_build_object('id', notified.id),
      job_key => 'notifications.push ' || notified.id, max_attempts => 8,
      run_at => now() + make_interval(secs => ${sql.lit(pushWaitsSeconds)}))).id
    from notified where has_device`.execute(tx);
  if (kind === 'report') await addJob(tx, 'notifications.mail', {});
}

/**
 * Marks notifications about a subject as seen, or with a null `subjectId` all of a kind, in the running transaction.
 */
export async function settle(
  tx: Db,
  { accountId, kind, subjectId }: { accountId: string; kind: NotificationKind | FixedKind; subjectId: string | null },
  now: Date,
): Promise<void> {
  const which = sql`account_id = ${accountId}::uuid and kind = ${kind} and read_at is null
    ${subjectId === null ? sql`` : sql`and subject_id = ${subjectId}::uuid`}`;
  if (kind === 'message') await sql`delete from notification where ${which}`.execute(tx);
  else await sql`update notification set read_at = ${now}, mail_due_at = null where ${which}`.execute(tx);
}

const daySeconds = 86_400;
const morningHour = 8;
/** Daily emails are spread over this many minutes. */
const spreadMinutes = 120;
const monday = 1;

/** The next morning after a time, and the next Monday's. Days are in UTC; each account has its own minute of the morning. */
export function morningsAfter(accountId: string, now: Date): Record<'daily' | 'weekly', Date> {
  const minute = Number.parseInt(accountId.slice(0, 6), 16) % spreadMinutes;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), morningHour, minute);
  const daily = today > now.getTime() ? new Date(today) : secondsAfter(new Date(today), daySeconds);
  const daysToMonday = (monday - daily.getUTCDay() + 7) % 7;
  return { daily, weekly: secondsAfter(daily, daysToMonday * daySeconds) };
}

/** When a notification created now is emailed, for each choice of frequency. New people who fit are looked for at that frequency. */
function mailDues(kind: NotificationKind, accountId: string, now: Date): Record<Exclude<MailTime, 'never'>, Date> {
  const soon = secondsAfter(now, mailWaitsSeconds[kind]);
  return { now: soon, ...(kind === 'fit' ? { daily: soon, weekly: soon } : morningsAfter(accountId, now)) };
}
