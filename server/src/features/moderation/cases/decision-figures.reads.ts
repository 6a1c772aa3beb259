import { sql } from 'kysely';
import {
  type CountedDecisions,
  type DecisionFigures,
  decisionMonths,
  decisionSharesFrom,
} from '#contract/moderation/decided-cases.ts';
import { may } from '#contract/roles.ts';
import type { Db } from '#platform/db/db.ts';
import { lastMonths } from '#platform/process/clock.ts';
import { hiddenIds } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import { startOf } from './decided.reads.ts';
import { decisionCounts } from './decision-counts.ts';
import { type DecidedRow, sharesShown } from './decision-shares.policy.ts';

/** The decisions of one colleague by one rule in one month. */
interface CountRow extends DecidedRow {
  appealed: number;
  overturned: number;
  timed: number;
  took_ms: number;
}

/**
 * Adds up rows. Groups that are too small have a number, but neither shares nor a time, which would reveal something about single
 * decisions. An appeal in one of the viewer's cases may be subtracted before it is counted, so results are limited to zero.
 */
function counted(rows: readonly CountRow[], hasShares = true): CountedDecisions {
  const sum = (column: 'decided' | 'appealed' | 'overturned' | 'timed' | 'took_ms') =>
    Math.max(
      0,
      rows.reduce((all, row) => all + row[column], 0),
    );
  const [decided, timed] = [sum('decided'), sum('timed')];
  if (!hasShares || decided < decisionSharesFrom) return { decided, appealed: null, overturned: null, averageMs: null };
  const averageMs = timed === 0 ? null : Math.round(sum('took_ms') / timed);
  return { decided, appealed: sum('appealed'), overturned: sum('overturned'), averageMs };
}

/**
 * The decisions since a day, without those in cases to which the viewer is a party or which they review again. Days before the newest
 * counted one come from the roll-up, minus the viewer's cases; later ones are counted now.
 */
async function countsSince(db: Db, { accountId }: Viewer, first: string): Promise<CountRow[]> {
  const newest = await sql<{ day: string | null }>`select max(day) as day from case_decision_day`.execute(db);
  const day = newest.rows[0]?.day ?? first;
  const uncounted = day > first ? day : first;
  const own = hiddenIds({ accountId }, 'decision');
  const ofOwnCases = sql`(select * from case_decision where case_id = any (${own})
    and decided_at >= ${startOf(first)} and decided_at < ${startOf(uncounted)}) d`;
  const ofOthers = sql`(select * from case_decision where decided_at >= ${startOf(uncounted)} and case_id <> all (${own})) d`;
  const { rows } = await sql<CountRow>`
    with counted as (
      select * from case_decision_day where day >= ${first}::date and day < ${uncounted}::date
      union all
      select day, clause, decided_by, -decided, -appealed, -overturned, -timed, -took_ms from (${decisionCounts(ofOwnCases)}) own
      union all
      ${decisionCounts(ofOthers)}
    )
    select to_char(day, 'YYYY-MM') as month, clause, decided_by as person, sum(decided)::int as decided, sum(appealed)::int as appealed,
      sum(overturned)::int as overturned, sum(timed)::int as timed, sum(took_ms)::float as took_ms
    from counted group by 1, 2, 3`.execute(db);
  return rows;
}

/** The newest title of each rule, by its clause. */
async function ruleTitles(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ clause: string; title: string }>`
    select distinct on (clause) clause, title from community_rule order by clause, version desc`.execute(db);
  return new Map(rows.map(({ clause, title }) => [clause, title]));
}

/** The names of colleagues, as they were when they last decided. */
async function deciderNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select person.id, newest.name from unnest(${ids}::uuid[]) person (id) cross join lateral (
      select decided_by_name as name from case_decision where decided_by = person.id
      order by decided_at desc, id desc limit 1) newest`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const inOrder = new Intl.Collator('en', { numeric: true });

/**
 * The decisions with reasons of the last months, by rule and month, and by colleague in alphabetical order, without cases to which the
 * viewer is a party. Colleagues who don't lead the team get only their own line.
 */
export async function decisionFigures(db: Db, viewer: Viewer, now: Date): Promise<DecisionFigures> {
  const months = lastMonths(now, decisionMonths);
  const rows = await countsSince(db, viewer, `${months[0] ?? ''}-01`);
  const hasShares = sharesShown(rows, viewer);
  const seriesOf = (of: readonly CountRow[], names: 'clause'[], clause = '') => {
    const byMonth = Map.groupBy(of, ({ month }) => month);
    return {
      total: counted(of, hasShares(names, { clause, month: '' })),
      months: months.map((month) => ({
        month,
        ...counted(byMonth.get(month) ?? [], hasShares([...names, 'month'], { clause, month })),
      })),
    };
  };
  const titles = await ruleTitles(db);
  const isLead = may(viewer.staffRole, 'cases.lead');
  const people = [...Map.groupBy(rows, ({ person }) => person)]
    .map(([_id, of]) => ({ _id, isOwn: _id === viewer.accountId, ...counted(of) }))
    .filter(({ isOwn, decided }) => decided > 0 && (isOwn || isLead));
  const names = await deciderNames(
    db,
    people.map(({ _id }) => _id),
  );
  return {
    all: seriesOf(rows, []),
    rules: [...Map.groupBy(rows, ({ clause }) => clause)]
      .map(([clause, of]) => ({ clause, ...seriesOf(of, ['clause'], clause) }))
      .filter(({ total }) => total.decided > 0)
      .sort(
        (one, other) =>
          Number(one.clause === '') - Number(other.clause === '') || inOrder.compare(one.clause, other.clause),
      )
      .map(({ clause, ...series }) => ({
        rule: clause === '' ? null : { clause, title: titles.get(clause) ?? '' },
        ...series,
      })),
    people: people
      .map((one) => ({ ...one, name: names.get(one._id) ?? '' }))
      .sort((one, other) => inOrder.compare(one.name, other.name) || inOrder.compare(one._id, other._id)),
  };
}
