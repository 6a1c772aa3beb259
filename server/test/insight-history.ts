import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Gender } from '#contract/profiles/profile-details.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeMember, type MemberOptions } from './factories.ts';
import type { TestApp } from './harness.ts';
import type { Random } from './random.ts';

/** A random history of members, written as rows with their times, and the events that leave no row of their own. */
export interface History {
  people: string[];
  /** Who was active on each day. */
  visits: Map<string, Set<string>>;
}

export const emptyHistory = (): History => ({ people: [], visits: new Map() });

const genders: (Gender | null)[] = ['woman', 'woman', 'man', 'man', 'man', 'non-binary', null];
const births = ['2004-02-29', '1999-06-15', '1990-05-05', '1971-01-01', '1950-12-31', null];
const countries = ['Czechia', 'Czechia', 'Czechia', 'Poland', 'Atlantis', null];

/** Writes a person who joins now; some confirm their address later, some have no picture. */
async function join(test: TestApp, random: Random, history: History): Promise<void> {
  const options: MemberOptions = {
    gender: random.pick(genders),
    birthDate: random.pick(births),
    country: random.pick(countries),
    verified: random.chance(0.7),
    ...(random.chance(0.3) && { pictureless: true }),
  };
  history.people.push((await makeMember(test, options)).id);
}

async function like(test: TestApp, random: Random, { people }: History, now: Date): Promise<void> {
  const [viewer, target] = [random.pick(people), random.pick(people)];
  if (viewer === target) return;
  await sql`insert into decision (viewer_id, target_id, kind, decided_at)
    values (${viewer}::uuid, ${target}::uuid, ${random.chance(0.7) ? 'like' : 'pass'}, ${now}) on conflict do nothing`.execute(
    test.db,
  );
}

async function report(test: TestApp, random: Random, { people }: History, now: Date): Promise<void> {
  await sql`insert into report (reporter_id, problem_type, description, first_priority, priority, created_at, updated_at, due_at)
    values (${random.pick(people)}::uuid, 'Other', 'Something', 'other', 'other', ${now}, ${now}, ${now})`.execute(
    test.db,
  );
}

async function match(test: TestApp, random: Random, { people }: History, now: Date): Promise<void> {
  const [low = '', high = ''] = [random.pick(people), random.pick(people)].sort();
  if (low === high) return;
  await sql`with made as (
      insert into match (low_id, high_id, matched_at) values (${low}::uuid, ${high}::uuid, ${now})
      on conflict do nothing returning *
    ) insert into conversation (id, low_id, high_id, began_at, last_at)
      select id, low_id, high_id, matched_at, matched_at from made`.execute(test.db);
}

/** Continues a conversation: one of the two, or both in turns, write a few messages. */
async function talk(test: TestApp, random: Random, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string; low_id: string; high_id: string; seq: number }>`
    select c.id, low_id, high_id, coalesce((select max(seq) from message where conversation_id = c.id), 0) as seq
    from conversation c where ended_at is null order by c.id offset ${random.below(6)} limit 1`.execute(test.db);
  const [found] = rows;
  if (found === undefined) return;
  const isBoth = random.chance(0.8);
  for (let nth = 1; nth <= 1 + random.below(4); nth += 1)
    await test.db
      .insertInto('message')
      .values({
        conversation_id: found.id,
        seq: found.seq + nth,
        sender_id: isBoth && random.chance(0.5) ? found.high_id : found.low_id,
        client_id: randomUUID(),
        body: 'Hi',
        sent_at: secondsAfter(now, nth),
        caution: null,
      })
      .execute();
}

async function unmatch(test: TestApp, random: Random, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from match where id = (select id from match order by id offset ${random.below(3)} limit 1) returning id`.execute(
    test.db,
  );
  await sql`update conversation set ended_at = ${now} where id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(
    test.db,
  );
}

async function visit(test: TestApp, random: Random, history: History, now: Date): Promise<void> {
  const id = random.pick(history.people);
  await sql`update presence set last_active_at = ${now} where account_id = ${id}::uuid`.execute(test.db);
  const day = now.toISOString().slice(0, 10);
  history.visits.set(day, (history.visits.get(day) ?? new Set()).add(id));
}

/** A member pays, for the first time or again, or ends the subscription. */
async function pay(test: TestApp, random: Random, { people }: History, now: Date): Promise<void> {
  const id = random.pick(people);
  const { rows } = await sql<{ id: string }>`
    insert into subscription (account_id, provider, plan, status, price_minor, currency, ever_paid, created_at, updated_at)
    values (${id}::uuid, 'sandbox', 'monthly', 'active', 999, 'USD', true, ${now}, ${now})
    on conflict (account_id) where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')
      do update set updated_at = excluded.updated_at returning id`.execute(test.db);
  await sql`insert into invoice (id, account_id, subscription_id, provider, status, total_minor, currency, created_at,
      period_start, period_end, paid_at)
    select ${randomUUID()}, ${id}::uuid, s, 'sandbox', 'paid', 999, 'USD', ${now}, ${now}, ${now}, ${now}
    from unnest(${rows.map((row) => row.id)}::uuid[]) s`.execute(test.db);
  if (random.chance(0.3))
    await sql`update subscription set status = 'canceled', ended_at = ${secondsAfter(now, 1)}
      where account_id = ${id}::uuid and status = 'active'`.execute(test.db);
}

/** Writes a day of random events, in order. The test's clock moves through it. */
export async function liveThrough(test: TestApp, random: Random, history: History, day: string): Promise<void> {
  const events = 12;
  for (let event = 0; event < events; event += 1) {
    const now = new Date(Date.parse(day) + Math.floor(((event + random.next()) * 86_390_000) / events));
    test.clock.set(now);
    if (history.people.length < 2 || random.chance(0.25)) await join(test, random, history);
    const which = random.below(10);
    if (which < 3) await like(test, random, history, now);
    else if (which === 3) await match(test, random, history, now);
    else if (which < 6) await talk(test, random, now);
    else if (which === 6) await pay(test, random, history, now);
    else if (which === 7 && random.chance(0.4)) await unmatch(test, random, now);
    else if (which === 7) await report(test, random, history, now);
    else if (which === 8)
      await sql`update account set email_verified_at = ${now} where id = ${random.pick(history.people)}::uuid
        and email_verified_at is null`.execute(test.db);
    await visit(test, random, history, now);
  }
}
