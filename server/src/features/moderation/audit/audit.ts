import type { listAudit } from '#contract/moderation/audit.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { auditPage, type AuditPage } from './reads.ts';

const defaultLimit = 20;

/** One page of the audit log. Reading it is audited too. */
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
