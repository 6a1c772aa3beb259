import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import type { showAddresses } from '#contract/profiles/staff.ts';
import { audit, given, givenFilters } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { withInvolvement } from '#platform/session/access.ts';
import { seesPrivate } from '../policy.ts';
import { allowedBy, useApproval } from './approvals.ts';
import { requireAlone } from './export.ts';
import { idsListed } from './list.reads.ts';
import { addressesShown, keepShown } from './listed.ts';

type Context = Pick<CommandContext, 'tx' | 'caller' | 'now'>;
type Shown = AnswerInput<typeof showAddresses>['data']['addresses'];

/** The people whose addresses an approval allows to export. 409 without addresses, and for more people than a list can show. */
async function approvedIds({ tx, caller, now }: Context, approval: string) {
  const { payload, reason } = await useApproval({ tx, caller, now }, approval);
  const { filters, ids, columns, most } = allowedBy(payload);
  if (!columns.includes('email') || (ids === undefined && most > exactTotalMax))
    throw new AppError('CONFLICT', msg`This approval can only be used to download a file`);
  return { ids: ids ?? (await idsListed({ db: tx, notedIn: tx, caller, now }, filters, most)), filters, reason };
}

async function addressesOf(tx: Db, caller: Caller, ids: readonly string[]): Promise<Shown> {
  const viewer = await withInvolvement(tx, caller);
  const rows = await tx
    .selectFrom('account')
    .select(['id', 'email'])
    .where(sql<boolean>`id = any (${ids.filter((id) => seesPrivate(viewer, id))}::uuid[])`)
    .execute();
  return rows.map(({ id, email }) => ({ _id: id, email }));
}

/**
 * Shows the caller the addresses of people masked in lists, for a reason or with an approval. Addresses they already see are not counted.
 * 409 for more people than one person may export alone within 24 hours; 404 and 409 for an approval that can't be used.
 */
export async function showTo(context: Context, body: BodyOf<typeof showAddresses>): Promise<Shown> {
  const { tx, caller, now } = context;
  // Locked first, because parallel calls may be about the same people.
  await tx.selectFrom('account').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute();
  const isApproved = 'approval' in body;
  const { ids, reason, filters } = isApproved ? await approvedIds(context, body.approval) : { ...body, filters: {} };
  const seen = await addressesShown({ db: tx, caller, now }, ids);
  const masked = ids.filter((id) => !seen.has(id));
  if (!isApproved) await requireAlone(tx, caller, masked.length, now);
  await keepShown({ db: tx, caller, now }, masked);
  const what = isApproved ? { approval: body.approval, filters: givenFilters(filters) } : { rows: masked.length };
  const changes = given({ ...what, people: masked });
  await audit(context, { type: 'users', id: null }, 'users.addressesShown', { reason, changes });
  return await addressesOf(tx, caller, ids);
}
