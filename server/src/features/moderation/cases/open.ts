import { msg } from '@lingui/core/runtime-macro';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { openCase } from '#contract/moderation/own-cases.ts';
import { audit } from '#platform/db/audit.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { userById } from '../../profiles/public.ts';
import { copyMessages } from '../reports/copy-messages.ts';
import { freeze, freezePictures } from '../reports/evidence.ts';
import { insertCaseReport } from '../reports/file-report.ts';
import { firstPriority } from '../reports/policy.ts';
import { staffActor } from '../reports/report-row.ts';
import { caseForStaff, caseOf, syncCase } from '../work/case-row.ts';
import { claim } from './handle.ts';
import { stageNow } from '../work/policy.ts';
import { staffCase } from './reads.ts';

type Given = ParamsOf<typeof openCase> & BodyOf<typeof openCase>;

/**
 * Opens a person's case on the caller's own initiative, or adds to it, within the current transaction. The reason is stored as a report
 * without a reporter, so that evidence, deadlines and decisions work as in any case; it is in no list and no figure of reports. The caller
 * claims the case if no one handles it. 403 for a party; 404; 400 for pictures that are not on the profile and messages that are not the
 * person's.
 */
export async function openOwnCase(
  context: CommandContext,
  given: Given,
): Promise<AnswerInput<typeof openCase>['data']> {
  const { tx, caller, now } = context;
  const { id: personId, problem_type: type, reason, mayBeMinor = false, pictures = [], messages = [] } = given;
  await requireMayAct(tx, caller, 'user', personId);
  // Locks like filing a report, so that two requests don't both open the case.
  await tx.selectFrom('account').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
  const user = await userById(tx, personId);
  if (user === undefined) throw notFound();
  const named = user.pictures.filter(({ publicId, place }) => place !== undefined && pictures.includes(publicId));
  if (named.length < new Set(pictures).size) throw invalid('pictures', msg`This picture is no longer on the profile`);
  const priority = firstPriority(type, mayBeMinor);
  const caseId = await caseOf(tx, personId, priority, now);
  const by = staffActor(caller);
  const report = {
    reported_id: personId,
    problem_type: type,
    description: reason,
    may_be_minor: mayBeMinor,
    priority,
    case_id: caseId,
    source: 'own_initiative' as const,
    opened_by: caller.accountId,
    opened_by_name: by.actor_name,
  };
  const reportId = await insertCaseReport(tx, report, by, now);
  await freeze(context, reportId, user, []);
  const ids = named.map(({ id }) => id);
  // Includes pictures that wait for review, which the copy of the profile lacks.
  await freezePictures(context, reportId, ids);
  await copyMessages(context, { reportId, personId }, messages);
  await syncCase(context, caseId);
  const changes = {
    report: { from: null, to: reportId },
    type: { from: null, to: type },
    ...(mayBeMinor && { mayBeMinor: { from: null, to: true } }),
  };
  await audit(context, { type: 'case', id: caseId }, 'case.opened', { reason, changes });
  // The colleague who opens a case knows the most about it. A case that someone else has claimed, or that waits, stays as it is.
  const isFree = stageNow(await caseForStaff(tx, caller, caseId), now) === 'open';
  return { case: isFree ? await claim(context, { id: caseId }) : await staffCase(tx, caller, caseId, now), reportId };
}
