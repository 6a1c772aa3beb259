import { msg } from '@lingui/core/runtime-macro';
import type { Reactions } from '../../../events.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { askMember, endFailedCheck } from '../../profiles/public.ts';
import { insertCaseReport } from '../reports/file-report.ts';
import { caseAge } from './age.reads.ts';
import { actOnCase } from '../work/act.ts';
import {
  caseForStaff,
  caseOf,
  insertCaseEvent,
  lockPersonOf,
  refuseLeased,
  syncCase,
  tellStaff,
} from '../work/case-row.ts';

/**
 * Asks the person of a case for age assurance. Throws 404; 403 for a party; 409 while a colleague has the case, and unless a check failed,
 * or an open report says that they may be a minor and they were neither asked nor are assured.
 */
export async function askForAge(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller, now } = context;
  await lockPersonOf(tx, id);
  const row = await caseForStaff(tx, caller, id);
  refuseLeased(row, caller.accountId, now);
  if (row.person_id === null || (await caseAge(context, row))?.canAsk !== true)
    throw new AppError('CONFLICT', msg`This person can’t be asked for age assurance`);
  await askMember(tx, row.person_id, now);
  await actOnCase(context, id, { what: 'age_asked' });
}

export const ageReactions: Reactions = {
  async caseDecided(tx, { personId, outcome, now }) {
    if (personId !== null && outcome !== 'actioned') await endFailedCheck(tx, personId, now);
  },
  // Records the answer in the person's case. A failed check opens it, or makes it critical.
  async ageAnswered(tx, { accountId, state, now }, emit) {
    const known = await tx
      .selectFrom('moderation_case')
      .select('id')
      .where('person_id', '=', accountId)
      .executeTakeFirst();
    if (known === undefined && state === 'assured') return;
    const caseId = known?.id ?? (await caseOf(tx, accountId, 'critical', now));
    await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'age_answered', to_value: state });
    if (state === 'failed') await reportMinor(tx, accountId, caseId, now);
    await syncCase({ tx, deps: { emit }, now }, caseId);
    await tellStaff(tx, caseId);
  },
};

async function reportMinor(tx: Db, accountId: string, caseId: string, now: Date): Promise<void> {
  const report = {
    reported_id: accountId,
    problem_type: 'Inappropriate Content',
    description: 'The provider of age checks said that this person is not an adult.',
    may_be_minor: true,
    priority: 'critical',
    case_id: caseId,
    source: 'automatic',
    opened_by_name: 'Age check',
  } as const;
  await insertCaseReport(tx, report, {}, now);
}
