import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import { AppError } from '../../../platform/http/app-error.ts';

/** The ids of the cases at which a member of staff has a second look: nothing may show them what was decided. */
export const casesJudgedBy = (accountId: string) => sql`
  select d.case_id from second_look l join case_decision d on d.id = l.decision_id
  where l.reviewer_id = ${accountId}::uuid and l.judged_at is null`;

/** Throws 403 while a member of staff has a second look at the case: its pages show what was decided. */
export async function refuseWhileJudging(db: Db, caseId: string | null, accountId: string): Promise<void> {
  const { rows } = await sql`select where ${caseId}::uuid in (${casesJudgedBy(accountId)})`.execute(db);
  if (rows.length > 0)
    throw new AppError(
      'FORBIDDEN',
      msg`You have a second look at this case. Judge or skip it first: this page shows the decision.`,
    );
}
