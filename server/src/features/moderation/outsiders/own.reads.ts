import { sql } from 'kysely';
import type { OutsiderOutcome } from '#contract/moderation/outsider-reports.ts';
import { appealReviewDays, type OwnAppeal } from '#contract/moderation/decisions.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { appealUntil } from '../decisions/links.ts';
import { isNotActing } from '../decisions/own-appeals.reads.ts';
import type { OutsiderReport } from './outsider-report-row.ts';

const reviewSeconds = appealReviewDays * 86_400;

/**
 * An outsider report with the newest decision on its report, and the appeal against that decision; a new decision can be appealed again.
 * `n` is the outsider report.
 */
export const decidedOutsiderReports = sql`outsider_notice n
  left join report r on r.id = n.report_id
  left join lateral (select d.id, d.case_id, d.decided_by, d.decided_at, ${isNotActing} as is_not_acting
    from case_decision_report l join case_decision d on d.id = l.decision_id
    where l.report_id = n.report_id and d.undone_at is null and r.status not in ('pending', 'in_progress')
    order by d.decided_at desc limit 1) decision on true
  left join appeal a on a.id = n.appeal_id and a.decision_id = decision.id`;

/** The columns that belong to its decision; null while there is none. */
export const decisionColumns = sql`decision.id as decision_id, decision.case_id, decision.decided_by,
  coalesce(decision.decided_at, n.closed_at) as decided_at, coalesce(decision.is_not_acting, true) as is_not_acting,
  a.plea as appeal_plea, a.submitted_at as appeal_at, a.answer as appeal_answer, a.answered_at as appeal_answered_at`;

/** An outsider report with its decision. */
export interface DecidedOutsiderReport extends OutsiderReport {
  decision_id: string | null;
  case_id: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  is_not_acting: boolean;
  appeal_plea: string | null;
  appeal_at: Date | null;
  appeal_answer: string | null;
  appeal_answered_at: Date | null;
}

/**
 * The appeal of an outsider report, with the same two states whether its report or the outsider report itself was decided, so that nothing
 * reveals which.
 */
function appealOf(row: DecidedOutsiderReport): OwnAppeal | null {
  const [text, at, answer, answeredAt] =
    row.decision_id === null
      ? [row.plea, row.plea_at, row.plea_answer, row.plea_answered_at]
      : [row.appeal_plea, row.appeal_at, row.appeal_answer, row.appeal_answered_at];
  if (at === null) return null;
  return {
    _id: row.id,
    state: answeredAt === null ? 'submitted' : 'upheld',
    text: text ?? '',
    at,
    dueAt: secondsAfter(at, reviewSeconds),
    answer,
    answeredAt,
  };
}

/** What the author is told: no details without an address, because they would reveal who is a member. */
function outcomeOf(row: DecidedOutsiderReport): OutsiderOutcome | null {
  if (row.decided_at === null) return null;
  if (!row.names_address) return 'unsaid';
  return row.is_not_acting ? 'not_acted' : 'acted';
}

/** The right to appeal a decision not to act, once. */
export function rightOf(row: DecidedOutsiderReport, now: Date) {
  if (outcomeOf(row) !== 'not_acted' || row.decided_at === null) return null;
  const until = appealUntil(row.decided_at);
  const appeal = appealOf(row);
  return { decisionId: row.id, until, mayAppeal: appeal === null && now <= until, appeal };
}

const mostShown = 50;

/** The newest outsider reports from an email address, for the person who reads its mailbox. */
export async function outsiderReportsFrom(db: Db, email: string, now: Date) {
  const { rows } = await sql<DecidedOutsiderReport>`
    select n.*, ${decisionColumns} from ${decidedOutsiderReports} where n.email = ${email} order by n.at desc, n.id limit ${mostShown}`.execute(
    db,
  );
  return rows.map((row) => ({
    _id: row.id,
    type: row.type,
    text: row.body,
    at: row.at,
    outcome: outcomeOf(row),
    decidedAt: row.decided_at,
    right: rightOf(row, now),
  }));
}
