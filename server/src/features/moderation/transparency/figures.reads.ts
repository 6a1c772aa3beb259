import { type RawBuilder, sql } from 'kysely';
import type { TransparencyFigure } from '#contract/moderation/transparency.ts';
import type { Db } from '#platform/db/db.ts';
import type { FigureCount, StatementRow, TimesRow } from './policy.ts';

/** Whether a moment is in the year, in UTC. */
const isIn = (year: number, moment: RawBuilder<unknown>) =>
  sql`${moment} >= make_timestamptz(${year}, 1, 1, 0, 0, 0, 'UTC') and ${moment} < make_timestamptz(${year} + 1, 1, 1, 0, 0, 0, 'UTC')`;

/** The rows of each figure and their groups. Only events in the year count, so that a past year keeps its figures. */
function parts(year: number): Record<TransparencyFigure, { name: RawBuilder<unknown>; from: RawBuilder<unknown> }> {
  const reports = sql`report where source <> 'staff_message' and ${isIn(year, sql`created_at`)}`;
  const decisions = sql`case_decision d left join community_rule r on r.id = d.rule_id
    where d.kind = 'full' and ${isIn(year, sql`d.decided_at`)}`;
  const interim = sql`case_decision d join community_rule r on r.id = d.rule_id
    where d.kind = 'interim' and ${isIn(year, sql`d.decided_at`)}`;
  const measures = (isInterim: boolean) => sql`sanction s join case_decision d on d.id = s.decision_id
    where (d.kind = 'interim') = ${isInterim}::boolean and ${isIn(year, sql`s.starts_at`)}`;
  return {
    'notices.type': { name: sql`type`, from: sql`outsider_notice where ${isIn(year, sql`at`)}` },
    'reports.source': { name: sql`source`, from: reports },
    'reports.type': { name: sql`problem_type`, from: reports },
    'decisions.outcome': { name: sql`d.outcome`, from: decisions },
    'decisions.rule': { name: sql`coalesce(r.clause, 'none')`, from: decisions },
    'decisions.source': { name: sql`d.source`, from: decisions },
    'decisions.detection': {
      name: sql`case when d.is_detection_automated then 'automated' else 'people' end`,
      from: decisions,
    },
    'decisions.oneClick': {
      name: sql`'resolved'`,
      from: sql`case_decision where kind = 'quick' and undone_at is null and ${isIn(year, sql`decided_at`)}`,
    },
    'measures.kind': { name: sql`s.kind`, from: measures(false) },
    'interim.rule': { name: sql`r.clause`, from: interim },
    'interim.measures': { name: sql`s.kind`, from: measures(true) },
    'ruleHits.outcome': { name: sql`outcome`, from: sql`rule_hit where ${isIn(year, sql`judged_at`)}` },
    'holds.cause': { name: sql`cause`, from: sql`account_hold where ${isIn(year, sql`since`)}` },
    'holds.outcome': { name: sql`outcome`, from: sql`account_hold where ${isIn(year, sql`ended_at`)}` },
    'pictures.refused': {
      name: sql`case actor_role when 'system' then 'automated' else 'people' end`,
      from: sql`audit_event where action = 'picture.rejected' and ${isIn(year, sql`at`)}`,
    },
    // Read from the history of cases, because a reopened case replaces its old emergencies.
    'emergencies.kind': {
      name: sql`to_value`,
      from: sql`case_event where kind = 'emergency' and ${isIn(year, sql`at`)}`,
    },
    'referrals.made': { name: sql`'made'`, from: sql`referral where ${isIn(year, sql`made_at`)}` },
    'legalHolds.set': { name: sql`'set'`, from: sql`legal_hold where ${isIn(year, sql`set_at`)}` },
    'appeals.party': { name: sql`party`, from: sql`appeal where ${isIn(year, sql`submitted_at`)}` },
    'appeals.result': { name: sql`state`, from: sql`appeal where ${isIn(year, sql`answered_at`)}` },
    'secondLooks.result': {
      name: sql`case when is_agreed then 'agreed' else 'differed' end`,
      from: sql`second_look where decision_id is not null and ${isIn(year, sql`judged_at`)}`,
    },
    'staff.role': { name: sql`staff_role`, from: sql`account where staff_role is not null and is_active` },
  };
}

/** Counts a year, each figure by its groups, in separate statements, because a single one would take too long. */
export async function figureCounts(db: Db, year: number): Promise<FigureCount[]> {
  const counts: FigureCount[] = [];
  for (const [figure, { name, from }] of Object.entries(parts(year))) {
    const { rows } = await sql<FigureCount>`
      select ${figure}::text as figure, (${name})::text as name, count(*)::int as count from ${from}
      group by 2 order by 3 desc, 2`.execute(db);
    counts.push(...rows);
  }
  return counts;
}

/** How long first responses and decisions of the year took, without pauses, and answers to appeals. */
export async function timesOf(db: Db, year: number): Promise<TimesRow[]> {
  const { rows } = await sql<TimesRow>`
    select what, count(*)::int as cases, percentile_cont(0.5) within group (order by took_ms) as median,
      percentile_disc(0.9) within group (order by took_ms) as p90
    from (
      select what, took_ms::float from case_time where ${isIn(year, sql`at`)}
      union all
      select 'appeal', extract(epoch from answered_at - submitted_at)::float * 1000 from appeal
      where ${isIn(year, sql`answered_at`)}
    ) taken (what, took_ms) group by 1`.execute(db);
  return rows;
}

/** The decisions of the year with measures, grouped by the content of their statements of reasons. */
export async function statementRows(db: Db, year: number): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    with decided as (
      select to_char(d.decided_at at time zone 'UTC', 'YYYY-MM') as month, r.clause as rule, d.kind, d.source,
        d.is_detection_automated::text as detection,
        (select string_agg(distinct s.kind, ' ' order by s.kind) from sanction s where s.decision_id = d.id) as measures,
        (select coalesce(string_agg(distinct s.content ->> 'type', ' ' order by s.content ->> 'type'), '')
          from sanction s where s.decision_id = d.id) as content,
        (select coalesce(min(p.problem_type), '') from case_decision_report l join report p on p.id = l.report_id
          where l.decision_id = d.id) as category
      from case_decision d join community_rule r on r.id = d.rule_id
      where d.kind <> 'quick' and ${isIn(year, sql`d.decided_at`)}
    )
    select decided.*, count(*)::int as count from decided where measures is not null
    group by month, rule, kind, source, detection, measures, content, category`.execute(db);
  return rows;
}
