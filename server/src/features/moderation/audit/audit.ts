import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import type { CsvCell } from '#contract/csv.ts';
import { exactTotalMax } from '#contract/constants.ts';
import { type AuditAction, auditRanges, exportAudit, listAudit } from '#contract/moderation/audit.ts';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import type { Pagination } from '#contract/paging.ts';
import { may } from '#contract/roles.ts';
import { hasAddress } from '#contract/text.ts';
import { paginateFound, type Viewer } from '../../profiles/public.ts';
import { conditionsOf, daysOf, refuseBackwards } from '#platform/db/conditions.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { invalid } from '#platform/http/app-error.ts';
import { countRows, type Db, inTransaction } from '#platform/db/db.ts';
import { audit, givenFilters } from '#platform/db/audit.ts';
import type { Database } from '#platform/db/schema.ts';
import type { Deps } from '../../../deps.ts';
import { hiddenFrom, seenBy, withInvolvement } from '#platform/session/access.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendList } from '#platform/http/csv.ts';
import { mount } from '#platform/http/mount.ts';
import { forgetJob } from '#platform/people/forget.ts';

type AuditQuery = Omit<QueryOf<typeof exportAudit>, 'reason'>;
type AuditEventView = AnswerInput<typeof listAudit>['data']['events'][number];

interface AuditPage {
  events: AuditEventView[];
  pagination: Pagination;
}

/** What staff can read about themselves: changes to their own account. */
const aboutOneself: AuditAction[] = [
  'user.edited',
  'user.activated',
  'user.deactivated',
  'user.factorsReset',
  'user.sessionsEnded',
  'role.changed',
  'role.kept',
  'user.roleChanged',
  'administrator.created',
  'staff.signedIn',
  'staff.linked',
];

/** Null for a text that is no id, which then equals none. */
const uuidOf = (id: string) => (isUuid(id) ? id : null);

/** The events that match a search, without those that the viewer must not read. */
function matching(db: Db, query: AuditQuery, viewer: Viewer) {
  // Staff can't read what colleagues did in cases and reports to which they are a party or which they review again, or about the people in
  // them.
  const mayRead = sql<boolean>`${seenBy(viewer, 'decision', 'target_id')}
    and (target_id = any (array(select id from report where ${hiddenFrom(viewer, 'report', 'report')}))) is not true
    and (target_type <> 'user' or actor_id = ${viewer.accountId}::uuid or ${seenBy(viewer, 'person', 'target_id')}
      or (target_id = ${viewer.accountId}::uuid and action = any (${aboutOneself}::text[])))`;
  const days = daysOf(sql`at`);
  const conditions = conditionsOf(query, {
    action: (action) => sql`action = ${action}`,
    targetId: (id) => sql`target_id = ${uuidOf(id)}::uuid`,
    actorId: (id) => sql`actor_id = ${uuidOf(id)}::uuid`,
    from: days.from,
    to: days.until,
  });
  return db.selectFrom('audit_event').where(sql<boolean>`${sql.join([mayRead, ...conditions], sql` and `)}`);
}

/** The id in a cursor: the last event of the previous page. */
function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!/^\d{1,18}$/.test(id)) throw invalid('cursor', msg`This cursor belongs to another list`);
  return id;
}

const writeCursor = (id: string) => Buffer.from(id).toString('base64url');

/** Longer lists, such as of the people of an act on many, are shown by their length. */
const listedMost = 20;
const shortened = (value: unknown) =>
  Array.isArray(value) && value.length > listedMost ? { length: value.length } : value;

const privateChanges = ['birthDate', 'search'];

const isPrivate = (name: string, value: unknown) =>
  privateChanges.includes(name) || (typeof value === 'string' && hasAddress(value));

/**
 * The changes with long lists shortened, and without the values that are masked for the viewer's role, even within filters: birth dates,
 * search texts, and texts with an email address.
 */
function shownChanges(changes: NonNullable<AuditEventView['changes']>, viewer: Viewer): typeof changes {
  const isMasked = !may(viewer.staffRole, 'users.seePrivate');
  const shown = (name: string, value: unknown): unknown => {
    if (!isMasked || value === null) return shortened(value);
    if (isPrivate(name, value)) return '•••';
    if (typeof value !== 'object' || Array.isArray(value)) return shortened(value);
    return Object.fromEntries(Object.entries(value).map(([inner, part]) => [inner, shown(inner, part)]));
  };
  const entries = Object.entries(changes).map(([name, { from, to }]) => [
    name,
    { from: shown(name, from), to: shown(name, to) },
  ]);
  return Object.fromEntries(entries) as typeof changes;
}

