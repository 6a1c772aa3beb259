import type pg from 'pg';
import { bucketOf, unknownBase } from '../features/discovery/public.ts';
import { copyRows, type TableRows } from './copy-rows.ts';
import { demoId } from './demo-id.ts';
import { demoDecisions, demoMatches, isOnCards, type DemoDecision, type DemoMatch } from './demo-likes.ts';
import type { DemoGender, DemoMember } from './demo-member.ts';
import { dayMs } from './calendar.ts';
import { copyMessages } from './demo-messages.ts';
import { randomOf } from './random.ts';

const stream = 23;
/** A demo of a million members is for measuring; who likes whom there is made by what measures. */
const mostWithLikes = 10_000;
/** Matches are numbered from here, far from the members. */
const firstMatch = 2 ** 31;
const genderCodes: Record<DemoGender, number> = { woman: 1, man: 2, 'non-binary': 4 };
/** How far people differ in how often they are liked, and like, as standard deviations in log-odds. */
const spread = { appeal: 0.8, selectivity: 0.9 };
const standingMax = 2;
/** Decisions about somebody a day, on average, and the most that count. */
const decisionsPerDay = 0.8;
const mostDecisions = 60;
const knownFromDecisions = 10;
/** Likes that somebody is expected to read in a week. */
const usualReads = 7;

const decision: TableRows<DemoDecision> = {
  table: 'decision',
  columns: ['viewer_id', 'target_id', 'kind', 'decided_at', 'note', 'is_pending'],
  cells: ({ viewer, target, kind, decidedAt, note, isPending }) => [
    viewer.id,
    target.id,
    kind,
    decidedAt,
    note,
    isPending,
  ],
};

const match: TableRows<DemoMatch & { id: string }> = {
  table: 'match',
  columns: ['id', 'low_id', 'high_id', 'matched_at'],
  cells: ({ id, one, other, matchedAt }) => [id, ...[one.id, other.id].sort(), matchedAt],
};

/** What was learned of a demo member, towards people of all genders they seek. */
interface Learned {
  member: DemoMember;
  towards: number;
  appeal: number;
  selectivity: number;
  weight: number;
  decisions: number;
}

const standing: TableRows<Learned & { now: Date }> = {
  table: 'standing',
  columns: ['account_id', 'gender', 'appeal', 'appeal_weight', 'selectivity', 'selectivity_weight', 'learned_at'],
  cells: ({ member, towards, appeal, selectivity, weight, now }) => [
    member.id,
    towards,
    appeal,
    weight,
    selectivity,
    weight,
    now,
  ],
};

function learnedOf(member: DemoMember, number: number, now: Date): Learned[] {
  const random = randomOf(number, stream);
  const drawn = (sd: number) => {
    // Three dice make a bell; its standard deviation is a half.
    const value = (random.next() + random.next() + random.next() - 1.5) * 2 * sd;
    return Math.min(standingMax, Math.max(-standingMax, value));
  };
  const days = (now.getTime() - member.createdAt.getTime()) / dayMs;
  const decisions = Math.min(mostDecisions, Math.floor(days * decisionsPerDay * 2 * random.next()));
  const weight = decisions * 0.16;
  return member.seeking.map((gender) => ({
    member,
    towards: genderCodes[gender],
    appeal: decisions === 0 ? 0 : drawn(spread.appeal),
    selectivity: decisions === 0 ? 0 : drawn(spread.selectivity),
    weight,
    decisions,
  }));
}

/** What everybody is told of it: what is older than some days they have read. */
async function tellOfThem(client: pg.ClientBase, now: Date): Promise<void> {
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

/** Writes who likes whom, who matched and what that has taught so far; nothing for a demo of very many. */
export async function copyLikes(
  client: pg.ClientBase,
  members: number,
  make: (number: number) => DemoMember,
  now: Date,
): Promise<void> {
  if (members > mostWithLikes) return;
  const everybody = Array.from({ length: members }, (_, number) => make(number));
  const decisions = demoDecisions(everybody, now);
  await copyRows(client, decision, decisions);
  const matches = demoMatches(decisions).map((each, index) => ({ ...each, id: demoId(firstMatch + index) }));
  await copyRows(client, match, matches);
  await copyMessages(client, matches, now);
  await tellOfThem(client, now);
  await copyLearned(client, everybody, decisions, now);
}

async function copyLearned(
  client: pg.ClientBase,
  everybody: DemoMember[],
  decisions: DemoDecision[],
  now: Date,
): Promise<void> {
  const learned = everybody.flatMap((member, number) => (isOnCards(member, now) ? learnedOf(member, number, now) : []));
  await copyRows(
    client,
    standing,
    learned.map((each) => ({ ...each, now })),
  );
  const pending = new Map<string, number>();
  for (const { target, isPending } of decisions)
    if (isPending) pending.set(target.id, (pending.get(target.id) ?? 0) + 1);
  const people = [...new Map(learned.map((each) => [each.member.id, each])).values()];
  await client.query(
    `update discovery_row r set bucket = n.bucket, pending = n.pending, decisions_received = n.decisions,
       impressions = n.decisions / 10, cards_decided = n.decisions, is_newcomer = n.decisions < $5
     from unnest($1::uuid[], $2::smallint[], $3::int[], $4::real[]) as n (id, bucket, pending, decisions)
     where r.account_id = n.id`,
    [
      people.map(({ member }) => member.id),
      people.map((each) => bucketFor(each, pending.get(each.member.id) ?? 0)),
      people.map(({ member }) => pending.get(member.id) ?? 0),
      people.map(({ decisions: count }) => count),
      knownFromDecisions,
    ],
  );
  // What these decisions teach is in the standings.
  await client.query('delete from lesson where viewer_id = any ($1::uuid[])', [everybody.map(({ id }) => id)]);
}

function bucketFor({ appeal, selectivity }: Learned, pending: number): number {
  const inboxPenalty = Math.log1p(pending / usualReads);
  return bucketOf({ baseThere: unknownBase, baseBack: unknownBase, appeal, selectivity, inboxPenalty, boost: 1 });
}
