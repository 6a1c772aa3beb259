import type { AppealLine } from '#contract/moderation/appeals.ts';
import type { CaseLine } from '#contract/moderation/cases.ts';
import type { StaffReport } from '#contract/moderation/reports.ts';
import {
  startCountMost,
  type StartList,
  type StartRow,
  startRowsMax,
  type StartSection,
} from '#contract/moderation/start.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Viewer } from '../../profiles/public.ts';

/** Who reads their start page, from where, and when. */
export interface StartReader {
  db: Db;
  viewer: Caller & Viewer;
  now: Date;
}

/** Rows of one kind, how many there are of them, and the lists that have them. */
export interface StartPart {
  rows: StartRow[];
  count: number;
  lists?: StartList[];
}

type Given = Pick<StartRow, 'opens' | '_id' | 'what'> & Partial<StartRow> & { at: string };

/** A row with what is known of it. Its key has the time, because the same thing can change more than once. */
export function rowOf(given: Given): StartRow {
  const key = [given.what, given._id, given.at].filter(Boolean).join(' ');
  return { key, name: null, by: null, types: [], priority: null, count: null, due: null, isPaused: false, ...given };
}

/** A case with its person and the time left. */
export function caseRow({ _id, person, types, priority, due, isPaused, updatedAt }: CaseLine, what: StartRow['what']) {
  return rowOf({ opens: 'case', _id, what, name: person.name, types, priority, due, isPaused, at: updatedAt });
}

/** A report with the member who wrote it; answered ones have no deadline. */
export function reportRow(report: StaffReport, what: StartRow['what']): StartRow {
  const { _id, user, problem_type: type, priority, firstRespondedAt, dueAt, updatedAt } = report;
  const due = firstRespondedAt === null ? { at: dueAt, what: 'response' as const } : null;
  return rowOf({ opens: 'report', _id, what, name: user.name, types: [type], priority, due, at: updatedAt });
}

/** An appeal with the time left to decide it. */
export function appealRow({ _id, appellant, dueAt, submittedAt }: AppealLine, what: StartRow['what']): StartRow {
  const due = dueAt === null ? null : { at: dueAt, what: 'decision' as const };
  return rowOf({ opens: 'appeal', _id, what, name: appellant.name, due, at: submittedAt });
}

/** What needs someone first: by the deadline, otherwise by how long it has waited. */
const urgency = ({ due, at }: StartRow) => Date.parse(due?.at ?? at);
const mostUrgent = (one: StartRow, other: StartRow) => urgency(one) - urgency(other);
/** The newest first. */
export const newest = (one: StartRow, other: StartRow) => Date.parse(other.at) - Date.parse(one.at);

/** A section of its parts: its first rows in order, and how many there are in all. */
export function sectionOf(parts: readonly StartPart[], order = mostUrgent): StartSection {
  return {
    rows: parts
      .flatMap(({ rows }) => rows)
      .sort(order)
      .slice(0, startRowsMax),
    count: Math.min(
      startCountMost,
      parts.reduce((sum, { count }) => sum + count, 0),
    ),
    lists: [...new Set(parts.flatMap(({ count, lists = [] }) => (count > 0 ? lists : [])))],
  };
}

/** A part of rows that were all read, up to the number to which they are counted. */
export function partOf(rows: StartRow[], ...lists: StartList[]): StartPart {
  return { rows, count: rows.length, lists };
}