/** The event as shown to a viewer who is a party in the case of some of the people in a bulk act. */
function forParty(event: AuditEventView, changes: unknown, involved: ReadonlySet<string>): AuditEventView {
  const people = (changes as AuditEventView['changes'] | null)?.['people']?.to;
  if (!Array.isArray(people) || !people.some((id) => involved.has(String(id)))) return event;
  const { reason: _, ...shown } = event;
  return { ...shown, changes: { ...event.changes, people: { from: null, to: { length: people.length } } } };
}

/** An event as the viewer may see it; `involved` are the people in whose cases the viewer is a party. */
function shownEvent(row: Selectable<Database['audit_event']>, viewer: Viewer, involved: ReadonlySet<string>) {
  const event: AuditEventView = {
    _id: row.id,
    at: row.at,
    actor: { _id: row.actor_id, name: row.actor_name, role: row.actor_role },
    action: row.action as AuditAction,
    target: { type: row.target_type, id: row.target_id },
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.changes === null
      ? {}
      : { changes: shownChanges(row.changes as NonNullable<AuditEventView['changes']>, viewer) }),
  };
  return row.actor_id === viewer.accountId ? event : forParty(event, row.changes, involved);
}

/**
 * One page of the audit log, newest first, without events about cases and reports to which the viewer is a party. The total is exact up to
 * 10,000.
 */
async function auditPage(db: Db, viewer: Viewer, query: QueryOf<typeof listAudit>, limit: number): Promise<AuditPage> {
  refuseBackwards(query, auditRanges);
  const page = query.page ?? 1;
  let events = matching(db, query, viewer)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1);
  events =
    query.cursor === undefined ? events.offset((page - 1) * limit) : events.where('id', '<', readCursor(query.cursor));
  const [rows, { involvedWith }, total] = await Promise.all([
    events.execute(),
    withInvolvement(db, viewer),
    countRows(db, sql`(${matching(db, query, viewer).select('id')}) events`, exactTotalMax + 1),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    events: shown.map((row) => shownEvent(row, viewer, involvedWith)),
    pagination: {
      ...paginateFound(page, limit, total),
      nextCursor: rows.length > limit && last !== undefined ? writeCursor(last.id) : null,
    },
  };
}

/** The columns of an export. */
const columns: readonly (readonly [title: MessageDescriptor, value: (event: AuditEventView) => CsvCell])[] = [
  [msg`Time (UTC)`, ({ at }) => new Date(at).toISOString()],
  [msg`Actor`, ({ actor }) => actor.name],
  [msg`Actor ID`, ({ actor }) => actor._id],
  [msg`Role`, ({ actor }) => actor.role],
  [msg`Action`, ({ action }) => action],
  [msg`Target type`, ({ target }) => target.type],
  [msg`Target ID`, ({ target }) => target.id],
  [msg`Reason`, ({ reason }) => reason ?? null],
  [msg`Changes`, ({ changes }) => (changes === undefined ? null : JSON.stringify(changes))],
];

const exportedAtOnce = 1000;

/** Exports the events that match a search. */
async function exportEvents(
  context: Parameters<typeof sendList>[0],
  { reason, ...query }: QueryOf<typeof exportAudit>,
): Promise<FastifyReply> {
  const { caller } = context;
  refuseBackwards(query, auditRanges);
  async function* batches(db: Db) {
    const { involvedWith } = await withInvolvement(db, caller);
    const found = matching(db, query, caller).selectAll().orderBy('id', 'desc').limit(exportedAtOnce);
    for (let before: string | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
      const rows = await (before === undefined ? found : found.where('id', '<', before)).execute();
      before = rows.length < exportedAtOnce ? undefined : rows.at(-1)?.id;
      const events = rows.map((row) => shownEvent(row, caller, involvedWith));
      yield events.map((event) => columns.map(([, value]) => value(event)));
    }
  }
  return await sendList(context, {
    name: 'audit',
    columns,
    reason,
    searched: { filters: givenFilters(query) },
    batches,
  });
}

const defaultLimit = 20;

/** Runs daily: creates the partitions of the next months, and drops those that ended two years ago. The database picks both. */
export const auditJob = forgetJob(
  'audit.cleanUp',
  '53 3 * * *',
  ({ db }) => sql`select logic.create_audit_months()`.execute(db),
  ({ db }) => sql`select logic.drop_expired_audit()`.execute(db),
);

/** Mounts the audit log, for administrators. Reading it is audited too. */
export function mountAudit(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, listAudit).to(async ({ caller, query, read, now }) => {
    const data = await read((from) => auditPage(from, caller, query, query.limit ?? defaultLimit));
    await inTransaction(deps.db, (tx) => audit({ tx, caller, now }, { type: 'audit', id: null }, 'audit.read'));
    return { data };
  });
  mount(app, deps, exportAudit).to((context) => exportEvents(context, context.query));
}
