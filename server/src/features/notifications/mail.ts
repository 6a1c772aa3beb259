import { sql } from 'kysely';
import { onlineWindowSeconds } from '#contract/constants.ts';
import { notificationKinds, type NotificationKind } from '#contract/notifications.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import { stillTellable } from './reads.ts';
import { settingsOf } from './settings.ts';
import { unsubscribeToken } from './unsubscribe.ts';

const accountsAtOnce = 200;
/** Members who are online see it in the app; the mail is reconsidered later. */
const postponedSeconds = 300;

/** Mails everything due and unread, one mail per account, until nothing is due. If interrupted, the rest stays due. */
export async function mailWhatIsDue(db: Db, key: string, now: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ account_id: string }>`
      select distinct account_id from (
        select account_id from notification where mail_due_at <= ${now} order by mail_due_at limit ${accountsAtOnce}
      ) due`.execute(db);
    let handled = 0;
    for (const { account_id } of rows) handled += await inTransaction(db, (tx) => mailOne(tx, account_id, key, now));
    if (handled === 0) return;
  }
}

interface DueRow {
  id: string;
  kind: NotificationKind;
}

/** Sends one account's mail; returns how many notifications were due and not locked by another process. */
async function mailOne(tx: Db, accountId: string, key: string, now: Date): Promise<number> {
  const { rows: due } = await sql<DueRow>`
    select id, kind from notification where account_id = ${accountId}::uuid and mail_due_at <= ${now}
    for update skip locked`.execute(tx);
  if (due.length === 0) return 0;
  const account = await mailbox(tx, accountId, now);
  const kept = account?.is_here === true ? due.filter(({ kind }) => kind !== 'report') : [];
  await setDue(tx, kept, secondsAfter(now, postponedSeconds));
  const rest = due.filter((row) => !kept.includes(row));
  await setDue(tx, rest, null);
  if (account === undefined || rest.length === 0) return due.length;
  const settings = await settingsOf(tx, accountId);
  const told = await stillTellable(
    tx,
    accountId,
    rest.filter(({ kind }) => settings[kind].mail !== 'never').map(({ id }) => id),
  );
  if (told.length === 0) return due.length;
  const kinds = notificationKinds.filter((kind) => told.some((row) => row.kind === kind));
  const counts = kinds.map((kind) => [kind, String(told.filter((row) => row.kind === kind).length)]);
  const [only] = told;
  const isOneReport = told.length === 1 && only?.kind === 'report';
  const data = {
    ...(Object.fromEntries(counts) as Record<string, string>),
    ...(isOneReport ? { path: `/app/support/${only.subject_id}` } : {}),
    token: unsubscribeToken(key, accountId, kinds),
  };
  await queueMail(tx, { to: account.email, accountId, template: 'notifications', data }, now);
  return due.length;
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
