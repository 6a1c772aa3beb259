import { sql } from 'kysely';
import {
  type CountedDecisions,
  type DecisionFigures,
  decisionMonths,
  decisionSharesFrom,
} from '#contract/moderation/decided-cases.ts';
import { overturningStates } from '#contract/moderation/decided-filters.ts';
import { may } from '#contract/roles.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Viewer } from '../../profiles/public.ts';

interface GroupRow {
  clause: string | null;
  title: string | null;
  month: string | null;
  person: string | null;
  name: string;
  /** Which of the columns are the same in the whole group. */
  by_clause: boolean;
  decided: number;
  appealed: number;
  overturned: number;
  median: number | null;
}

/** The last months in UTC as YYYY-MM, oldest first. */
const lastMonths = (now: Date) =>
  Array.from({ length: decisionMonths }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (decisionMonths - 1 - index), 1))
      .toISOString()
      .slice(0, 7),
  );

/** Groups that are too small have a number, but neither shares nor a time: they would say something about single decisions. */
function counted(row: Pick<GroupRow, 'decided' | 'appealed' | 'overturned' | 'median'> | undefined): CountedDecisions {
  const { decided = 0, appealed = 0, overturned = 0, median = null } = row ?? {};
  if (decided < decisionSharesFrom) return { decided, appealed: null, overturned: null, medianMs: null };
  return { decided, appealed, overturned, medianMs: median };
}

/** Every group of the decisions since a month began. Reads one range of the index by time. */
async function groupsSince(db: Db, viewer: Viewer, month: string): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    with counted as (
      select d.decided_by as person, d.decided_by_name, d.decided_at, r.clause, r.title,
        to_char(d.decided_at at time zone 'UTC', 'YYYY-MM') as month, t.took_ms, a.decision_id, a.is_overturned
      from case_decision d left join community_rule r on r.id = d.rule_id
        left join case_time t on t.case_id = d.case_id and t.what = 'decision' and t.at = d.decided_at
          and t.at >= ${`${month}-01`}::timestamp at time zone 'UTC'
        left join (select decision_id, bool_or(state = any (${[...overturningStates]}::text[])) as is_overturned
          from appeal group by decision_id) a on a.decision_id = d.id
      where d.kind = 'full' and d.decided_at >= ${`${month}-01`}::timestamp at time zone 'UTC'
        and d.case_id <> all (array(select logic.own_cases(${viewer.accountId}::uuid)))
    )
    select clause, month, person, grouping(clause) = 0 as by_clause, (array_agg(title order by decided_at desc))[1] as title,
      (array_agg(decided_by_name order by decided_at desc))[1] as name, count(*)::int as decided, count(decision_id)::int as appealed,
      (count(*) filter (where is_overturned))::int as overturned,
      (percentile_disc(0.5) within group (order by took_ms))::float as median
    from counted group by grouping sets ((), (month), (clause), (clause, month), (person))`.execute(db);
  return rows;
}

const inOrder = new Intl.Collator('en', { numeric: true });

/**
 * The decisions with reasons of the last months, by rule and month, and by colleague in alphabetical order: without those of cases to which
 * the viewer is a party. Who doesn't lead the team gets their own line only.
 */
export async function decisionFigures(db: Db, viewer: Viewer, now: Date): Promise<DecisionFigures> {
  const months = lastMonths(now);
  const rows = await groupsSince(db, viewer, months[0] ?? '');
  const groups = rows.filter(({ person }) => person === null);
  const seriesOf = (of: readonly GroupRow[]) => ({
    total: counted(of.find(({ month }) => month === null)),
    months: months.map((month) => ({ month, ...counted(of.find((row) => row.month === month)) })),
  });
  const ofRules = groups.filter(({ by_clause }) => by_clause);
  const clauses = [...new Set(ofRules.map(({ clause }) => clause))].sort((one, other) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : inOrder.compare(one, other),
  );
  const isLead = may(viewer.staffRole, 'cases.lead');
  return {
    all: seriesOf(groups.filter(({ by_clause }) => !by_clause)),
    rules: clauses.map((clause) => {
      const own = ofRules.filter((row) => row.clause === clause);
      const title = own.find(({ month }) => month === null)?.title ?? '';
      return { rule: clause === null ? null : { clause, title }, ...seriesOf(own) };
    }),
    people: rows
      .flatMap(({ person, name, ...row }) =>
        person === null ? [] : [{ _id: person, name, isOwn: person === viewer.accountId, ...counted(row) }],
      )
      .filter(({ isOwn }) => isOwn || isLead)
      .sort((one, other) => inOrder.compare(one.name, other.name) || inOrder.compare(one._id, other._id)),
  };
}
