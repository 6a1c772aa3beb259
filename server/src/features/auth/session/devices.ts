import { sql } from 'kysely';
import { knownDeviceDays } from '#contract/constants.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import type { Device } from '../../../platform/session/sessions.ts';
import { accountById, mailboxOf } from '../queries.ts';

/** Notes where an account signs in; answers whether it did so there within ninety days. */
async function noteDevice(tx: Db, accountId: string, { name, network }: Device, now: Date): Promise<boolean> {
  const device = { account_id: accountId, device: name, network: network ?? '' };
  const first = await tx
    .insertInto('known_device')
    .values({ ...device, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'device', 'network']).doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (first !== undefined) return false;
  const { rows } = await sql<{ last_seen_at: Date }>`
    update known_device d set last_seen_at = ${now}
    from (
      select last_seen_at from known_device
      where account_id = ${device.account_id} and device = ${device.device} and network = ${device.network} for update
    ) before
    where d.account_id = ${device.account_id} and d.device = ${device.device} and d.network = ${device.network}
    returning before.last_seen_at`.execute(tx);
  const [before] = rows;
  return before !== undefined && before.last_seen_at > secondsAfter(now, -knownDeviceDays * 86_400);
}

/** Notes where an account signs in, and mails its owner when they are not known to; whoever has just joined need not be told. */
export async function watchDevice(
  tx: Db,
  account: { id: string; staff_role: string | null },
  device: Device,
  now: Date,
  isNew: boolean,
): Promise<void> {
  if ((await noteDevice(tx, account.id, device, now)) || isNew) return;
  const data = {
    device: device.name,
    network: device.network ?? '',
    at: now.toISOString(),
    settings: account.staff_role === null ? '/app/settings' : '/settings',
  };
  await queueMail(tx, { ...mailboxOf(await accountById(tx, account.id)), template: 'newDevice', data }, now);
}

/** The devices an account is known on, for its owner. */
export async function knownDevices(db: Db, accountId: string) {
  return await db
    .selectFrom('known_device')
    .select(['device', 'network', 'last_seen_at as lastSeenAt'])
    .where('account_id', '=', accountId)
    .orderBy('last_seen_at', 'desc')
    .execute();
}
