import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import { exportAloneMax, type exportSelected, type exportUsers, userFilters } from '#contract/profiles/staff.ts';
import { actorOf, type AuditEntry, given, writeAudit } from '../../../platform/db/audit.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { AppError, invalid } from '../../../platform/http/app-error.ts';
import type { CallContext } from '../../../platform/http/mount.ts';
import { useApproval } from './approvals.ts';
import { type ExportOrder, type ExportResult, usersAsCsv } from './export.reads.ts';
import { countListed } from './list.reads.ts';

type ExportContext = Pick<CallContext, 'deps' | 'caller' | 'now'>;
type Ordered = Omit<ExportOrder, 'onEnd'> & { reason: string; approval?: string };

/** Audits an export before its first row is sent, and at its end what was sent. */
async function download({ deps, caller, now }: ExportContext, order: Ordered): Promise<Readable> {
  const { filters, columns, ids, approval, reason } = order;
  const record = (action: AuditEntry['action'], values: Record<string, unknown>) => {
    const entry = {
      actor: actorOf(caller),
      action,
      target: { type: 'users', id: null },
      changes: given(values),
    } as const;
    return inTransaction(deps.db, (tx) => writeAudit(tx, { ...entry, reason }, now));
  };
  await record('users.exported', { ...filters, columns, people: ids, approval });
  const onEnd = ({ rows, sha256 }: ExportResult) => record('users.downloaded', { rows, sha256 });
  return await usersAsCsv(deps, caller, { ...order, onEnd }, now);
}

/**
 * Exports a list of users, or what an approval of the caller names. 400 without a reason; 409 for more users than one person exports alone;
 * 404 and 409 for an approval that can't be used.
 */
export async function exportList(
  context: ExportContext,
  { approval, reason, columns, ...filters }: QueryOf<typeof exportUsers>,
): Promise<Readable> {
  const { deps, caller, now } = context;
  if (approval !== undefined) {
    const approved = await inTransaction(deps.db, (tx) => useApproval({ tx, caller, now }, approval));
    const query = z.object(userFilters).parse(approved.payload.filters);
    return await download(context, {
      filters: query,
      columns: approved.payload.columns,
      reason: approved.reason,
      approval,
    });
  }
  if (reason === undefined) throw invalid('reason', 'Please give a reason');
  const count = await countListed({ db: deps.db, caller, now }, filters, exportAloneMax + 1);
  if (count > exportAloneMax)
    throw new AppError('APPROVAL_REQUIRED', 'A second administrator approves exports of more than 1,000 users');
  return await download(context, { filters, columns, reason });
}

/** Exports the users with these ids. */
export function exportChosen(
  context: ExportContext,
  { ids, columns, reason }: BodyOf<typeof exportSelected>,
): Promise<Readable> {
  return download(context, { filters: {}, ids, columns, reason });
}
