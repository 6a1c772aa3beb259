import type { SanctionAct } from '#platform/db/columns.ts';
import type { LedgerSanction, LedgerSubjects } from '#platform/db/json.ts';

/** An act on one item that a restored database may lack. */
export type MissedAct = {
  [Act in keyof LedgerSubjects]: { accountId: string; act: Act; subject: LedgerSubjects[Act]; at: Date };
}[keyof LedgerSubjects];

/** A sanction that a restored database may lack, or its revocation. */
export interface MissedSanction {
  accountId: string;
  act: SanctionAct;
  sanction: LedgerSanction;
  at: Date;
}
