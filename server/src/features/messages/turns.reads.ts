import { sql } from 'kysely';
import { turnAfterHours } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { listWaiting } from '#contract/messages/messages.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { requireMember } from '#platform/session/caller.ts';
import type { Reader } from '../profiles/public.ts';
import { listed, toViews } from './reads.ts';
import { ownLastAt } from './seen.reads.ts';
import { notSnoozed } from './snooze.ts';

const waitingCountedMost = 100;
const waitingShownMost = 20;
/** How many conversations of each side are examined. */
const waitingAmong = 200;

/**
 * The conversations whose last message the caller received a day or more ago, newest first, and how many there are among the most recent
 * ones. Throws 403 for staff.
 */
export async function readWaiting(reader: Reader): Promise<AnswerInput<typeof listWaiting>['data']> {
  const { db, caller, now } = reader;
  requireMember(caller);
  const own = sql`${caller.accountId}::uuid`;
  const lastAtOf = await ownLastAt(db, caller.accountId);
  const side = (from: 'low' | 'high', other: 'low' | 'high') => sql`
    select c.id, ${lastAtOf(from)} as last_at from conversation c join directory d on d.account_id = c.${sql.ref(`${other}_id`)} and d.is_shown
    where c.${sql.ref(`${from}_id`)} = ${own} and c.ended_at is null and c.last_seq > 0
      and ${notSnoozed(sql.ref(`c.${from}_snoozed_until`), now)}
      and ${lastAtOf(from)} <= ${secondsAfter(now, -turnAfterHours * 3600)}
    order by ${lastAtOf(from)} desc, c.id limit ${waitingAmong}`;
  const { rows } = await sql<{ id: string }>`
    select l.id from ((${side('low', 'high')}) union all (${side('high', 'low')})) l
      join lateral (select * from message m where m.conversation_id = l.id and not (m.sender_id = ${own} and m.own_seq is not null)
        order by m.seq desc limit 1) m on true
    where m.sender_id <> ${own} and m.body is not null and m.removed_at is null
    order by l.last_at desc, l.id limit ${waitingCountedMost}`.execute(db);
  const ids = rows.slice(0, waitingShownMost).map(({ id }) => id);
  const shown =
    ids.length === 0
      ? []
      : await listed(db, caller.accountId, {
          limit: ids.length,
          which: () => sql`c.id = any (${ids}::uuid[])`,
        });
  return { count: rows.length, conversations: await toViews(reader, shown) };
}
