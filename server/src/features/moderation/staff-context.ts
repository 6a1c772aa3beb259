import type { Db } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/session/caller.ts';

/** The acting member of staff, the time and the transaction; a `CommandContext` has it. */
export interface StaffContext {
  tx: Db;
  caller: Caller;
  now: Date;
}
