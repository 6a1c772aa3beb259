import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { type addGoldenCase, type GoldenCase, goldenCasesMax } from '#contract/moderation/second-looks.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, invalid, involved, notFound } from '../../../platform/http/app-error.ts';
import { isParty, type StaffContext } from '../cases/case-row.ts';
import { type Named, namesReporter } from '../decisions/policy.ts';

/** The training cases, newest first. */
export async function goldenCases(db: Db, id: string | null = null): Promise<GoldenCase[]> {
  let query = db.selectFrom('golden_case').selectAll().where('retired_at', 'is', null);
  if (id !== null) query = query.where('id', '=', id);
  const rows = await query.orderBy('added_at', 'desc').orderBy('id').execute();
  return rows.map((row) => ({
    _id: row.id,
    problem_type: row.problem_type,
    story: row.story,
    outcome: row.outcome,
    clause: row.clause === '' ? null : row.clause,
    addedAt: row.added_at.toISOString(),
    addedBy: row.added_by_name,
  }));
}

/** Whether a text names someone of a case: its person or someone who reported them. */
async function namesAnyone(tx: Db, caseId: string, text: string): Promise<boolean> {
  const { rows } = await sql<Named>`
    select a.email, p.first_name as "firstName", p.last_name as "lastName"
    from moderation_case c join account a on a.id = c.person_id or a.id in (select reporter_id from report where case_id = c.id)
      join profile p on p.account_id = a.id
    where c.id = ${caseId}::uuid`.execute(tx);
  return namesReporter(text, rows, []);
}

/**
 * Keeps a decided case for training, told without names. Throws 404 for a decision without reasons; 403 to a party; 400 if the
 * story names someone; 409 for a full list.
 */
export async function addGolden(context: StaffContext, body: BodyOf<typeof addGoldenCase>): Promise<GoldenCase> {
  const { tx, caller, now } = context;
  const { rows } = await sql<{
    caseId: string;
    personId: string | null;
    clause: string;
    outcome: GoldenCase['outcome'];
  }>`
    select d.case_id as "caseId", c.person_id as "personId", d.outcome, coalesce(r.clause, '') as clause
    from case_decision d join moderation_case c on c.id = d.case_id left join community_rule r on r.id = d.rule_id
    where d.id = ${isUuid(body.decisionId) ? body.decisionId : null}::uuid and d.kind = 'full'`.execute(tx);
  const [decided] = rows;
  if (decided === undefined) throw notFound();
  const { caseId, personId, outcome, clause } = decided;
  if (await isParty(tx, { id: caseId, person_id: personId }, caller.accountId))
    throw involved({ type: 'case', id: caseId });
  if (await namesAnyone(tx, caseId, body.story))
    throw invalid('story', 'This names someone of the case. Tell it without names.');
  if ((await goldenCases(tx)).length >= goldenCasesMax)
    throw new AppError('CONFLICT', `There are already ${goldenCasesMax} training cases. Remove one first.`);
  const actor = actorOf(caller);
  const { id } = await tx
    .insertInto('golden_case')
    .values({
      problem_type: body.problem_type,
      story: body.story,
      outcome,
      clause,
      added_at: now,
      added_by: caller.accountId,
      added_by_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeAudit(tx, { actor, action: 'goldenCase.added', target: { type: 'case', id: caseId } }, now);
  const [added] = await goldenCases(tx, id);
  if (added === undefined) throw notFound();
  return added;
}

/** Removes a training case with its story, and whatever was not judged about it. Throws 404. */
export async function retireGolden({ tx, caller, now }: StaffContext, { id }: { id: string }): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('golden_case')
    .set({ retired_at: now, story: '' })
    .where('id', '=', isUuid(id) ? id : null)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  await tx.deleteFrom('second_look').where('golden_id', '=', id).where('judged_at', 'is', null).execute();
  const target = { type: 'case', id: null } as const;
  await writeAudit(tx, { actor: actorOf(caller), action: 'goldenCase.retired', target }, now);
}
