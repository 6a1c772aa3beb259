import { type RawBuilder, sql } from 'kysely';
import { overturningStates } from '#contract/moderation/decided-filters.ts';
import type { Db } from '#platform/db/db.ts';

/** Counts the decisions with reasons among the rows `d` of `from`, as rows of `case_decision_day`. */
export const decisionCounts = (from: RawBuilder<unknown>) => sql`
  select (d.decided_at at time zone 'UTC')::date as day, coalesce(r.clause, '') as clause, d.decided_by, count(*)::int as decided,
    count(a.is_overturned)::int as appealed, (count(*) filter (where a.is_overturned))::int as overturned,
    count(t.took_ms)::int as timed, coalesce(sum(t.took_ms), 0)::bigint as took_ms
  from ${from} left join community_rule r on r.id = d.rule_id
    left join lateral (select bool_or(o.state = any (${[...overturningStates]}::text[])) as is_overturned
      from appeal o where o.decision_id = d.id) a on true
    left join case_time t on t.case_id = d.case_id and t.what = 'decision' and t.at = d.decided_at
  where d.kind = 'full' group by 1, 2, 3`;

/**
 * Counts the decisions of a day, and recounts each earlier day with a decision that was appealed on this day, or whose appeal was decided.
 * Days must come in order: those before the newest one with a row are final until the next appeal.
 */
export async function countDecisions(
  tx: Db,
  { day, since, until }: { day: string; since: Date; until: Date },
): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select ${day}::date as day
    union
    select (d.decided_at at time zone 'UTC')::date from appeal o join case_decision d on d.id = o.decision_id
    where (o.submitted_at >= ${since} and o.submitted_at < ${until}) or (o.answered_at >= ${since} and o.answered_at < ${until})`.execute(
    tx,
  );
  const days = rows.map((row) => row.day);
  await sql`delete from case_decision_day where day = any (${days}::date[])`.execute(tx);
  const decisions = sql`unnest(${days}::date[]) one (day) join case_decision d
    on d.decided_at >= one.day::timestamp at time zone 'UTC' and d.decided_at < (one.day + 1)::timestamp at time zone 'UTC'`;
  await sql`insert into case_decision_day ${decisionCounts(decisions)}`.execute(tx);
}
