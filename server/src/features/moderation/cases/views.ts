import { sql } from 'kysely';
import type { SavedCaseView } from '#contract/moderation/case-list.ts';
import { reportPriorities } from '#contract/moderation/reports.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Caller } from '#platform/session/caller.ts';
import { savedViews } from '../saved-views/saved-views.ts';
import { caseScreen, conditionOf, countedMost } from './list.reads.ts';

/** How many of the most urgent open cases are examined to count saved lists. */
const countedAmong = 2000;

type Counted = Pick<SavedCaseView, 'filters'>;

/** Counts all lists in one pass, which looks up the reports of each case once. */
async function countsOf(db: Db, viewer: Caller, views: readonly Counted[], now: Date): Promise<Record<string, number>> {
  const columns = views.map(({ filters: { list, priority, type } }, index) => {
    const wanted = sql`${conditionOf(list, viewer, now)} and c.priority = any (${priority ?? reportPriorities}::text[])
      and ${type === undefined ? sql`true` : sql`c.types && ${type}::text[]`}`;
    return sql`(count(*) filter (where ${wanted}))::int as ${sql.ref(`n${index}`)}`;
  });
  const { rows } = await sql<Record<string, number>>`select ${sql.join([sql`count(*)::int as "all"`, ...columns])}
    from (select c.*, array(select r.problem_type from report r where r.case_id = c.id and r.deleted_at is null
        and r.status in ('pending', 'in_progress')) as types from moderation_case c where c.stage <> 'decided' and ${seenBy(viewer, 'case', 'c.id')}
      order by c.queue_at, c.id limit ${countedAmong}) c`.execute(db);
  return rows[0] ?? {};
}

/** The viewer's saved lists of cases with their sizes, then those of the team; or only the one with `id`. */
export async function caseLists(db: Db, viewer: Caller, now: Date, id: string | null = null): Promise<SavedCaseView[]> {
  const views = await savedViews(db, viewer, caseScreen, id);
  const counts = views.length === 0 ? {} : await countsOf(db, viewer, views, now);
  return views.map((view, index) => {
    const count = counts[`n${index}`] ?? 0;
    const isAtLeast = count < countedMost && (counts['all'] ?? 0) >= countedAmong;
    return { ...view, count: Math.min(count, countedMost), isAtLeast };
  });
}

/** A list of cases that was just saved. */
export async function caseListAfter({ tx, caller, now }: CommandContext, id: string): Promise<SavedCaseView> {
  const [view] = await caseLists(tx, caller, now, id);
  if (view === undefined) throw new Error('a saved list was not found');
  return view;
}
