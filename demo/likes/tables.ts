import type pg from 'pg';
import { bucketOf, unknownBase } from '../../server/src/features/discovery/public.ts';
import { copyRows } from '#platform/db/copy-rows.ts';
import { dayMs } from '../calendar.ts';
import { demoId } from '../members/id.ts';
import type { DemoGender, DemoMember } from '../members/demo-member.ts';
import { randomOf } from '../random.ts';
import { withoutTriggers } from '../bulk-load.ts';
import { accountPreferences } from './accounts.ts';
import { demoDecisions, demoMatches, isOnCards, type DemoDecision } from './likes.ts';
import { copyMessages } from './messages.ts';

const stream = 23;
/** Matches are numbered from here, far from the members. */
const firstMatch = 2 ** 31;
const genderCodes: Record<DemoGender, number> = { woman: 1, man: 2, 'non-binary': 4 };
/**
 * The standard deviations, in log-odds, of how often members are liked and how often they like.
 */
const spread = { appeal: 0.8, selectivity: 0.9 };
const standingMax = 2;
/** The mean number of decisions about a member per day, and the most that count. */
const decisionsPerDay = 0.8;
const mostDecisions = 60;
const knownFromDecisions = 10;
/** How many likes a member is expected to read in a week. */
const usualReads = 7;

/** Writes the likes, matches and messages, and what matching would have learned from them. */
export async function copyLikes(client: pg.ClientBase, members: readonly DemoMember[], now: Date): Promise<void> {
  const decisions = demoDecisions(members, now);
  await copyRows(
    client,
    'decision',
    decisions.map(({ viewer, target, kind, decidedAt, note, likedPrompt, isPending }) => ({
      viewer_id: viewer.id,
      target_id: target.id,
      kind,
      decided_at: decidedAt,
      note,
      liked_prompt: likedPrompt,
      is_pending: isPending,
    })),
  );
  const matches = demoMatches(decisions).map((each, index) => ({ ...each, id: demoId(firstMatch + index) }));
  const matchRows = matches.map(({ id, one, other, matchedAt }) => {
    const [low_id = '', high_id = ''] = [one.id, other.id].sort();
    return { id, low_id, high_id, matched_at: matchedAt };
  });
  // There are no blocks yet, and a lock for each of this many matches would fill the server's lock table.
  await withoutTriggers(client, 'match', () => copyRows(client, 'match', matchRows));
  await copyRows(
    client,
    'conversation',
    matchRows.map(({ matched_at, ...row }) => ({ ...row, began_at: matched_at, last_at: matched_at })),
  );
  await copyMessages(client, matches, now);
  await copyRows(
    client,
    'preference',
    accountPreferences(members).map(({ member, wishes }) => ({
      account_id: member.id,
      wishes: JSON.stringify(wishes),
      updated_at: member.createdAt,
    })),
  );
  await notify(client, now);
  await copyLearned(client, members, decisions, now);
}

/** Notifications about matches and likes; old ones are read. */
async function notify(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(
    `insert into notification (account_id, kind, subject_id, at, read_at)
       select side.id, 'match', m.id, m.matched_at,
         case when m.matched_at < $1::timestamptz - interval '3 days' then m.matched_at + interval '1 hour' end
       from match m cross join lateral (values (m.low_id), (m.high_id)) side (id)
     union all
       select target_id, 'like', target_id, max(decided_at), null from decision where is_pending group by target_id`,
    [now],
  );
}

/** What matching has learned about a member; it is the same for all genders they are looking for. */
function learnedOf(member: DemoMember, number: number, now: Date) {
  const random = randomOf(number, stream);
  const days = (now.getTime() - member.createdAt.getTime()) / dayMs;
  const decisions = Math.min(mostDecisions, Math.floor(days * decisionsPerDay * 2 * random.next()));
  const drawn = (sd: number) => {
    // The sum of three uniform numbers is bell-shaped, with a standard deviation of a half.
    const value = (random.next() + random.next() + random.next() - 1.5) * 2 * sd;
    return decisions === 0 ? 0 : Math.min(standingMax, Math.max(-standingMax, value));
  };
  return { member, decisions, appeal: drawn(spread.appeal), selectivity: drawn(spread.selectivity) };
}

async function copyLearned(
  client: pg.ClientBase,
  members: readonly DemoMember[],
  decisions: readonly DemoDecision[],
  now: Date,
): Promise<void> {
  const learned = members.flatMap((member, number) => (isOnCards(member, now) ? [learnedOf(member, number, now)] : []));
  const standing = learned.flatMap(({ member, appeal, selectivity, decisions: count }) =>
    member.seeking.map((gender) => ({
      account_id: member.id,
      gender: genderCodes[gender],
      appeal,
      appeal_weight: count * 0.16,
      selectivity,
      selectivity_weight: count * 0.16,
      learned_at: now,
    })),
  );
  await copyRows(client, 'standing', standing);
  const waiting = Map.groupBy(
    decisions.filter(({ isPending }) => isPending),
    ({ target }) => target.id,
  );
  const pending = learned.map(({ member }) => waiting.get(member.id)?.length ?? 0);
  const buckets = learned.map(({ appeal, selectivity }, i) => {
    const inboxPenalty = Math.log1p((pending[i] ?? 0) / usualReads);
    return bucketOf({ baseThere: unknownBase, baseBack: unknownBase, appeal, selectivity, inboxPenalty, boost: 1 });
  });
  await client.query(
    `update discovery_row r set bucket = n.bucket, pending = n.pending, decisions_received = n.decisions,
       impressions = n.decisions / 10, cards_decided = n.decisions, is_newcomer = n.decisions < $5
     from unnest($1::uuid[], $2::smallint[], $3::int[], $4::real[]) as n (id, bucket, pending, decisions)
     where r.account_id = n.id`,
    [
      learned.map(({ member }) => member.id),
      buckets,
      pending,
      learned.map((each) => each.decisions),
      knownFromDecisions,
    ],
  );
}
