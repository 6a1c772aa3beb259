import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { releaseHold as call } from '#contract/moderation/cases.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { caseForStaff, lockPersonOf, syncCase, tellStaff } from '../work/case-row.ts';
import { endHold, lockHold } from './hold.ts';

/**
 * Ends the hold of a case's person without a decision, so that what they sent is delivered. Throws 404 for an unknown case, 403 for a party,
 * 409 if the person is not held; a colleague's claim doesn't matter.
 */
export async function releaseHold(
  context: CommandContext,
  { id, reason }: ParamsOf<typeof call> & BodyOf<typeof call>,
): Promise<void> {
  const { tx, caller, now } = context;
  await lockPersonOf(tx, id);
  const row = await caseForStaff(tx, caller, id);
  const hold = row.person_id === null ? undefined : await lockHold(tx, row.person_id);
  if (hold === undefined) throw new AppError('CONFLICT', msg`This person is not held`);
  const outcome = await endHold(tx, hold, { by: actorOf(caller), reason }, now);
  await syncCase(context, id);
  const changes = { hold: { from: hold.cause, to: outcome } };
  await audit(context, { type: 'case', id }, 'case.holdReleased', { reason, changes });
  await tellStaff(tx, id);
}
