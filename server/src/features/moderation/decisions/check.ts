import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { Caller } from '#platform/session/caller.ts';
import { mayDeactivate } from '../../profiles/public.ts';
import type { CaseRow } from '../work/case-row.ts';
import { gapsIn, maySanction, type Named, namesReporter } from './policy.ts';

/** Rejects an incomplete decision (400), one that names a reporter (400), and sanctions beyond the caller's role (403). */
export async function checkDecision(
  tx: Db,
  caller: Caller,
  row: CaseRow,
  given: BodyOf<typeof decideCase>,
): Promise<void> {
  const gaps = gapsIn(given, row.person_id !== null);
  if (given.ruleId !== undefined && !(await isCurrentRule(tx, given.ruleId)))
    gaps.push({ field: 'ruleId', msg: msg`This rule is no longer current. Choose again.` });
  if (await namesReporterIn(tx, row.id, given.facts ?? ''))
    gaps.push({ field: 'facts', msg: msg`This names someone who reported. Leave it out.` });
  const [first] = gaps;
  if (first !== undefined) throw new AppError('INVALID_INPUT', first.msg, { errors: gaps });
  if ((given.sanctions ?? []).length > 0 && !(await mayDiscipline(tx, caller, row.person_id)))
    throw new AppError(
      'FORBIDDEN',
      msg`This person is a colleague: only those who may deactivate them can act on them.`,
    );
  if (!(given.sanctions ?? []).every((sanction) => maySanction(caller.staffRole, sanction)))
    throw new AppError(
      'FORBIDDEN',
      msg`Only senior moderators and administrators can restrict an account for more than a week. Escalate the case.`,
    );
}

/** Whether the caller may act on this person: on a colleague only if they could deactivate them. */
export async function mayDiscipline(tx: Db, caller: Caller, personId: string | null): Promise<boolean> {
  const person = await tx
    .selectFrom('account')
    .select('staff_role')
    .where('id', '=', personId)
    .where('staff_role', 'is not', null)
    .executeTakeFirst();
  return person === undefined || mayDeactivate(caller.staffRole, person.staff_role);
}

/** Whether a rule can be chosen: its id is that of the current version. */
async function isCurrentRule(tx: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const rule = await tx
    .selectFrom('community_rule')
    .select('id')
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return rule !== undefined;
}

/** Whether the text for the person of a case names someone who reported them, or the person too if that is included. */
export async function namesReporterIn(
  tx: Db,
  caseId: string,
  text: string,
  { isPersonMeant = false } = {},
): Promise<boolean> {
  const { rows } = await sql<Named & { isPerson: boolean }>`
    select a.id = c.person_id as "isPerson", a.email, p.first_name as "firstName", p.last_name as "lastName", null as "givenName"
    from moderation_case c join account a on a.id = c.person_id or a.id in (select reporter_id from report where case_id = c.id)
      join profile p on p.account_id = a.id
    where c.id = ${caseId}::uuid
    union
    select false, n.email, null, null, n.name from outsider_notice n join report r on r.id = n.report_id where r.case_id = ${caseId}::uuid`.execute(
    tx,
  );
  if (isPersonMeant) return namesReporter(text, rows, []);
  const own = rows.filter(({ isPerson }) => isPerson).flatMap(({ firstName, lastName }) => [firstName, lastName]);
  const reporters = rows.filter(({ isPerson }) => !isPerson);
  return namesReporter(text, reporters, own);
}
