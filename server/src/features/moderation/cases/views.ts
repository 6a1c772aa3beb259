import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import {
  type CaseFilters,
  givenCaseFiltersSchema,
  ownCaseViewsMax,
  type SavedCaseView,
  sharedCaseViewsMax,
  type changeCaseView,
  type saveCaseView,
} from '#contract/moderation/case-list.ts';
import { reportPriorities } from '#contract/moderation/reports.ts';
import { may } from '#contract/roles.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError, invalid } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { fullName } from '../../../platform/session/own-user.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { conditionOf, countedMost, notParty, savedView } from './list.reads.ts';

interface ViewRow {
  id: string;
  owner_id: string | null;
  author_id: string | null;
  name: string;
  filters: CaseFilters;
  version: number;
}

/** Whether a list is shared: shared lists belong to the team, and people who lead it change them. */
const mayChange = ({ owner_id }: ViewRow, caller: Caller) =>
  owner_id === caller.accountId || may(caller.staffRole, 'cases.lead');

/** How many of the most urgent open cases are examined to count saved lists. */
const countedAmong = 2000;

/** Counts all lists in one pass, which looks up the reports of each case once. */
async function countsOf(db: Db, viewer: Caller, views: readonly ViewRow[], now: Date): Promise<Record<string, number>> {
  const columns = views.map(({ filters: { list, priority, type } }, index) => {
    const wanted = sql`${conditionOf(list, viewer, now)} and c.priority = any (${priority ?? reportPriorities}::text[])
      and ${type === undefined ? sql`true` : sql`c.types && ${type}::text[]`}`;
    return sql`(count(*) filter (where ${wanted}))::int as ${sql.ref(`n${index}`)}`;
  });
  const { rows } = await sql<Record<string, number>>`select ${sql.join([sql`count(*)::int as "all"`, ...columns])}
    from (select c.*, array(select r.problem_type from report r where r.case_id = c.id and r.deleted_at is null
        and r.status in ('pending', 'in_progress')) as types from moderation_case c where c.stage <> 'decided' and ${notParty(viewer)}
      order by c.queue_at, c.id limit ${countedAmong}) c`.execute(db);
  return rows[0] ?? {};
}

/** The viewer's saved lists, then those of the team, each by name; or only the one with `id`. */
export async function savedViews(
  db: Db,
  viewer: Caller,
  now: Date,
  id: string | null = null,
): Promise<SavedCaseView[]> {
  const { rows } = await sql<ViewRow & { first_name: string | null; last_name: string | null }>`
    select v.id, v.owner_id, v.author_id, v.name, v.filters, v.version, p.first_name, p.last_name
    from case_view v left join profile p on p.account_id = v.author_id
    where coalesce(v.owner_id, ${viewer.accountId}::uuid) = ${viewer.accountId}::uuid
      and (${id}::uuid is null or v.id = ${id}::uuid)
    order by v.owner_id is null, v.name collate "und-x-icu", v.id`.execute(db);
  const views = rows.map((row) => ({ ...row, filters: givenCaseFiltersSchema.parse(row.filters) }));
  const counts = views.length === 0 ? {} : await countsOf(db, viewer, views, now);
  return views.map((row, index) => {
    const isShared = row.owner_id === null;
    const count = counts[`n${index}`] ?? 0;
    return {
      _id: row.id,
      name: row.name,
      filters: row.filters,
      isShared,
      sharedBy: isShared ? fullName(row.first_name, row.last_name) : null,
      version: row.version,
      canChange: mayChange(row, viewer),
      count: Math.min(count, countedMost),
      isAtLeast: count < countedMost && (counts['all'] ?? 0) >= countedAmong,
    };
  });
}

type Given = BodyOf<typeof saveCaseView>;

const toColumns = ({ name, filters }: Given) => ({ name, filters: JSON.stringify(filters) });

/** Throws 403 unless the caller may share lists with the team. */
function checkSharing(caller: Caller): void {
  if (!may(caller.staffRole, 'cases.lead'))
    throw new AppError('FORBIDDEN', 'Only senior moderators and administrators can share lists with the team');
}

/** Keeps others from writing lists until the transaction ends. */
const lockViews = (tx: Db) => sql`lock table case_view in share row exclusive mode`.execute(tx);

