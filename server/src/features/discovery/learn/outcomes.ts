import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachPage } from '#platform/jobs/turns.ts';
import type { DeckMaker } from '../deck/deck.ts';
import { matchSegment, unknownBase } from '../score/score.ts';
import { keepSegments } from './learn.ts';
import { type Estimate, learnFromMatch, learnFromMeeting, nothingLearned, outcomeDays } from './learning.ts';

const matchesAtOnce = 200;
const noId = '00000000-0000-0000-0000-000000000000';
const dayMs = 86_400_000;
/** A conversation counts if both wrote and it has at least this many messages. */
const messagesLeast = 6;

interface Match {
  low_id: string;
  high_id: string;
  talked: boolean;
  /** Whether it ended within the week, and who ended it by an unmatch, a block or a report. */
  ended: boolean;
  low_left: boolean;
  high_left: boolean;
}

/** T of one member towards one gender. */
interface Kept {
  accountId: string;
  gender: number;
  warmth: Estimate;
  days: number;
}

/** The accounts of a batch, locked in the same way as a pair of people, without those deleted in the meantime. */
async function lockAccounts(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`select from account where id = any (${ids}::uuid[]) order by id for key share`.execute(tx);
}

interface DueMatch {
  id: string;
  low_id: string;
  high_id: string;
  /** The time as text, exact to the microsecond. */
  at: string;
}

/**
 * Learns once from each match that is a week old. A match is marked in the transaction that learns from it, so that none counts twice.
 * Matches are left out if their conversation was deleted or one of the two doesn't take part in discovery.
 */
export async function learnMatches(db: Db, marketStats: DeckMaker['marketStats'], now: Date): Promise<void> {
  const { base } = await marketStats(db);
  const until = new Date(now.getTime() - outcomeDays * dayMs);
  const read = async (after: DueMatch | undefined) => {
    const { rows } = await sql<DueMatch>`
      select id, low_id, high_id, began_at::text as at from conversation
      where not is_outcome_learned and began_at <= ${until}
        and (began_at, id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid)
      order by began_at, id limit ${matchesAtOnce}`.execute(db);
    return rows;
  };
  const learnSome = (due: DueMatch[]) =>
    inTransaction(db, (tx) => learnFromMatches(tx, due, base.get(matchSegment) ?? unknownBase, now));
  await eachPage(read, learnSome, { round: 'discovery.learn matches', keyOf: ({ id }) => id });
}

async function learnFromMatches(tx: Db, due: DueMatch[], base: number, now: Date): Promise<void> {
  const people = [...new Set(due.flatMap(({ low_id, high_id }) => [low_id, high_id]))].sort();
  await lockAccounts(tx, people);
  const kept = await readKept(tx, people, now);
  const matches = await takeMatches(
    tx,
    due.map(({ id }) => id),
  );
  const counts = { shown: 0, liked: 0 };
  for (const match of matches) {
    const [low, high] = [kept(match.low_id, match.high_id), kept(match.high_id, match.low_id)];
    if (low === null || high === null) continue;
    const y = outcomesOf(match);
    const after = learnFromMatch(base, [partOf(low), partOf(high)], y);
    for (const [side, own] of [low, high].entries()) {
      const one = y[side] ?? null;
      if (one === null) continue;
      Object.assign(own, { warmth: after[side], days: 0 });
      counts.shown += 1;
      counts.liked += one;
    }
  }
  await keep(tx, kept.changed(), now);
  if (counts.shown > 0) await keepSegments(tx, new Map([[matchSegment, counts]]));
}

/** The age in days at which an answer is learned from, so that an answer that is changed right away doesn't count. */
const answerDays = 1;

/** An answer in a conversation that one would like to meet the other again. */
interface DueAnswer {
  id: string;
  by_id: string;
  about_id: string;
  at: string;
}

/**
 * Learns once from each answer that two people met and that one would like to meet the other again. It counts for the other person only.
 * Having met without wanting to meet again adds nothing to what the conversation already showed.
 */
export async function learnMeetings(db: Db, marketStats: DeckMaker['marketStats'], now: Date): Promise<void> {
  const { base } = await marketStats(db);
  const until = new Date(now.getTime() - answerDays * dayMs);
  const read = async (after: DueAnswer | undefined) => {
    const { rows } = await sql<DueAnswer>`
      select c.id, a.account_id as by_id, case when c.low_id = a.account_id then c.high_id else c.low_id end as about_id,
        a.answered_at::text as at
      from meeting_answer a join conversation c on c.id = a.conversation_id
      where a.meet_again and not a.is_learned and a.answered_at <= ${until}
        and (a.answered_at, a.conversation_id, a.account_id)
          > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid, ${after?.by_id ?? noId}::uuid)
      order by a.answered_at, a.conversation_id, a.account_id limit ${matchesAtOnce}`.execute(db);
    return rows;
  };
  const learnSome = (due: DueAnswer[]) =>
    inTransaction(db, (tx) => learnFromMeetings(tx, due, base.get(matchSegment) ?? unknownBase, now));
  const keyOf = ({ id, by_id }: DueAnswer) => `${id} ${by_id}`;
  await eachPage(read, learnSome, { round: 'discovery.learn meetings', keyOf });
}

