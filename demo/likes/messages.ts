import type pg from 'pg';
import { copyRows } from '#platform/db/copy-rows.ts';
import { before, between, minuteMs } from '../calendar.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { randomOf } from '../random.ts';
import { cautionFor } from '../../server/src/features/messages/caution.ts';
import { forAccounts, type Conversation } from './accounts.ts';
import type { DemoMatch } from './likes.ts';

const stream = 29;
const writtenShare = 0.75;
const mostMessages = 14;
const unreadShare = 0.4;
/** The time between two messages of a written conversation. */
const paceMinutes = 4;

const lines = [
  'Hello! Your second picture made me laugh.',
  'Hi there, how was your week?',
  'Long, but there was cake in it. And yours?',
  'I spent most of it looking for my keys.',
  'Did you find them?',
  'In the fridge. Do not ask.',
  'I would never. Which cheese guarded them?',
  'What do you do when it rains on a Sunday?',
  'Soup, a book, and pretending that I like both equally.',
  'That bench by the river, have you ever sat there?',
  'Only in autumn. It is better with a coat.',
  'Shall we see whether it holds two?',
  'Saturday at four? I bring something warm to drink.',
  'Four is good. I bring the cake, then.',
  'You said the magic word.',
  'I am the one with the yellow scarf.',
  'And I am the one who is early out of nerves.',
  'My dog says hello as well. 🐕',
  'Then I must be on my best behaviour.',
  'Good night, and sleep well.',
];

/** One message of a demo conversation. */
interface DemoMessage {
  conversationId: string;
  seq: number;
  sender: DemoMember;
  body: string;
  sentAt: Date;
  readAt: Date | null;
}

/** The messages of matched demo members, always the same, some of them unread. */
function demoMessages(matches: readonly (DemoMatch & { id: string })[], now: Date): DemoMessage[] {
  return matches.flatMap(({ id, one, other, matchedAt, conversation }, index) => {
    if (conversation === null) return [];
    if (conversation !== undefined) return toldMessages(id, [one, other], conversation, now);
    const random = randomOf(index, stream);
    if (!random.chance(writtenShare)) return [];
    const count = 1 + random.below(mostMessages);
    const from = random.below(lines.length);
    const until = before(now, minuteMs);
    const isLastUnread = random.chance(unreadShare);
    let [writer, reader] = random.chance(0.5) ? [one, other] : [other, one];
    return Array.from({ length: count }, (_, at): DemoMessage => {
      const sentAt = between(matchedAt, until, (at + 1) / (count + 1));
      const row = {
        conversationId: id,
        seq: at + 1,
        sender: writer,
        body: lines[(from + at) % lines.length] ?? '',
        sentAt,
        readAt: at === count - 1 && isLastUnread ? null : between(sentAt, until, 0.1),
      };
      if (random.chance(0.8)) [writer, reader] = [reader, writer];
      return row;
    });
  });
}

/** The messages of a written conversation, in which `me` is the demo account. */
function toldMessages(
  conversationId: string,
  pair: readonly [DemoMember, DemoMember],
  { lines: told, minutesAgo, isUnread = false }: Conversation,
  now: Date,
): DemoMessage[] {
  const me = pair.find(({ email }) => email in forAccounts) ?? pair[0];
  const them = pair[0] === me ? pair[1] : pair[0];
  const lastByMe = told.findLastIndex(([by]) => by === 'me');
  return told.map(([by, body], at) => {
    const sentAt = before(now, (minutesAgo + (told.length - 1 - at) * paceMinutes) * minuteMs);
    const isRead = !isUnread || at <= lastByMe;
    const readAt = isRead ? before(sentAt, -minuteMs / 2) : null;
    return { conversationId, seq: at + 1, sender: by === 'me' ? me : them, body, sentAt, readAt };
  });
}

/** Writes the messages of `matches`, and how far each member has read. */
export async function copyMessages(
  client: pg.ClientBase,
  matches: readonly (DemoMatch & { id: string })[],
  now: Date,
): Promise<void> {
  const ids = matches.map(({ id }) => id);
  await copyRows(
    client,
    'message',
    demoMessages(matches, now).map(({ conversationId, seq, sender, body, sentAt, readAt }) => ({
      conversation_id: conversationId,
      seq,
      sender_id: sender.id,
      client_id: `demo-${conversationId}-${seq}`,
      body,
      sent_at: sentAt,
      read_at: readAt,
      caution: cautionFor(body),
    })),
  );
  await client.query(
    `with written as (
       select m.conversation_id as id, max(m.seq) as last, max(m.sent_at) as at,
         max(m.seq) filter (where m.sender_id = c.low_id or m.read_at is not null) as low_read,
         max(m.seq) filter (where m.sender_id = c.high_id or m.read_at is not null) as high_read,
         count(*) filter (where m.sender_id = c.low_id) as low_sent, count(*) filter (where m.sender_id = c.high_id) as high_sent,
         (array_agg(m.sender_id order by m.seq))[1] as opened_by, count(distinct m.sender_id) > 1 as is_answered
       from message m join conversation c on c.id = m.conversation_id
       where m.conversation_id = any ($1::uuid[]) group by m.conversation_id)
     update conversation c set last_seq = w.last, last_at = w.at,
       low_sent = w.low_sent, high_sent = w.high_sent, low_read = coalesce(w.low_read, 0), high_read = coalesce(w.high_read, 0),
       opened_by = w.opened_by, is_answered = w.is_answered
     from written w where w.id = c.id`,
    [ids],
  );
  await client.query(
    `insert into reply_count (account_id, received, answered)
     select case when opened_by = low_id then high_id else low_id end as answerer, count(*), count(*) filter (where is_answered)
     from conversation where id = any ($1::uuid[]) and opened_by is not null group by answerer`,
    [ids],
  );
}
