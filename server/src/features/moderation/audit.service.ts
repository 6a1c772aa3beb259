import type { listAudit } from '#contract/audit.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { actorOf, writeAudit } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { inTransaction, type Db } from '../../platform/db.ts';
import { auditPage, type AuditPage } from './audit.reads.ts';

const defaultLimit = 20;

/** One page of the audit trail. Reading it is an event of its own. */
export async function openAuditPage(
  db: Db,
  caller: Caller,
  query: QueryOf<typeof listAudit>,
  now: Date,
): Promise<AuditPage> {
  const answer = await auditPage(db, caller.accountId, query, query.limit ?? defaultLimit);
  await inTransaction(db, (tx) =>
    writeAudit(tx, { actor: actorOf(caller), action: 'audit.read', target: { type: 'audit', id: null } }, now),
  );
  return answer;
}
