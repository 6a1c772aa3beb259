import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import {
  decidedFilters,
  type DecidedFilters,
  type DecidedLine,
  decidedRanges,
  overturningStates,
} from '#contract/moderation/decided-filters.ts';
import { chosenFilters } from '#contract/filters.ts';
import { may } from '#contract/roles.ts';
import { conditionsOf, refuseBackwards } from '#platform/db/conditions.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, refuseFuture } from '#platform/http/app-error.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';

/**
 * The filters on decisions that a query sets; null without any. 400 for a range that starts after its end or in the future. 403 for a
 * colleague's decisions by appeal, which would be figures about this colleague, unless the viewer leads the team.
 */
export function decidedFiltersOf(
  query: DecidedFilters & { view?: string | undefined },
  { accountId, staffRole }: Pick<Viewer, 'accountId' | 'staffRole'>,
  now: Date,
): DecidedFilters | null {
  const { decidedFrom: from, decider, appealed, overturned, view } = query;
  const isByAppeal = appealed !== undefined || overturned !== undefined || view === 'appealed';
  if (isByAppeal && decider !== undefined && decider !== accountId && !may(staffRole, 'cases.lead'))
    throw new AppError('FORBIDDEN', msg`Only those who lead the team search a colleague’s decisions by appeal.`);
  if (from !== undefined) refuseFuture('decidedFrom', from, now);
  refuseBackwards(query, decidedRanges);
  const filters = chosenFilters(decidedFilters, query);
  return Object.keys(filters).length === 0 ? null : filters;
}

/** Null for a text that is no id, which then equals none. */
const uuidOf = (id: string) => sql`${isUuid(id) ? id : null}::uuid`;
/** The moment at which a day begins in UTC. */
export const startOf = (day: string) => sql`(${day}::date)::timestamp at time zone 'UTC'`;
const endOf = (day: string) => sql`(${day}::date + 1)::timestamp at time zone 'UTC'`;

/** Whether an appeal reversed the decision whose id is in `id`, at least in part. */
export const isOverturned = (
  id: RawBuilder<unknown>,
) => sql<boolean>`exists (select from appeal o where o.decision_id = ${id}
  and o.state = any (${[...overturningStates]}::text[]))`;

/** Whether the decision with this alias counts: clicks that were undone within seconds and temporary restrictions don't. */
const counts = (d: string) =>
  sql<boolean>`(${sql.ref(`${d}.kind`)} = 'full' or (${sql.ref(`${d}.kind`)} = 'quick' and ${sql.ref(`${d}.undone_at`)} is null))`;

