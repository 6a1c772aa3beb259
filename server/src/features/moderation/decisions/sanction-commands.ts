import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { revokeSanction } from '#contract/moderation/cases.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { actOnCase } from '../work/act.ts';
import { statementsFor, sanctionsWhere } from './decisions.reads.ts';
import { applySanctions, lockSanctioned, revokeRows } from './sanctions.ts';

/**
 * Revokes a sanction and its effect on the account. Throws 404, 403 for people the caller may not act on, and 409 if it was already
 * revoked.
 */
export async function revoke(
  context: CommandContext,
  { id, reason }: ParamsOf<typeof revokeSanction> & BodyOf<typeof revokeSanction>,
) {
  const { tx, caller, now } = context;
  await lockSanctioned(tx, [id]);
  const row = await tx.selectFrom('sanction').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (row === undefined || row.account_id === null) throw notFound();
  await requireMayAct(tx, caller, 'user', row.account_id);
  const ofCase = await tx
    .selectFrom('case_decision')
    .select('case_id')
    .where('id', '=', row.decision_id)
    .executeTakeFirst();
  if (row.revoked_at !== null) throw new AppError('CONFLICT', msg`This was already revoked`);
  await revokeRows(tx, { ids: [id], by: actorOf(caller), reason }, now);
  await applySanctions(tx, row.account_id, now);
  if (ofCase !== undefined)
    await actOnCase(context, ofCase.case_id, { what: 'sanction_revoked', to: row.kind, reason });
  else await audit(context, { type: 'user', id: row.account_id }, 'sanction.revoked', { reason });
  const [sanction] = await sanctionsWhere(tx, sql`s.id = ${id}::uuid`, now);
  if (sanction === undefined) throw notFound();
  return sanction;
}

/**
 * Records that the caller has read the warnings of a decision about them; repeating it changes nothing. Throws 404 for any other decision.
 */
export async function acknowledge({ tx, deps, caller, now }: CommandContext, { id }: { id: string }) {
  const warnings = await tx
    .selectFrom('sanction')
    .select(['id', 'acknowledged_at'])
    .where('decision_id', '=', id)
    .where('account_id', '=', caller.accountId)
    .where('kind', '=', 'warn')
    .forUpdate()
    .execute();
  if (warnings.length === 0) throw notFound();
  const open = warnings.filter(({ acknowledged_at }) => acknowledged_at === null).map((warning) => warning.id);
  if (open.length > 0) await tx.updateTable('sanction').set({ acknowledged_at: now }).where('id', 'in', open).execute();
  return await statementsFor(tx, { accountId: caller.accountId, addresses: deps.mediaAddresses, now });
}
