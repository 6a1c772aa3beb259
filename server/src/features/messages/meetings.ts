import { sql } from 'kysely';
import { meetingAskedAgainDays, meetingAskedDays, meetingMessagesLeast } from '#contract/constants.ts';
import type { MeetingAnswer } from '#contract/messages/messages.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/messages/messages.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { lockConversation } from './conversation.ts';
import type { Numbering } from './numbering.ts';

const dayMs = 86_400_000;

/** What decides whether two people may be asked if they met. The conversation is open, and they see each other. */
type Talked = Record<'id' | 'low_id' | 'high_id', string> &
  Record<'low_sent' | 'high_sent', number> & { began_at: Date; ownNumbers: Numbering };

/**
 * Whether a member may be asked if they met the other person. It depends neither on when the other person was last active nor on what they
 * reported, because the question would reveal that. Their own held messages count, because they believe that these arrived.
 */
async function mayBeAsked(db: Db, accountId: string, talked: Talked, now: Date): Promise<boolean> {
  const days = (now.getTime() - talked.began_at.getTime()) / dayMs;
  if (days < meetingAskedDays.from || days >= meetingAskedDays.to) return false;
  const { held, moved } = talked.ownNumbers;
  const sent = (side: 'low' | 'high') =>
    talked[`${side}_sent`] + (talked[`${side}_id`] === accountId ? held - moved.length : 0);
  if (Math.min(sent('low'), sent('high')) < meetingMessagesLeast) return false;
  const reported = await db
    .selectFrom('report')
    .select('id')
    .where('reporter_id', '=', accountId)
    .where('reported_id', '=', talked.low_id === accountId ? talked.high_id : talked.low_id)
    .executeTakeFirst();
  return reported === undefined;
}

/** Whether to ask a member now if they met the other person of a conversation that they can see. */
export async function asksMeeting(db: Db, accountId: string, conversation: Talked, now: Date): Promise<boolean> {
  if (!(await mayBeAsked(db, accountId, conversation, now))) return false;
  const given = await db
    .selectFrom('meeting_answer')
    .select(['answer', 'first_answered_at', 'answered_at'])
    .where('conversation_id', '=', conversation.id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (given === undefined) return true;
  const again = given.first_answered_at.getTime() + meetingAskedAgainDays * dayMs;
  return given.answer === 'not-yet' && given.answered_at.getTime() < again && now.getTime() >= again;
}

interface OwnMeeting {
  /** The first name, if the two can still see each other. */
  name: string | null;
  met: MeetingAnswer;
  meetAgain: boolean | null;
  answeredAt: Date;
}

/** A member's answers about meeting matches, for their data export, oldest first. */
export async function meetingsData(db: Db, accountId: string): Promise<OwnMeeting[]> {
  const { rows } = await sql<OwnMeeting>`
    select p.first_name as name, a.answer as met, a.meet_again as "meetAgain", a.answered_at as "answeredAt"
    from meeting_answer a join conversation c on c.id = a.conversation_id
      left join directory d on d.is_shown
        and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
      left join profile p on p.account_id = d.account_id
    where a.account_id = ${accountId}::uuid
    order by a.answered_at, a.conversation_id`.execute(db);
  return rows;
}

/**
 * Stores whether the caller met a match, replacing an earlier answer. Throws the same 404 for no match, an ended one, another member's, a
 * hidden person, and a match about which the caller isn't asked.
 */
export async function answerMeeting(
  { tx, caller, now }: CommandContext,
  { id, met, meetAgain }: ParamsOf<typeof calls.answerMeeting> & BodyOf<typeof calls.answerMeeting>,
): Promise<void> {
  const conversation = await lockConversation(tx, caller, id);
  if (!(await mayBeAsked(tx, caller.accountId, conversation, now))) throw notFound();
  const answer = { answer: met, meet_again: met === 'yes' ? (meetAgain ?? null) : null, answered_at: now };
  await tx
    .insertInto('meeting_answer')
    .values({ conversation_id: conversation.id, account_id: caller.accountId, first_answered_at: now, ...answer })
    .onConflict((known) => known.columns(['conversation_id', 'account_id']).doUpdateSet(answer))
    .execute();
}
