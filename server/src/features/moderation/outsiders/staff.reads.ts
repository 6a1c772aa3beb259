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

/** The first of the waiting notices with the same content in the same list stands for all of them, apart from those that were appealed. */
const isFirst = sql`(n.plea is not null or not exists (select from outsider_notice e where e.digest = n.digest and (e.at, e.id) < (n.at, n.id)
  and e.report_id is null and e.closed_at is null and (e.email is null or e.confirmed_at is not null) = ${isReachable}))`;

const conditionOf: Record<NoticeView, RawBuilder<unknown>> = {
  waiting: sql`${isWaiting} and ${isFirst} and ${isReachable}`,
  unconfirmed: sql`${isWaiting} and ${isFirst} and not ${isReachable}`,
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

/** One list of notices, and the size of each. Those in cases in which the viewer is a party are left out. */
export async function outsiderNotices(
  db: Db,
  viewer: Viewer,
  view: NoticeView = 'waiting',
): Promise<AnswerOf<typeof listOutsiderNotices>['data']> {
  const urgent = outsiderTypeNames.filter(isUrgent);
  const from = (of: NoticeView) => sql`outsider_notice n left join report r on r.id = n.report_id
    where ${conditionOf[of]} and (r.case_id is null or r.case_id <> all (array(select logic.own_cases(${viewer.accountId}::uuid))))`;
  const order =
    view === 'done'
      ? sql`coalesce(n.closed_at, n.at) desc, n.id`
      : sql`n.type = any (${urgent}::text[]) desc, n.at, n.id`;
  const { rows } = await sql<NoticeRow>`
    select n.*, r.case_id, (select sum(s.times)::int from outsider_notice s where s.digest = n.digest) as sent
    from ${from(view)} order by ${order} limit ${noticesShown}`.execute(db);
  const counts: Record<NoticeView, number> = { waiting: 0, unconfirmed: 0, done: 0 };
  for (const of of noticeViews) counts[of] = await countRows(db, from(of), countedMost);
  return { notices: rows.map((row) => toLine(row, viewer)), counts };
}
