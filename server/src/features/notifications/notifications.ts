import type { BodyOf } from '#contract/endpoint.ts';
import type { readNotifications } from '#contract/notifications.ts';
import { isUuid } from '../../platform/session/access-token.ts';
import type { Db } from '../../platform/db/db.ts';

/** The account has seen some notifications of its own, those of a kind, or all of them; what is another's stays as it is. */
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

/** No list in SQL is empty. */
const nobody = '00000000-0000-0000-0000-000000000000';
