import { freshSignInMinutes } from '#contract/constants.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import type { Db } from '../../../platform/db/db.ts';

/** When the owner of a session last signed in on it, or showed a linked identity anew. */
export async function freshSince(db: Db, sessionId: string): Promise<Date> {
  const { created_at, confirmed_at } = await db
    .selectFrom('session')
    .select(['created_at', 'confirmed_at'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return confirmed_at !== null && confirmed_at > created_at ? confirmed_at : created_at;
}

/** Whether that was so lately that they need not show anew who they are. */
export async function isFresh(db: Db, sessionId: string, now: Date): Promise<boolean> {
  return (await freshSince(db, sessionId)) > secondsAfter(now, -freshSignInMinutes * 60);
}
