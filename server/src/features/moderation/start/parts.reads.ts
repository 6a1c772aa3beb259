import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import { type getStart, startCountMost, startRowsMax } from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { countRows, type Db } from '#platform/db/db.ts';
import type { Caller } from '#platform/session/caller.ts';
import { seenBy } from '#platform/session/access.ts';
import { pendingPictures } from '../../media/public.ts';
import { recentApprovals, type Viewer } from '../../profiles/public.ts';
import { appealsToReview } from '../appeals/reads.ts';
import { findCases, toCaseLine } from '../cases/list.reads.ts';
import { scopeOf, staffReports } from '../reports/reads.ts';

type Sql = RawBuilder<unknown>;
export type Start = AnswerInput<typeof getStart>['data'];
export type StartRow = Start['mine']['rows'][number];

/** The reader of the start page, their address, and the time. */
export interface StartReader {
  db: Db;
  viewer: Caller & Viewer;
  now: Date;
}

/** The first rows of one kind, and their number, counted up to a limit. */
export interface Part {
  rows: StartRow[];
  count: number;
}

const nothing: Part = { rows: [], count: 0 };

/** A row with its details. */
export function rowOf(given: Pick<StartRow, 'opens' | 'what' | 'at'> & Partial<StartRow>): StartRow {
  const unknown = { _id: null, name: null, by: null, to: null, priority: null, count: null, due: null };
  return { ...unknown, types: [], isPaused: false, ...given };
}

const whole = (rows: StartRow[]): Part => ({ rows, count: rows.length });

/** The matching cases, by default open ones, for roles that handle cases: the least time left first, without those to which the viewer is a party. */
export async function casesPart(
  { db, viewer, now }: StartReader,
  what: string,
  where: Sql,
  stages = sql`c.stage <> 'decided'`,
): Promise<Part> {
  if (!may(viewer.staffRole, 'cases.handle')) return nothing;
  const all = sql`${stages} and ${where} and ${seenBy(viewer, 'case', 'c.id')}`;
  const [found, count] = await Promise.all([
    findCases(db, all, startRowsMax),
    countRows(db, sql`moderation_case c where ${all}`, startCountMost),
  ]);
  const lines = found.map((row) => toCaseLine(row, viewer, now));
  return {
    rows: lines.map(({ person: { name }, holder, updatedAt: at, _id, types, priority, due, isPaused }) =>
      rowOf({ opens: 'case', _id, what, name, by: holder?.name ?? null, types, priority, due, isPaused, at }),
    ),
    count,
  };
}

/**
 * The matching reports, for roles that handle reports: those that have waited longest first, without those in which the viewer is a party.
 */
export async function reportsPart({ db, viewer, now }: StartReader, what: string, where: Sql): Promise<Part> {
  if (!may(viewer.staffRole, 'reports.handle')) return nothing;
  const { rows: found } = await sql<{ id: string }>`
    select id from report where deleted_at is null and is_listed and ${where} and ${scopeOf(viewer)} and ${seenBy(viewer, 'report', 'report')}
    order by awaited_at, created_at desc, id desc limit ${startCountMost}`.execute(db);
  if (found.length === 0) return nothing;
  const ids = found.slice(0, startRowsMax).map(({ id }) => id);
  const rows = (await staffReports({ db, viewer, now }, ids)).map((report) => {
    const { _id, user, problem_type: type, priority, firstRespondedAt, dueAt, updatedAt: at } = report;
    const due = firstRespondedAt === null ? { at: dueAt, what: 'response' as const } : null;
    return rowOf({ opens: 'report', _id, what, name: user.name, types: [type], priority, due, at });
  });
  return { rows, count: found.length };
}

/** The matching appeals that the viewer may review. */
export async function appealsPart({ db, viewer, now }: StartReader, where: Sql): Promise<Part> {
  const found = await appealsToReview(db, viewer, { where, limit: startCountMost }, now);
  return whole(
    found.map(({ _id, appellant, dueAt, submittedAt: at }) => {
      const due = dueAt === null ? null : { at: dueAt, what: 'decision' as const };
      return rowOf({ opens: 'appeal', _id, what: 'appeal', name: appellant.name, due, at });
    }),
  );
}

/** The pictures that wait for review, in one row that opens their queue. */
export async function picturesPart({ db, viewer }: StartReader): Promise<Part> {
  if (!may(viewer.staffRole, 'pictures.review')) return nothing;
  const { count, since } = await pendingPictures(db, viewer, startCountMost);
  if (since === null) return nothing;
  return whole([rowOf({ opens: 'pictures', what: 'pictures', count, at: since })]);
}

/** Colleagues' requests that wait for the viewer's approval, and the viewer's approved requests that can be used. */
export async function approvalsPart({ db, viewer, now }: StartReader): Promise<Part> {
  if (!may(viewer.staffRole, 'cases.lead')) return nothing;
  const found = await recentApprovals({ tx: db, caller: viewer, now });
  return whole(
    found
      .filter(({ can }) => can.decide || can.use)
      .map(({ _id, can, requestedBy: { name: by }, requestedAt: at, rows: count }) =>
        rowOf({ opens: 'approvals', _id, what: can.use ? 'download' : 'approval', by, count, at }),
      ),
  );
}

/** The viewer's running acts on many people. */
export async function actsPart({ db, viewer }: StartReader): Promise<Part> {
  const acts = await db
    .selectFrom('bulk_act')
    .select(['id', 'total', 'started_at'])
    .where('made_by', '=', viewer.accountId)
    .where('state', '=', 'running')
    .orderBy('started_at')
    .limit(startCountMost)
    .execute();
  return whole(
    acts.map(({ id: _id, total: count, started_at: at }) =>
      rowOf({ opens: 'bulkAct', _id, what: 'running', count, at }),
    ),
  );
}
