import { sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { answerCheckIn } from '#contract/dates.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { notify, settle } from '#platform/notify/notify.ts';
import { requireMember } from '#platform/session/caller.ts';
import { asksMeeting, openConversation } from '../messages/public.ts';
import { fileReport } from '../moderation/public.ts';
import { announce, otherOf, type PlanRow, planOf } from './plan.ts';

type Answered = AnswerInput<typeof answerCheckIn>['data'];

/** The description of a report for help, in which the reporter has not written anything. */
const helpText =
  'I asked for help at the check-in after a date with this person. The plan of the date is in the copies.';

/**
 * Answers the caller's check-in. "Good" deletes it, and is the same for one that no longer exists; "help" reports the other person with the
 * conversation and the plan, once. Neither changes anything that the other person can see: the two stay visible to each other unless the
 * caller decides otherwise. Throws 403 for staff, and 404 for other people's dates and dates that haven't started.
 */
export async function answer(
  context: CommandContext,
  { id, answer: given }: { id: string; answer: 'good' | 'help' },
): Promise<Answered> {
  const { tx, caller, now } = context;
  requireMember(caller);
  const plan = await planOf(tx, caller, id);
  if (plan === undefined || plan.at > now || plan.state === 'proposed') throw notFound();
  await settle(tx, { accountId: caller.accountId, kind: 'date', subjectId: id }, now);
  announce(context, plan.conversation_id, caller.accountId);
  return given === 'help' ? await callForHelp(context, plan) : await endCheckIn(context, plan);
}

/** The condition on the caller's check-in. */
const ownRow = ({ caller }: CommandContext, { id }: PlanRow) =>
  sql`plan_id = ${id}::uuid and account_id = ${caller.accountId}::uuid`;

async function callForHelp(context: CommandContext, plan: PlanRow): Promise<Answered> {
  const { tx } = context;
  const own = ownRow(context, plan);
  const { rows } = await sql<{ report_id: string | null }>`
    select report_id from date_check_in where ${own} for update`.execute(tx);
  const otherId = otherOf(plan, context.caller.accountId);
  if (rows[0] === undefined || otherId === null) throw notFound();
  const reportId = rows[0].report_id ?? (await reportOther(context, plan, otherId));
  await sql`update date_check_in set report_id = ${reportId}::uuid where ${own}`.execute(tx);
  return { asksMeeting: false, reportId };
}

/** Files the report; no email arrives on a phone that the other person may be looking at. */
function reportOther(context: CommandContext, plan: PlanRow, otherId: string): Promise<string> {
  return fileReport(
    context,
    {
      problem_type: 'Harassment',
      description: helpText,
      reportedUser: otherId,
      evidence: [{ type: 'message', id: plan.conversation_id }],
      hideFromEachOther: false,
    },
    { priority: 'critical', isMailed: false },
  );
}

async function endCheckIn(context: CommandContext, plan: PlanRow): Promise<Answered> {
  const { tx, caller, now } = context;
  await sql`delete from date_check_in where ${ownRow(context, plan)}`.execute(tx);
  const conversation = await openConversation(tx, caller.accountId, plan.conversation_id);
  const asks = conversation !== undefined && (await asksMeeting(tx, caller.accountId, conversation, now));
  return { asksMeeting: asks, reportId: null };
}

type DueRow = Record<'plan_id' | 'account_id', string>;

const mostAtOnce = 1000;

/** Asks everyone whose date began two hours ago how it went. If it is interrupted, the rest stays due. */
export async function askWhoIsDue(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<DueRow>`select plan_id, account_id from date_check_in
    where asked_at is null and report_id is null and due_at <= ${now} order by due_at limit ${mostAtOnce}`.execute(db);
  const turn = { round: 'dates.ask', keyOf: (row: DueRow) => `${row.plan_id} ${row.account_id}` };
  await eachInTurn(rows, (row) => inTransaction(db, (tx) => ask(tx, row, now)), turn);
}

/** Asks one member, unless the date was never accepted, and so didn't take place, or they have already answered. */
async function ask(tx: Db, { plan_id: planId, account_id: accountId }: DueRow, now: Date): Promise<void> {
  const { rows } = await sql<{ took_place: boolean }>`
    update date_check_in k set asked_at = ${now} from date_plan d
    where d.id = k.plan_id and k.plan_id = ${planId}::uuid and k.account_id = ${accountId}::uuid and k.asked_at is null
      and k.report_id is null
    returning d.state <> 'proposed' as took_place`.execute(tx);
  if (rows[0]?.took_place !== true) return;
  const question = { accountId, kind: 'date', subjectId: planId } as const;
  // An unread notification about the plan would keep the question from being mailed.
  await settle(tx, question, now);
  await notify(tx, question, now);
}