/** All conditions of the filters on the decision with this alias. */
function fits(d: string, filters: DecidedFilters): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${d}.${name}`);
  const hasAppeal = sql<boolean>`exists (select from appeal o where o.decision_id = ${column('id')})`;
  const wanted = (condition: RawBuilder<boolean>) => (isWanted: boolean) =>
    isWanted ? condition : sql<boolean>`not ${condition}`;
  const conditions = conditionsOf(filters, {
    person: (id) => sql`${column('case_id')} = (${caseOf(id)})`,
    rule: (clause) => sql`${column('rule_id')} in (${versionsOf(clause)})`,
    outcome: (one) => (one === 'quick' ? sql`${column('kind')} = 'quick'` : sql`${column('outcome')} = ${one}`),
    decider: (id) => sql`${column('decided_by')} = ${uuidOf(id)}`,
    decidedFrom: (day) => sql`${column('decided_at')} >= ${startOf(day)}`,
    decidedTo: (day) => sql`${column('decided_at')} < ${endOf(day)}`,
    source: (source) => sql`${column('source')} = ${source}`,
    appealed: wanted(hasAppeal),
    overturned: wanted(isOverturned(column('id'))),
  });
  return sql.join([counts(d), ...conditions], sql` and `);
}

const caseOf = (personId: string) => sql`select m.id from moderation_case m where m.person_id = ${uuidOf(personId)}`;
const versionsOf = (clause: string) => sql`select v.id from community_rule v where v.clause = ${clause}`;

/** A decision in the order of the list: its time as the database writes it, and its id. */
export interface DecidedPlace {
  at: string;
  id: string;
}

const usualScan = 20_000;

/**
 * The decisions that a search reads, newest first: one range of the index for its most selective filter. The others are checked for each
 * row, so no filter has to read the whole table.
 */
function scanOf({ filters, after, scannedMost = usualScan }: DecidedSearch) {
  const { person, rule, decider, decidedFrom, decidedTo } = filters;
  const newest = sql`order by d.decided_at desc, d.id desc limit ${scannedMost}`;
  const walk = (where: RawBuilder<unknown>) => sql`
    select d.id, d.case_id, d.kind, d.outcome, d.rule_id, d.source, d.decided_by, d.decided_at, d.undone_at from case_decision d
    where ${where} ${decidedFrom === undefined ? sql`` : sql`and d.decided_at >= ${startOf(decidedFrom)}`}
      ${decidedTo === undefined ? sql`` : sql`and d.decided_at < ${endOf(decidedTo)}`}
      ${after === null ? sql`` : sql`and (d.decided_at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)`} ${newest}`;
  if (person !== undefined) return walk(sql`d.case_id = (${caseOf(person)})`);
  if (decider !== undefined) return walk(sql`d.decided_by = ${uuidOf(decider)}`);
  if (rule === undefined) return walk(sql`true`);
  return sql`select d.* from (${versionsOf(rule)}) version cross join lateral (${walk(sql`d.rule_id = version.id`)}) d ${newest}`;
}

export interface DecidedSearch {
  filters: DecidedFilters;
  /** Only cases with an appeal that waits for review. */
  isAppealed: boolean;
  after: DecidedPlace | null;
  limit: number;
  /** The most decisions that are read before the search stops and offers to continue. */
  scannedMost?: number;
}

/** The case and the decision that a search found in it. */
export interface FoundDecision {
  case_id: string;
  decision_id: string;
}

/**
 * One page of the cases with a matching decision, each with its newest one, newest first, without cases to which the viewer is a party or
 * which they review again. If there are many decisions it reads only some of them, so a page may be short although more follow.
 */
export async function searchDecided(
  db: Db,
  { accountId }: Pick<Viewer, 'accountId'>,
  search: DecidedSearch,
): Promise<{ found: FoundDecision[]; next: DecidedPlace | null }> {
  const { filters, isAppealed, limit, scannedMost = usualScan } = search;
  const scan = scanOf(search);
  const { rows } = await sql<FoundDecision & { at: string }>`
    select d.case_id, d.id as decision_id, d.decided_at::text as at from (${scan}) d
    where ${fits('d', filters)} and ${seenBy({ accountId }, 'decision', 'd.case_id')}
      ${isAppealed ? sql`and d.case_id in (select o.case_id from appeal o where o.state in ('submitted', 'under_review'))` : sql``}
      and not exists (select from case_decision n where n.case_id = d.case_id and (n.decided_at, n.id) > (d.decided_at, d.id)
        and ${fits('n', filters)})
    order by d.decided_at desc, d.id desc limit ${limit + 1}`.execute(db);
  const found = rows.slice(0, limit);
  const last = found.at(-1);
  if (rows.length > limit && last !== undefined) return { found, next: { at: last.at, id: last.decision_id } };
  const end = await sql<DecidedPlace>`
    select d.decided_at::text as at, d.id from (${scan}) d offset ${scannedMost - 1} limit 1`.execute(db);
  return { found, next: end.rows[0] ?? null };
}

/** The decisions that match `where`, by their cases. `d` is the decision. */
async function linesWhere(db: Db, where: RawBuilder<unknown>) {
  const { rows } = await sql<{ case_id: string; at: Date; line: Omit<DecidedLine, 'at'> }>`
    select d.case_id, d.decided_at as at, jsonb_build_object('_id', d.id, 'outcome', d.outcome, 'source', d.source,
      'rule', case when r.id is not null then jsonb_build_object('clause', r.clause, 'version', r.version, 'title', r.title) end,
      'by', jsonb_build_object('_id', d.decided_by, 'name', d.decided_by_name),
      'sanctions', array(select distinct s.kind from sanction s where s.decision_id = d.id order by s.kind),
      'appeal', (select o.state from appeal o where o.decision_id = d.id order by o.submitted_at desc, o.id limit 1)) as line
    from case_decision d left join community_rule r on r.id = d.rule_id where ${where}`.execute(db);
  return new Map(rows.map(({ case_id, at, line }) => [case_id, { ...line, at }]));
}

/** These decisions by their cases, one for each case. */
export const decisionLines = (db: Db, found: readonly FoundDecision[]) =>
  linesWhere(db, sql`d.id = any (${found.map(({ decision_id }) => decision_id)}::uuid[])`);

/** The newest decision of each of these cases, without cases that the viewer reviews again. */
export const newestLines = (db: Db, { accountId }: Viewer, cases: readonly { id: string }[]) =>
  linesWhere(
    db,
    sql`d.id = any (array(select distinct on (n.case_id) n.id from case_decision n
      where n.case_id = any (${cases.map(({ id }) => id)}::uuid[]) and ${counts('n')}
        and ${seenBy({ accountId }, 'decision', 'n.case_id')}
      order by n.case_id, n.decided_at desc, n.id desc))`,
  );
