import type { QuietHours } from '#contract/notifications.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';

const dayMinutes = 1440;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** When an account receives no notifications; null if it hasn't chosen. */
export async function quietHoursOf(db: Db, accountId: string): Promise<QuietHours | null> {
  const row = await db.selectFrom('quiet_hours').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  return row === undefined ? null : { from: timeOf(row.from_minute), to: timeOf(row.to_minute), zone: row.zone };
}

/** Sets or, with null, ends the quiet hours of an account. */
export async function putQuietHours(tx: Db, accountId: string, quiet: QuietHours | null): Promise<void> {
  if (quiet === null) {
    await tx.deleteFrom('quiet_hours').where('account_id', '=', accountId).execute();
    return;
  }
  const row = { from_minute: minutesOf(quiet.from), to_minute: minutesOf(quiet.to), zone: quiet.zone };
  await tx
    .insertInto('quiet_hours')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

/**
 * When an account's current quiet hours end; null outside of them. On the day on which clocks change, the time may be an hour off, but
 * waiting notifications are checked again.
 */
export async function quietUntil(db: Db, accountId: string, now: Date): Promise<Date | null> {
  const quiet = await quietHoursOf(db, accountId);
  return quiet === null ? null : endOfQuiet(quiet, now);
}

/** When these quiet hours end if they include this time; otherwise null. */
export function endOfQuiet({ from, to, zone }: QuietHours, now: Date): Date | null {
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const minute = minutesOf(local.format(now));
  const since = (minute - minutesOf(from) + dayMinutes) % dayMinutes;
  const length = (minutesOf(to) - minutesOf(from) + dayMinutes) % dayMinutes;
  return since < length ? secondsAfter(now, (length - since) * 60 - now.getUTCSeconds()) : null;
}
