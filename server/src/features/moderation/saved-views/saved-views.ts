import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { ownViewsMax, type SavedView, sharedViewsMax, type ViewScreen } from '#contract/moderation/saved-views.ts';
import { may } from '#contract/roles.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { fullName } from '#platform/session/own-user.ts';
import type { Viewer } from '../../profiles/public.ts';

/** A screen whose lists are saved. */
export interface Screen<F> {
  name: ViewScreen;
  /** Reads filters as they were saved, even by an earlier release. */
  read: (filters: unknown) => F;
  /** Whether the viewer's role may use the filters: shared lists with others are hidden from it. */
  mayUse: (viewer: Viewer, filters: F) => boolean;
}

interface ViewRow<F> {
  id: string;
  owner_id: string | null;
  author_id: string | null;
  name: string;
  filters: F;
  version: number;
  first_name: string | null;
  last_name: string | null;
}

/** A list with its filters and name. */
interface Given<F> {
  name: string;
  filters: F;
  isShared?: boolean | undefined;
}

/** Shared lists belong to the team, and people who lead it change them. */
const mayChange = ({ owner_id }: ViewRow<unknown>, { accountId, staffRole }: Viewer) =>
  owner_id === accountId || may(staffRole, 'cases.lead');

/** The viewer's lists of a screen, then those of the team, each by name; or only the one with `id`. */
async function rowsOf<F>(db: Db, viewer: Viewer, screen: Screen<F>, id: string | null): Promise<ViewRow<F>[]> {
  const { rows } = await sql<ViewRow<unknown>>`
    select v.id, v.owner_id, v.author_id, v.name, v.filters, v.version, p.first_name, p.last_name
    from case_view v left join profile p on p.account_id = v.author_id
    where v.screen = ${screen.name} and coalesce(v.owner_id, ${viewer.accountId}::uuid) = ${viewer.accountId}::uuid
      and (${id}::uuid is null or v.id = ${id}::uuid)
    order by v.owner_id is null, v.name collate "und-x-icu", v.id`.execute(db);
  return rows
    .map((row) => ({ ...row, filters: screen.read(row.filters) }))
    .filter(({ owner_id, filters }) => owner_id !== null || screen.mayUse(viewer, filters));
}

/** A list that the viewer has saved, or that the team shares. Throws 404. */
export async function savedView<F>(db: Db, viewer: Viewer, screen: Screen<F>, id: string): Promise<ViewRow<F>> {
  const [row] = await rowsOf(db, viewer, screen, id);
  if (row === undefined) throw notFound();
  return row;
}

/** The viewer's lists of a screen, then those of the team, each by name; or only the one with `id`. */
export async function savedViews<F>(
  db: Db,
  viewer: Viewer,
  screen: Screen<F>,
  id: string | null = null,
): Promise<(SavedView & { filters: F })[]> {
  const rows = await rowsOf(db, viewer, screen, id);
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    filters: row.filters,
    isShared: row.owner_id === null,
    sharedBy: row.owner_id === null ? fullName(row.first_name, row.last_name) : null,
    version: row.version,
    canChange: mayChange(row, viewer),
  }));
}

/** Throws 403 unless the caller may share lists with the team, which is the same right on all screens. */
function checkSharing({ staffRole }: Viewer): void {
  if (!may(staffRole, 'cases.lead'))
    throw new AppError('FORBIDDEN', msg`Only senior moderators and administrators can share lists with the team`);
}

/** Keeps others from writing lists until the transaction ends. */
const lockViews = (tx: Db) => sql`lock table case_view in share row exclusive mode`.execute(tx);

interface Place {
  screen: ViewScreen;
  ownerId: string | null;
  /** The list that is changed; null for a new one. */
  id: string | null;
}

