import { msg, plural } from '@lingui/core/runtime-macro';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  checkInAfterHours,
  checkInKeptHours,
  dateOverAfterHours,
  datePlannedDaysMax,
  datesSuggestedPerDay,
} from '#contract/constants.ts';
import type { acceptDate, proposeDate } from '#contract/dates.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { AppError, invalid, notFound, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { notify, settle } from '#platform/notify/notify.ts';
import { hoursOfDayLeft, secondsAfter, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { requireMember } from '#platform/session/caller.ts';
import {
  hasOtherWritten,
  isSnoozedAt,
  lockConversation,
  lockOpenConversation,
  type OwnConversation,
} from '../messages/public.ts';

export type PlanRow = Selectable<Database['date_plan']>;
type OpenPlan = PlanRow & { conversation: OwnConversation };
type ShownPlan = PlanRow & { conversation: OwnConversation | undefined };

/** A condition: the plan is proposed or accepted, and its date is not long past. */
export const isOpenAt = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`state in ('proposed', 'accepted') and at > ${secondsAfter(now, -dateOverAfterHours * 3600)}::timestamptz`;

/**
 * A condition: link `s` of a date `d` has not ended. The date was agreed and ended at most 24 hours ago, and its sharer is visible. Nothing
 * that the person being met does ends it, not even blocking the sharer or leaving, because otherwise they could cut off the friend.
 */
export const isLinkOpenAt = (now: Date): RawBuilder<boolean> => sql<boolean>`(d.state <> 'proposed'
  and d.at > ${secondsAfter(now, -dateOverAfterHours * 3600)}::timestamptz
  and exists (select from directory o where o.is_shown and o.account_id = s.account_id))`;

/**
 * Whether a member may suggest a date: once both have written. Held messages count for their sender, who believes that they arrived; the
 * other person has written, so everything that follows is delivered.
 */
export const canPlan = (conversation: OwnConversation): boolean =>
  hasOtherWritten(conversation) && conversation.ownSent + conversation.ownNumbers.held > 0;

/**
 * A condition: a member sees plan `d`. A suggestion by a person whose messages were never delivered becomes visible with the first
 * delivered one, because only from then on may they suggest a date. A date that the member shares stays when the conversation is deleted.
 */
export const isSeenBy = (accountId: string): RawBuilder<boolean> => sql<boolean>`(d.proposed_by = ${accountId}::uuid
  or d.proposed_to = ${accountId}::uuid and (exists (select from conversation c where c.id = d.conversation_id
      and case when c.low_id = d.proposed_by then c.low_sent else c.high_sent end > 0)
    or exists (select from date_share x where x.plan_id = d.id and x.account_id = ${accountId}::uuid)))`;

/** A plan that the caller sees with this id, whatever its state. */
export async function planOf(db: Db, { accountId }: Caller, id: string): Promise<PlanRow | undefined> {
  const { rows } = await sql<PlanRow>`
    select d.* from date_plan d where d.id = ${id}::uuid and ${isSeenBy(accountId)}`.execute(db);
  return rows[0];
}

/** The id of the other person of a plan; null once their account is deleted. */
export const otherOf = (
  { proposed_by, proposed_to }: Pick<PlanRow, 'proposed_by' | 'proposed_to'>,
  accountId: string,
): string | null => (proposed_by === accountId ? proposed_to : proposed_by);

/**
 * An open plan of the caller, locked with its conversation until the transaction ends. Throws 403 for staff, and the same 404 for an
 * unknown plan, someone else's, one that is over, and one whose match ended or whose other person is hidden.
 */
export async function lockOpenPlan(context: CommandContext, id: string): Promise<OpenPlan> {
  const { conversation, ...plan } = await lockShownPlan(context, id);
  if (conversation === undefined) throw notFound();
  return { ...plan, conversation };
}

/**
 * Like `lockOpenPlan`, but also a plan that the caller still shares although the match ended or the other person is hidden. It comes without
 * a conversation, and concerns only the caller.
 */
export async function lockShownPlan({ tx, caller, now }: CommandContext, id: string): Promise<ShownPlan> {
  requireMember(caller);
  const known = await planOf(tx, caller, id);
  const conversation = await lockOpenConversation(tx, caller.accountId, known?.conversation_id ?? '');
  const isShared = sql`exists (select from date_share s
    where s.plan_id = d.id and s.account_id = ${caller.accountId}::uuid and ${isLinkOpenAt(now)})`;
  const { rows } = await sql<PlanRow>`select d.* from date_plan d
    where d.id = ${known?.id}::uuid and ${conversation === undefined ? isShared : isOpenAt(now)} for update`.execute(
    tx,
  );
  const [plan] = rows;
  if (plan === undefined) throw notFound();
  return { ...plan, conversation };
}

/**
 * Notifies the other person about a plan and sends an event. If they snoozed the conversation, only the event is sent; if they don't see
 * the plan yet, the event goes only to the caller.
 */
async function notifyOther(context: CommandContext, conversation: OwnConversation, planId: string): Promise<void> {
  const { id, ownId, otherId, ownSent, otherSnoozedUntil } = conversation;
  const { tx, now } = context;
  if (ownSent === 0) return announce(context, id, ownId);
  if (!isSnoozedAt(otherSnoozedUntil, now))
    await notify(tx, { accountId: otherId, kind: 'date', subjectId: planId }, now);
  announce(context, id, ownId, otherId);
}

/** How plans end, and who ends them. */
interface Ending {
  state: 'canceled' | 'replaced';
  /** Null if it is neither of the two. */
  byId: string | null;
  /** Whether they end with their match, in which case the other person isn't told why. */
  isMatchOver?: boolean;
  now: Date;
}

/**
 * Ends open plans `d`: links for friends are deleted, and so are check-ins, unless an accepted date has started or is about to. Otherwise
 * someone could keep the person they meet from being asked, or cut off a friend, by canceling on the way or during the date. Their own link
 * always ends. With a match, nothing ends for the other person of an accepted date who shares it, because the two may meet nevertheless.
 */
export async function endPlans(
  tx: Db,
  which: RawBuilder<unknown>,
  { state, byId, isMatchOver = false, now }: Ending,
): Promise<void> {
  const open = sql`${which} and d.state in ('proposed', 'accepted')`;
  const isNear = sql`d.at <= ${secondsAfter(now, checkInKeptHours * 3600)}::timestamptz`;
  await sql`delete from date_share s using date_plan d where d.id = s.plan_id and ${open}
    and not (d.state = 'accepted' and s.account_id is distinct from ${byId}::uuid and (${isMatchOver}::boolean or ${isNear}))`.execute(
    tx,
  );
  await sql`delete from date_check_in k using date_plan d where d.id = k.plan_id and ${open}
    and not (d.state = 'accepted' and (${isNear} or ${isMatchOver}::boolean and exists (
      select from date_share s where s.plan_id = d.id and s.account_id = k.account_id)))`.execute(tx);
  await sql`update notification n set read_at = ${now}, mail_due_at = null from date_plan d
    where n.kind = 'date' and n.subject_id = d.id and n.read_at is null and ${open}
      and not exists (select from date_check_in k where k.plan_id = d.id and k.account_id = n.account_id)`.execute(tx);
  await sql`update date_plan d set state = ${state}, decided_at = ${now} where ${open}`.execute(tx);
}

/** Deletes the caller's link to a date. */
export async function deleteShare({ tx, caller }: Pick<CommandContext, 'tx' | 'caller'>, id: string): Promise<void> {
  await tx.deleteFrom('date_share').where('plan_id', '=', id).where('account_id', '=', caller.accountId).execute();
}

/** Sets whether a member is asked how their date went. A check-in in which they asked for help is kept. */
export async function setCheckIn(
  { tx, caller: { accountId } }: Pick<CommandContext, 'tx' | 'caller'>,
  plan: Pick<PlanRow, 'id' | 'at' | 'proposed_by' | 'proposed_to'>,
  checksIn: boolean,
): Promise<void> {
  const due = secondsAfter(plan.at, checkInAfterHours * 3600);
  if (checksIn)
    await sql`insert into date_check_in (plan_id, account_id, due_at, name)
      select ${plan.id}::uuid, ${accountId}::uuid, ${due}, coalesce(s.name, p.first_name, '') from profile p
        left join date_share s on s.plan_id = ${plan.id}::uuid and s.account_id = ${accountId}::uuid
      where p.account_id = ${otherOf(plan, accountId)}::uuid
      on conflict do nothing`.execute(tx);
  else
    await sql`delete from date_check_in
      where plan_id = ${plan.id}::uuid and account_id = ${accountId}::uuid and report_id is null`.execute(tx);
}

/** After the commit, tells these members' devices to fetch the date of a match. */
export function announce(
  { deps, after }: Pick<CommandContext, 'deps' | 'after'>,
  matchId: string,
  ...accountIds: string[]
): void {
  after(() => deps.realtime.emit(accountIds, { kind: 'date', matchId }));
}

const isZone = (timeZone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

/** Throws 400 for a time that has passed or is too far ahead, and for an unknown time zone. */
function checkWhen({ at, zone }: { at: string; zone: string }, now: Date): void {
  const time = Date.parse(at);
  if (time <= now.getTime()) throw invalid('at', msg`Choose a time in the future`);
  if (time > secondsAfter(now, datePlannedDaysMax * 86_400).getTime())
    throw invalid('at', msg`Choose a day within the next ${{ datePlannedDaysMax }} days`);
  if (!isZone(zone)) throw invalid('zone', msg`Unknown time zone`);
}

/**
 * Throws 409 while the two have agreed on a date, because a suggestion would end the link and the check-in of someone who may be on their
 * way; canceling warns of that. Throws 429 after too many suggestions.
 */
async function checkEarlier(tx: Db, id: string, caller: Caller, now: Date): Promise<void> {
  const { rows } = await sql<{ isAgreed: boolean | null; count: number }>`
    select bool_or(state = 'accepted' and at > ${secondsAfter(now, -checkInAfterHours * 3600)}::timestamptz) as "isAgreed",
      count(*) filter (where proposed_by = ${caller.accountId}::uuid and created_at >= ${startOfDay(now)}::timestamptz)::int
        as count
    from date_plan where conversation_id = ${id}::uuid`.execute(tx);
  if (rows[0]?.isAgreed === true)
    throw new AppError('CONFLICT', msg`You have agreed on a date. Cancel it to suggest another one.`);
  if ((rows[0]?.count ?? 0) >= datesSuggestedPerDay)
    throw tooMany(
      msg`You have suggested many dates today. You can suggest more in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
      secondsOfDayLeft(now),
    );
}

/** The calendar entry of a new suggestion: the last one's, if its time is still to come, or a new one. */
const calendarIdIn = (conversationId: string, now: Date) => sql<string>`coalesce(
  (select coalesce(d.calendar_id, d.id) from (
    select * from date_plan where conversation_id = ${conversationId}::uuid order by created_at desc limit 1
  ) d where d.at > ${now}::timestamptz), gen_random_uuid())`;

/**
 * Suggests a date in place of the open plan, and notifies the other person. Throws 409 until both have written, 400
 * for the time or its zone, and the errors of `checkEarlier` and `lockConversation`.
 */
export async function propose(
  context: CommandContext,
  { id, place, at, zone, note, checksIn }: ParamsOf<typeof proposeDate> & BodyOf<typeof proposeDate>,
): Promise<void> {
  const { tx, caller, now } = context;
  const conversation = await lockConversation(tx, caller, id);
  checkWhen({ at, zone }, now);
  if (!canPlan(conversation)) throw new AppError('CONFLICT', msg`You can plan a date once you have both written.`);
  await checkEarlier(tx, id, caller, now);
  await endPlans(tx, sql`d.conversation_id = ${id}::uuid`, { state: 'replaced', byId: caller.accountId, now });
  const plan = await tx
    .insertInto('date_plan')
    .values({
      conversation_id: id,
      proposed_by: caller.accountId,
      proposed_to: conversation.otherId,
      ...{
        place,
        at,
        zone,
        note: note ?? null,
        state: 'proposed',
        created_at: now,
        calendar_id: calendarIdIn(id, now),
      },
    })
    .returning(['id', 'at', 'proposed_by', 'proposed_to'])
    .executeTakeFirstOrThrow();
  if (checksIn) await setCheckIn(context, plan, true);
  await notifyOther(context, conversation, plan.id);
}

/**
 * Accepts what the other person suggested, and notifies them. Accepting again changes nothing. Returns the match's id. Throws 409 for one's
 * own suggestion and for one whose time is over, and 404 for a plan that is not open.
 */
export async function accept(
  context: CommandContext,
  { id, checksIn }: ParamsOf<typeof acceptDate> & BodyOf<typeof acceptDate>,
): Promise<string> {
  const { tx, caller, now } = context;
  const plan = await lockOpenPlan(context, id);
  const { conversation_id: matchId, conversation } = plan;
  if (plan.proposed_by === caller.accountId)
    throw new AppError('CONFLICT', msg`You suggested this date, so the answer is theirs.`);
  if (plan.state === 'accepted') return matchId;
  if (plan.at <= now) throw new AppError('CONFLICT', msg`That time has passed. Suggest another one.`);
  await tx
    .updateTable('date_plan')
    .set({ state: 'accepted', decided_at: now, agreed_at: now })
    .where('id', '=', id)
    .execute();
  if (checksIn) await setCheckIn(context, plan, true);
  await settle(tx, { accountId: caller.accountId, kind: 'date', subjectId: id }, now);
  await notifyOther(context, conversation, id);
  return matchId;
}

/**
 * Cancels or declines a date and notifies the other person. Once the other person ended the match or is hidden, it ends for the caller,
 * and no one is notified. Throws the errors of `lockOpenPlan`.
 */
export async function cancel(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller, now } = context;
  const { conversation, ...plan } = await lockShownPlan(context, id);
  await endPlans(tx, sql`d.id = ${id}::uuid`, { state: 'canceled', byId: caller.accountId, now });
  if (conversation !== undefined) return await notifyOther(context, conversation, id);
  await deleteShare(context, id);
  if (plan.at > secondsAfter(now, checkInKeptHours * 3600)) await setCheckIn(context, plan, false);
  announce(context, plan.conversation_id, caller.accountId);
}
