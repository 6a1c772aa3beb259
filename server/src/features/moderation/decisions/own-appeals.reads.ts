import { type RawBuilder, type Selectable, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { AppealParty, appealRightSchema, OwnAppeal } from '#contract/moderation/decisions.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { appealUntil } from './links.ts';

export type AppealRow = Selectable<Database['appeal']>;
export type AppealRight = z.input<typeof appealRightSchema>;

function toOwnAppeal(row: AppealRow): OwnAppeal {
  return {
    _id: row.id,
    state: row.state,
    text: row.plea,
    at: row.submitted_at,
    dueAt: row.due_at,
    answer: row.answer,
    answeredAt: row.answered_at,
  };
}

/** The part of a decision that determines whether it can be appealed. */
export interface AppealedDecision {
  id: string;
  decided_at: Date;
  undone_at: Date | null;
  /** Whether a later decision on the same reports replaced it. */
  is_superseded?: boolean;
}

/** How often an appeal may be withdrawn and submitted again, because each one adds to the case. */
const mostAppeals = 3;

/** A party may appeal once, until the days are over, and twice more after withdrawing. `appeal` is their newest one. */
function toRight(
  decision: AppealedDecision,
  appeal: (AppealRow & { tries: number }) | undefined,
  now: Date,
): AppealRight {
  const until = appealUntil(decision.decided_at);
  const isFirst = appeal === undefined || (appeal.state === 'withdrawn' && appeal.tries < mostAppeals);
  const holds = decision.undone_at === null && decision.is_superseded !== true;
  return {
    decisionId: decision.id,
    until,
    mayAppeal: isFirst && holds && now <= until,
    appeal: appeal === undefined ? null : toOwnAppeal(appeal),
  };
}

/** What an account may do about decisions, by the id of the decision. */
export async function rightsOf(
  db: Db,
  accountId: string,
  decisions: readonly AppealedDecision[],
  now: Date,
): Promise<Map<string, AppealRight>> {
  const { rows } = await sql<AppealRow & { tries: number }>`
    select distinct on (decision_id) *, (count(*) over (partition by decision_id))::int as tries from appeal
    where account_id = ${accountId}::uuid and decision_id = any (${decisions.map(({ id }) => id)}::uuid[])
    order by decision_id, (withdrawn_at is null) desc, submitted_at desc, id`.execute(db);
  const newest = new Map(rows.map((row) => [row.decision_id, row]));
  return new Map(decisions.map((one) => [one.id, toRight(one, newest.get(one.id), now)]));
}

/** A decision with the role in which an account is a party to it. */
export interface PartyDecision extends AppealedDecision {
  case_id: string;
  decided_by: string;
  party: AppealParty;
}

/** Decisions not to act: with reasons, or with one click that rejected the report. `d` is the decision, `r` the report. */
export const isNotActing = sql`(d.outcome in ('no_violation', 'unfounded') or (d.kind = 'quick' and r.status = 'rejected'))`;

/** Whether a report of decision `d` was decided again later. */
export const isSuperseded = sql<boolean>`exists (select from case_decision_report l
  join case_decision_report later on later.report_id = l.report_id
  join case_decision other on other.id = later.decision_id and other.undone_at is null and other.decided_at > d.decided_at
  where l.decision_id = d.id)`;

/** The decisions that an account may object to, as the person they act on or as a reporter whose report led to no action. */
export async function decisionsAgainst(
  db: Db,
  accountId: string,
  where: RawBuilder<unknown>,
): Promise<PartyDecision[]> {
  const { rows } = await sql<PartyDecision>`
    select d.id, d.case_id, d.decided_by, d.decided_at, d.undone_at, false as is_superseded, 'person' as party from case_decision d
    where ${where} and exists (select from sanction s where s.decision_id = d.id and s.account_id = ${accountId}::uuid)
    union all
    select d.id, d.case_id, d.decided_by, d.decided_at, d.undone_at, ${isSuperseded}, 'reporter' from case_decision d
    where ${where} and exists (select from case_decision_report l join report r on r.id = l.report_id
      where l.decision_id = d.id and r.reporter_id = ${accountId}::uuid and r.deleted_at is null and ${isNotActing})
    order by decided_at desc limit 50`.execute(db);
  return rows;
}

/** The right of a party to appeal a decision. */
export async function rightTo(tx: Db, accountId: string, decisionId: string, now: Date): Promise<AppealRight> {
  const decisions = await decisionsAgainst(tx, accountId, sql`d.id = ${decisionId}::uuid`);
  const right = (await rightsOf(tx, accountId, decisions, now)).get(decisionId);
  if (right === undefined) throw notFound();
  return right;
}

/** The right to appeal the newest decision on a report of the account, if that was not to act. Throws 404 for other reports. */
export async function rightOfReporter(
  db: Db,
  accountId: string,
  reportId: string,
  now: Date,
): Promise<AppealRight | null> {
  const report = await db
    .selectFrom('report')
    .select('deleted_at')
    .where('id', '=', reportId)
    .where('reporter_id', '=', accountId)
    .executeTakeFirst();
  if (report?.deleted_at !== null) throw notFound();
  const newest = sql`d.id = (select l.decision_id from case_decision_report l join case_decision of on of.id = l.decision_id
    where l.report_id = ${reportId}::uuid and of.undone_at is null order by of.decided_at desc limit 1)`;
  const [decision] = await decisionsAgainst(db, accountId, newest);
  if (decision?.party !== 'reporter') return null;
  return (await rightsOf(db, accountId, [decision], now)).get(decision.id) ?? null;
}

/** Every appeal of an account, newest first, for its data export. It doesn't say who reviewed an appeal. */
export async function appealsBy(db: Db, accountId: string): Promise<OwnAppeal[]> {
  const rows = await db
    .selectFrom('appeal')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toOwnAppeal);
}
