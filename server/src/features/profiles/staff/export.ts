import type { Readable } from 'node:stream';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { onlyCopyKeptSeconds } from '#contract/constants.ts';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import { exportAloneMax, type exportSelected, type exportUsers } from '#contract/profiles/staff.ts';
import { audit, type AuditEntry, given, givenFilters } from '#platform/db/audit.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { SentFile } from '#platform/http/csv.ts';
import { once } from '#platform/http/idempotency.ts';
import type { CallContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { allowedBy, mostRows, useApproval } from './approvals.ts';
import { type ExportOrder, usersAsCsv } from './export.reads.ts';
import { countListed } from './list.reads.ts';

type ExportContext = Pick<CallContext, 'deps' | 'caller' | 'now'>;
/** An export with its approval or, without one, the number of users, which counts towards what one person may export alone. */
type Ordered = Omit<ExportOrder, 'onEnd'> & { reason: string } & ({ approval: string } | { rows: number });

const daySeconds = 86_400;

/**
 * 409 if this many users, together with those that the caller exported or saw the addresses of without an approval in the last 24 hours,
 * exceed what one person may export alone. An export counts from its start, because someone may keep an interrupted download. Locks the
 * caller's account, so that parallel exports are counted one after another.
 */
export async function requireAlone(tx: Db, { accountId }: Caller, count: number, now: Date): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum((changes #>> '{rows,to}')::int), 0)::int as total from audit_event
    where actor_id = ${accountId}::uuid and at > ${secondsAfter(now, -daySeconds)} and action in ('users.exported', 'users.addressesShown')`.execute(
    tx,
  );
  if ((rows[0]?.total ?? 0) + count > exportAloneMax)
    throw new AppError(
      'APPROVAL_REQUIRED',
      msg`A second administrator approves exports of more than 1,000 users within 24 hours`,
    );
}

/** Audits an export before its first row is sent, and its content at the end. Both name the chosen people, who can't read the reason. */
async function download({ deps, caller, now }: ExportContext, order: Ordered): Promise<Readable> {
  const { filters, columns, ids, reason, most, ...allowed } = order;
  const record = (tx: Db, action: AuditEntry['action'], values: Record<string, unknown>) =>
    audit({ tx, caller, now }, { type: 'users', id: null }, action, { reason, changes: given(values) });
  await inTransaction(deps.db, async (tx) => {
    if ('rows' in allowed) await requireAlone(tx, caller, allowed.rows, now);
    await record(tx, 'users.exported', { filters: givenFilters(filters), columns, people: ids, ...allowed });
  });
  const onEnd = ({ rows, sha256 }: SentFile) =>
    inTransaction(deps.db, (tx) => record(tx, 'users.downloaded', { rows, sha256, people: ids }));
  return await usersAsCsv(deps, caller, { filters, columns, ...(ids && { ids }), most, onEnd }, now);
}

/**
 * Exports a list of users, or what an approval of the caller allows. 400 without a reason; 409 for more users than one person may export
 * alone; 404 and 409 for an approval that can't be used. An approval that was used with a key can be used again with it, because the
 * download may have been interrupted.
 */
export async function exportList(
  context: ExportContext & { idempotencyKey: string | null },
  { approval, reason, columns, ...filters }: QueryOf<typeof exportUsers>,
): Promise<Readable> {
  const { deps, caller, now, idempotencyKey: key } = context;
  if (approval !== undefined) {
    const scope = `${caller.accountId} approval ${approval}`;
    const press = key === null ? null : { scope, key, body: '', status: 200, keptSeconds: onlyCopyKeptSeconds };
    const used = await once(deps.db, press, now, (tx) => useApproval({ tx, caller, now }, approval));
    return await download(context, { ...allowedBy(used.payload), reason: used.reason, approval });
  }
  if (reason === undefined) throw invalid('reason', msg`Please give a reason`);
  const rows = await countListed({ db: deps.db, notedIn: deps.db, caller, now }, filters, exportAloneMax + 1);
  return await download(context, { filters, columns, reason, rows, most: mostRows(rows) });
}

/** Exports the users with these ids. 409 for more users than one person may export alone. */
export function exportChosen(
  context: ExportContext,
  { ids, columns, reason }: BodyOf<typeof exportSelected>,
): Promise<Readable> {
  return download(context, { filters: {}, ids, columns, reason, rows: ids.length, most: ids.length });
}
