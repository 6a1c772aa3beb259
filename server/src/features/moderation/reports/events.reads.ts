import { sql } from 'kysely';
import type { EmittedEvent } from '#contract/realtime.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Db } from '#platform/db/db.ts';
import type { ChangedReports } from '#platform/realtime/live-events.ts';
import { seenBy } from '#platform/session/access.ts';
import { isInScope } from './policy.ts';

interface StaffRow {
  id: string;
  staff_role: StaffRole | null;
  reports: { id: string; problem_type: string; may_be_minor: boolean }[];
  cases: string[];
}

/**
 * The changed reports and cases that each of these colleagues is notified of: the ids of those that their role lists, to which they aren't
 * a party, and that they don't review again. Even an id would reveal to a party that they were reported.
 */
export async function changedForStaff(
  db: Db,
  accountIds: string[],
  { reports, cases }: ChangedReports,
): Promise<Map<string, EmittedEvent>> {
  const viewer = { accountId: sql`v.id` };
  const { rows } = await sql<StaffRow>`
    select v.id, v.staff_role,
      (select coalesce(json_agg(json_build_object('id', r.id, 'problem_type', r.problem_type, 'may_be_minor', r.may_be_minor)), '[]')
        from report r where r.id = any (${[...reports]}::uuid[]) and r.is_listed
          and ${seenBy(viewer, 'report', 'r')}
      ) as reports,
      array(select c.id from moderation_case c where c.id = any (${[...cases]}::uuid[]) and ${seenBy(viewer, 'decision', 'c.id')}) as cases
    from account v where v.id = any (${accountIds}::uuid[]) and v.staff_role is not null`.execute(db);
  return new Map(
    rows.map(({ id, staff_role: role, ...seen }) => {
      const listed = may(role, 'reports.list') ? seen.reports.filter((report) => isInScope(role, report)) : [];
      const changed = {
        reports: listed.map((report) => report.id),
        cases: may(role, 'cases.list') ? seen.cases : [],
      };
      return [id, { kind: 'reports', changed }];
    }),
  );
}
