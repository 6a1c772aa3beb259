import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import {
  bulkExamples,
  type BulkKind,
  bulkKinds,
  bulkPeopleMax,
  type BulkSkip,
  bulkSkips,
  type previewBulk,
  type Selection,
} from '#contract/moderation/bulk.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requirePermission } from '#platform/session/caller.ts';
import { mayActOn } from '#platform/session/access.policy.ts';
import { withInvolvement } from '#platform/session/access.ts';
import { idsListed, listedUsers, noteAddresses } from '../../profiles/public.ts';
import type { StaffContext } from '../work/case-row.ts';
import { countsAs } from '../user-file/tags.reads.ts';

interface Person {
  id: string;
  staff_role: StaffRole | null;
  is_active: boolean;
  is_leaving: boolean;
  is_already: boolean;
}

/** The selected people who can be acted on, in the order of the list, and how many others there are. */
interface Chosen {
  total: number;
  fitting: string[];
  skipped: Map<BulkSkip, number>;
}

interface Wanted {
  kind: BulkKind;
  tagId?: string | undefined;
  /** The act whose messages are withdrawn. */
  of?: string | undefined;
}

/** Whether a person has not yet read the message of a bulk act. */
export const hasUnread = (id: RawBuilder<unknown>, actId: string | undefined) => sql<boolean>`exists (
  select from bulk_act_item i join report r on r.id = i.report_id
  where i.act_id = ${actId}::uuid and i.account_id = ${id} and r.unread_since is not null and not r.is_listed
    and r.deleted_at is null)`;

/** Whether nothing would change for account `a`. */
function isAlready({ kind, tagId, of }: Wanted, now: Date): RawBuilder<unknown> {
  if (kind === 'takeBack') return sql`not ${hasUnread(sql`a.id`, of)}`;
  if (kind === 'endSessions')
    return sql`not exists (
      select from session s where s.account_id = a.id and least(s.idle_expires_at, s.expires_at) > ${now}::timestamptz)`;
  if (kind !== 'tag' && kind !== 'untag') return sql`false`;
  const hasTag = sql`exists (
    select from account_tag k join user_tag t on t.id = k.tag_id
    where k.account_id = a.id and coalesce(t.merged_into, t.id) = ${countsAs(tagId)})`;
  return kind === 'tag' ? hasTag : sql`not ${hasTag}`;
}

/** Why someone is left out, or null. Only people who can sign in have sessions and read messages. */
function skipOf(person: Person, kind: BulkKind): BulkSkip | null {
  const mustSignIn = kind === 'endSessions' || kind === 'notice';
  if (kind === 'notice' && person.staff_role !== null) return 'staff';
  if (mustSignIn && person.is_leaving) return 'leaving';
  if (mustSignIn && !person.is_active) return 'inactive';
  return person.is_already ? 'already' : null;
}

/** The ids in a selection; for filters, at most one more than can be selected. Empty for someone else's act. */
async function idsOf({ tx, caller, now }: StaffContext, selection: Selection): Promise<readonly string[]> {
  if ('ids' in selection) return selection.ids;
  if ('filters' in selection)
    return await idsListed({ db: tx, notedIn: tx, caller, now }, selection.filters, bulkPeopleMax + 1);
  const changed = await tx
    .selectFrom('bulk_act as b')
    .innerJoin('bulk_act_item as i', 'i.act_id', 'b.id')
    .select('i.account_id')
    .where('b.id', '=', selection.changedBy)
    .where('b.made_by', '=', caller.accountId)
    .where('i.outcome', '=', 'done')
    .orderBy('i.position')
    .execute();
  return changed.map((item) => item.account_id);
}

/** 409 while messages are being sent, because later ones would remain. Waits for the message that is being written. */
async function requireSent(tx: Db, id: string | undefined): Promise<void> {
  const act = await tx
    .selectFrom('bulk_act')
    .select('state')
    .where('id', '=', id ?? '')
    .forUpdate()
    .executeTakeFirst();
  if (act?.state === 'running') throw new AppError('CONFLICT', msg`This is still being sent. Stop it first.`);
}

/**
 * The people in a selection. 403 without the permission for the act; 400 for too many people, and without a tag to add or remove; 409 for
 * messages that are still being sent.
 */
export async function choose(context: StaffContext, selection: Selection, wanted: Wanted): Promise<Chosen> {
  const { tx, caller, now } = context;
  requirePermission(caller, bulkKinds[wanted.kind]);
  if ((wanted.kind === 'tag' || wanted.kind === 'untag') && wanted.tagId === undefined)
    throw invalid('tagId', msg`Choose a tag`);
  const of = 'changedBy' in selection ? selection.changedBy : undefined;
  if (wanted.kind === 'takeBack' && of === undefined) throw invalid('selection', msg`Choose what to take back`);
  if (wanted.kind === 'takeBack') await requireSent(tx, of);
  const ids = await idsOf(context, selection);
  if (ids.length > bulkPeopleMax) throw invalid('selection', msg`Choose 10,000 people at most`);
  const { rows } = await sql<Person>`
    select a.id, a.staff_role, a.is_active, a.leaving_since is not null as is_leaving, ${isAlready({ ...wanted, of }, now)} as is_already
    from unnest(${ids}::uuid[]) with ordinality as chosen (id, at) join account a on a.id = chosen.id
    order by chosen.at`.execute(tx);
  const viewer = await withInvolvement(tx, caller);
  const skipped = new Map<BulkSkip, number>();
  const skip = (why: BulkSkip, count = 1) => skipped.set(why, (skipped.get(why) ?? 0) + count);
  const fitting = rows.filter((person) => {
    const why = mayActOn(viewer, person) ? skipOf(person, wanted.kind) : 'notAllowed';
    if (why !== null) skip(why);
    return why === null;
  });
  if (rows.length < ids.length) skip('gone', ids.length - rows.length);
  return { total: ids.length, fitting: fitting.map(({ id }) => id), skipped };
}

/** The people an act would affect. Throws the errors of `choose`. */
export async function preview(
  { tx, deps, caller, now }: CommandContext,
  { selection, kind, tagId }: BodyOf<typeof previewBulk>,
): Promise<AnswerInput<typeof previewBulk>['data']> {
  const { total, fitting, skipped } = await choose({ tx, caller, now }, selection, { kind, tagId });
  const reader = { db: tx, caller, now, pictures: deps.pictures };
  const examples = fitting.slice(0, bulkExamples);
  const shown = await noteAddresses(reader, examples);
  return {
    total,
    fitting: fitting.length,
    examples: await listedUsers(reader, examples, shown),
    skipped: bulkSkips.flatMap((why) => {
      const count = skipped.get(why);
      return count === undefined ? [] : [{ why, count }];
    }),
  };
}
