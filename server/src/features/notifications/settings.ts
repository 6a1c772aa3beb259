import {
  notificationKinds,
  usualNotifications,
  type NotificationKind,
  type NotificationSettings,
} from '#contract/notifications.ts';
import type { Db } from '../../platform/db/db.ts';

/** An account's notification settings, with defaults for what it hasn't chosen. */
export async function settingsOf(db: Db, accountId: string): Promise<NotificationSettings> {
  const rows = await db.selectFrom('notification_choice').selectAll().where('account_id', '=', accountId).execute();
  const chosen = rows.map(({ kind, mail, push }) => [kind, { mail, push }] as const);
  return { ...usualNotifications, ...Object.fromEntries(chosen) };
}

/** Changes an account's notification settings. Pending mails check them again when they are due. */
export async function changeSettings(
  tx: Db,
  accountId: string,
  changes: { [K in NotificationKind]?: NotificationSettings[K] | undefined },
): Promise<NotificationSettings> {
  for (const kind of notificationKinds) {
    const choice = changes[kind];
    if (choice === undefined) continue;
    await tx
      .insertInto('notification_choice')
      .values({ account_id: accountId, kind, ...choice })
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(choice))
      .execute();
  }
  return await settingsOf(tx, accountId);
}

/** Turns off mails of these kinds. */
export async function endMails(tx: Db, accountId: string, kinds: readonly NotificationKind[]): Promise<void> {
  const settings = await settingsOf(tx, accountId);
  const changes = kinds.map((kind) => [kind, { ...settings[kind], mail: 'never' as const }]);
  await changeSettings(tx, accountId, Object.fromEntries(changes) as Partial<NotificationSettings>);
}
