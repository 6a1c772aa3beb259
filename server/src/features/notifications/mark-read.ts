import type { BodyOf } from '#contract/endpoint.ts';
import type { readNotifications } from '#contract/notifications.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import type { CommandContext } from '../../platform/http/mount.ts';

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
