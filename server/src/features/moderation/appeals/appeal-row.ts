import type { Actor } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { AppealRow } from './own.reads.ts';

/** An appeal, locked until the transaction ends. */
export function lockAppeal(tx: Db, id: string): Promise<AppealRow | undefined> {
  return tx.selectFrom('appeal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** How a party appears in the timeline of a case: without a name. */
export const partyActor = ({ accountId, party }: Pick<AppealRow, 'party'> & { accountId: string }): Actor => ({
  accountId,
  name: party === 'person' ? 'The reported person' : 'A reporter',
  role: 'member',
});
