import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';

/** The sandbox's current time: the product's clock plus the offset it was moved by. */
export async function sandboxNow(db: Db, clock: Clock): Promise<Date> {
  const { ahead_ms } = await db.selectFrom('sandbox.clock').select('ahead_ms').executeTakeFirstOrThrow();
  return new Date(clock.now().getTime() + Number(ahead_ms));
}

/** Moves the sandbox's clock to `to`; returns false and changes nothing for a time in the past. */
export async function moveSandboxClock(db: Db, clock: Clock, to: Date): Promise<boolean> {
  const aheadMs = String(to.getTime() - clock.now().getTime());
  const moved = await db
    .updateTable('sandbox.clock')
    .set({ ahead_ms: aheadMs })
    .where('ahead_ms', '<=', aheadMs)
    .returning('ahead_ms')
    .executeTakeFirst();
  return moved !== undefined;
}
