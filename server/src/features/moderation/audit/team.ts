import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { listTeam } from '#contract/moderation/team.ts';
import { outranks } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { fullName } from '#platform/session/own-user.ts';
import { withInvolvement } from '#platform/session/access.ts';
import { emailFor, permissionsOn, type Viewer } from '../../profiles/public.ts';

interface ColleagueRow {
  id: string;
  email: string;
  staff_role: StaffRole;
  is_active: boolean;
  first_name: string | null;
  last_name: string | null;
  last_active_at: Date | number;
  open_cases: number;
}

/** The maximum number of people shown; a team is smaller than this. */
const shownMost = 500;

/** Everyone with a staff role, the highest role first. */
async function readTeam(db: Db, viewer: Viewer) {
  const { rows } = await sql<ColleagueRow>`
    select a.id, a.email, a.staff_role, a.is_active, p.first_name, p.last_name, r.last_active_at,
      (select count(*)::int from moderation_case c where c.holder_id = a.id and c.stage <> 'decided') as open_cases
    from account a join profile p on p.account_id = a.id join presence r on r.account_id = a.id
    where a.staff_role is not null and a.leaving_since is null
    order by p.first_name collate "und-x-icu", a.id limit ${shownMost}`.execute(db);
  const shownAddresses = new Set(rows.map(({ id }) => id));
  const staff = { ...(await withInvolvement(db, viewer)), shownAddresses };
  const byRank = rows.toSorted(
    (a, b) => Number(outranks(b.staff_role, a.staff_role)) - Number(outranks(a.staff_role, b.staff_role)),
  );
  return byRank.map((row) => ({
    _id: row.id,
    name: fullName(row.first_name, row.last_name),
    email: emailFor(staff, row.id, row.email),
    staffRole: row.staff_role,
    isActive: row.is_active,
    lastActive: row.last_active_at instanceof Date ? row.last_active_at : null,
    openCases: row.open_cases,
    can: { changeRole: permissionsOn(staff, row).changeRole },
  }));
}

/** Mounts the list of the team, for people who may see it. */
export function mountTeam(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, listTeam).to(async ({ caller }) => ({ data: { members: await readTeam(deps.db, caller) } }));
}