/** Throws 409 if the name is in use or there are too many lists. */
async function checkRoom(tx: Db, { screen, ownerId, id }: Place, name: string): Promise<void> {
  const { rows } = await sql<{ is_taken: boolean; others: number }>`
    select coalesce(bool_or(folded(name) = folded(${name})), false) as is_taken, count(*)::int as others
    from case_view where screen = ${screen} and owner_id is not distinct from ${ownerId}::uuid
      and id is distinct from ${id}::uuid`.execute(tx);
  if (rows[0]?.is_taken === true)
    throw invalid(
      'name',
      ownerId === null ? msg`The team has a list with this name` : msg`You have a list with this name`,
      'CONFLICT',
    );
  const most = ownerId === null ? sharedViewsMax : ownViewsMax;
  if ((rows[0]?.others ?? 0) >= most)
    throw new AppError('CONFLICT', msg`There are already ${{ most }} lists. Delete one that you no longer need.`);
}

/** Writes an audit row about a shared list: its name before and after; null when the team doesn't have it. */
async function recordOnView(
  context: CommandContext,
  action: AuditAction,
  { id, from, to }: { id: string } & Record<'from' | 'to', string | null>,
): Promise<void> {
  await audit(context, { type: 'view', id }, action, { changes: { name: { from, to } } });
}

/**
 * Saves a list under a name, for the caller or the team; returns its id. Throws 403 without the permission, and 409 if the name is in use
 * or there are too many lists.
 */
export async function saveView<F>(context: CommandContext, screen: Screen<F>, given: Given<F>): Promise<string> {
  const { tx, caller, now } = context;
  const { name, filters, isShared = false } = given;
  if (isShared) checkSharing(caller);
  const ownerId = isShared ? null : caller.accountId;
  await lockViews(tx);
  await checkRoom(tx, { screen: screen.name, ownerId, id: null }, name);
  const { id } = await tx
    .insertInto('case_view')
    .values({
      screen: screen.name,
      owner_id: ownerId,
      author_id: caller.accountId,
      name,
      filters: JSON.stringify(filters),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (isShared) await recordOnView(context, 'view.shared', { id, from: null, to: name });
  return id;
}

/** Throws 403 for a list of a team that the caller does not lead, and 404 for a deleted one. */
async function changeable<F>(tx: Db, caller: Viewer, screen: Screen<F>, id: string): Promise<ViewRow<F>> {
  await lockViews(tx);
  const row = await savedView(tx, caller, screen, id);
  if (!mayChange(row, caller))
    throw new AppError('FORBIDDEN', msg`Only senior moderators and administrators can change a shared list`);
  return row;
}

/**
 * Renames or changes a saved list, shares it or makes it private; returns its id. Throws 404, 403, and 409 also if it is newer than the
 * caller's `version`.
 */
export async function changeView<F>(
  context: CommandContext,
  screen: Screen<F>,
  given: Given<F> & { id: string; version?: number | undefined },
): Promise<string> {
  const { tx, caller } = context;
  const { id, name, filters, version } = given;
  const old = await changeable(tx, caller, screen, id);
  if (version !== undefined && version !== old.version)
    throw new AppError('CONFLICT', msg`A colleague has just changed this list. Close it and open it again.`);
  const wasShared = old.owner_id === null;
  const { isShared = wasShared } = given;
  if (isShared && !wasShared) checkSharing(caller);
  if (!isShared && old.author_id !== caller.accountId)
    throw new AppError('FORBIDDEN', msg`Only the person who shared a list can make it private again`);
  const ownerId = isShared ? null : caller.accountId;
  await checkRoom(tx, { screen: screen.name, ownerId, id }, name);
  await tx
    .updateTable('case_view')
    .set({ owner_id: ownerId, version: old.version + 1, name, filters: JSON.stringify(filters) })
    .where('id', '=', id)
    .execute();
  if (isShared || wasShared) {
    const action = !wasShared ? 'view.shared' : isShared ? 'view.changed' : 'view.deleted';
    await recordOnView(context, action, { id, from: wasShared ? old.name : null, to: isShared ? name : null });
  }
  return id;
}

/** Deletes a saved list. Throws 404 and 403. */
export async function deleteView<F>(context: CommandContext, screen: Screen<F>, { id }: { id: string }): Promise<void> {
  const { tx, caller } = context;
  const view = await changeable(tx, caller, screen, id);
  await tx.deleteFrom('case_view').where('id', '=', id).execute();
  if (view.owner_id === null) await recordOnView(context, 'view.deleted', { id, from: view.name, to: null });
}
