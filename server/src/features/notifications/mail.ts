import { msg } from '@lingui/core/runtime-macro';
import { apiBasePath, onlineWindowSeconds } from '#contract/constants.ts';
import { type NotificationKind, unsubscribe } from '#contract/notifications.ts';
import { type MailContent, type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { sql } from 'kysely';
import { secondsAfter } from '#platform/process/clock.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { isQuiet, kinds, kindsInOrder } from './kinds.ts';
import { quietUntil } from './quiet-hours.ts';
import { stillVisible } from './reads.ts';
import { settingsOf, unsubscribeToken } from './notifications.ts';

/** How to end the emails that a token names: a page for people, and a one-click URL for mail programs. */
export function unsubscribeLinks(token: string, publicUrl: string): NonNullable<MailContent['unsubscribe']> {
  const named = encodeURIComponent(token);
  return {
    page: new URL(`/app/unsubscribe#${named}`, publicUrl).href,
    oneClick: new URL(`${apiBasePath}${unsubscribe.path}?token=${named}`, publicUrl).href,
  };
}

/** One mail for all unread notifications that are due, with a count per kind. */
export const notificationMails = {
  notifications: (data, publicUrl): MailContent => {
    const named = kindsInOrder.filter((kind) => data[kind] !== undefined);
    const [first = 'like'] = named;
    const isAlone = named.length === 1;
    const { path, mail } = kinds[first];
    const subjectPath = data['path'] ?? (isAlone ? path(null) : '/app/discover');
    return {
      subject: mail.subject,
      heading: isAlone ? mail.heading : msg`You have new notifications`,
      paragraphs: named.map((kind) => kinds[kind].mail.text(Number(data[kind]))),
      button: { text: isAlone ? mail.button : msg`See what's new`, url: new URL(subjectPath, publicUrl).href },
      unsubscribe: unsubscribeLinks(data['token'] ?? '', publicUrl),
    };
  },
} satisfies MailTemplates;

const readAtOnce = 200;
/** Members who are online see it in the app; the mail is reconsidered later. */
const postponedSeconds = 300;
const noId = '00000000-0000-0000-0000-000000000000';

/** Mails everything that is due and unread, one mail per account. If it is interrupted, the rest stays due. */
export async function mailWhatIsDue(db: Db, key: string, now: Date): Promise<void> {
  // The time as text, exact to the microsecond.
  const due = pagesOf<{ account_id: string; due_at: string }>(async (after) => {
    const { rows } = await sql<{ account_id: string; due_at: string }>`
      select account_id, mail_due_at::text as due_at from notification where mail_due_at <= ${now}
        and (mail_due_at, account_id) > (${after?.due_at ?? '-infinity'}::timestamptz, ${after?.account_id ?? noId}::uuid)
      order by mail_due_at, account_id limit ${readAtOnce}`.execute(db);
    return rows;
  });
  const mailed = new Set<string>();
  const mail = async ({ account_id }: { account_id: string }) => {
    if (mailed.has(account_id)) return;
    mailed.add(account_id);
    await inTransaction(db, (tx) => mailOne(tx, account_id, key, now));
  };
  await eachInTurn(due, mail, { round: 'notifications.mail', keyOf: (row) => row.account_id });
}

interface DueRow {
  id: string;
  kind: NotificationKind;
  waits: boolean;
}

/** Sends one account's mail about what is due and not locked by another process. */
async function mailOne(tx: Db, accountId: string, key: string, now: Date): Promise<void> {
  const { rows: due } = await sql<DueRow>`
    select n.id, n.kind, ${isQuiet} as waits from notification n where n.account_id = ${accountId}::uuid and n.mail_due_at <= ${now}
    for update of n skip locked`.execute(tx);
  if (due.length === 0) return;
  const account = await mailbox(tx, accountId, now);
  const kept = account?.is_here === true ? due.filter(({ kind }) => kind !== 'report') : [];
  await setDue(tx, kept, secondsAfter(now, postponedSeconds));
  const quietEnd = await quietUntil(tx, accountId, now);
  const quiet = quietEnd === null ? [] : due.filter((row) => row.waits && !kept.includes(row));
  await setDue(tx, quiet, quietEnd);
  const rest = due.filter((row) => !kept.includes(row) && !quiet.includes(row));
  await setDue(tx, rest, null);
  if (account === undefined || rest.length === 0) return;
  const settings = await settingsOf(tx, accountId);
  const shown = await stillVisible(
    tx,
    accountId,
    rest.filter(({ kind }) => settings[kind].mail !== 'never').map(({ id }) => id),
  );
  if (shown.length === 0) return;
  const named = kindsInOrder.filter((kind) => shown.some((row) => row.kind === kind));
  const countOf = (kind: NotificationKind) =>
    shown.reduce((sum, row) => sum + (row.kind === kind ? (row.people ?? 1) : 0), 0);
  const counts = named.map((kind) => [kind, String(countOf(kind))]);
  const [only] = shown;
  const isOneReport = shown.length === 1 && only?.kind === 'report';
  const data = {
    ...(Object.fromEntries(counts) as Record<string, string>),
    ...(isOneReport ? { path: kinds.report.path(only.subject_id) } : {}),
    token: unsubscribeToken(key, accountId, named),
  };
  await queueMail(tx, { to: account.email, accountId, template: 'notifications', data, expiresAt: null }, now);
}

async function setDue(tx: Db, rows: DueRow[], at: Date | null): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx.updateTable('notification').set({ mail_due_at: at }).where('id', 'in', ids).execute();
}

/** A member's address and whether they are online; undefined for deactivated or leaving accounts. */
async function mailbox(tx: Db, accountId: string, now: Date): Promise<{ email: string; is_here: boolean } | undefined> {
  const { rows } = await sql<{ email: string; is_here: boolean }>`
    select a.email, coalesce(p.last_active_at > ${secondsAfter(now, -onlineWindowSeconds)}::timestamptz, false) as is_here
    from account a left join presence p on p.account_id = a.id
    where a.id = ${accountId}::uuid and a.is_active and a.leaving_since is null`.execute(tx);
  return rows[0];
}
