import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type MailKind,
  mailKinds,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings,
  type readNotifications,
  usualNotifications,
} from '#contract/notifications.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { keepAlert } from './fit-alert.ts';

/** An account's notification settings, with defaults for what it hasn't chosen. */
export async function settingsOf(db: Db, accountId: string): Promise<NotificationSettings> {
  const rows = await db.selectFrom('notification_choice').selectAll().where('account_id', '=', accountId).execute();
  const chosen = rows.map(({ kind, mail, push }) => [kind, { mail, push }] as const);
  return { ...usualNotifications, ...Object.fromEntries(chosen) };
}

/** Changes an account's notification settings at a time. They are checked again when a pending mail is due. */
export async function changeSettings(
  tx: Db,
  accountId: string,
  changes: { [K in NotificationKind]?: NotificationSettings[K] | undefined },
  now: Date,
): Promise<NotificationSettings> {
  for (const kind of notificationKinds) {
    const choice = changes[kind];
    if (choice === undefined) continue;
    await tx
      .insertInto('notification_choice')
      .values({ account_id: accountId, kind, ...choice })
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(choice))
      .execute();
    if (kind === 'fit') await keepAlert(tx, accountId, choice, now);
  }
  return await settingsOf(tx, accountId);
}

/** Turns off notifications by mail of these kinds; does nothing for a deleted account. */
export async function endMails(tx: Db, accountId: string, ended: readonly MailKind[], now: Date): Promise<void> {
  const account = await tx.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
  if (account === undefined) return;
  const settings = await settingsOf(tx, accountId);
  const kinds = notificationKinds.filter((kind) => ended.includes(kind));
  const changes = kinds.map((kind) => [kind, { ...settings[kind], mail: 'never' as const }]);
  await changeSettings(tx, accountId, Object.fromEntries(changes) as Partial<NotificationSettings>, now);
}

const sign = (key: string, content: string) =>
  createHmac('sha256', key).update(`unsubscribe ${content}`).digest('base64url').slice(0, 22);

/** The code of a kind in a token: kinds of notifications by their position, other mail by a letter. */
const codeOf = (kind: MailKind) => (kind === 'insights' ? 'i' : String(notificationKinds.indexOf(kind)));

/** A token that unsubscribes an account from some kinds of mail: the codes of the kinds, the account id, and a signature. */
export function unsubscribeToken(key: string, accountId: string, kinds: readonly MailKind[]): string {
  const content = `${mailKinds.flatMap((kind) => (kinds.includes(kind) ? codeOf(kind) : [])).join('')}.${accountId}`;
  return `${content}.${sign(key, content)}`;
}

/** The account and kinds of such a token; null if the signature is invalid. */
export function readUnsubscribeToken(key: string, token: string): { accountId: string; kinds: MailKind[] } | null {
  const [codes = '', accountId = '', signature = '', ...more] = token.split('.');
  const expected = Buffer.from(sign(key, `${codes}.${accountId}`));
  const given = Buffer.from(signature);
  if (more.length > 0) return null;
  if (given.length !== expected.length || !timingSafeEqual(given, expected) || !isUuid(accountId)) return null;
  return { accountId, kinds: mailKinds.filter((kind) => codes.includes(codeOf(kind))) };
}

/** Marks some of the caller's notifications, those of a kind, or all as read. Other accounts' stay unchanged. */
export async function markRead(
  { tx, caller, now }: CommandContext,
  { ids, kind }: BodyOf<typeof readNotifications>,
): Promise<void> {
  await tx
    .updateTable('notification')
    .set({ read_at: now, mail_due_at: null })
    .where('account_id', '=', caller.accountId)
    .where('read_at', 'is', null)
    .where('kind', '<>', 'message')
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []).filter(isUuid), noId]))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'like'))
    .execute();
}

/** SQL doesn't allow an empty list. */
const noId = '00000000-0000-0000-0000-000000000000';
