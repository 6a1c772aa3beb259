import type { Db } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/session/caller.ts';

/** Who of the staff acts, when, and in which transaction; a `CommandContext` has it. */
export interface StaffContext {
  tx: Db;
  caller: Caller;
  now: Date;
}