/** Throws 409 if the name is in use or there are too many lists. */
async function checkRoom(tx: Db, ownerId: string | null, name: string, id: string | null): Promise<void> {
  const { rows } = await sql<{ is_taken: boolean; others: number }>`
    select coalesce(bool_or(folded(name) = folded(${name})), false) as is_taken, count(*)::int as others
    from case_view where owner_id is not distinct from ${ownerId}::uuid and id is distinct from ${id}::uuid`.execute(
    tx,
  );
  if (rows[0]?.is_taken === true)
    throw invalid(
      'name',
      ownerId === null ? 'The team has a list with this name' : 'You have a list with this name',
      'CONFLICT',
    );
  const most = ownerId === null ? sharedCaseViewsMax : ownCaseViewsMax;
  if ((rows[0]?.others ?? 0) >= most)
    throw new AppError('CONFLICT', `There are already ${most} lists. Delete one that you no longer need.`);
}

/** Writes an audit row about a shared list: its name before and after; null when the team doesn't have it. */
async function recordOnView(
  { tx, caller, now }: CommandContext,
  action: AuditAction,
  { id, from, to }: { id: string } & Record<'from' | 'to', string | null>,
): Promise<void> {
  const target = { type: 'view' as const, id };
  await writeAudit(tx, { actor: actorOf(caller), action, target, changes: { name: { from, to } } }, now);
}

async function viewAfter(tx: Db, caller: Caller, id: string, now: Date): Promise<SavedCaseView> {
  const [view] = await savedViews(tx, caller, now, id);
  if (view === undefined) throw new Error('a saved list was not found');
  return view;
}

/**
 * Saves a list of cases under a name, for the caller or the team. Throws 403 without the permission, and 409 if the name is in use or there
 * are too many lists.
 */
export async function saveView(context: CommandContext, given: Given): Promise<SavedCaseView> {
  const { tx, caller, now } = context;
  const isShared = given.isShared === true;
  if (isShared) checkSharing(caller);
  const ownerId = isShared ? null : caller.accountId;
  await lockViews(tx);
  await checkRoom(tx, ownerId, given.name, null);
  const { id } = await tx
    .insertInto('case_view')
    .values({ owner_id: ownerId, author_id: caller.accountId, ...toColumns(given), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (isShared) await recordOnView(context, 'view.shared', { id, from: null, to: given.name });
  return await viewAfter(tx, caller, id, now);
}

/** Throws 403 for a list of a team that the caller does not lead, and 404 for a deleted one. */
async function changeable(tx: Db, caller: Caller, id: string): Promise<ViewRow> {
  await lockViews(tx);
  const row = await savedView(tx, caller, id);
  if (!mayChange(row, caller))
    throw new AppError('FORBIDDEN', 'Only senior moderators and administrators can change a shared list');
  return row;
}

/**
 * Renames or changes a saved list, shares it or makes it private. Throws 404, 403, and 409 also if it is newer than the caller's `version`.
 */
export async function changeView(
  context: CommandContext,
  given: ParamsOf<typeof changeCaseView> & BodyOf<typeof changeCaseView>,
): Promise<SavedCaseView> {
  const { tx, caller, now } = context;
  const { id } = given;
  const old = await changeable(tx, caller, id);
  if (given.version !== undefined && given.version !== old.version)
    throw new AppError('CONFLICT', 'A colleague has just changed this list. Close it and open it again.');
  const wasShared = old.owner_id === null;
  const { isShared = wasShared } = given;
  if (isShared && !wasShared) checkSharing(caller);
  if (!isShared && old.author_id !== caller.accountId)
    throw new AppError('FORBIDDEN', 'Only the person who shared a list can make it private again');
  const ownerId = isShared ? null : caller.accountId;
  await checkRoom(tx, ownerId, given.name, id);
  await tx
    .updateTable('case_view')
    .set({ owner_id: ownerId, version: old.version + 1, ...toColumns(given) })
    .where('id', '=', id)
    .execute();
  if (isShared || wasShared) {
    const action = !wasShared ? 'view.shared' : isShared ? 'view.changed' : 'view.deleted';
    const names = { from: wasShared ? old.name : null, to: isShared ? given.name : null };
    await recordOnView(context, action, { id, ...names });
  }
  return await viewAfter(tx, caller, id, now);
}

/** Deletes a saved list. Throws 404 and 403. */
export async function deleteView(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller } = context;
  const view = await changeable(tx, caller, id);
  await tx.deleteFrom('case_view').where('id', '=', id).execute();
  if (view.owner_id === null) await recordOnView(context, 'view.deleted', { id, from: view.name, to: null });
}
