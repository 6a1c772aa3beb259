import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { getCheckIn, getDate } from '#contract/dates.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { notFound } from '#platform/http/app-error.ts';
import { isOn } from '#platform/service/parts.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import type { Deps } from '../../deps.ts';
import { openConversation } from '../messages/public.ts';
import { canPlan, isLinkOpenAt, isOpenAt, isSeenBy, otherOf, type PlanRow, planOf } from './plan.ts';
import { linkOf } from './share.ts';

/** The member who reads, the time, and what signs links. */
export interface DateReader {
  db: Db;
  deps: Pick<Deps, 'appealKey' | 'config' | 'service'>;
  caller: Caller;
  now: Date;
}

type DateInput = NonNullable<AnswerInput<typeof getDate>['data']['date']>;

type OpenPlanRow = PlanRow & { share_id: string | null; name: string | null; checks_in: boolean };

/**
 * The plan of a match as one of the two sees it: the open one, or one that ended while they share it. What the other person chose for
 * themselves is never read.
 */
async function planIn(
  { db, deps, caller: { accountId }, now }: DateReader,
  matchId: string,
  which: RawBuilder<boolean>,
) {
  const { rows } = await sql<OpenPlanRow>`
    select d.*, s.id as share_id, s.name, k.account_id is not null as checks_in from date_plan d
      left join date_share s on s.plan_id = d.id and s.account_id = ${accountId}::uuid
      left join date_check_in k on k.plan_id = d.id and k.account_id = ${accountId}::uuid
    where d.conversation_id = ${matchId}::uuid and ${which} and ${isSeenBy(accountId)}
    order by d.created_at desc limit 1`.execute(db);
  const [row] = rows;
  return row === undefined ? null : toDateView(row, deps, now);
}

function toDateView(row: OpenPlanRow, deps: DateReader['deps'], now: Date): DateInput {
  const { id, proposed_by: from, place, at, zone, note, state, share_id, name, checks_in: checksIn } = row;
  return {
    _id: id,
    from,
    ...{ place, at, zone, note, checksIn, name },
    state: state === 'proposed' ? 'proposed' : 'accepted',
    mayCheckIn: checksIn && state !== 'proposed' && at <= now,
    link: share_id === null ? null : linkOf(deps, share_id),
  };
}

/** The agreed date of a match that was canceled last, until its time. */
async function canceledIn({ db, caller: { accountId }, now }: DateReader, matchId: string) {
  const { rows } = await sql<{ _id: string; at: Date; zone: string }>`
    select d.id as _id, d.at, d.zone from date_plan d
    where d.conversation_id = ${matchId}::uuid and d.state = 'canceled' and d.agreed_at is not null
      and d.at > ${now}::timestamptz and ${isSeenBy(accountId)}
    order by d.decided_at desc limit 1`.execute(db);
  return rows[0];
}

/** The date planned with a match. Throws 403 for staff, 404 for anything but a match that the caller sees or whose date they still share. */
export async function dateWith(reader: DateReader, matchId: string): Promise<AnswerInput<typeof getDate>['data']> {
  requireMember(reader.caller);
  const conversation = await openConversation(reader.db, reader.caller.accountId, matchId);
  if (conversation !== undefined) {
    const date = await planIn(reader, matchId, isOpenAt(reader.now));
    const canceled = date === null ? await canceledIn(reader, matchId) : undefined;
    return { canPlan: canPlan(conversation) && isOn(reader.deps, 'dates'), date, ...(canceled && { canceled }) };
  }
  const date = isUuid(matchId) ? await planIn(reader, matchId, isLinkOpenAt(reader.now)) : null;
  if (date === null) throw notFound();
  return { canPlan: false, date };
}

/** The open plan of a match after a command on it. Throws 404 if there is none. */
export async function changedDate(reader: DateReader, matchId: string): Promise<DateInput> {
  const { date } = await dateWith(reader, matchId);
  if (date === null) throw notFound();
  return date;
}

