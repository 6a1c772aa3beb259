import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { type addGoldenCase, type GoldenCase, goldenCasesMax } from '#contract/moderation/second-looks.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { StaffContext } from '../work/case-row.ts';
import { namesReporterIn } from '../decisions/check.ts';

/** The training cases, newest first. */
export async function goldenCases(db: Db) {
  const rows = await db
    .selectFrom('golden_case')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('added_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    problem_type: row.problem_type,
    story: row.story,
    outcome: row.outcome,
    clause: row.clause === '' ? null : row.clause,
    addedAt: row.added_at,
    addedBy: row.added_by_name,
  }));
}

/**
 * Stores a decided case for training, described without names. Throws 404 for a decision without reasons; 403 to a party; 400 if the
 * description names someone, or if an account of the case is deleted, so that its names can't be searched for; 409 for a full list.
 */
export async function addGolden(context: StaffContext, body: BodyOf<typeof addGoldenCase>): Promise<void> {
  const { tx, caller, now } = context;
  const { rows } = await sql<{
    case_id: string;
    is_someone_gone: boolean;
    problem_type: ReportType;
    clause: string;
    outcome: GoldenCase['outcome'];
  }>`
    select d.case_id, d.outcome, coalesce(r.clause, '') as clause,
      c.person_id is null or exists (select from report p
        where p.case_id = c.id and p.source = 'notice' and p.reporter_id is null) as is_someone_gone,
      coalesce((select min(p.problem_type) from case_decision_report l join report p on p.id = l.report_id
        where l.decision_id = d.id), 'Other') as problem_type
    from case_decision d join moderation_case c on c.id = d.case_id left join community_rule r on r.id = d.rule_id
    where d.id = ${isUuid(body.decisionId) ? body.decisionId : null}::uuid and d.kind = 'full'`.execute(tx);
  const [decided] = rows;
  if (decided === undefined) throw notFound();
  const { case_id: id, is_someone_gone, ...kept } = decided;
  await requireMayAct(tx, caller, 'case', id);
  if (is_someone_gone)
    throw invalid('story', msg`An account of this case was deleted, so its story can no longer be checked for names.`);
  if (await namesReporterIn(tx, id, body.story, { isPersonMeant: true }))
    throw invalid('story', msg`This names someone of the case. Tell it without names.`);
  if ((await goldenCases(tx)).length >= goldenCasesMax)
    throw new AppError('CONFLICT', msg`There are already ${{ goldenCasesMax }} training cases. Remove one first.`);
  const { name } = actorOf(caller);
  await tx
    .insertInto('golden_case')
    .values({ ...kept, story: body.story, added_at: now, added_by: caller.accountId, added_by_name: name })
    .execute();
  await audit({ tx, caller, now }, { type: 'case', id }, 'goldenCase.added');
}

/** Removes a training case with its description, and open second looks at it. Throws 404. */
export async function retireGolden({ tx, caller, now }: StaffContext, { id }: { id: string }): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('golden_case')
    .set({ retired_at: now, story: '' })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  await tx.deleteFrom('second_look').where('golden_id', '=', id).where('judged_at', 'is', null).execute();
  await audit({ tx, caller, now }, { type: 'case', id: null }, 'goldenCase.retired');
}