async function learnFromMeetings(tx: Db, due: DueAnswer[], base: number, now: Date): Promise<void> {
  const people = [...new Set(due.flatMap(({ by_id, about_id }) => [by_id, about_id]))].sort();
  await lockAccounts(tx, people);
  const kept = await readKept(tx, people, now);
  for (const { by_id, about_id } of await takeAnswers(tx, due)) {
    const own = kept(about_id, by_id);
    if (own === null) continue;
    const warmth = learnFromMeeting(base, partOf(own));
    Object.assign(own, { warmth, days: 0 });
  }
  await keep(tx, kept.changed(), now);
}

/** Marks answers as learned from, except those that were withdrawn or taken by another process in the meantime. */
async function takeAnswers<A extends { id: string; by_id: string }>(tx: Db, answers: readonly A[]): Promise<A[]> {
  const { rows } = await sql<{ id: string; by_id: string }>`
    with due as (
      select a.conversation_id, a.account_id from meeting_answer a
        join unnest(${answers.map(({ id }) => id)}::uuid[], ${answers.map(({ by_id }) => by_id)}::uuid[]) as d (id, by_id)
          on a.conversation_id = d.id and a.account_id = d.by_id
      where a.meet_again and not a.is_learned order by 1, 2 for update of a
    )
    update meeting_answer a set is_learned = true from due
    where a.conversation_id = due.conversation_id and a.account_id = due.account_id
    returning a.conversation_id as id, a.account_id as by_id`.execute(tx);
  const taken = new Set(rows.map(({ id, by_id }) => `${id} ${by_id}`));
  return answers.filter(({ id, by_id }) => taken.has(`${id} ${by_id}`));
}

const partOf = ({ warmth, days }: Kept) => ({ ...warmth, days });

/**
 * What a match shows about each of its members: a conversation (1) or none (0). If one of them ended it within the week, it counts against
 * the other, whatever was written, and says nothing about the one who ended it: neither an unmatch nor a report is an advantage, and a
 * report has the same weight as any other end.
 */
export function outcomesOf({ talked, ended, low_left, high_left }: Omit<Match, 'low_id' | 'high_id'>): [Y, Y] {
  if (ended) return [high_left ? 0 : null, low_left ? 0 : null];
  return talked ? [1, 1] : [0, 0];
}
type Y = 0 | 1 | null;

/** Marks matches as learned from and returns their outcomes; another process may have taken some in the meantime. */
async function takeMatches(tx: Db, ids: readonly string[]): Promise<Match[]> {
  const left = (by: 'low_id' | 'high_id', of: 'low_id' | 'high_id') => sql`exists (
    select from block b where b.blocker_id = c.${sql.ref(by)} and b.blocked_id = c.${sql.ref(of)} and not b.is_by_address_only
      and b.created_at < c.began_at + make_interval(days => ${outcomeDays}))`;
  const { rows } = await sql<Match>`
    with due as (
      select id from conversation where id = any (${ids}::uuid[]) and not is_outcome_learned order by id for update
    )
    update conversation c set is_outcome_learned = true from due where c.id = due.id
    returning c.low_id, c.high_id, c.last_seq >= ${messagesLeast} and c.is_answered as talked,
      coalesce(c.ended_at < c.began_at + make_interval(days => ${outcomeDays}), false) as ended,
      ${left('low_id', 'high_id')} as low_left, ${left('high_id', 'low_id')} as high_left`.execute(tx);
  return rows;
}

/** T of these people towards each other's genders; their rows are locked in the order of their ids, as in `learn`. */
async function readKept(tx: Db, ids: readonly string[], now: Date) {
  const { rows } = await sql<{ account_id: string; gender: number }>`
    select account_id, gender from discovery_row where account_id = any (${ids}::uuid[]) and gender > 0
    order by account_id for no key update`.execute(tx);
  const genders = new Map(rows.map(({ account_id, gender }) => [account_id, gender]));
  const found = await tx.selectFrom('standing').selectAll().where('account_id', 'in', ids).execute();
  const keyOf = (accountId: string, gender: number) => `${accountId} ${gender}`;
  const known = new Map(
    found.map((row): [string, Kept] => [
      keyOf(row.account_id, row.gender),
      {
        accountId: row.account_id,
        gender: row.gender,
        warmth: { value: row.warmth, weight: row.warmth_weight },
        days: row.warmth_at === null ? 0 : (now.getTime() - row.warmth_at.getTime()) / dayMs,
      },
    ]),
  );
  const used = new Set<Kept>();
  const kept = (accountId: string, otherId: string): Kept | null => {
    const gender = genders.get(otherId);
    if (gender === undefined || !genders.has(accountId)) return null;
    const key = keyOf(accountId, gender);
    const own = known.get(key) ?? { accountId, gender, warmth: nothingLearned, days: 0 };
    known.set(key, own);
    used.add(own);
    return own;
  };
  return Object.assign(kept, { changed: () => [...used] });
}

async function keep(tx: Db, all: readonly Kept[], now: Date): Promise<void> {
  const rows = all.toSorted((one, other) => (one.accountId + one.gender < other.accountId + other.gender ? -1 : 1));
  await sql`
    insert into standing (account_id, gender, warmth, warmth_weight, warmth_at, learned_at)
    select *, ${now}::timestamptz, ${now}::timestamptz from unnest(
      ${rows.map(({ accountId }) => accountId)}::uuid[], ${rows.map(({ gender }) => gender)}::smallint[],
      ${rows.map(({ warmth }) => warmth.value)}::real[], ${rows.map(({ warmth }) => warmth.weight)}::real[])
    on conflict (account_id, gender) do update set
      warmth = excluded.warmth, warmth_weight = excluded.warmth_weight, warmth_at = excluded.warmth_at`.execute(tx);
}
