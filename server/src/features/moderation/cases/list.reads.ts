import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { QueryOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/languages.ts';
import type { caseLineSchema } from '#contract/moderation/cases.ts';
import {
  type CaseFilters,
  type CaseOrder,
  type CaseView,
  caseViews,
  dueSoonHours,
  givenCaseFiltersSchema,
  openCaseViews,
  type listCases,
} from '#contract/moderation/case-list.ts';
import type { DecidedFilters } from '#contract/moderation/decided-filters.ts';
import type { HoldCause } from '#contract/moderation/holds.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { invalid } from '#platform/http/app-error.ts';
import { conditionsOf } from '#platform/db/conditions.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { seenBy, type Staff } from '#platform/session/access.ts';
import { fullName } from '#platform/session/own-user.ts';
import { shownEmail, type Viewer } from '../../profiles/public.ts';
import { savedView, type Screen } from '../saved-views/saved-views.ts';
import { isSensitiveCase } from '../care/care.reads.ts';
import type { CaseRow } from '../work/case-row.ts';
import { decidedFiltersOf } from './decided.reads.ts';
import { stageNow } from '../work/policy.ts';

/** A case with its person, if the account still exists. */
export interface FoundCase extends Omit<CaseRow, 'queue_at'> {
  email: string | null;
  is_active: boolean | null;
  language: Language | null;
  staff_role: StaffRole | null;
  first_name: string | null;
  last_name: string | null;
  joined_at: Date | null;
  types: ReportType[] | null;
  is_sensitive: boolean;
  open_links: number;
  held_since: Date | null;
  held_until: Date | null;
  held_because: HoldCause | null;
  /** Its position in the list, as the database writes it. */
  place: string;
}

/** The column that cases are ordered by, before their ids. */
export interface Order {
  by: RawBuilder<unknown>;
  isDescending: boolean;
}

const byTimeLeft: Order = { by: sql`c.queue_at`, isDescending: false };

/** The cases that match `where`, with their people; those with the least time left first, unless `order` differs. `c` is the case. */
export async function findCases(
  db: Db,
  where: RawBuilder<unknown>,
  limit: number,
  { by, isDescending }: Order = byTimeLeft,
): Promise<FoundCase[]> {
  const order = isDescending ? sql`${by} desc, c.id desc` : sql`${by}, c.id`;
  const { rows } = await sql<FoundCase>`
    select c.*, ${by}::text as place, a.email, a.language, a.staff_role, a.created_at as joined_at, a.is_active and a.leaving_since is null as is_active,
      p.first_name, p.last_name,
      (select array_agg(distinct r.problem_type) from report r where r.case_id = c.id and r.deleted_at is null
        and (c.stage = 'decided' or r.status in ('pending', 'in_progress'))) as types,
      ${isSensitiveCase('c.id')} as is_sensitive,
      (select count(*)::int from account_link k where k.account_id = c.person_id and k.reviewed_at is null) as open_links,
      h.since as held_since, h.ends_at as held_until, h.cause as held_because
    from (select c.* from moderation_case c where ${where} order by ${order} limit ${limit}) c
      left join account a on a.id = c.person_id left join profile p on p.account_id = c.person_id
      left join account_hold h on h.account_id = c.person_id and h.ended_at is null
    order by ${order}`.execute(db);
  return rows;
}

/** A case for the queue. */
export function toCaseLine(row: FoundCase, viewer: Viewer, now: Date): z.input<typeof caseLineSchema> {
  const stage = stageNow(row, now);
  const isFree = stage === 'open' && row.stage === 'claimed';
  return {
    _id: row.id,
    person: {
      _id: row.person_id,
      name: row.person_id === null ? 'Deleted user' : (fullName(row.first_name, row.last_name) ?? 'Unknown'),
      email: row.email === null ? null : shownEmail(viewer, row.email),
      isActive: row.is_active ?? false,
      ...(row.language !== null && { language: row.language }),
    },
    stage,
    priority: row.priority,
    criticalBecause: row.critical_because,
    reportCount: row.report_count,
    openReports: row.open_reports,
    openLinks: row.open_links,
    types: row.types ?? [],
    isSensitive: row.is_sensitive,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
    due: row.due_at && { at: row.due_at, what: row.responded_at === null ? 'response' : 'decision' },
    isBreached: row.due_at !== null && row.due_at < now,
    isPaused: row.paused_at !== null,
    holder:
      isFree || row.holder_name === null ? null : { _id: row.holder_id, name: row.holder_name, until: row.lease_until },
    hold: holdIn(row),
  };
}

function holdIn({ held_since, held_until, held_because }: FoundCase) {
  if (held_since === null || held_until === null || held_because === null) return null;
  return { since: held_since, endsAt: held_until, cause: held_because };
}

/** The condition for the cases in a list, without its filters. */
export function conditionOf(view: CaseView, viewer: Staff, now: Date): RawBuilder<boolean> {
  switch (view) {
    case 'open':
      return sql`c.stage <> 'decided'`;
    case 'mine':
      return sql`c.stage <> 'decided' and c.holder_id = ${viewer.accountId}::uuid`;
    case 'unclaimed':
      return sql`c.stage = 'open'`;
    case 'due_soon':
      return sql`c.stage <> 'decided' and c.queue_at >= ${now}::timestamptz
        and c.queue_at < ${secondsAfter(now, dueSoonHours * 3600)}::timestamptz`;
    case 'breached':
      return sql`c.stage <> 'decided' and c.queue_at < ${now}::timestamptz`;
    case 'escalated':
      return sql`c.stage = 'escalated'`;
    case 'waiting':
      return sql`c.stage in ('waiting_reporter', 'waiting_authority')`;
    case 'held':
      return sql`c.id in (select h.case_id from account_hold h where h.ended_at is null)`;
    case 'appealed':
      return sql`c.id in (select case_id from appeal where state in ('submitted', 'under_review'))
        and ${seenBy(viewer, 'decision', 'c.id')}`;
    case 'decided':
      return sql`c.stage = 'decided'`;
  }
}

/** What determines a page of cases: a list and, for open cases, filters and an order; for closed ones, filters on their decisions. */
type Listed = Omit<CaseFilters, 'list' | 'order'> & {
  list: CaseView;
  order?: CaseOrder | undefined;
  decided?: DecidedFilters | null;
};

/** The condition for the cases in a list; it excludes cases to which the viewer is a party. */
export function listedIn({ list, ...filters }: Listed, viewer: Staff, now: Date): RawBuilder<boolean> {
  const conditions = conditionsOf(filters, {
    priority: (priorities) => sql`c.priority = any (${priorities}::text[])`,
    type: (types) => sql`exists (select from report r where r.case_id = c.id and r.deleted_at is null
      and r.status in ('pending', 'in_progress') and r.problem_type = any (${types}::text[]))`,
  });
  const all = [conditionOf(list, viewer, now), ...conditions, seenBy(viewer, 'case', 'c.id')];
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

/** The open cases `c`. */
export const waitingCases = (viewer: Staff, now: Date) =>
  sql`moderation_case c where ${listedIn({ list: 'open' }, viewer, now)}`;

/** The list of open cases, which everyone who reads it may filter by everything. */
export const caseScreen: Screen<CaseFilters> = {
  name: 'cases',
  read: (filters) => givenCaseFiltersSchema.parse(filters),
  mayUse: () => true,
};

/** Whether the cases of a list are open. */
export const isOpenList = (list: CaseView) => openCaseViews.some((one) => one === list);

/**
 * The filters and order of a query: those of a saved list, or the query's own. Throws 404 for a deleted list, 400 for filters that the list
 * doesn't have, 403 for a colleague's decisions by appeal.
 */
export async function listedBy(db: Db, viewer: Viewer, query: QueryOf<typeof listCases>, now: Date): Promise<Listed> {
  const { view = 'open', priority, type, order } = query;
  const list = caseViews.find((one) => one === view);
  const decided = decidedFiltersOf(query, viewer, now);
  if (decided !== null && (list === undefined || isOpenList(list)))
    throw invalid('view', msg`Only lists of closed cases are searched by their decisions`);
  if (list === undefined) return (await savedView(db, viewer, caseScreen, view)).filters;
  if (!isOpenList(list) && [priority, type, order].some((each) => each !== undefined))
    throw invalid('view', msg`Only lists of open cases can have filters and an order`);
  return { list, priority, type, order, decided };
}

/** The number up to which lists are counted. */
export const countedMost = 100;

/** The order of a list. */
export function orderOf({ list, order = 'due' }: Listed): Order {
  if (!isOpenList(list)) return { by: sql`c.updated_at`, isDescending: true };
  return order === 'due' ? byTimeLeft : { by: sql`c.opened_at`, isDescending: order === 'newest' };
}
