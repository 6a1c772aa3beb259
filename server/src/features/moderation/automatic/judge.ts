import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';

/** The tags that count as this one, because they were merged. */
const mergedWith = (tagId: string | null) => sql`select t.id from user_tag t join user_tag g on g.id = ${tagId}::uuid
  where coalesce(t.merged_into, t.id) = coalesce(g.merged_into, g.id)`;

/** Removes the tag that a rule added, unless a colleague or another rule that is not cleared has added it since. */
export async function removeRuleTag(tx: Db, accountId: string, tagId: string | null): Promise<void> {
  await sql`delete from account_tag where account_id = ${accountId}::uuid and tag_id in (${mergedWith(tagId)})
    and added_by_role = 'system' and not exists (
      select from rule_hit h join automatic_rule r on r.id = h.rule_id
      where h.account_id = ${accountId}::uuid and (h.outcome is null or h.outcome = 'confirmed')
        and (r.actions ->> 'tagId')::uuid in (${mergedWith(tagId)}))`.execute(tx);
}

/**
 * Judges the hits of a locked case whose reports have an outcome: confirmed if it was a violation, cleared otherwise, and again if an
 * appeal has changed it. The tag of a cleared hit is removed.
 */
export async function judgeHits(tx: Db, caseId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ account_id: string; tag_id: string | null; outcome: string }>`
    update rule_hit h set judged_at = ${now}::timestamptz, outcome = r.outcome
    from (
      select id, case when status = 'resolved' then 'confirmed' else 'cleared' end as outcome from report
      where case_id = ${caseId}::uuid and (status not in ('pending', 'in_progress') or deleted_at is not null)
    ) r
    where r.id = h.report_id and h.case_id = ${caseId}::uuid
      and (h.judged_at is null or h.outcome = 'confirmed' and r.outcome = 'cleared' or h.outcome = 'cleared' and r.outcome = 'confirmed')
    returning h.account_id, h.tag_id, h.outcome`.execute(tx);
  for (const { account_id, tag_id, outcome } of rows)
    if (outcome === 'cleared') await removeRuleTag(tx, account_id, tag_id);
}
