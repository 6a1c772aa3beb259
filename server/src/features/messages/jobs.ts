import { sql } from 'kysely';
import * as z from 'zod/mini';
import { idPayload, job } from '#platform/jobs/job.ts';
import { owedSince } from '#platform/jobs/owed.ts';
import { forgetJob } from '#platform/people/forget.ts';
import type { Reactions } from '../../events.ts';
import { attachedTo } from './attached.reads.ts';
import { checkMedia } from './media/change.ts';
import { forgetMedia, forgetUnknownMedia, withdrawAll } from './media/withdraw.ts';
import { repeatAct } from './repeat.ts';
import { emitMessage, emitToReceiver } from './views.ts';

const sharesActivity = sql<boolean>`(select bool_and(d.shows_activity) from directory d
  where d.account_id in (conversation.low_id, conversation.high_id))`.as('sharesActivity');

/** A message that is sent to both people again, or was released, so that its sender already has it. */
const announced = z.object({ conversationId: z.string(), seq: z.number(), isReleased: z.optional(z.boolean()) });

/** The background work of messages: deleting old conversations and media, checking media, and announcing changes by decisions. */
export const messageJobs = [
  job({
    name: 'messages.announce',
    payload: announced,
    sweep: { harmless: 'It only tells open pages; a page that is loaded reads the message.' },
    async run(deps, { conversationId, seq, isReleased }) {
      const { db } = deps;
      const row = await db
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'conversation_id')
        .selectAll('message')
        .select(['low_id', 'high_id', 'low_held', 'high_held', 'low_moved', 'high_moved', sharesActivity])
        .where('conversation_id', '=', conversationId)
        .where('seq', '=', seq)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) return;
      const isLow = row.sender_id === row.low_id;
      const low = { held: row.low_held, moved: row.low_moved ?? [] };
      const high = { held: row.high_held, moved: row.high_moved ?? [] };
      const [senderNumbers, otherNumbers] = isLow ? [low, high] : [high, low];
      const otherId = isLow ? row.high_id : row.low_id;
      const attached = (await attachedTo(db, conversationId, [row])).get(seq);
      const message = { row, otherId, senderNumbers, otherNumbers, sharesActivity: row.sharesActivity, attached };
      if (isReleased === true) emitToReceiver(deps, message);
      else emitMessage(deps, message);
    },
  }),
  forgetJob('messages.cleanUp', '47 3 * * *'),
  job({
    name: 'messages.checkMedia',
    payload: idPayload,
    sweep: owedSince('message_media', 'check_due_since'),
    slots: 'outside',
    run: checkMedia,
  }),
  job({ name: 'messages.forgetMedia', cron: '17 * * * *', run: ({ db, clock }) => forgetMedia(db, clock.now()) }),
  job({ name: 'messages.forgetUnknownMedia', cron: '53 3 * * 0', run: forgetUnknownMedia }),
];

/** Opens a conversation with a match and closes it with the match. */
export const messageReactions: Reactions = {
  async matched(tx, { matchId }) {
    await sql`
      insert into conversation (id, low_id, high_id, began_at, last_at)
      select id, low_id, high_id, matched_at, matched_at from match where id = ${matchId}::uuid`.execute(tx);
  },
  // The conversation is kept for a while, so that messages can still be reported. The answers whether they met are deleted with the match.
  async matchEnded(tx, { matchId, now }) {
    await tx.deleteFrom('meeting_answer').where('conversation_id', '=', matchId).execute();
    await sql`update conversation set ended_at = ${now} where id = ${matchId}::uuid`.execute(tx);
    await withdrawAll(tx, matchId, now);
  },
  async actsMissed(tx, { acts }) {
    for (const act of acts) await repeatAct(tx, act);
  },
  async hidden(tx, { oneId, otherId }) {
    await sql`
      delete from goodbye where conversation_id in (select id from conversation
        where low_id = least(${oneId}::uuid, ${otherId}::uuid) and high_id = greatest(${oneId}::uuid, ${otherId}::uuid))`.execute(
      tx,
    );
  },
};
