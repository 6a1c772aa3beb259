import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { CaseSafety, recordReferral } from '#contract/moderation/emergencies.ts';
import { actorOf } from '../../../platform/db/audit.ts';
import { invalid } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { caseForStaff, insertCaseEvent, recordOnCase, tellStaff } from '../cases/case-row.ts';
import { safetyOf } from './safety.reads.ts';

/** Records what was handed to an authority. Throws 404, 403 for a party, and 400 for a day that is yet to come. */
export async function refer(
  context: CommandContext,
  given: ParamsOf<typeof recordReferral> & BodyOf<typeof recordReferral>,
): Promise<CaseSafety> {
  const { tx, caller, now } = context;
  const { id, authority, handedOver, legalBasis, on } = given;
  await caseForStaff(tx, caller, id);
  if (on > now.toISOString().slice(0, 10)) throw invalid('on', 'This day is yet to come');
  const by = actorOf(caller);
  await tx
    .insertInto('referral')
    .values({
      ...{ case_id: id, authority, handed_over: handedOver, legal_basis: legalBasis, referred_on: on },
      ...{ made_at: now, made_by_name: by.name },
    })
    .execute();
  await insertCaseEvent(tx, { case_id: id, at: now, kind: 'referred', to_value: authority, reason: legalBasis }, by);
  const changes = { authority: { from: null, to: authority }, legalBasis: { from: null, to: legalBasis } };
  await recordOnCase(context, id, { action: 'case.referred', changes });
  await tellStaff(tx, id);
  return await safetyOf(tx, caller, id, now);
}