/** A plan whose link the caller may end: an open one, or one that ended while they share it. Throws 403 for staff and 404. */
export async function sharedPlan(reader: DateReader, id: string): Promise<DateInput> {
  requireMember(reader.caller);
  const matchId = (await planOf(reader.db, reader.caller, id))?.conversation_id;
  if (matchId === undefined) throw notFound();
  const isMatch = (await openConversation(reader.db, reader.caller.accountId, matchId)) !== undefined;
  const which = sql<boolean>`d.id = ${id}::uuid
    and (${isLinkOpenAt(reader.now)} or ${isMatch}::boolean and ${isOpenAt(reader.now)})`;
  const date = await planIn(reader, matchId, which);
  if (date === null) throw notFound();
  return date;
}

/** An open or canceled date for the calendar, with the first name of the other person. Errors as for `dateWith`. */
export async function planForCalendar(reader: DateReader, id: string) {
  const plan = await planOf(reader.db, reader.caller, id);
  const { date, canceled } = await dateWith(reader, plan?.conversation_id ?? '');
  if (plan === undefined || (date ?? canceled)?._id !== id) throw notFound();
  return { ...plan, name: date?.name ?? (await firstNameOf(reader.db, otherOf(plan, reader.caller.accountId))) };
}

async function firstNameOf(db: Db, accountId: string | null): Promise<string> {
  const row = await db
    .selectFrom('profile')
    .select('first_name')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.first_name ?? '';
}

/**
 * The caller's check-in for a date. It is found as long as there is one, even if the match has ended since; without one, as long as the
 * caller sees the match. It shows the first name as it was when the caller asked for the check-in. Throws 403 for staff and 404.
 */
export async function checkInOf(
  { db, caller, now }: Pick<DateReader, 'db' | 'caller' | 'now'>,
  id: string,
): Promise<AnswerInput<typeof getCheckIn>['data']['checkIn']> {
  requireMember(caller);
  const plan = await planOf(db, caller, id);
  if (plan === undefined) throw notFound();
  const row = await db
    .selectFrom('date_check_in')
    .select(['report_id', 'name'])
    .where('plan_id', '=', id)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  const { place, zone, at, conversation_id: matchId } = plan;
  const isAsked = row !== undefined && plan.state !== 'proposed' && at <= now;
  if (!isAsked && (await openConversation(db, caller.accountId, matchId)) === undefined) throw notFound();
  const name = isAsked ? row.name : await firstNameOf(db, otherOf(plan, caller.accountId));
  const asked = row?.report_id == null ? 'waits' : 'helped';
  return { matchId, name, place, zone, at, state: isAsked ? asked : 'none' };
}

/** A member's plans of dates, for their data export, oldest first. Notes by others belong to them and are left out. */
export async function datesData(db: Db, accountId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select p.first_name as "name", d.place, d.at, d.zone, case when d.proposed_by = ${accountId}::uuid then d.note end as "note",
      d.state, d.proposed_by = ${accountId}::uuid as "isMine", case when d.proposed_by = ${accountId}::uuid then d.created_at else greatest(d.created_at, (
        select sent_at from message m where m.conversation_id = d.conversation_id and m.sender_id = d.proposed_by
        order by m.seq limit 1)) end as "createdAt", s.created_at as "sharedAt",
      k.account_id is not null as "checksIn"
    from date_plan d
      left join conversation c on c.id = d.conversation_id
      left join date_share s on s.plan_id = d.id and s.account_id = ${accountId}::uuid
      left join date_check_in k on k.plan_id = d.id and k.account_id = ${accountId}::uuid
      left join directory o on o.is_shown and c.ended_at is null
        and o.account_id = case when d.proposed_by = ${accountId}::uuid then d.proposed_to else d.proposed_by end
      left join profile p on p.account_id = o.account_id
    where ${isSeenBy(accountId)}
    order by d.created_at, d.id`.execute(db);
  return rows;
}
