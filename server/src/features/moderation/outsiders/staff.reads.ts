import { type RawBuilder, sql } from 'kysely';
import type { AnswerOf } from '#contract/endpoint.ts';
import {
  type listOutsiderNotices,
  type NoticeLine,
  noticesShown,
  type NoticeView,
  noticeViews,
  outsiderTypeNames,
} from '#contract/moderation/outsider-notices.ts';
import { may } from '#contract/roles.ts';
import { countRows, type Db } from '../../../platform/db/db.ts';
import { shownEmail, type Viewer } from '../../profiles/public.ts';
import { isUrgent } from './policy.ts';
import type { OutsiderNotice } from './tables.ts';

/** Whether a notice waits for staff: no report has it, and it isn't closed, or was appealed since. `n` is the notice. */
export const isWaiting = sql<boolean>`(n.report_id is null and (n.closed_at is null or n.plea is not null and n.plea_answer is null))`;

const isReachable = sql`(n.email is null or n.confirmed_at is not null)`;

const conditionOf: Record<NoticeView, RawBuilder<unknown>> = {
  waiting: sql`${isWaiting} and ${isReachable}`,
  unconfirmed: sql`${isWaiting} and not ${isReachable}`,
  done: sql`not ${isWaiting}`,
};

const countedMost = 100;

interface NoticeRow extends OutsiderNotice {
  case_id: string | null;
  sent: number;
}

function toLine(row: NoticeRow, viewer: Viewer): NoticeLine {
  const isOpen = row.report_id === null && (row.closed_at === null || row.plea_answer === null);
  const isBySelf = row.closed_by === viewer.accountId;
  return {
    _id: row.id,
    type: row.type,
    isUrgent: isUrgent(row.type),
    at: row.at.toISOString(),
    times: row.sent,
    address: row.address,
    person: row.person,
    where: row.place,
    text: row.body,
    name: row.name,
    email: row.email === null ? null : shownEmail({ ...viewer, isMasked: true }, row.email),
    plea: row.plea,
    closedBy: row.closed_by_name,
    canClose: may(viewer.staffRole, 'cases.handle') && isOpen && !isBySelf,
    caseId: row.case_id,
  };
}

const urgent = outsiderTypeNames.filter(isUrgent);

/** The notices of a list, without those in cases in which the viewer is a party. */
const noticesIn = (
  view: NoticeView,
  { accountId }: Viewer,
) => sql`outsider_notice n left join report r on r.id = n.report_id
  where ${conditionOf[view]} and (r.case_id is null or r.case_id <> all (array(select logic.own_cases(${accountId}::uuid))))`;

/** The first of the waiting notices with the same content stands for all of them; each that was appealed stands for itself. */
const distinctNotices = (view: NoticeView, viewer: Viewer) => sql`(
  select distinct on (n.digest, n.plea_at) n.*, r.case_id, (sum(n.times) over (partition by n.digest))::int as sent
  from ${noticesIn(view, viewer)} order by n.digest, n.plea_at, n.at, n.id) n`;

async function rowsOf(db: Db, viewer: Viewer, view: NoticeView): Promise<NoticeRow[]> {
  const from =
    view === 'done'
      ? sql`select n.*, r.case_id, n.times as sent from ${noticesIn(view, viewer)} order by coalesce(n.closed_at, n.at) desc, n.id`
      : sql`select * from ${distinctNotices(view, viewer)} order by n.type = any (${urgent}::text[]) desc, n.at, n.id`;
  return (await sql<NoticeRow>`${from} limit ${noticesShown}`.execute(db)).rows;
}

const countIn = (db: Db, viewer: Viewer, view: NoticeView) =>
  countRows(db, view === 'done' ? noticesIn(view, viewer) : distinctNotices(view, viewer), countedMost);

/** One list of notices, and the size of each. */
export async function outsiderNotices(
  db: Db,
  viewer: Viewer,
  view: NoticeView = 'waiting',
): Promise<AnswerOf<typeof listOutsiderNotices>['data']> {
  const rows = await rowsOf(db, viewer, view);
  const counts: Record<NoticeView, number> = { waiting: 0, unconfirmed: 0, done: 0 };
  for (const of of noticeViews) counts[of] = await countIn(db, viewer, of);
  return { notices: rows.map((row) => toLine(row, viewer)), counts };
}
