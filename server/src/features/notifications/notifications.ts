import type { BodyOf } from '#contract/endpoint.ts';
import type { readNotifications } from '#contract/notifications.ts';
import { isUuid } from '../../platform/session/caller.ts';
import type { Db } from '../../platform/db/db.ts';

/** Marks some of the account's notifications, those of a kind, or all as read. Other accounts' stay unchanged. */
export async function markRead(
  db: Db,
  accountId: string,
  { ids, kind }: BodyOf<typeof readNotifications>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('notification')
    .set({ read_at: now, mail_due_at: null })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where('kind', '<>', 'message')
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []).filter(isUuid), nobody]))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'like'))
    .execute();
}

/** SQL doesn't allow an empty list. */
const nobody = '00000000-0000-0000-0000-000000000000';
