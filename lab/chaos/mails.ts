import { setTimeout as pause } from 'node:timers/promises';
import { type Database, rowsOf } from '../people.ts';

/** Half a minute until a lost job is released, plus time to run it. */
export const mailsWithinMs = 45_000;

/** Waits until the product has sent every mail, for some time after everything works again; returns how many it has not. */
export async function unsentMails(db: Database): Promise<number> {
  for (const deadline = performance.now() + mailsWithinMs; ; await pause(500)) {
    const [row] = await rowsOf<{ unsent: number }>(
      db,
      `select count(*)::int as unsent from mail where status <> 'sent'`,
    );
    const unsent = row?.unsent ?? 0;
    if (unsent === 0 || performance.now() > deadline) return unsent;
  }
}
